"""Cross-play of a shared game from end to end: played, kept, resumed, reported."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dreamfactory_env.arena import Tournament, run_tournament
from dreamfactory_env.arena.results import Result, read_chunks
from dreamfactory_env.records.files import read_records
from dreamfactory_env.records.format import replay
from tests.toy_game import SignalGame

NAMES = ("random", "helper", "mcts:5")


@pytest.mark.parametrize("players", [2, 3])
def test_every_policy_plays_every_deal_with_every_other_in_all_seatings(
    toy: type[SignalGame], tmp_path: Path, players: int
) -> None:
    tournament = Tournament(policies=NAMES, game="toy", players=players, deals=6, records=True)
    report = run_tournament(tournament, tmp_path, processes=1)
    assert report is not None
    assert "utility" in report
    result = Result.of(tournament, read_chunks(tmp_path / "result.jsonl", tournament))
    seatings = {s for s in product(range(3), repeat=players) if len(set(s)) <= 2}
    for deal in range(6):
        games = [tuple(game) for game in result.entrants[result.deal == deal].tolist()]
        assert len(games) == len(seatings)
        assert set(games) == seatings
    assert (result.scores == result.scores[:, :1]).all()  # of a team
    # The figures of the report are means of these games.
    names = report["matrix"]["policies"]
    for a, row in zip(names, report["matrix"]["cells"], strict=True):
        for b, cell in zip(names, row, strict=True):
            sits = [(result.entrants == NAMES.index(name)).any(axis=1) for name in (a, b)]
            others = (result.entrants != NAMES.index(a)) & (result.entrants != NAMES.index(b))
            pair = sits[0] & sits[1] & ~others.any(axis=1)
            assert cell is not None
            assert cell["games"] == pair.sum() == 6 * (1 if a == b else 2**players - 2)
            assert cell["score"]["value"] == pytest.approx(result.scores[pair, 0].mean() / 3)
            assert cell["win_rate"]["value"] == pytest.approx(result.won[pair, 0].mean())
    # Every game has a record that can be played again.
    records = [r for path in (tmp_path / "records").iterdir() for r in read_records(path)]
    assert len(records) == len(result.deal)
    assert [replay(record).scores()[0] for record in records[:20]]


def test_who_signals_reaches_more_with_itself_than_with_who_does_not(
    toy: type[SignalGame], tmp_path: Path
) -> None:
    tournament = Tournament(policies=("random", "helper"), game="toy", deals=300)
    report = run_tournament(tournament, tmp_path, processes=1)
    assert report is not None
    assert "utility" in report
    rows = {row["name"]: row for row in report["policies"]}
    alone, cross = rows["helper"]["self_play"], rows["helper"]["cross_play"]
    weak = rows["random"]["self_play"]
    assert alone is not None
    assert cross is not None
    assert weak is not None
    assert alone["score"]["low"] > cross["score"]["high"]
    assert alone["win_rate"]["low"] > weak["win_rate"]["high"]
    assert cross["lowest_score"]["policies"] == ["random"]


def test_a_shared_game_is_resumed_and_gives_the_same(toy: type[SignalGame], tmp_path: Path) -> None:
    tournament = Tournament(policies=("helper", "mcts:2"), game="toy", players=3, deals=5)
    whole = run_tournament(tournament, tmp_path / "whole", processes=1)
    done: list[int] = []
    cut = tmp_path / "cut"
    stopped = run_tournament(
        tournament, cut, processes=1, stop=lambda: 2 in done, progress=done.append
    )
    assert stopped is not None
    assert (stopped["deals"], stopped["complete"]) == (2, False)
    resumed = run_tournament(tournament, cut, processes=1)
    files = [folder / "result.jsonl" for folder in (tmp_path / "whole", cut)]
    assert files[0].read_bytes() == files[1].read_bytes()
    for report in (whole, resumed):
        assert report is not None
        for row in report["policies"]:
            row["decisions_per_second"] = None
    assert json.dumps(whole) == json.dumps(resumed)


def test_options_of_the_game_are_played(toy: type[SignalGame], tmp_path: Path) -> None:
    reached = []
    for goal in (2, 4):
        tournament = Tournament(
            policies=("helper",), game="toy", deals=100, options={"goal": goal, "memory": True}
        )
        run_tournament(tournament, tmp_path / str(goal), processes=1)
        result = Result.of(
            tournament, read_chunks(tmp_path / str(goal) / "result.jsonl", tournament)
        )
        assert result.scores.max() == goal
        reached.append(np.mean(result.won))
    assert reached[0] > reached[1]
