"""How a game is shown: as text, as a picture, and in a notebook."""

from __future__ import annotations

from html import escape

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.contract import GameContract
from dreamfactory_env.games.drawing import can_draw, encode_png, picture_of_text
from dreamfactory_env.games.view_text import view_to_text


class DisplayedGame(GameContract):
    """What shows a game, made from its view; a game may bring a better text and picture."""

    def text(self, seat: int | None = None) -> str:
        """Returns the table as a seat sees it, and what that seat may do, as text.

        Args:
            seat: The seat; None sees everything.

        Raises:
            OptionError: There is no such seat.
        """
        return view_to_text(self.view(seat))

    def __str__(self) -> str:
        return view_to_text(self.view())

    def picture(self, seat: int | None = None) -> Array:
        """Returns the table as a seat sees it as a picture, uint8 (height, width, 3).

        Args:
            seat: The seat; None sees everything.

        Raises:
            OptionError: There is no such seat, or pygame is not installed.
        """
        return picture_of_text(self.text(seat))

    # A notebook asks for these. It gets one of them, for it would take the page if it had both.

    def _repr_png_(self) -> bytes | None:
        """Returns the whole table as a picture for a notebook, None without pygame."""
        return encode_png(self.picture()) if can_draw() else None

    def _repr_html_(self) -> str | None:
        """Returns the whole table as text for a notebook, None where there is a picture."""
        return None if can_draw() else f"<pre>{escape(str(self))}</pre>"
