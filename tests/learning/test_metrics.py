"""What is seen of a training: metrics, files of metrics, the progress bar."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from dreamfactory_env.engine.stepper import CALLER
from dreamfactory_env.learning.loggers import STEPS, CsvFile, EventFile, make_logger
from dreamfactory_env.learning.metrics import TrainingMetrics
from dreamfactory_env.learning.progress import ShowProgress
from dreamfactory_env.learning.run import begin
from dreamfactory_env.learning.training_games import StepResult
from tests.learning.test_evaluation import SETTINGS

PLAYERS = np.array([2, 3, 3], np.int8)
LINEUPS = np.array([[CALLER, 1, 0], [CALLER, 7, CALLER], [CALLER, CALLER, CALLER]])


def step(rewards: list[list[float]], done: bool) -> StepResult:
    """Returns a step of three games."""
    nothing = np.zeros(3)
    return StepResult(
        observations=nothing,
        last_player=nothing,
        hints=nothing,
        rewards=np.array(rewards),
        dones=np.full(3, done),
        lineups=LINEUPS,
        returns=nothing,
        seconds=0.5,
    )


class Recorder:
    """Stands for a learner; keeps what is logged."""

    def __init__(self) -> None:
        self.logged: dict[str, float] = {}
        self.logger = SimpleNamespace(record=self.logged.__setitem__)
        self.rollout_seconds, self.seconds, self.num_timesteps = 0.0, 0.0, 5


@pytest.mark.parametrize("shared", [False, True])
def test_returns_are_those_of_the_learner_and_of_self_play_in_a_shared_game(shared: bool) -> None:
    def metrics() -> TrainingMetrics:
        return TrainingMetrics(Recorder(), PLAYERS, shared)  # type: ignore[arg-type]

    first, second = metrics(), metrics()
    first._on_rollout_start()
    first.count(step([[0.25, -0.25, 0], [0.5, 0, -0.5], [0.5, 0, -0.5]], done=False))
    second.restore(first.save())
    for counting in (first, second):
        counting._on_rollout_start()
        counting.count(step([[0.5, -0.5, 0], [0.25, 0.25, -0.5], [1.0, 0, -0.1]], done=True))
        assert counting.games == 3
        counting._on_rollout_end()
        expected = {"rollout/return_2_players": 0.75, "rollout/return_3_players": -0.125}
        if shared:
            expected = {"rollout/self_play_return_3_players": 0.3, **expected}
        logged = counting.learner.logged  # type: ignore[attr-defined]
        assert logged == pytest.approx(expected)
        assert list(logged) == list(expected)  # self-play first
        assert counting.self_play == pytest.approx({3: 0.3} if shared else {})
        logged.clear()
        counting._on_rollout_end()  # of a rollout in which no game has ended
        assert logged == {}


def read(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def test_metrics_after_the_checkpoint_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "progress.csv"
    file = CsvFile(path, 0)
    for steps in (0, 10, 20):
        file.write({STEPS: steps, "a": steps / 4}, {})
    file.write({STEPS: 30, "b": "words, with a comma", "c": 1}, {"c": ("csv",)})
    assert [row["b"] for row in read(path)] == ["", "", "", "words, with a comma"]
    with path.open("a") as torn:
        torn.write("40,")
    file = CsvFile(path, 20)
    assert len(read(path)) == 5  # looking changes nothing
    file.write({STEPS: 25, "a": 7}, {})
    assert [(row[STEPS], row["a"]) for row in read(path)] == [
        *(("0", "0.0"), ("10", "2.5"), ("20", "5.0"), ("25", "7")),
    ]


def test_metrics_that_cannot_be_written_are_written_later(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    warnings: list[str] = []
    logger = make_logger(folder, 0, warnings.append)
    for steps in (1, 2):
        logger.record(STEPS, steps, exclude="tensorboard")
        logger.record("a/b", steps / 2)
        logger.dump(steps)
    assert warnings == [
        "warning: progress.csv cannot be written: No such file or directory",
        "warning: TensorBoard's file cannot be written: No such file or directory",
    ]
    folder.mkdir()
    logger.record(STEPS, 3, exclude="tensorboard")
    logger.dump(3)
    logger.close()
    assert [row["a/b"] for row in read(folder / "progress.csv")] == ["0.5", "1.0", ""]
    assert scalars(folder, "a/b") == [(1, 0.5), (2, 1.0)]


def scalars(folder: Path, tag: str) -> list[tuple[int, float]]:
    """Returns what TensorBoard shows of a metric."""
    events = EventAccumulator(str(folder))
    events.Reload()
    return [(event.step, event.value) for event in events.Scalars(tag)]


def test_tensorboard_shows_each_step_once(tmp_path: Path) -> None:
    for first, last in ((0, 4), (2, 6)):  # stopped after 4 steps, resumed from 2
        logger = make_logger(tmp_path, first, print)
        for steps in range(first + 1, last + 1):
            logger.record("a", float(10 * first + steps))
            logger.dump(steps)
        logger.close()
    assert scalars(tmp_path, "a") == [(1, 1), (2, 2), (3, 23), (4, 24), (5, 25), (6, 26)]


def test_a_file_of_events_ends_with_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = EventFile(tmp_path, 0)
    file.flush()
    (path,) = tmp_path.iterdir()
    before = path.read_bytes()
    real = Path.open

    def full(self: Path, *args: Any, **options: Any) -> Any:
        with real(self, *args, **options) as opened:
            opened.write(b"half")
        raise OSError(28, "No space left on device")

    file.add_event(SimpleNamespace(SerializeToString=lambda: b"later"))
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", full)
        with pytest.raises(OSError, match="No space left"):
            file.flush()
    assert path.read_bytes() == before
    file.close()
    assert path.read_bytes().startswith(before)
    assert b"later" in path.read_bytes()


def test_a_terminal_shows_a_bar_and_everybody_else_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamfactory_env.learning.progress.SECONDS_BETWEEN_LINES", 0.0)
    shown = {}
    for terminal in (True, False):
        run = begin(SETTINGS, tmp_path / str(terminal))
        console = Console(file=io.StringIO(), force_terminal=terminal, width=120, highlight=False)
        with ShowProgress(run, console) as progress:
            run.notify = console.print
            assert run.train([progress])
        shown[terminal] = console.file.getvalue()  # type: ignore[attr-defined]
    assert "━" in shown[True]
    assert "━" not in shown[False]
    words = r"games · [\d,]+ decisions/s · rating [\d-]+/[\d-]+ · \d:\d\d:\d\d left"
    for text in shown.values():
        assert "evaluation after 1,024 decisions" in text
    assert re.search(words, shown[True])
    assert re.search(rf"896 of 1,000 decisions · \d+ {words}", shown[False])
