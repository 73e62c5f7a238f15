"""The arena: who sits where, what is played, what is kept, what happens to those who foul."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory, GameError, OptionError, RecordError
from dreamfactory_env.arena import Tournament, duel, evaluate, read_tournament, run_tournament
from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.config import check_tournament
from dreamfactory_env.arena.lineups import mixed, pairs, rotations
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result, read_chunks
from dreamfactory_env.arena.worker import Worker
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.records.files import read_records
from dreamfactory_env.records.format import replay
from dreamfactory_env.utils.errors import ConfigError
from dreamfactory_env.utils.yaml_lines import read_yaml
from tests.paths import ROOT
from tests.players import Batcher, Sitter

SMALL = Tournament(policies=("random", "greedy"), players=3, deals=6, seed=4)


def result_of(tournament: Tournament) -> Result:
    return Result.of(tournament, play_chunks(tournament))


# ---------------------------------------------------------------------------- lineups


def test_everybody_sits_once_on_every_seat_of_a_deal() -> None:
    games = rotations((0, 1, 2, 3))
    assert games.tolist() == [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
    assert rotations((5, 2, 2)).tolist() == [[5, 2, 2], [2, 2, 5], [2, 5, 2]]


def test_no_game_of_a_deal_is_played_twice() -> None:
    assert rotations((0, 1, 0, 1)).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert rotations((3, 3, 3)).tolist() == [[3, 3, 3]]


@pytest.mark.parametrize(("policies", "players"), [(2, 2), (2, 5), (3, 2), (4, 4), (5, 2), (7, 3)])
def test_mixed_lineups_are_balanced_and_have_no_policy_twice_if_there_are_enough(
    policies: int, players: int
) -> None:
    deals = 600
    lineups = [mixed(deal, policies, players, 9) for deal in range(deals)]
    played = Counter(policy for lineup in lineups for policy in lineup)
    fair = deals * players / policies
    assert all(abs(played[policy] - fair) < 0.15 * fair for policy in range(policies))
    most = max(max(Counter(lineup).values()) for lineup in lineups)
    assert most == -(-players // policies)
    if policies > players:
        assert len({tuple(sorted(lineup)) for lineup in lineups}) > 1
    assert lineups == [mixed(deal, policies, players, 9) for deal in range(deals)]


def test_pairs_are_one_against_the_rest_both_ways() -> None:
    assert pairs(3, 4) == [
        *[(0, 1, 1, 1), (0, 2, 2, 2), (1, 0, 0, 0)],
        *[(1, 2, 2, 2), (2, 0, 0, 0), (2, 1, 1, 1)],
    ]


def test_listed_lineups_are_taken_in_turn() -> None:
    lineups = (("greedy", "random", "random"), ("random", "greedy", "greedy"))
    tournament = replace(SMALL, lineups=lineups)
    assert [tournament.lineup_of(deal) for deal in range(3)] == [(1, 0, 0), (0, 1, 1), (1, 0, 0)]


# ---------------------------------------------------------------------------- playing


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
            policy = policy_named(agents[game.to_move or 0], DreamFactory)
            game.play(policy.act(view_of(game, seed=record["seed"], moves=moves)))
            moves += 1
        assert moves == len(record["moves"])
        assert game.result() == replay(record).result() == record["result"]
        assert game.scores() == chunk.scores[k].tolist()
        assert game.winners() == np.flatnonzero(chunk.won[k]).tolist()


def test_compiled_games_and_games_side_by_side_are_the_same() -> None:
    compiled = replace(SMALL, deals=20, records=True)
    objects = {name: policy_named(name, DreamFactory) for name in compiled.policies}
    others = replace(compiled, custom=objects)
    assert (compiled.compiled, others.compiled) == (True, False)
    (one, records), (other, same) = (Worker(each).play(0) for each in (compiled, others))
    for name in ("scores", "won", "roles", "decisions", "table", "seats"):
        assert (getattr(one, name) == getattr(other, name)).all(), name
    assert records == same


def test_what_a_game_looks_like_is_counted_as_its_record_tells() -> None:
    tournament = replace(SMALL, policies=("greedy",), deals=30, records=True)
    chunk, records = Worker(tournament).play(0)
    assert len(records) == 30  # all alike at the table: one game a deal
    result = Result.of(tournament, [chunk])
    report = make_report(result, {})
    results = [record["result"] for record in records]
    shown = {figure["title"]: figure["values"] for figure in report["game"]["seats"]}
    seats = 3 * len(records)
    assert shown["films finished"][0] == pytest.approx(
        sum(len(r["films"]) for r in results) / seats
    )
    awards = Counter(award["award"] for r in results for award in r["awards"])
    labels = report["game"]["seats"][-1]["axes"][0]["labels"]
    for label, value in zip(labels, shown["awards won"][0], strict=True):
        assert value == pytest.approx(awards[label] / seats)
    parts = {figure["title"]: figure["values"][0] for figure in report["game"]["parts"]}
    assert parts["money"] == pytest.approx(sum(sum(r["money"]) for r in results) / seats)
    points = sum(award["points"] for r in results for award in r["awards"])
    assert parts["awards"] == pytest.approx(points / seats)
    assert sum(parts.values()) == pytest.approx(np.mean([r["scores"] for r in results]))
    assert shown["auctions won"][0] == pytest.approx(24 / 3)
    (price,) = report["game"]["table"]
    assert price["axes"][1]["labels"][0] == "Hollywood"
    assert np.sum(price["values"]) == pytest.approx(3 * shown["paid in auctions"][0])
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
    others = ("random", "random")
    tournament = Tournament(
        policies=(name, "random"),
        players=3,
        deals=deals,
        lineups=((name, *others),),
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
        assert result.won[k].tolist() == (~offender).astype(int).tolist()
        assert result.standing[k][offender] < result.standing[k][~offender].min()
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


def test_a_policy_that_ends_its_process_leaves_a_whole_result(tmp_path: Path) -> None:
    name = "tests.players:Killer"
    tournament = Tournament(policies=(name, "random"), players=2, deals=3)
    with pytest.raises(GameError, match="a process that played has died"):
        run_tournament(tournament, tmp_path, processes=2)
    assert read_chunks(tmp_path / "result.jsonl", tournament) == []


# ---------------------------------------------------------------------------- results


def test_a_result_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    scripted = replace(SMALL, deals=300)
    mixed_ = Tournament(
        policies=("tests.players:Sitter", "tests.players:Batcher", "greedy"), players=3, deals=4
    )
    for number, tournament in enumerate((scripted, mixed_)):
        folders = [tmp_path / f"{number}-{count}" for count in (1, 2)]
        for folder, count in zip(folders, (1, 2), strict=True):
            run_tournament(tournament, folder, processes=count)
        one, two = ((folder / "result.jsonl").read_bytes() for folder in folders)
        assert one == two
        reports = [json.loads((folder / "report.json").read_text()) for folder in folders]
        for report in reports:
            for row in report["policies"]:
                assert row.pop("decisions_per_second") > 0
        assert reports[0] == reports[1]


def test_a_torn_result_goes_on_and_a_whole_one_is_not_played_again(tmp_path: Path) -> None:
    tournament = Tournament(policies=("tests.players:Sitter", "greedy"), players=2, deals=5)
    run_tournament(tournament, tmp_path / "whole", processes=1)
    whole = (tmp_path / "whole" / "result.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 6
    torn = tmp_path / "torn" / "result.jsonl"
    torn.parent.mkdir()
    for left in (b"", lines[0][:40], lines[0], lines[0] + lines[1] + lines[2][:-9], whole):
        torn.write_bytes(left)
        shown: list[int] = []
        report = run_tournament(tournament, torn.parent, processes=1, shown=shown.append)
        assert torn.read_bytes() == whole
        assert shown == list(range(max(left.count(b"\n") - 1, 0), 6))
        assert report is not None
        assert report["complete"]


def test_the_result_of_another_tournament_is_not_touched(tmp_path: Path) -> None:
    run_tournament(SMALL, tmp_path, processes=1)
    path = tmp_path / "result.jsonl"
    before = path.read_bytes()
    with pytest.raises(RecordError, match="another tournament: its seed is 4, not 5; --force"):
        run_tournament(replace(SMALL, seed=5), tmp_path, processes=1)
    assert path.read_bytes() == before
    path.write_bytes(before.replace(b'"won"', b'"wom"'))
    with pytest.raises(RecordError, match="line 2 is not a chunk of this tournament: 'won'"):
        run_tournament(SMALL, tmp_path, processes=1)
    run_tournament(replace(SMALL, seed=5), tmp_path, processes=1, replace=True)
    assert path.read_bytes() != before
    path.write_text("nonsense\n" * 2)
    with pytest.raises(RecordError, match=r"result.jsonl is no result: .*--force replaces it"):
        run_tournament(SMALL, tmp_path, processes=1)


def test_a_result_of_other_constants_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_tournament(SMALL, tmp_path, processes=1)
    other = SMALL.kind.scripted["greedy"] * 1.01
    monkeypatch.setitem(SMALL.kind.scripted, "greedy", other)
    with pytest.raises(RecordError, match="another tournament: its fingerprints is"):
        run_tournament(SMALL, tmp_path, processes=1)


def test_times_of_another_shape_do_no_harm_and_old_records_go(tmp_path: Path) -> None:
    run_tournament(replace(SMALL, records=True), tmp_path, processes=1)
    (tmp_path / "times.json").write_text("[1]")
    assert run_tournament(replace(SMALL, records=True), tmp_path, processes=1) is not None
    assert list((tmp_path / "records").iterdir())
    run_tournament(SMALL, tmp_path, processes=1, replace=True)
    assert not list((tmp_path / "records").iterdir())


def test_stopping_leaves_what_was_finished(tmp_path: Path) -> None:
    tournament = Tournament(policies=("tests.players:Sitter", "greedy"), players=2, deals=5)
    shown: list[int] = []
    stop = lambda: len(shown) > 2  # noqa: E731
    report = run_tournament(tournament, tmp_path, processes=1, stop=stop, shown=shown.append)
    assert report is not None
    assert (report["deals"], report["complete"]) == (2, False)
    assert "not finished yet" in (tmp_path / "report.html").read_text("utf-8")
    nothing = tmp_path / "nothing"
    assert run_tournament(tournament, nothing, processes=1, stop=lambda: True) is None


def test_ctrl_c_leaves_a_valid_result_and_running_again_plays_the_rest(tmp_path: Path) -> None:
    config = tmp_path / "slow.yaml"
    config.write_text("policies: [tests.players:Sitter, greedy]\nplayers: 2\ndeals: 30\n")
    out = tmp_path / "out"
    command = [sys.executable, "-c", "from dreamfactory_env.cli.main import main; main()"]
    command += ["tournament", str(config), "--out", str(out), "--processes", "2"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SITTER_SECONDS": "0.003"}
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)
    path = out / "result.jsonl"
    deadline = time.monotonic() + 100
    while not (path.exists() and path.read_bytes().count(b"\n") > 3):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert "finishing what is being played" in errors
    assert "the same command goes on" in errors
    assert f"report: {out / 'report.html'}" in printed
    tournament = read_tournament(config)
    done = read_chunks(path, tournament)
    assert 3 <= len(done) < 30
    assert path.read_bytes().endswith(b"\n")
    assert json.loads((out / "report.json").read_text())["deals"] == len(done)
    shown: list[int] = []
    run_tournament(tournament, out, processes=1, shown=shown.append)
    assert shown[0] == len(done)  # only the rest was played
    assert shown[-1] == 30
    run_tournament(tournament, tmp_path / "again", processes=1)
    assert path.read_bytes() == (tmp_path / "again" / "result.jsonl").read_bytes()


# ---------------------------------------------------------------------------- evaluating


def test_evaluate_tells_the_win_rate_of_its_policy() -> None:
    found = evaluate(duel("greedy", ["random"], players=3, games=300), processes=1)
    assert found is not None
    assert 0.95 < found.win_rate <= 1
    assert 0.02 < found.half_width < 0.06
    assert found.enough
    assert found.report["games"] == 300
    rows = {row["name"]: row for row in found.report["policies"]}
    assert rows["greedy"]["win_rate"]["value"] == pytest.approx(found.win_rate)


def test_evaluate_stops_when_it_is_sure_whatever_the_number_of_processes() -> None:
    match = duel("greedy", ["greedy", "random"], players=3, games=6000)
    found = [evaluate(match, until=0.02, processes=count) for count in (1, 2)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].half_width <= 0.02
    assert found[0].report["games"] < 6000
    assert found[0].report["games"] == found[1].report["games"]
    assert found[0].win_rate == found[1].win_rate
    few = evaluate(duel("greedy", ["random"], players=2, games=20), until=0.0001, processes=1)
    assert few is not None
    assert not few.enough


def test_policies_can_be_objects() -> None:
    found = evaluate(duel(Batcher(), [Sitter(), "random"], players=3, games=3), processes=2)
    assert found is not None
    assert {row["name"] for row in found.report["policies"]} == {"Batcher", "Sitter", "random"}


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs Linux")
def test_each_process_computes_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS")
    found = evaluate(duel("tests.players:Single", ["random"], players=2, games=4), processes=2)
    assert found is not None
    assert not found.report["fouls"]
    assert "OMP_NUM_THREADS" not in os.environ


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"against": ["greedy", "random"]}, "2 policies against one at a table of 4; give 1 or 3"),
        ({"games": 0}, "games must be at least 1, not 0"),
        ({"against": ["gredy"]}, "unknown policy 'gredy'.*did you mean 'greedy'"),
        ({"players": 9}, "players must be 2 to 5, not 9"),
    ],
)
def test_a_duel_that_cannot_be_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        duel("random", **{"against": ["random"], **arguments})


def test_the_example_of_the_docs_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/arena.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(code, "arena.md", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("greedy {'value': ")
    assert re.fullmatch(r"\d+\.\d% ± \d\.\d%", printed[1])
    (listed,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert check_tournament(read_yaml(listed), "arena.md").deals == 2500


# ---------------------------------------------------------------------------- config files


def test_every_mistake_of_a_config_is_named_at_once_with_its_line() -> None:
    text = """policies: [random, greedi, random]
players: 7
deals: 0
lineups: pears
seed: -1
time_limit: 0
records: maybe
options: {editio: traumfabrik}
"""
    with pytest.raises(ConfigError) as caught:
        check_tournament(read_yaml(text), "config.yaml")
    told = str(caught.value)
    for part in (
        "config.yaml: 8 mistakes",
        "line 8, options: unknown option 'editio'; known are edition, hidden_money, ",
        "line 1, policies: 'random' stands twice",
        "line 1, policies: unknown policy 'greedi'; known are ",
        "line 4, lineups: must be mixed, pairs or a list of lineups, not 'pears'; did you mean",
        "line 3, deals: must be a whole number from 1 up, not 0",
        "line 5, seed: seed must be a whole number from 0",
        "line 6, time_limit: must be seconds, or nothing for none, not 0",
        "line 7, records: must be true or false, not 'maybe'",
    ):
        assert part in told, told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be a mapping"),
        ("players: 4", "policies are missing: who plays?"),
        ("policies: []", "policies: there must be at least one"),
        ("policies: random", "policies: must be a list of names, not 'random'"),
        ("policies: [1]", "policies: must be a list of names"),
        ("policies: [random]\nlineups: pairs", "pairs need at least two policies"),
        ("policies: [random]\nlineups: []", "lineups: there must be at least one"),
        ("policies: [random]\nlineups: [random]", "must be mixed, pairs or a list of lists"),
        ("policies: [random]\nlineups: [[random]]", "lineup 1 has 1 policies for 4 players"),
        (
            "policies: [random]\nplayers: 2\nlineups: [[random, randum]]",
            "lineup 1: 'randum' is not among the policies; did you mean 'random'",
        ),
        ("policies: [random]\nplayers: many", "players must be 2 to 5, not 'many'"),
        ("policies: [random]\noptions: 3", "options: must be a mapping, not 3"),
        ("policies: [random]\noptions: {edition: x}", "options: edition must be one of"),
        ("policies: [random]\ngame: chess", "game: unknown game 'chess'; known are dream_factory"),
        ("policies: [random]\nseed:", "seed: seed must be given"),
        ("policies: [random]\ndeels: 4", "deels: unknown key; known are .*did you mean 'deals'"),
        ("policies: [random", "not YAML"),
    ],
)
def test_a_wrong_config_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check_tournament(read_yaml(text), "config.yaml")


def test_a_config_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.yaml: 1 mistake\n  cannot be read"):
        read_tournament(tmp_path / "missing.yaml")


@pytest.mark.parametrize("path", sorted((ROOT / "configs/tournaments").glob("*.yaml")))
def test_the_configs_that_ship_are_right(path: Path) -> None:
    assert read_tournament(path).deals > 0
