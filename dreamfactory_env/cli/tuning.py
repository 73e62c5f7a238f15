"""The command ``dreamfactory tune``: settings of a training, found by trying."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from dreamfactory_env.cli.configs import complete
from dreamfactory_env.cli.options import AllowCode, EngineOptions, with_groups
from dreamfactory_env.cli.outputs import check_output
from dreamfactory_env.cli.terminal import EXIT_STOPPED, HeardStop, console, errors
from dreamfactory_env.utils.configs import ConfigKind, find_config
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.threads import use_one_thread

INSTALL = 'pip install "dreamfactory-env[tune]"'
FINISHING = "writing down the trial that is running; Ctrl-C again drops it"

Config = Annotated[
    str,
    typer.Argument(
        help="The YAML file of the training to improve, or a name from `dreamfactory configs`.",
        autocompletion=complete(ConfigKind.TRAINING),
    ),
]
Space = Annotated[
    str,
    typer.Option(
        help="The YAML file of what is tried, or a name from `dreamfactory configs`.",
        metavar="FILE",
        autocompletion=complete(ConfigKind.SEARCH_SPACE),
    ),
]


@with_groups
def tune_command(
    config: Config,
    space: Space,
    trials: Annotated[int, typer.Option(help="How many trials in all.")] = 40,
    minutes: Annotated[
        float | None,
        typer.Option(
            help="Computing time of a trial; the training's total_timesteps if not given."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The study's folder; runs/NAME-tuning if not given.")
    ] = None,
    allow_code: AllowCode = False,
    *,
    engine: EngineOptions,
) -> None:
    """Find settings of a training by trying, or resume a study."""
    if trials < 1:
        raise OptionError(f"--trials must be at least 1, not {trials}")
    file = find_config(config, ConfigKind.TRAINING)
    folder = out or Path("runs") / f"{file.stem}-tuning"
    check_output(folder, folder=True)
    try:
        from dreamfactory_env.learning.evaluation_lines import measure_in_words, measure_of
        from dreamfactory_env.learning.progress import ShowProgress
        from dreamfactory_env.learning.tuning import BEST, TABLE, Study
    except ImportError as error:
        raise OptionError(f"{error}; tuning needs more packages: {INSTALL}") from error

    use_one_thread()

    def notify(text: str) -> None:
        errors.print(text, soft_wrap=True)

    spaces = find_config(space, ConfigKind.SEARCH_SPACE)
    study = Study(file, spaces, folder, minutes, notify, allow_code=allow_code)
    done = len(study.finished)
    console.print(f"study: {folder}, {done} of {trials} trials are finished", soft_wrap=True)
    try:
        with engine.connected() as cluster, HeardStop(FINISHING, notify) as stop:
            study.cluster = cluster
            complete = study.run(trials, stop.asked, lambda run: ShowProgress(run, errors))
    except OSError as error:
        message = f"{folder} cannot be written: {error.strerror or error}"
        raise OptionError(f"{message}; make room, then the same command resumes it") from error
    rows = study.rows()
    if rows:
        console.print(f"table of the trials: {folder / TABLE}", soft_wrap=True)
    if (folder / BEST).exists():
        best = rows[0]
        value = measure_in_words(measure_of(best), best["value"])
        settings = ", ".join(f"{key} {value}" for key, value in best["settings"].items())
        console.print(f"best: trial {best['trial']}, {value}: {settings}", soft_wrap=True)
        command = f"dreamfactory train {shlex.quote(str(folder / BEST))}"
        console.print(f"to train with it: {command}", soft_wrap=True)
    if not complete:
        message = f"stopped after {len(rows)} of {trials} trials; the same command resumes it"
        errors.print(message, soft_wrap=True)
        raise typer.Exit(EXIT_STOPPED)
