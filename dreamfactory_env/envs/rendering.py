"""How an environment shows its game: the render modes, whose eyes, who plays, what was played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any, Literal, TypedDict, cast

import gymnasium
import numpy as np

from dreamfactory_env.engine.position import apply_at
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.window import Window
from dreamfactory_env.games.drawing import Area, Canvas, shortened, text
from dreamfactory_env.games.game import Game
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int, check_word

RENDER_MODES = ["ansi", "human", "rgb_array"]
RENDER_FPS = 2
EVERYTHING = "all"
#: How many moves are told below a picture, if there is room.
TOLD = 5
#: A line below a picture. Pictures of 16 rows times something stay so, as videos like it.
LINE, MARGIN, FONT = 32, 16, 21
GROUND, INK, FAINT = (18, 19, 22), (236, 238, 242), (140, 146, 156)


class RenderOptions(TypedDict, total=False):
    """The options of an environment that say how it is shown, besides ``render_mode``.

    Attributes:
        render_seat: Whose eyes see the table: a seat, or ``"all"`` for everything; if not given,
            the player to move, and the agent's own where there is one agent.
        render_fps: How many pictures the window shows in a second, at most; 2 if not given.
    """

    render_seat: int | Literal["all"] | None
    render_fps: float


def take_render_options(options: Mapping[str, Any]) -> tuple[RenderOptions, dict[str, Any]]:
    """Returns the options that say how a game is shown, and all others."""
    names = RenderOptions.__optional_keys__
    taken = {name: value for name, value in options.items() if name in names}
    rest = {name: value for name, value in options.items() if name not in names}
    return cast(RenderOptions, taken), rest


class Renderer:
    """Shows the game of an environment.

    Attributes:
        mode: The render mode, None to show nothing.
        fps: How many pictures the window shows in a second, for the metadata of the environment.

    Args:
        game: A game with the options of the environment.
        mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
        options: How it is shown.

    Raises:
        OptionError: One of them is wrong.
    """

    def __init__(self, game: Game, mode: str | None, options: RenderOptions) -> None:
        if mode is not None:
            check_word("render_mode", mode, RENDER_MODES)
        self.mode = mode
        self.fps = check_fps(options.get("render_fps", RENDER_FPS))
        self._seat = _check_seat(options.get("render_seat"), game)
        self._window = Window(game.spec.title)

    def render(
        self,
        game: Game,
        seat: int,
        fps: object,
        *,
        start: Game,
        actions: Sequence[int] | Array,
        names: Sequence[str] | None,
    ) -> Array | str | None:
        """Returns the table as text or as a picture, or shows it in a window.

        Args:
            game: The position.
            seat: Whose eyes see it, unless an option has said so.
            fps: How many pictures to show in a second: the metadata may have been changed.
            start: The game before the first of the actions.
            actions: What has been played.
            names: Who plays at each seat, None if nobody knows.

        Raises:
            OptionError: The window has no screen, pygame is not installed, or ``fps`` is wrong.
        """
        if self.mode is None:
            gymnasium.logger.warn("render() needs a render_mode: ansi, rgb_array or human")
            return None
        viewer = self._viewer(seat)
        if self.mode == "ansi":
            return game.text(viewer)
        if self.mode == "human" and self._window.closed:
            return None
        moves = last_moves(start, actions, viewer)
        picture = with_caption(game.picture(viewer), viewer, names, moves)
        if self.mode == "rgb_array":
            return picture
        self._window.show(picture, check_fps(fps))
        return None

    def _viewer(self, seat: int) -> int | None:
        """Returns whose eyes see the table, None for those that see everything."""
        if isinstance(self._seat, int):
            return self._seat
        return seat if self._seat is None else None

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._window.close()


def check_fps(fps: object) -> float:
    """Returns a number of pictures in a second.

    Raises:
        OptionError: It is no number above 0.
    """
    if isinstance(fps, int | float | np.number) and not isinstance(fps, bool):
        number = float(fps)
        if isfinite(number) and number > 0:
            return number
    raise OptionError(f"render_fps must be a number above 0, not {fps!r}")


def _check_seat(seat: object, game: Game) -> int | str | None:
    """Returns a seat to look from; ``"all"`` and None are no seats and returned as they are.

    Raises:
        OptionError: It is none of these.
    """
    if seat is None or (isinstance(seat, str) and seat == EVERYTHING):
        return seat
    number = as_int(seat)
    if number is None or number not in range(game.players):
        known = f"a seat from 0 to {game.players - 1}, {EVERYTHING!r} or None"
        raise OptionError(f"render_seat must be {known}, not {seat!r}")
    return number


def last_moves(start: Game, actions: Sequence[int] | Array, viewer: int | None) -> list[str]:
    """Returns the last moves as a viewer is told of them, the newest first.

    Args:
        start: The game before the first of the actions.
        actions: What has been played since then.
        viewer: The seat, None for one that sees everything.
    """
    game = start.copy()
    told_from = max(len(actions) - TOLD, 0)
    apply = game.compiled(apply_at)
    for action in actions[:told_from]:
        apply(game.states, 0, game.params, int(action))
    # The narration knows what may be told to whom. What it says of a move comes between asking for
    # this one and for the next; its first line says what was played, the others what came of it.
    lines: list[str] = []
    begins: list[int] = []

    def moves() -> Iterator[int]:
        for action in actions[told_from:]:
            begins.append(len(lines))
            yield int(action)

    for line in game.narrate(moves(), viewer):
        lines.append(line.text.strip())  # one by one: moves() counts them while they come
    told = [lines[begin] for begin, end in pairwise([*begins, len(lines)]) if begin < end]
    return told[::-1]


def with_caption(
    picture: Array, viewer: int | None, names: Sequence[str] | None, moves: Sequence[str]
) -> Array:
    """Returns a picture with lines below: who plays, if that is known, and what was played.

    The lines are there from the first move on and before it: all pictures of a game are as high.

    Args:
        picture: uint8 (height, width, 3).
        viewer: Whose eyes saw it, None for everything.
        names: Who plays at each seat.
        moves: The last moves, the newest first; as many are written as there is room for.
    """
    width = picture.shape[1]
    canvas = Canvas(width, LINE * (1 if names is None else 2), GROUND)
    line = Area(MARGIN, 0, width - 2 * MARGIN, LINE)
    for seat, name in enumerate(names or ()):
        area = line.columns(len(names or ()), MARGIN)[seat]
        words = shortened(f"player {seat}: {name}", FONT, area.w)
        canvas.text(words, FONT, INK, (area.x, area.middle[1]))
    y = LINE // 2 if names is None else LINE + LINE // 2
    seen = "all is shown" if viewer is None else f"seen by player {viewer}"
    right = line.right - canvas.text(seen, FONT, FAINT, (line.right, y), "midright") - MARGIN
    label = "last move:" if moves else "no move yet"
    x = line.x + canvas.text(label, FONT, FAINT, (line.x, y)) + MARGIN // 2
    for age, move in enumerate(moves):
        ink = FAINT if age else INK
        if age and text(move, FONT, ink).get_width() > right - x:
            break
        x += canvas.text(shortened(move, FONT, right - x), FONT, ink, (x, y)) + MARGIN
    return np.concatenate([picture, canvas.pixels()])
