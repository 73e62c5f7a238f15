"""Options that commands share: which game, with which options, and how many players.

A group of options is a dataclass whose fields are annotated for typer. A command takes a group as
one parameter, and :func:`with_groups` shows typer its fields.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from dreamfactory_env.games import DEFAULT_GAME, GAMES, game_named, new_game
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.utils.errors import OptionError

if TYPE_CHECKING:
    from dreamfactory_env.cluster.connection import Cluster

Command = Callable[..., None]
AllowCode = Annotated[
    bool,
    typer.Option(
        "--allow-code",
        help="Import policies of the file such as package.module:Class, which runs their code.",
    ),
]


def with_groups(command: Command) -> Command:
    """Returns a command with the fields of its groups as parameters of their own.

    Args:
        command: A function whose keyword-only parameters are annotated with dataclasses. All of
            their fields have defaults.
    """
    hints = get_type_hints(command, include_extras=True)
    own, groups = [], {}
    for name, parameter in inspect.signature(command).parameters.items():
        if is_dataclass(hints[name]):
            groups[name] = hints[name]
        else:
            own.append(parameter.replace(annotation=hints[name]))
    spread = [parameter for group in groups.values() for parameter in _parameters_of(group)]
    signature = inspect.Signature([*own, *spread])

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.arguments
        for name, group in groups.items():
            given[name] = group(**{item.name: given.pop(item.name) for item in fields(group)})
        command(**given)

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {item.name: item.annotation for item in signature.parameters.values()}
    return run


def _parameters_of(group: Any) -> list[inspect.Parameter]:
    """Returns the fields of a group as parameters."""
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            item.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=item.default,
            annotation=hints[item.name],
        )
        for item in fields(group)
    ]


# ---------------------------------------------------------------------------- the game


def players_in_words(spec: GameSpec) -> str:
    """Returns how many can play a game, and how many do by default."""
    return f"{spec.min_players} to {spec.max_players}, {spec.default_players} by default"


def _players_help() -> str:
    known = (f"{name}: {players_in_words(game.spec)}" for name, game in GAMES.items())
    return f"How many play ({'; '.join(known)})."


OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="KEY=VALUE",
        help="An option of the game, see `dreamfactory games`; can be repeated.",
    ),
]
Players = Annotated[int | None, typer.Option(help=_players_help(), show_default=False)]


def read_options(texts: Sequence[str] | None, spec: GameSpec) -> dict[str, Any]:
    """Returns options that are written as ``key=value``; their values may still be wrong.

    Args:
        texts: What was given.
        spec: Of the game.

    Raises:
        OptionError: One is unknown, or is not written so.
    """
    values = {}
    for text in texts or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if name == "players":
            raise OptionError("players is set by --players, or by the file, not by -o")
        if not spec.options:
            raise OptionError(f"{spec.name} has no options, so there is no -o {text}")
        if not equals:
            first = spec.options[0]
            example = f"{first.name}={first.default}"
            raise OptionError(f"-o must be a key and a value such as {example}, not {text!r}")
        values[name] = spec.option(name).read_text(value)
    return values


@dataclass(frozen=True)
class GameOptions:
    """Which game is played, and with which options."""

    game: Annotated[str, typer.Option(metavar="NAME", help="Which game.")] = DEFAULT_GAME
    options: OptionTexts = None

    def values(self) -> dict[str, Any]:
        """Returns the options that were given.

        Raises:
            GameError: There is no such game or option.
        """
        return read_options(self.options, game_named(self.game).spec)


@dataclass(frozen=True)
class TableOptions(GameOptions):
    """Which game is played, with which options, and by how many."""

    players: Players = None

    def new_game(self) -> Game:
        """Returns a game with these options.

        Raises:
            GameError: One of them is unknown or wrong.
        """
        players = {} if self.players is None else {"players": self.players}
        return new_game(self.game, {**players, **self.values()})


@dataclass(frozen=True)
class GameChange:
    """A game and options that replace those of a file."""

    game: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which game, in place of the file's.")
    ] = None
    options: OptionTexts = None

    def change(self, data: dict[str, Any]) -> None:
        """Puts what was given into the data of a file, under ``game`` and ``options``.

        Another game drops the options of the file; else each that is given replaces the file's.

        Raises:
            GameError: There is no such game or option.
        """
        if self.game is not None and self.game != data.get("game", DEFAULT_GAME):
            data["game"] = self.game
            data.pop("options", None)
        if self.options:
            spec = game_named(data.get("game", DEFAULT_GAME)).spec
            given = read_options(self.options, spec)
            plain = {key: str(v) if isinstance(v, Path) else v for key, v in given.items()}
            data["options"] = {**(data.get("options") or {}), **plain}


# ---------------------------------------------------------------------------- where it runs


class Engine(StrEnum):
    """Where work is done."""

    LOCAL = "local"
    RAY = "ray"


@dataclass(frozen=True)
class EngineOptions:
    """Where the work is done: on this machine, or on a Ray cluster."""

    engine: Annotated[
        Engine, typer.Option(help="Where it runs: on this machine, or on a Ray cluster.")
    ] = Engine.LOCAL
    address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The cluster to join: auto, host:port or ray://host:port; without one, "
            "--engine ray starts Ray on this machine.",
        ),
    ] = None

    def connected(self) -> AbstractContextManager[Cluster | None]:
        """Connects to the cluster, if there is one, for as long as the context lasts.

        Raises:
            OptionError: It cannot be joined, or there is an address for nothing.
        """
        if self.engine == Engine.LOCAL:
            if self.address is not None:
                raise OptionError("--address is that of a cluster: give --engine ray with it")
            return nullcontext()
        from dreamfactory_env.cluster.connection import connected

        return connected(self.address)
