"""The command ``dreamfactory``: the commands that there are, and what becomes of errors."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer
from rich.text import Text

from dreamfactory_env.cli.agents import describe_command
from dreamfactory_env.cli.arena import evaluate_command, tournament_command
from dreamfactory_env.cli.benchmark import benchmark_command
from dreamfactory_env.cli.compiling import compile_command
from dreamfactory_env.cli.components import components_command
from dreamfactory_env.cli.configs import configs_command
from dreamfactory_env.cli.games import games_command
from dreamfactory_env.cli.help import HelpfulCommand, HelpfulGroup
from dreamfactory_env.cli.options import Command
from dreamfactory_env.cli.policies import policies_command
from dreamfactory_env.cli.records import replay_command, show_command, simulate_command
from dreamfactory_env.cli.reviewing import review_command
from dreamfactory_env.cli.terminal import EXIT_USAGE, console, errors
from dreamfactory_env.cli.training import export_command, train_command
from dreamfactory_env.cli.tuning import tune_command
from dreamfactory_env.cli.viewing import play_command, view_command
from dreamfactory_env.utils.errors import GameError
from dreamfactory_env.utils.interrupts import hear_interrupts
from dreamfactory_env.utils.version import __version__

PACKAGE = "dreamfactory-env"

app = typer.Typer(
    help="Board games for reinforcement learning: play, measure and train agents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    cls=HelpfulGroup,
)
_COMMANDS: dict[str, Command] = {
    "games": games_command,
    "policies": policies_command,
    "configs": configs_command,
    "components": components_command,
    "simulate": simulate_command,
    "replay": replay_command,
    "show": show_command,
    "view": view_command,
    "play": play_command,
    "review": review_command,
    "evaluate": evaluate_command,
    "tournament": tournament_command,
    "benchmark": benchmark_command,
    "train": train_command,
    "export": export_command,
    "tune": tune_command,
    "describe": describe_command,
    "compile": compile_command,
}
for _name, _command in _COMMANDS.items():
    app.command(_name, cls=HelpfulCommand)(_command)


def main() -> None:
    """Runs the command line; a wrong input ends it with one clear message and exit code 2."""
    hear_interrupts()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our characters shows "?"
    try:
        app()
    except GameError as error:
        errors.print(Text(f"error: {error}", style="red"), soft_wrap=True)
        sys.exit(EXIT_USAGE)


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(f"{PACKAGE} {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, help="Show the version and stop.")
    ] = False,
) -> None:
    pass
