"""The commands of training: ``dreamfactory train`` and ``export``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dreamfactory_env.cli.configs import complete
from dreamfactory_env.cli.options import AllowCode, EngineOptions, GameChange, with_groups
from dreamfactory_env.cli.outputs import check_output
from dreamfactory_env.cli.terminal import EXIT_STOPPED, EXIT_WRONG, HeardStop, console, errors
from dreamfactory_env.policies.network import SUFFIX
from dreamfactory_env.utils.configs import ConfigKind, find_config
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.threads import use_one_thread

if TYPE_CHECKING:
    from dreamfactory_env.cluster.connection import Cluster
    from dreamfactory_env.learning.config import Training
    from dreamfactory_env.learning.run import Run

INSTALL = 'pip install "dreamfactory-env[train]"'
FINISHING = "finishing the update; Ctrl-C again drops it"


@contextmanager
def _extra() -> Iterator[None]:
    """Says what to install where something for training is missing."""
    try:
        yield
    except ImportError as error:
        raise OptionError(f"{error}; training needs more packages: {INSTALL}") from error


#: As many actors as are useful on the cluster.
AUTO = "auto"
#: So many times the processors of a cluster that was joined: it has room for nodes that come.
ROOM_TO_GROW = 2


@dataclass(frozen=True)
class TrainingEngine(EngineOptions):
    """Where a training runs, and how far it can be spread."""

    actors: Annotated[
        str | None,
        typer.Option(
            metavar="N|auto",
            help="Parts that the games are split into, and so the most actors that play at a time; "
            "auto, which is so for --engine ray: as many as there are processors, or twice as many "
            "on a cluster that is joined, which may grow.",
        ),
    ] = None


@with_groups
def train_command(
    config: Annotated[
        str | None,
        typer.Argument(
            help="The YAML file of a training run, or the name of one from `dreamfactory configs`.",
            show_default=False,
            autocompletion=complete(ConfigKind.TRAINING),
        ),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A setting that replaces the file's. With --resume, a longer total_timesteps.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The run's folder; runs/NAME-1, -2, … if not given.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Resume the run of a folder.", metavar="RUN")
    ] = None,
    allow_code: AllowCode = False,
    *,
    game: GameChange,
    where: TrainingEngine,
) -> None:
    """Train an agent by self-play, or resume a training."""
    if (config is None) == (resume is None):
        raise OptionError("give the YAML file of a training run, or --resume and a run's folder")
    if resume is not None and (out is not None or game != GameChange()):
        raise OptionError("--resume takes a run as it is: --game, -o and --out are for new ones")
    if resume is not None and where.actors is not None:
        raise OptionError("--resume takes a run as it is: --actors is for new ones")
    if out is not None:
        check_output(out, folder=True)
    use_one_thread()  # for the agents among the opponents, which play without torch
    settings = dict(_change(change) for change in changes or [])
    with ExitStack() as stack:
        if config:
            if where.actors is not None and where.actors != AUTO:
                settings["actors"] = where.actors
            read = _read_new(config, game, settings, allow_code)
            cluster = stack.enter_context(where.connected())
            unsaid = "actors" not in settings and read.actors == 1
            if where.actors == AUTO or (cluster and unsaid):
                read = replace(read, actors=_as_many_as_useful(cluster, read))
            run = _begin(read, out or _new_folder(Path(config).stem), cluster)
        else:
            assert resume is not None
            run = _resumed(resume, settings, allow_code, stack.enter_context(where.connected()))
        if run.finished:
            console.print(f"the run in {run.folder} is finished", soft_wrap=True)
            _report(run)
            return
        _train(run)


def _read_new(config: str, game: GameChange, changes: dict[str, str], allow_code: bool) -> Training:
    # This needs nothing more to be installed: mistakes are named first.
    from dreamfactory_env.learning.settings_file import read_training

    file = find_config(config, ConfigKind.TRAINING)
    settings = read_training(file, changes, change=game.change, allow_code=allow_code)
    with _extra():
        import dreamfactory_env.learning.run  # noqa: F401
    return settings


def _as_many_as_useful(cluster: Cluster | None, settings: Training) -> int:
    """Returns how many actors a cluster has processors for, or may have, and the settings games.

    Raises:
        OptionError: There is no cluster.
    """
    if cluster is None:
        raise OptionError("--actors auto counts the processors of a cluster: give --engine ray")
    processors = sum(node.cpus for node in cluster.nodes())
    wanted = processors if cluster.local else ROOM_TO_GROW * processors
    return min(wanted, *settings.n_envs.values())


def _begin(settings: Training, folder: Path, cluster: Cluster | None) -> Run:
    from dreamfactory_env.learning.run import begin

    run = begin(settings, folder, cluster)
    console.print(f"run: {run.folder}", soft_wrap=True)
    if cluster is not None:
        console.print(f"cluster: {cluster.in_words()}; actors: up to {settings.actors}")
    return run


def _resumed(
    folder: Path, changes: dict[str, str], allow_code: bool, cluster: Cluster | None
) -> Run:
    with _extra():
        from dreamfactory_env.learning.run import resume
    run = resume(folder, changes, allow_code=allow_code, cluster=cluster)
    if not run.finished:
        console.print(f"run: {folder}, from {run.saved_steps:,} decisions on", soft_wrap=True)
    return run


def _train(run: Run) -> None:
    """Trains a run with its progress shown, and reports."""
    from dreamfactory_env.learning.progress import ShowProgress

    shown: list[str] = []

    def notify(text: str) -> None:
        errors.print(text, soft_wrap=True)
        shown.append(text)

    run.notify = notify
    with ShowProgress(run, errors) as progress, HeardStop(FINISHING, notify) as stop:
        run.train([progress], stop.asked)
    _report(run, shown)
    resumes = f"dreamfactory train --resume {shlex.quote(str(run.folder))} resumes it"
    steps, total = run.model.num_timesteps, run.settings.total_timesteps
    if run.saved_steps < steps:
        message = f"the last checkpoint is that after {run.saved_steps:,} of {steps:,} decisions"
        errors.print(f"error: {message}; make room, then {resumes} from there", soft_wrap=True)
        raise typer.Exit(EXIT_WRONG)
    if not run.finished:
        errors.print(f"stopped after {steps:,} of {total:,} decisions; {resumes}", soft_wrap=True)
        raise typer.Exit(EXIT_STOPPED)
    export = f"dreamfactory export {shlex.quote(str(run.folder))} --out agent{SUFFIX}"
    console.print(f"the agent as a file that plays anywhere: {export}", soft_wrap=True)


def _change(text: str) -> tuple[str, str]:
    """Returns the key and the value of a change such as ``ppo.learning_rate=1e-3``."""
    key, equals, value = text.partition("=")
    if not equals:
        example = "total_timesteps=1000"
        raise OptionError(f"--set must be a key and a value such as {example}, not {text!r}")
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


def _report(run: Run, shown: Sequence[str] = ()) -> None:
    """Prints how long a run took, where the time went, and where things are.

    Args:
        run: The run.
        shown: What was printed before, and is not printed again.
    """
    metrics, steps = run.metrics, run.model.num_timesteps
    if steps:
        console.print(
            f"{steps:,} decisions in {metrics.games:,} games and {metrics.trained:,.0f} s of "
            f"training: {steps / metrics.trained:,.0f} decisions/s"
        )
        shares = ", ".join(f"{part} {share:.1%}" for part, share in metrics.shares().items())
        evaluations = metrics.seconds["evaluation"]
        console.print(f"time: {shares}; evaluations {evaluations:,.0f} s besides")
    if run.evaluator.lines:
        from dreamfactory_env.learning.evaluation_lines import in_words
        from dreamfactory_env.learning.run_files import PLOT

        if (words := in_words(run.evaluator.lines[-1])) not in shown:
            console.print(words, soft_wrap=True)
        console.print(f"plot: {run.folder / PLOT}", soft_wrap=True)
    console.print(f"metrics: tensorboard --logdir {shlex.quote(str(run.folder))}", soft_wrap=True)


def export_command(
    run: Annotated[Path, typer.Argument(help="The folder of a training run.", metavar="RUN")],
    out: Annotated[Path, typer.Option(help=f"Where the agent goes: a {SUFFIX} file.")],
    half: Annotated[
        bool, typer.Option("--half", help="Write numbers with half the bits: half the file.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    allow_code: AllowCode = False,
) -> None:
    """Write the agent of a training run as a file that plays anywhere, without torch."""
    if out.suffix != SUFFIX:
        raise OptionError(f"--out must end with {SUFFIX}, which says what it is: {out}")
    if out.exists() and not force:
        raise OptionError(f"{out} is there already; --force replaces it")
    check_output(out)
    with _extra():
        from dreamfactory_env.learning.export import export
        from dreamfactory_env.learning.run import resume
    trained = resume(run, allow_code=allow_code)
    if not trained.saved_steps:
        raise OptionError(f"the run in {run} has no checkpoint yet")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        export(trained.model, trained.env.games.game, out, trained.facts(), half)
    except OSError as error:
        raise OptionError(f"{out} cannot be written: {error.strerror or error}") from error
    console.print(f"{out}: the agent after {trained.saved_steps:,} decisions", soft_wrap=True)
