"""The command ``dreamfactory components``: a component file to start from, and its mistakes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from dreamfactory_env.cli.terminal import EXIT_WRONG, console, errors
from dreamfactory_env.games import DEFAULT_GAME, game_named
from dreamfactory_env.games.spec import GameSpec, Option
from dreamfactory_env.utils.errors import MistakesError, OptionError


def components_command(
    game: Annotated[str, typer.Option(metavar="NAME", help="Which game.")] = DEFAULT_GAME,
    print_file: Annotated[
        bool, typer.Option("--print", help="Print the standard component file, to start from.")
    ] = False,
    check: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Check a component file: all mistakes are named at once, and the exit code is 1 "
            "if there is one.",
        ),
    ] = None,
) -> None:
    """Print the component file of a game, or check one of your own."""
    option = _option_of(game_named(game).spec)
    if print_file == (check is not None):
        raise OptionError("give --print, or --check and a component file")
    if check is None:
        assert option.example is not None
        print(option.example.read_text("utf-8"), end="", file=sys.stdout)
        return
    try:
        option.check(check)
    except MistakesError as error:
        errors.print(Text(str(error), style="red"), soft_wrap=True)
        raise typer.Exit(EXIT_WRONG) from error
    use = f"-o {option.name}={check}"
    console.print(f"{check}: no mistakes; games are played with it by {use}", soft_wrap=True)


def _option_of(spec: GameSpec) -> Option:
    """Returns the option of a game that takes component files.

    Raises:
        OptionError: It has none.
    """
    for option in spec.options:
        if option.example is not None:
            return option
    raise OptionError(f"{spec.name} has no component files")
