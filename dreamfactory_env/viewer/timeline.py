"""A game as frames: what a viewer sees after each move, and what has happened, in words.

Everything in a frame comes from ``view`` and ``narrate`` of the game for that viewer, so that
nothing that is hidden from it reaches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.labels import labels_of
from dreamfactory_env.records.format import replay, replay_actions, replay_moves, start_of
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.viewer.difference import difference

#: A text of a record that is longer is cut where it is shown: names, options.
MAX_TEXT = 60


class Timeline:
    """A game from its deal to its last move, which is read in frames.

    Frame 0 is the deal, frame k is what a viewer sees after move k. A frame is plain data::

        {"view": …, "move": {"seat": 0, "action": 5, "words": "bid 4"}, "lines": ["…", …]}

    In a row of frames all but the first have ``set`` in place of ``view``: the changes since the
    frame before, see ``viewer.difference``. What another seat has played has no action for a seat,
    and words only if it was told the same. A game without a page of its own has ``text``, too.

    Args:
        start: The game before its first move; not changed.
        actions: The legal actions that were played.
        agents: Who plays, one name for each seat.
        result: How it has ended, None if it has not.
    """

    def __init__(
        self,
        start: Game,
        actions: Sequence[int],
        agents: Sequence[str],
        result: dict[str, Any] | None = None,
    ) -> None:
        self.start, self.actions, self.agents = start, list(actions), list(agents)
        self.result = result

    @classmethod
    def of(cls, record: dict[str, Any]) -> Self:
        """Returns the timeline of a record, after every move and the result have been verified.

        Raises:
            GameError: Something in the record is not as the rules have it.
        """
        (replay_moves if record.get("result") is None else replay)(record)
        actions = [action for _, action, _ in record["moves"]]
        return cls(start_of(record), actions, record["agents"], record["result"])

    def __len__(self) -> int:
        """Returns how many frames there are."""
        return len(self.actions) + 1

    def header(self, viewer: int | None = None) -> dict[str, Any]:
        """Returns what is the same in all frames.

        The seed is a text, for it may have more digits than a number of JavaScript; a seat does not
        get it, since all that is hidden follows from it.
        """
        start = self.start
        return {
            "name": start.spec.name,
            "title": start.spec.title,
            "version": start.spec.version,
            "shared": start.spec.shared,
            "players": start.players,
            "options": {name: _short(value) for name, value in start.config().items()},
            "agents": seat_names(self.agents),
            "seed": None if viewer is not None or start.seed is None else str(start.seed),
            "result": self.result,
            "moves": len(self.actions),
            "page": page_folder(type(start)) is not None,
        }

    def frames(
        self, viewer: int | None = None, first: int = 0, count: int | None = None
    ) -> list[dict[str, Any]]:
        """Returns some frames as a viewer sees them.

        Args:
            viewer: The seat; None sees everything.
            first: The first of them.
            count: How many, or fewer if there are not so many; all from the first if None.

        Raises:
            OptionError: There is no such seat or frame.
        """
        if viewer is not None:
            self.start.check_seat(viewer)
        if not 0 <= first < len(self):
            raise OptionError(f"there are frames 0 to {len(self) - 1}, not {first}")
        last = len(self) if count is None else min(first + count, len(self))
        found: list[dict[str, Any]] = []
        before: Any = None
        # What led to the first one is narrated with it.
        for number, frame in enumerate(self._walk(viewer, max(first - 1, 0), last - 1)):
            if number == 0 and first > 0:
                continue
            view = frame["view"]
            if found:
                del frame["view"]
                frame["set"] = difference(before, view)
            before = view
            found.append(frame)
        return found

    def whole(self, viewer: int | None = None) -> dict[str, Any]:
        """Returns the header and all frames, as an exported page carries them."""
        frames = self.frames(viewer)
        return {"game": self.header(viewer), "viewer": viewer, "frames": frames}

    def at(self, frame: int) -> Game:
        """Returns the game as it was at a frame; a copy."""
        game = self.start.copy()
        replay_actions(game, self.actions[:frame])
        return game

    def _walk(self, viewer: int | None, first: int, last: int) -> list[dict[str, Any]]:
        """Returns the frames from one to another, each with its whole view.

        The narration plays in the game and asks for a move when all of the one before is told, so
        this looks at the game whenever it asks.
        """
        game = self.at(first)
        without_page = page_folder(type(game)) is None
        frames: list[dict[str, Any]] = [{"move": None, "lines": []}]

        def look() -> None:
            frames[-1]["view"] = game.view(viewer)
            if without_page:
                frames[-1]["text"] = game.text(viewer)

        def moves() -> Iterator[int]:
            for action in self.actions[first:last]:
                look()
                seat = game.to_move
                known = viewer in (None, seat)
                words = game.action_to_string(action)
                move = {"seat": seat, "action": action if known else None, "words": words}
                frames.append({"move": move, "lines": []})
                yield action
            look()

        for line in game.narrate(moves(), viewer):
            frames[-1]["lines"].append(line.text)
        for frame in frames[1:]:
            move, told = frame["move"], " ".join(frame["lines"][:1])
            if move["action"] is None and move["words"] not in told:
                move["words"] = ""
        return frames


def page_folder(game_cls: type[Game]) -> Path | None:
    """Returns the folder of the drawing of a game, None if it has none."""
    return game_cls.page


def seat_names(agents: Sequence[str]) -> list[str]:
    """Returns who plays, as it is shown: short, and nothing that would not print."""
    return list(_seat_names(tuple(agent[:200] for agent in agents)))


@lru_cache(maxsize=1000)  # in a file the same ones play again and again
def _seat_names(agents: tuple[str, ...]) -> tuple[str, ...]:
    labels = labels_of(agents)
    return tuple(_short(labels[agent]) for agent in agents)


def _short(value: Any) -> Any:
    """Returns a value of a record as it is shown."""
    if isinstance(value, bool | int | float | None):
        return value
    if isinstance(value, str):
        text = "".join(c if c.isprintable() else "?" for c in value[: MAX_TEXT + 1])
        return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
    return "…"  # a file of one's own, as its content
