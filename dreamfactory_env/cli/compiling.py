"""The command ``dreamfactory compile``: everything compiled ahead."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from dreamfactory_env.cli.small_programs import can_train, programs
from dreamfactory_env.cli.terminal import EXIT_WRONG, console, errors
from dreamfactory_env.engine.cache import files, watch
from dreamfactory_env.engine.compiling import config
from dreamfactory_env.games import GAMES, game_named
from dreamfactory_env.utils.errors import OptionError

ALL = "all"


def compile_command(
    game: Annotated[str, typer.Option(metavar="NAME", help="Which game, or all of them.")] = ALL,
) -> None:
    """Compile everything ahead, for containers, CI and demonstrations, and say where it is kept."""
    if config.DISABLE_JIT:
        raise OptionError("nothing is compiled while NUMBA_DISABLE_JIT is set: unset it")
    names = list(GAMES) if game == ALL else [game_named(game).spec.name]
    begin = time.perf_counter()
    _compile(names)
    compiled, found = watch.compiled, watch.found
    if compiled:
        seconds = time.perf_counter() - begin
        console.print(f"{_functions(compiled)} compiled in {seconds:.0f} s, {found} found")
    else:
        console.print(f"nothing to do: {found} functions found, with all that they call")
    if not can_train():
        console.print("what training needs is not installed, and was left out")
    _print_cache()
    if compiled and files.folder is None:
        raise typer.Exit(EXIT_WRONG)


def _compile(names: list[str]) -> None:
    """Compiles games, and prints what each of their parts has taken."""
    columns = (TextColumn("{task.description}"), BarColumn(), _Count(), TimeElapsedColumn())
    bar = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    with watch.silent(), bar:
        task = bar.add_task("", total=len(names) * len(programs()))
        for name in names:
            for part, run in programs().items():
                bar.update(task, description=f"{name}: {part}")
                before, begin = watch.compiled, time.perf_counter()
                run(GAMES[name])
                if watch.compiled > before:
                    count, seconds = watch.compiled - before, time.perf_counter() - begin
                    console.print(f"{name}: {part}, {_functions(count)} in {seconds:.0f} s")
                bar.advance(task)


def _functions(count: int) -> str:
    return f"{count} function{'s' if count != 1 else ''}"


class _Count(ProgressColumn):
    """Shows how many functions were compiled, while a part of the work is going on."""

    def render(self, task: Task) -> Text:
        return Text(f"{watch.compiled} compiled")


def _print_cache() -> None:
    """Prints where the cache is, how large it is, and what stood in the way of a better place."""
    sizes = [kept.st_size for kept in files.functions()]
    held = f"{_functions(len(sizes))}, {sum(sizes) / 1e6:.1f} MB"
    if files.problems:
        errors.print(f"what was compiled is {files.where()}", soft_wrap=True)
    if files.folder is not None:
        console.print(f"cache: {files.folder}, {held}", soft_wrap=True)
