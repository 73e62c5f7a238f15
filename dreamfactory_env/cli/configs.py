"""The command ``dreamfactory configs``, and arguments that are the names of configurations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from dreamfactory_env.cli.terminal import console
from dreamfactory_env.utils.configs import (
    SUFFIX,
    ConfigKind,
    configs_folder,
    first_comment,
    shipped_configs,
)
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import did_you_mean

#: How each kind is used.
COMMANDS = {
    ConfigKind.TRAINING: "dreamfactory train NAME, dreamfactory tune NAME",
    ConfigKind.SEARCH_SPACE: "dreamfactory tune … --space NAME",
    ConfigKind.TOURNAMENT: "dreamfactory tournament NAME",
    ConfigKind.COMPONENTS: "-o components=NAME, wherever a game is played",
}


def complete(kind: ConfigKind) -> Callable[[str], list[str]]:
    """Returns what completes the names of a kind for a shell; where none fits, it offers files."""
    return lambda incomplete: [n for n in shipped_configs(kind) if n.startswith(incomplete)]


def _complete_all(incomplete: str) -> list[str]:
    return [name for name in _all() if name.startswith(incomplete)]


def configs_command(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="Where the copy goes; NAME.yaml here if not given.", show_default=False
        ),
    ] = None,
    copy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Copy this one, to be changed, instead of listing them.",
            autocompletion=_complete_all,
        ),
    ] = None,
) -> None:
    """List the configurations that come with the package, or copy one of them out."""
    if copy is not None:
        _copy(copy, file)
        return
    if file is not None:
        raise OptionError(f"{file} is where a copy goes: give --copy NAME, too")
    for kind in ConfigKind:
        console.print(f"{kind.in_words}: {COMMANDS[kind]}", soft_wrap=True)
        table = Table(box=None, show_header=False, padding=(0, 1, 0, 2))
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for name, path in shipped_configs(kind).items():
            table.add_row(name, Text(first_comment(path)))
        console.print(table)
    console.print(f"\nfiles: {configs_folder()}", soft_wrap=True)


def _all() -> dict[str, Path]:
    """Returns all configurations by name; no two have the same."""
    return {name: path for kind in ConfigKind for name, path in shipped_configs(kind).items()}


def _copy(name: str, file: Path | None) -> None:
    known = _all()
    if name not in known:
        hint = did_you_mean(name, known)
        raise OptionError(f"there is no {name!r}; known are {', '.join(known)}{hint}")
    target = file or Path(f"{name}{SUFFIX}")
    if target.is_dir():
        target /= f"{name}{SUFFIX}"
    try:
        with target.open("x", encoding="utf-8") as out:
            out.write(known[name].read_text("utf-8"))
    except FileExistsError as error:
        raise OptionError(f"{target} is there already; give the copy another name") from error
    except (OSError, ValueError) as error:
        raise OptionError(f"{target} cannot be written: {error}") from error
    console.print(f"{name} is now in {target}", soft_wrap=True)
