"""Evaluations of a learner: when, what is written, ratings, words, metrics, the plot."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import duel
from dreamfactory_env.arena.analysis.ratings import AVERAGE, SCALE
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result
from dreamfactory_env.learning.config import Others, Schedule
from dreamfactory_env.learning.evaluation import Evaluator
from dreamfactory_env.learning.evaluation_lines import (
    as_metrics,
    headline,
    in_words,
    objective,
    rate,
)
from dreamfactory_env.learning.loggers import make_logger
from dreamfactory_env.learning.plotting import draw_strength
from dreamfactory_env.learning.run import begin, resume
from dreamfactory_env.policies import policy_named
from tests.learning.small import tiny

SETTINGS = tiny(
    total_timesteps=1000,
    n_envs={2: 8},
    opponents=Others(0.5, 0.0, {"greedy": 0.5}),
    schedule=Schedule(
        evaluate_every=600,
        evaluation_deals=3,
        evaluate_against=["random", "greedy"],
        evaluation_players=[2, 3],
    ),
)


def line(steps: int, rate: float) -> dict[str, Any]:
    """Returns an evaluation."""
    results = [
        {"players": 2, "others": "greedy", "stats": {"films finished": 2.0}},
        {"players": 2, "others": "/agents/old.safetensors", "stats": {"films finished": 3.0}},
        {"players": 4, "others": "greedy", "stats": {"films finished": 1.0}},
    ]
    same = {"win_rate": rate, "half_width": 0.05, "games": 40}
    return {
        "timesteps": steps,
        "seconds": steps / 100,
        "results": [result | same for result in results],
        "ratings": [
            {"players": n, "rating": 1500.0, "low": 1450.0, "high": 1560.0} for n in (2, 4)
        ],
    }


# ---------------------------------------------------------------------------- evaluations


def test_an_evaluation_is_due_at_the_start_at_multiples_and_at_the_end(tmp_path: Path) -> None:
    schedule = replace(SETTINGS.schedule, evaluate_every=300)
    evaluator = Evaluator(replace(SETTINGS, schedule=schedule), tmp_path)
    due = []
    for steps in range(0, 1025, 128):  # rollouts; the last one goes beyond the end
        if evaluator.due(steps):
            due.append((steps, evaluator.left(steps)))
            evaluator.lines.append(line(steps, 0.5))
            assert not evaluator.due(steps)
    assert due == [(0, 4), (384, 3), (640, 2), (1024, 1)]


def test_nothing_is_due_if_there_is_nobody_to_play_against(tmp_path: Path) -> None:
    for schedule in (
        replace(SETTINGS.schedule, evaluate_against=[]),
        replace(SETTINGS.schedule, evaluation_players=[]),
    ):
        assert not Evaluator(replace(SETTINGS, schedule=schedule), tmp_path).due(0)


def test_an_evaluation_leaves_the_training_as_it_is(tmp_path: Path) -> None:
    run = begin(SETTINGS, tmp_path)
    run.model.set_logger(make_logger(tmp_path, 0, print))

    def everything() -> list[Any]:
        weights = [tensor.tolist() for tensor in run.model.policy.state_dict().values()]
        games = run.env.games.clone_state()
        chance = [np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()]  # type: ignore[index]
        return [weights, games, chance, random.getstate(), torch.get_num_threads()]

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
        file.write('[]\n{"timesteps": 1')
    for steps, kept in ((0, [0]), (599, [0, 300]), (1000, [0, 300, 600])):
        evaluator.load(steps)
        assert [line["timesteps"] for line in evaluator.lines] == kept


def test_who_plays_like_an_anchor_is_rated_like_it(tmp_path: Path) -> None:
    names = ["random", "greedy", "expert"]
    schedule = Schedule(evaluation_deals=60, evaluate_against=names, evaluation_players=[3])
    ladder = Evaluator(replace(SETTINGS, schedule=schedule), tmp_path)._ladder(lambda: False)
    assert ladder is not None
    anchors = ladder["3"]
    assert np.mean(list(anchors.values())) == pytest.approx(0, abs=1e-9)
    assert anchors["random"] < anchors["greedy"] < anchors["expert"]
    found = {}
    for name in ("greedy", "expert"):
        learner = policy_named(name, DreamFactory(3, seed=0))
        matches = [duel(learner, [other], players=3, games=180, seed=8) for other in anchors]
        results = [Result.of(match, play_chunks(match)) for match in matches]
        found[name] = rate(results, np.array(list(anchors.values())))
        # The model is no more than a model: the same strength differs a little by opponents.
        assert found[name]["rating"] == pytest.approx(AVERAGE + SCALE * anchors[name], abs=60)
        assert found[name]["low"] < found[name]["rating"] < found[name]["high"]
    assert found["expert"]["low"] > found["greedy"]["rating"]


def test_an_evaluation_in_words_and_as_metrics() -> None:
    assert in_words(line(12_000, 0.625)) == (
        "evaluation after 12,000 decisions\n"
        "  2 players: rating 1500 ± 55, 62.5% ± 5.0% against greedy, 62.5% ± 5.0% against old\n"
        "  4 players: rating 1500 ± 55, 62.5% ± 5.0% against greedy"
    )
    assert as_metrics(line(0, 0.625)) == {
        "strength/2_players_rating": 1500.0,
        "strength/4_players_rating": 1500.0,
        "strength/2_players_against_greedy": 0.625,
        "strength/2_players_against_old": 0.625,
        "strength/4_players_against_greedy": 0.625,
        "game/2_players_films_finished": 2.5,
        "game/4_players_films_finished": 1.0,
    }
    assert headline(line(0, 0.625)) == "rating 1500/1500"
    assert objective(line(0, 0.625)) == pytest.approx(0.625)


def test_the_plot_has_a_panel_for_each_player_count() -> None:
    def width(picture: bytes) -> int:
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        return int.from_bytes(picture[16:20], "big")

    both = [line(0, 0.1), line(1000, 0.4)]
    one = [{**found, "results": found["results"][:1]} for found in both]
    assert width(draw_strength(both)) == 2 * width(draw_strength(one))


def test_a_run_that_is_stopped_is_not_finished(tmp_path: Path) -> None:
    run = begin(SETTINGS, tmp_path)
    asked = iter(range(1_000_000))
    assert not run.train(stop=lambda: next(asked) > 60)
    assert 0 < run.saved_steps == run.model.num_timesteps < 1000
    again = resume(tmp_path)
    assert not again.finished
    assert again.train()
    assert resume(tmp_path).finished
