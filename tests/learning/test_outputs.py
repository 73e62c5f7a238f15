"""What one sees of a training: figures, files, evaluations, ratings, the plot, the progress bar."""

from __future__ import annotations

import csv
import io
import random
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import duel
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.ratings import AVERAGE, SCALE
from dreamfactory_env.arena.results import Result
from dreamfactory_env.learning.config import Learning, Network, Opponents, Rhythm, Training
from dreamfactory_env.learning.evaluation import Evaluator, as_figures, in_words, rate
from dreamfactory_env.learning.loggers import STEPS, EventFile, FigureFile, make_logger
from dreamfactory_env.learning.metrics import Figures
from dreamfactory_env.learning.plotting import draw_strength
from dreamfactory_env.learning.progress import ShowProgress
from dreamfactory_env.learning.run import begin, resume
from dreamfactory_env.learning.training_env import LEARNER
from dreamfactory_env.policies import policy_named

SETTINGS = Training(
    steps=1000,
    rows={2: 8},
    network=Network([16]),
    learning=Learning(rollout=16, batch=64),
    opponents=Opponents(0.5, 0.0, {"greedy": 0.5}),
    rhythm=Rhythm(evaluation=600, deals=3, against=["random", "greedy"], players=[2, 3]),
    threads=1,
)


def line(steps: int, rate: float) -> dict[str, Any]:
    """Returns an evaluation."""
    results = [
        {"players": 2, "against": "greedy", "figures": {"films finished": 2.0}},
        {"players": 2, "against": "/agents/old.safetensors", "figures": {"films finished": 3.0}},
        {"players": 4, "against": "greedy", "figures": {"films finished": 1.0}},
    ]
    same = {"win_rate": rate, "half_width": 0.05, "games": 40}
    return {
        "steps": steps,
        "seconds": steps / 100,
        "results": [result | same for result in results],
        "ratings": [
            {"players": n, "rating": 1500.0, "low": 1450.0, "high": 1560.0} for n in (2, 4)
        ],
    }


# ---------------------------------------------------------------------------- evaluations


def test_an_evaluation_is_due_at_the_start_at_multiples_and_at_the_end(tmp_path: Path) -> None:
    rhythm = replace(SETTINGS.rhythm, evaluation=300)
    evaluator = Evaluator(replace(SETTINGS, rhythm=rhythm), tmp_path)
    due = []
    for steps in range(0, 1025, 128):  # rollouts; the last one goes beyond the end
        if evaluator.due(steps):
            due.append((steps, evaluator.left(steps)))
            evaluator.lines.append(line(steps, 0.5))
            assert not evaluator.due(steps)
    assert due == [(0, 4), (384, 3), (640, 2), (1024, 1)]


def test_nothing_is_due_if_there_is_nobody_to_play_against(tmp_path: Path) -> None:
    nobody = replace(SETTINGS, rhythm=replace(SETTINGS.rhythm, against=[]))
    assert not Evaluator(nobody, tmp_path).due(0)


def test_an_evaluation_leaves_the_training_as_it_is(tmp_path: Path) -> None:
    run = begin(SETTINGS, tmp_path)
    run.model.set_logger(make_logger(tmp_path, 0, print))

    def everything() -> list[Any]:
        weights = [tensor.tolist() for tensor in run.model.policy.state_dict().values()]
        arrays = [array.tolist() for array in run.table.save_arrays().values()]
        chance = [np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()]  # type: ignore[index]
        return [weights, arrays, chance, random.getstate(), torch.get_num_threads()]

    before = everything()
    run.evaluate(lambda: False)
    assert len(run.evaluator.lines) == 1
    assert everything() == before
    again = Evaluator(SETTINGS, tmp_path)
    again.load(0)
    assert again.lines == run.evaluator.lines


def test_an_evaluation_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    run = begin(SETTINGS, tmp_path)
    for chunks in range(4):  # in the ladder, or in one of the matches
        asked: list[None] = []

        def stop(asked: list[None] = asked, chunks: int = chunks) -> bool:
            asked.append(None)
            return len(asked) > chunks

        assert run.evaluator.evaluate(run.model, 0, 0.0, stop) is None
    assert run.evaluator.lines == []
    assert not (tmp_path / "evaluations.jsonl").exists()


def test_evaluations_after_the_checkpoint_and_torn_ones_are_dropped(tmp_path: Path) -> None:
    evaluator = Evaluator(SETTINGS, tmp_path)
    evaluator.lines = [line(steps, 0.5) for steps in (0, 300, 600)]
    evaluator.write()
    with (tmp_path / "evaluations.jsonl").open("a") as file:
        file.write('[]\n{"steps": 1')
    for steps, kept in ((0, [0]), (599, [0, 300]), (1000, [0, 300, 600])):
        evaluator.load(steps)
        assert [found["steps"] for found in evaluator.lines] == kept


def test_who_plays_like_an_anchor_is_rated_like_it(tmp_path: Path) -> None:
    rhythm = Rhythm(deals=60, against=["random", "greedy", "expert"], players=[3])
    ladder = Evaluator(replace(SETTINGS, rhythm=rhythm), tmp_path)._ladder(lambda: False)
    assert ladder is not None
    anchors = ladder["3"]
    assert np.mean(list(anchors.values())) == pytest.approx(0, abs=1e-9)
    assert anchors["random"] < anchors["greedy"] < anchors["expert"]
    found = {}
    for name in ("greedy", "expert"):
        learner = policy_named(name, DreamFactory)
        matches = [duel(learner, [other], players=3, games=180, seed=8) for other in anchors]
        results = [Result.of(match, play_chunks(match)) for match in matches]
        found[name] = rate(results, np.array(list(anchors.values())))
        # The model is no more than a model: the same strength differs a little by opponents.
        assert found[name]["rating"] == pytest.approx(AVERAGE + SCALE * anchors[name], abs=60)
        assert found[name]["low"] < found[name]["rating"] < found[name]["high"]
    assert found["expert"]["low"] > found["greedy"]["rating"]


def test_an_evaluation_in_words_and_as_figures() -> None:
    assert in_words(line(12_000, 0.625)) == (
        "evaluation after 12,000 decisions\n"
        "  2 players: rating 1500 ± 55, 62.5% ± 5.0% against greedy, 62.5% ± 5.0% against old\n"
        "  4 players: rating 1500 ± 55, 62.5% ± 5.0% against greedy"
    )
    assert as_figures(line(0, 0.625)) == {
        "strength/2_players_rating": 1500.0,
        "strength/4_players_rating": 1500.0,
        "strength/2_players_against_greedy": 0.625,
        "strength/2_players_against_old": 0.625,
        "strength/4_players_against_greedy": 0.625,
        "game/2_players_films_finished": 2.5,
        "game/4_players_films_finished": 1.0,
    }


def test_the_plot_has_a_panel_for_each_player_count() -> None:
    def width(picture: bytes) -> int:
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        return int.from_bytes(picture[16:20], "big")

    both = [line(0, 0.1), line(1000, 0.4)]
    one = [{**found, "results": found["results"][:1]} for found in both]
    assert width(draw_strength(both)) == 2 * width(draw_strength(one))


# ---------------------------------------------------------------------------- figures


def test_returns_are_those_of_the_learner_in_games_with_others() -> None:
    table: Any = SimpleNamespace(
        most_players=3, seconds=0.0, payments=np.zeros((3, 3)), done=np.zeros(3, np.int8)
    )
    table.played = np.array([[LEARNER, 1, 0], [LEARNER, 7, LEARNER], [LEARNER, LEARNER, LEARNER]])
    figures = Figures(SimpleNamespace(seconds=0.0), table, {2: 1, 3: 2})  # type: ignore[arg-type]
    table.payments = np.array([[0.25, -0.25, 0], [0.5, 0, -0.5], [0.5, 0, -0.5]])
    figures._on_step()
    assert figures._returns == {2: [], 3: []}  # nothing is finished
    kept = figures.save()
    table.payments = np.array([[0.5, -0.5, 0], [0.25, 0.25, -0.5], [0, 0, 0]])
    table.done[:] = 1
    for counting in (figures, Figures(figures.learner, table, {2: 1, 3: 2})):
        if counting is not figures:
            counting.learner.num_timesteps = 5
            counting.load(kept)
        counting._on_step()
        assert counting._returns == {2: [0.75], 3: [-0.125]}
        assert not counting._paid.any()


def read(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def test_the_figures_go_on_after_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "progress.csv"
    file = FigureFile(path, 0)
    for steps in (0, 10, 20):
        file.write({STEPS: steps, "a": steps / 4}, {})
    file.write({STEPS: 30, "b": "words, with a comma", "c": 1}, {"c": ("csv",)})
    assert [row["b"] for row in read(path)] == ["", "", "", "words, with a comma"]
    with path.open("a") as torn:
        torn.write("40,")
    file = FigureFile(path, 20)
    assert len(read(path)) == 5  # looking changes nothing
    file.write({STEPS: 25, "a": 7}, {})
    assert [(row[STEPS], row["a"]) for row in read(path)] == [
        *(("0", "0.0"), ("10", "2.5"), ("20", "5.0"), ("25", "7")),
    ]


def test_figures_that_cannot_be_written_are_written_later(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    said: list[str] = []
    logger = make_logger(folder, 0, said.append)
    for steps in (1, 2):
        logger.record(STEPS, steps, exclude="tensorboard")
        logger.record("a/b", steps / 2)
        logger.dump(steps)
    assert said == [
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
    """Returns what TensorBoard shows of a figure."""
    events = EventAccumulator(str(folder))
    events.Reload()
    return [(event.step, event.value) for event in events.Scalars(tag)]


def test_tensorboard_shows_each_step_once(tmp_path: Path) -> None:
    for first, last in ((0, 4), (2, 6)):  # stopped after 4 steps, gone on with from 2
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


# ---------------------------------------------------------------------------- progress


def test_a_terminal_shows_a_bar_and_everybody_else_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamfactory_env.learning.progress.LINES", 0.0)
    shown = {}
    for terminal in (True, False):
        run = begin(SETTINGS, tmp_path / str(terminal))
        console = Console(file=io.StringIO(), force_terminal=terminal, width=120, highlight=False)
        with ShowProgress(run, console) as progress:
            run.say = console.print
            assert run.train([progress])
        shown[terminal] = console.file.getvalue()  # type: ignore[attr-defined]
    assert "━" in shown[True]
    assert "━" not in shown[False]
    words = r"games · [\d,]+ decisions/s · rating [\d-]+/[\d-]+ · 0:00:\d\d left"
    for text in shown.values():
        assert "evaluation after 1,024 decisions" in text
    assert re.search(words, shown[True])
    assert re.search(rf"896 of 1,000 decisions · \d+ {words}", shown[False])


def test_a_run_that_is_stopped_is_not_finished(tmp_path: Path) -> None:
    run = begin(SETTINGS, tmp_path)
    asked = iter(range(1_000_000))
    assert not run.train(stop=lambda: next(asked) > 60)
    assert 0 < run.kept == run.model.num_timesteps < 1000
    again = resume(tmp_path)
    assert not again.finished
    assert again.train()
    assert resume(tmp_path).finished
