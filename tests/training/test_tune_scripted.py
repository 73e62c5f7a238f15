"""The tuner of the scripted policies, in small."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory.scripted.weights import FILE, read_weights
from dreamfactory_env.policies import policy_named, view_of
from tests.training.scripts import load

tune_scripted = load("tune_scripted")

SMALL: dict[str, Any] = {"population": 4, "deals": 1, "check": 2, "spread": 0.3, "against": None}


@pytest.fixture(autouse=True)
def _own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(FILE, tmp_path / "weights.yaml")
    monkeypatch.setattr(tune_scripted, "FILE", tmp_path / "weights.yaml")
    monkeypatch.setattr(tune_scripted, "RUNS", tmp_path / "runs")


def test_constants_are_written_and_their_comments_stay(tmp_path: Path) -> None:
    weights = np.arange(1.0, 9.0) / 8
    tune_scripted.write_weights("builder", weights)
    text = (tmp_path / "weights.yaml").read_text()
    found = read_weights(text, "written")
    assert found["builder"][:8].tolist() == weights.tolist()
    for policy in ("greedy", "expert"):
        assert found[policy].tolist() == DreamFactory.spec.scripted[policy].tolist()
    comments = [line.partition("#")[2] for line in text.splitlines()]
    assert comments == [line.partition("#")[2] for line in FILE.read_text().splitlines()]


def test_a_search_that_was_stopped_resumes_as_if_it_had_not_been(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "runs" / "greedy.json"
    tune_scripted.tune("greedy", generations=3, **SMALL)
    whole = kept.read_text()
    kept.unlink()
    tune_scripted.tune("greedy", generations=1, **SMALL)
    tune_scripted.tune("greedy", generations=3, **SMALL)
    assert kept.read_text() == whole
    assert "greedy generation 3: results" in capsys.readouterr().out


def test_better_constants_are_found_and_accepted(tmp_path: Path) -> None:
    start = DreamFactory.spec.scripted["greedy"].copy()
    DreamFactory.spec.scripted["greedy"][3] = 0.05  # hardly bids at all
    try:
        small = {**SMALL, "population": 8, "deals": 4, "check": 60, "spread": 0.5}
        tune_scripted.tune("greedy", generations=10, **small)
    finally:
        DreamFactory.spec.scripted["greedy"][:] = start
    search = json.loads((tmp_path / "runs" / "greedy.json").read_text())
    assert search["best"][3] > 0.05
    written = read_weights((tmp_path / "weights.yaml").read_text(), "tuned")["greedy"]
    assert written[:4] == pytest.approx(search["best"], rel=1e-3)


def test_the_games_are_those_of_the_arena() -> None:
    constants = DreamFactory.spec.scripted
    names = ["greedy", "builder"]
    scripted = np.array([1, 2, 3]), np.array([constants[n] for n in (*names, "expert")])
    seeds = np.array([5, 9], np.uint64)
    results = tune_scripted.results_of(DreamFactory(3, seed=0), seeds, scripted)
    for place, name in enumerate(names):
        for deal, seed in enumerate(seeds):
            expected = []
            for seat in range(3):
                lineup = [name if other == seat else "expert" for other in range(3)]
                game = DreamFactory(3, seed=int(seed))
                policies = [policy_named(player, game) for player in lineup]
                moves = 0
                while game.to_move is not None:
                    view = view_of(game, seed=int(seed), moves=moves)
                    game.play(policies[game.to_move].act(view))
                    moves += 1
                scores, winners = game.scores(), game.winners()
                others = (sum(scores) - scores[seat]) / 2
                share = 3 * (seat in winners) / len(winners)
                margin = np.clip(scores[seat] - others, -60, 60)
                expected.append(share + tune_scripted.MARGIN * margin)
            assert results[place, deal] == pytest.approx(np.mean(expected))
