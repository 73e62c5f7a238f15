"""What this package raises when it is asked for something that cannot be."""

from __future__ import annotations


class GameError(ValueError):
    """The one base of every error that a wrong input causes; nothing is changed when it is raised.

    The arguments of the errors are kept as they are, so that they can be sent between processes.

    Catch this to catch them all: an illegal or malformed move, an option or a seed out of
    range, a component file with mistakes, a record or a saved state that does not hold.
    """


class IllegalMove(GameError):
    """A move that the rules do not allow now, or that is no move at all.

    Attributes:
        move: What was asked for, as it was given.
        phase: The phase of the game in which it was asked for.
        legal: The words of every move that would have been legal.
    """

    def __init__(self, message: str, move: object, phase: str, legal: list[str]) -> None:
        super().__init__(message, move, phase, legal)
        self.move = move
        self.phase = phase
        self.legal = legal

    def __str__(self) -> str:
        return str(self.args[0])


class OptionError(GameError):
    """A seed, a player count or another option that is out of its range."""


class MistakesError(GameError):
    """A file with mistakes, all of them named at once.

    Attributes:
        problems: Every mistake found, one line each, with its line number or key.
    """

    def __init__(self, source: str, problems: list[str]) -> None:
        super().__init__(source, problems)
        self.problems = problems

    def __str__(self) -> str:
        count = "1 mistake" if len(self.problems) == 1 else f"{len(self.problems)} mistakes"
        return "\n  ".join([f"{self.args[0]}: {count}", *self.problems])


class ComponentsError(MistakesError):
    """A component file that the engine cannot play with."""


class ConfigError(MistakesError):
    """A file that describes a run, such as a tournament, and has mistakes."""


class RecordError(GameError):
    """A game record that is damaged, or that tells a game the rules do not allow.

    Attributes:
        move: The number of the move (from 0) at which it goes wrong, None if no move is to blame.
    """

    def __init__(self, message: str, move: int | None = None) -> None:
        super().__init__(message, move)
        self.move = move

    def __str__(self) -> str:
        return str(self.args[0]) if self.move is None else f"move {self.move}: {self.args[0]}"


class SavedStateError(GameError):
    """Bytes that are not a whole saved state of this game and version."""
