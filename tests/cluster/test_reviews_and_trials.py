"""Reviews, evaluations of a training and studies on a cluster: the same as in one process."""

from __future__ import annotations

import json
import os
import signal
from itertools import islice
from pathlib import Path

import pytest

from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.learning.config import Others, Schedule
from dreamfactory_env.learning.run import begin
from dreamfactory_env.learning.tuning import Study
from dreamfactory_env.policies import Policy, View
from dreamfactory_env.viewer import judging
from dreamfactory_env.viewer.review import Review
from tests.cli.test_tuning import CONFIG, SPACE
from tests.learning.small import tiny
from tests.learning.test_evaluation import SETTINGS
from tests.viewer.judged_games import short_record, short_review

pytest.importorskip("ray")


def test_a_review_is_that_of_one_process(cluster: Cluster, tmp_path: Path) -> None:
    review = Review(short_record(), "mcts:20", deals=40)
    assert list(review.decisions(cluster=cluster)) == list(range(review.length))
    for name, each in (("there", review), ("here", short_review())):
        each.write(tmp_path / name)
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()


def test_a_review_is_begun_here_stopped_and_continued_there(cluster: Cluster) -> None:
    review = Review(short_record(), "mcts:20", deals=40)
    assert list(islice(review.decisions(), 3)) == [0, 1, 2]
    asked: list[int] = []
    for number in review.decisions(stop=lambda: len(asked) > 4, cluster=cluster):
        asked.append(number)
    assert asked == list(range(3, review.done))
    assert review.done < review.length
    list(review.decisions(cluster=cluster))
    assert json.dumps(review.analysis) == json.dumps(short_review().analysis)


class Mortal(Policy):
    """Kills its process once, where a file is that says so, which it takes away."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def act(self, view: View) -> int:
        if self.file.exists():
            self.file.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return int(view.mask.argmax())


def test_what_a_killed_process_has_judged_is_judged_again(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "deadly"
    monkeypatch.setattr(judging, "policy_named", lambda name, game: Mortal(file))
    here, there = (Review(short_record(), "mortal", deals=40) for _ in range(2))
    list(here.decisions())
    file.touch()
    list(there.decisions(cluster=cluster))
    assert not file.exists()
    assert there.analysis == here.analysis


def test_a_judge_that_cannot_be_sent_judges_here(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Local(Policy):
        def act(self, view: View) -> int:
            return int(view.mask.argmax())

    monkeypatch.setattr(judging, "policy_named", lambda name, game: Local())
    review = Review(short_record(), "local", deals=40)
    message = "all decisions are judged in this process, .*a policy cannot be pickled"
    with pytest.warns(UserWarning, match=message):
        assert next(review.decisions(cluster=cluster)) == 0


# ---------------------------------------------------------------------------- trainings


def test_an_evaluation_of_a_training(cluster: Cluster, tmp_path: Path) -> None:
    lines = []
    for place, where in (("here", None), ("there", cluster)):
        run = begin(SETTINGS, tmp_path / place, where)
        lines.append(run.evaluator.evaluate(run.model, 0, 0.0, lambda: False))
        assert run.evaluator.evaluate(run.model, 0, 0.0, lambda: True) is None
    assert lines[0] is not None
    assert lines[0] == lines[1]
    ladders = [(tmp_path / place / "ladder.json").read_bytes() for place in ("here", "there")]
    assert ladders[0] == ladders[1]


def test_an_evaluation_of_partners(cluster: Cluster, tmp_path: Path) -> None:
    lines = []
    schedule = Schedule(evaluation_deals=3, evaluate_against=["careful"], evaluation_players=[2])
    together = {"opponents": None, "partners": Others()}
    settings = tiny(game="faux_raccords", n_envs={2: 4}, schedule=schedule, **together)
    for place, where in (("here", None), ("there", cluster)):
        run = begin(settings, tmp_path / place, where)
        lines.append(run.evaluator.evaluate(run.model, 0, 0.0, lambda: False))
    assert lines[0] is not None
    assert [row["others"] for row in lines[0]["results"]] == ["self", "careful"]
    assert lines[0] == lines[1]


def test_a_study(cluster: Cluster, tmp_path: Path) -> None:
    config, space = tmp_path / "tiny.yaml", tmp_path / "space.yaml"
    config.write_text(CONFIG)
    space.write_text(SPACE)
    rows = []
    for place, where in (("here", None), ("there", cluster)):
        study = Study(config, space, tmp_path / place, notify=lambda text: None)
        study.cluster = where
        assert study.run(2)
        rows.append([{**row, "seconds": None} for row in study.rows()])
    assert rows[0] == rows[1]
    best = [(tmp_path / place / "best.yaml").read_bytes() for place in ("here", "there")]
    assert best[0] == best[1]
