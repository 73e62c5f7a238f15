"""The commands of training: ``dreamfactory train`` and ``export``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dreamfactory_env.cli.terminal import EXIT_STOPPED, EXIT_WRONG, HeardStop, console, errors
from dreamfactory_env.policies.network import SUFFIX
from dreamfactory_env.utils.errors import OptionError

if TYPE_CHECKING:
    from dreamfactory_env.learning.run import Run

INSTALL = 'pip install "dreamfactory-env[train]"'
FINISHING = "finishing what is being learned; Ctrl-C again drops it"


@contextmanager
def _extra() -> Iterator[None]:
    """Tells what to install where something for training is missing."""
    try:
        yield
    except ImportError as error:
        raise OptionError(f"{error}; training needs more packages: {INSTALL}") from error


def train_command(
    config: Annotated[
        Path | None, typer.Argument(help="The YAML file of a training run.", show_default=False)
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting that replaces the file's."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The run's folder; runs/NAME-1, -2, … if not given.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the run of a folder.", metavar="RUN")
    ] = None,
) -> None:
    """Train an agent by self-play, or go on with it."""
    if (config is None) == (resume is None):
        raise OptionError("give the YAML file of a training run, or --resume and a run's folder")
    if resume is not None and (changes or out is not None):
        raise OptionError("--resume goes on with a run as it is: --set and --out are for new ones")
    from dreamfactory_env.learning.config import (
        read_training,  # this needs nothing more to be installed
    )

    if config is not None:
        settings = read_training(config, dict(_change(change) for change in changes or []))
    with _extra():
        import dreamfactory_env.learning.run as runs
        from dreamfactory_env.learning.progress import ShowProgress
    if config is not None:
        run = runs.begin(settings, out or _new_folder(config.stem))
        console.print(f"run: {run.folder}", soft_wrap=True)
    else:
        assert resume is not None
        run = runs.resume(resume)
        if run.finished:
            console.print(f"the run in {resume} is finished", soft_wrap=True)
            _report(run)
            return
        console.print(f"run: {resume}, from {run.kept:,} decisions on", soft_wrap=True)
    run.say = lambda text: errors.print(text, soft_wrap=True)
    with ShowProgress(run, errors) as progress, HeardStop(FINISHING, run.say) as stop:
        run.train([progress], stop.asked)
    _report(run)
    goes_on = f"dreamfactory train --resume {shlex.quote(str(run.folder))} goes on"
    steps, total = run.model.num_timesteps, run.settings.steps
    if run.kept < steps:
        told = f"error: the last checkpoint is that after {run.kept:,} of {steps:,} decisions"
        errors.print(f"{told}; make room, then {goes_on} from there", soft_wrap=True)
        raise typer.Exit(EXIT_WRONG)
    if not run.finished:
        errors.print(f"stopped after {steps:,} of {total:,} decisions; {goes_on}", soft_wrap=True)
        raise typer.Exit(EXIT_STOPPED)
    export = f"dreamfactory export {shlex.quote(str(run.folder))} --out agent{SUFFIX}"
    console.print(f"the agent as a file that plays anywhere: {export}", soft_wrap=True)


def _change(text: str) -> tuple[str, str]:
    """Returns the key and the value of a change such as ``learning.rate=1e-3``."""
    key, equals, value = text.partition("=")
    if not equals:
        raise OptionError(f"--set must be a key and a value such as steps=1000, not {text!r}")
    return key.strip(), value


def _new_folder(name: str) -> Path:
    """Makes the first folder in ``runs/`` of that name that is not there yet."""
    for number in count(1):
        folder = Path("runs") / f"{name}-{number}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise OptionError(f"{folder} cannot be made: {error.strerror or error}") from error
        return folder
    raise AssertionError("numbers do not end")


def _report(run: Run) -> None:
    """Prints how long a run took, where the time went, and where things are."""
    figures, steps = run.figures, run.model.num_timesteps
    if steps:
        console.print(
            f"{steps:,} decisions in {figures.games:,} games and {figures.trained:,.0f} s of "
            f"training: {steps / figures.trained:,.0f} decisions/s"
        )
        shares = ", ".join(f"{part} {share:.1%}" for part, share in figures.shares().items())
        console.print(f"time: {shares}; evaluations {figures.seconds['evaluation']:,.0f} s besides")
    if run.evaluator.lines:
        from dreamfactory_env.learning.evaluation import in_words
        from dreamfactory_env.learning.run import PLOT

        console.print(in_words(run.evaluator.lines[-1]), soft_wrap=True)
        console.print(f"plot: {run.folder / PLOT}", soft_wrap=True)
    console.print(f"figures: tensorboard --logdir {shlex.quote(str(run.folder))}", soft_wrap=True)


def export_command(
    run: Annotated[Path, typer.Argument(help="The folder of a training run.", metavar="RUN")],
    out: Annotated[Path, typer.Option(help=f"Where the agent goes: a {SUFFIX} file.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write the agent of a training run as a file that plays anywhere, without torch."""
    if out.suffix != SUFFIX:
        raise OptionError(
            f"--out must end with {SUFFIX}, so that it is known for what it is: {out}"
        )
    if out.exists() and not force:
        raise OptionError(f"{out} is there already; --force replaces it")
    with _extra():
        from dreamfactory_env.learning.export import export
        from dreamfactory_env.learning.run import resume
    trained = resume(run)
    if not trained.kept:
        raise OptionError(f"the run in {run} has no checkpoint yet")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        export(trained.model, trained.table.kind, out, trained.facts())
    except OSError as error:
        raise OptionError(f"{out} cannot be written: {error.strerror or error}") from error
    console.print(f"{out}: the agent after {trained.kept:,} decisions", soft_wrap=True)
