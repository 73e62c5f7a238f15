"""Playing the games of a tournament: what is played, counted and recorded, and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import Tournament, duel, evaluate, run_tournament
from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result, as_line, read_chunks
from dreamfactory_env.arena.worker import Worker, decisions_per_second
from dreamfactory_env.policies import Policy, SearchPolicy, View, policy_named, view_of
from dreamfactory_env.records.files import read_records
from dreamfactory_env.records.format import replay
from tests.toy_game import SignalGame

SMALL = Tournament(policies=("random", "greedy"), players=3, deals=6, seed=4)


def test_the_games_of_a_deal_have_the_same_shuffles_and_are_those_the_policies_play() -> None:
    tournament = replace(SMALL, deals=2, records=True)
    chunk, records = Worker(tournament).play(0)
    setups = [record["setup"] for record in records]
    assert setups[0] == setups[1] == setups[2]
    assert setups[3] == setups[4] == setups[5] != setups[0]
    games = np.concatenate([tournament.games_of(0), tournament.games_of(1)])
    for k, record in enumerate(records):
        agents = [tournament.policies[policy] for policy in games[k]]
        assert record["agents"] == agents
        game = DreamFactory(3, seed=record["seed"])
        moves = 0
        while not game.over:
            policy = policy_named(agents[game.to_move or 0], game)
            game.play(policy.act(view_of(game, seed=record["seed"], moves=moves)))
            moves += 1
        assert moves == len(record["moves"])
        assert game.result() == replay(record).result() == record["result"]
        assert game.scores() == chunk.scores[k].tolist()
        assert game.winners() == np.flatnonzero(chunk.won[k]).tolist()


@pytest.mark.parametrize("asked", [("random",), ("greedy",), ("random", "greedy")])
def test_games_of_scripted_policies_are_the_same_compiled_and_asked(asked: tuple[str, ...]) -> None:
    compiled = replace(SMALL, deals=20, records=True)
    objects = {name: policy_named(name, compiled.template) for name in asked}
    others = replace(compiled, custom=objects)
    assert (compiled.compiled, others.compiled) == (True, False)
    (one, records), (other, same) = (Worker(each).play(0) for each in (compiled, others))
    for name in ("scores", "won", "roles", "decisions", "table", "seats"):
        assert (getattr(one, name) == getattr(other, name)).all(), name
    assert records == same
    thought = [name in asked for name in others.policies]
    assert (other.seconds > 0).tolist() == thought
    assert not one.seconds.any()


def test_what_a_game_looks_like_is_counted_as_its_record_tells() -> None:
    tournament = replace(SMALL, policies=("greedy",), deals=30, records=True)
    chunk, records = Worker(tournament).play(0)
    assert len(records) == 30  # all alike at the table: one game a deal
    report = make_report(Result.of(tournament, [chunk]), {})
    results = [record["result"] for record in records]
    stats = {stat["title"]: stat["values"] for stat in report["game"]["seats"]}
    seats = 3 * len(records)
    assert stats["films finished"][0] == pytest.approx(
        sum(len(r["films"]) for r in results) / seats
    )
    awards = Counter(award["award"] for r in results for award in r["awards"])
    labels = report["game"]["seats"][-1]["axes"][0]["labels"]
    for label, value in zip(labels, stats["awards won"][0], strict=True):
        assert value == pytest.approx(awards[label] / seats)
    parts = {stat["title"]: stat["values"][0] for stat in report["game"]["parts"]}
    assert parts["money"] == pytest.approx(sum(sum(r["money"]) for r in results) / seats)
    points = sum(award["points"] for r in results for award in r["awards"])
    assert parts["awards"] == pytest.approx(points / seats)
    assert sum(parts.values()) == pytest.approx(np.mean([r["scores"] for r in results]))
    assert stats["auctions won"][0] == pytest.approx(24 / 3)
    (price,) = report["game"]["table"]
    assert price["axes"][1]["labels"][0] == "Hollywood"
    assert np.sum(price["values"]) == pytest.approx(3 * stats["paid in auctions"][0])
    first = [_first_price(record) for record in records]
    assert price["values"][0][0] == pytest.approx(np.mean(first))
    for game, record in zip(chunk.roles, records, strict=True):
        setup = record["setup"]
        assert (game[:, 1] + 1).tolist() == setup["studios"]
        assert game[setup["first_player"], 0] == 0
        assert sorted(game[:, 0]) == [0, 1, 2]


def _first_price(record: dict[str, Any]) -> int:
    """Returns what the first auction of a record went for."""
    passed, bid = 0, 0
    for _, _, words in record["moves"]:
        if words == "pass":
            passed += 1
        else:
            bid = int(words.split()[1])
        if passed == record["config"]["players"] - 1:
            return bid
    raise AssertionError


def test_speeds_are_measured() -> None:
    assert decisions_per_second(SMALL, "random", seconds=0.01) > 1000


# ---------------------------------------------------------------------------- fouls


@pytest.mark.parametrize(
    ("policy", "kind", "message"),
    [
        ("Cheater", "illegal", "is not legal for player 1 in the "),
        ("Mumbler", "illegal", "None is not legal for player 1 in the "),
        ("Thrower", "error", "RuntimeError: no idea"),
        ("Quitter", "error", "SystemExit: 3"),
        ("Sleeper", "slow", "more than 0.2 s for a decision"),
        ("BadBatch", "error", "ValueError: one of these is bad"),
        ("Forger", "illegal", "is not legal for player 1 in the "),
        ("Panicker", "error", "Panic: of the engine room"),
        ("Mute", "error", "Unspeakable"),
        ("Ghost", "illegal", "a Invisible is no action"),
        ("WrongShape", "error", "act_batch answers int64 of shape (2,), not whole numbers"),
    ],
)
def test_who_fouls_loses_that_game_and_nothing_else(
    policy: str, kind: str, message: str, tmp_path: Path
) -> None:
    name = f"tests.players:{policy}"
    deals = 1 if policy == "Sleeper" else 3
    limit = 0.2 if policy == "Sleeper" else None
    tournament = Tournament(
        policies=(name, "random"),
        players=3,
        deals=deals,
        lineups=((name, "random", "random"),),
        time_limit=limit,
        records=True,
    )
    report = run_tournament(tournament, tmp_path, processes=1)
    assert report is not None
    result = Result.of(tournament, read_chunks(tmp_path / "result.jsonl", tournament))
    blamed = [1] if policy != "WrongShape" else [0, 1, 2]  # the seats on which it fouls
    fouled = np.isin(np.argmax(result.entrants == 0, axis=1), blamed)
    assert result.fouled.tolist() == fouled.tolist()
    for k in np.flatnonzero(fouled):
        offender = result.entrants[k] == 0
        assert result.offender[k] == np.argmax(offender)
        assert result.won[k].tolist() == (~offender).astype(int).tolist()
        assert result.rank_key[k][offender] < result.rank_key[k][~offender].min()
    if policy == "WrongShape":  # it fouls in its first decision
        assert result.decisions[0] == fouled.sum()
    (foul,) = report["fouls"]
    assert (foul["policy"], foul["kind"], foul["games"]) == (name, kind, int(fouled.sum()))
    assert message in foul["example"]
    assert "\n" not in foul["example"]
    page = (tmp_path / "report.html").read_text("utf-8")
    assert name in page.split("Fouls")[1]
    recorded = [r for path in (tmp_path / "records").iterdir() for r in read_records(path)]
    assert len(recorded) == int((~fouled).sum())
    for record in recorded:
        replay(record)


class Stubborn(Policy):
    """Fouls in its second decision, whatever the game."""

    def act(self, view: View) -> int:
        return int(view.mask.argmax()) if view.game.states["drawn"][0] < 3 else -1


def test_a_foul_in_a_shared_game_is_lost_by_all_and_pays_what_an_illegal_action_pays(
    toy: type[SignalGame],
) -> None:
    match = duel(Stubborn(), ["helper"], game="toy", games=40)
    result = Result.of(match, play_chunks(match))
    assert 0 < result.fouled.sum() == len(result.fouls)
    assert not result.won[result.fouled].any()
    assert result.won[~result.fouled].any(axis=1).sum() == result.won.sum() / 2
    found = evaluate(match, processes=1)
    assert found is not None
    points = np.where(result.fouled, -1, result.scores[:, 0] / 3)
    assert found.score == pytest.approx(points.mean())
    _, records = Worker(replace(match, records=True)).play(0)
    assert all(replay(record).over for record in records)


# ---------------------------------------------------------------------------- one process


class Counted(Policy):
    """Plays the first legal move, and counts how many of it there are."""

    constructed: ClassVar[int] = 0

    def __init__(self) -> None:
        type(self).constructed += 1

    def act(self, view: View) -> int:
        return int(view.mask.argmax())


def test_a_policy_is_constructed_once_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches: list[str] = []
    search = SearchPolicy.act

    def counted(self: SearchPolicy, view: View) -> int:
        searches.append("asked")
        return search(self, view)

    monkeypatch.setattr(SearchPolicy, "act", counted)
    monkeypatch.setattr(Counted, "constructed", 0)
    names = (f"{__name__}:Counted", "mcts:1", "random")
    tournament = Tournament(policies=names, players=3, deals=1)
    assert not searches  # constructing a search runs none
    assert run_tournament(tournament, tmp_path, processes=1) is not None
    assert Counted.constructed == 1
    assert searches
    assert evaluate(duel(f"{__name__}:Counted", ["random"], players=2, games=2), processes=1)
    assert Counted.constructed == 2  # another tournament has its own


def test_tournaments_that_take_turns_in_a_process_share_nothing() -> None:
    """Both have as many policies, at tables of other sizes and with other records."""
    tournaments = [
        Tournament(policies=("tests.players:Sitter", "greedy"), players=2, deals=3),
        Tournament(policies=("builder", "tests.players:Sitter"), players=3, deals=3),
    ]
    alone = [[as_line(chunk) for chunk in play_chunks(each)] for each in tournaments]
    playing = [play_chunks(each) for each in tournaments]
    in_turns = list(zip(*playing, strict=True))
    for place, lines in enumerate(alone):
        assert [as_line(chunks[place]) for chunks in in_turns] == lines


def test_each_of_two_tournaments_in_turns_keeps_its_own_records(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    playing: list[Iterator[Any]] = [
        play_chunks(replace(SMALL, records=True, deals=200, seed=seed), records=folder)
        for seed, folder in enumerate(folders)
    ]
    for _ in range(2):
        for each in playing:
            next(each)
    seeds = []
    for folder in folders:
        files = sorted(folder.iterdir())
        assert [file.name for file in files] == ["000000.jsonl.zst", "000001.jsonl.zst"]
        seeds.append({record["seed"] for file in files for record in read_records(file)})
    assert not seeds[0] & seeds[1]
