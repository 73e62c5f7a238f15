"""Results for programs: one JSON object on standard output, and nothing else there."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.cli.results import print_json
from dreamfactory_env.cli.simulation_report import SPREAD
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.records.files import read_records
from dreamfactory_env.records.simulation import simulate
from tests.cli.conftest import Run
from tests.commands import run as run_command
from tests.commands import start
from tests.toy_game import SignalGame

FOUR = "greedy,random,expert,random"


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compiles the rules if they are not, so that no command has to say that it does."""
    next(simulate(DreamFactory(4), FOUR.split(","), 1, 1))


def shares(records: list[dict[str, Any]]) -> Array:
    """Returns by game and seat what part of the win a seat has."""
    won = [[seat in r["result"]["winners"] for seat in range(4)] for r in records]
    return np.asarray(won / np.sum(won, axis=1, keepdims=True))


def test_simulate_says_scores_and_wins_of_each_policy(run: Run, tmp_path: Path) -> None:
    records = list(simulate(DreamFactory(4), FOUR.split(","), 30, 1))
    scores, wins = np.array([r["result"]["scores"] for r in records]), shares(records)
    words = ["simulate", "--games", "30", "--policies", FOUR, "--out", "games.jsonl"]
    code, output, error = run(*words)
    assert code == 0, error
    told = " ".join(output.split())
    seats_of = {"greedy": [0], "random": [1, 3], "expert": [2]}
    for name, seats in seats_of.items():
        points = scores[:, seats]
        row = f"{', '.join(map(str, seats))} {wins[:, seats].mean():.1%} {points.mean():.1f} "
        assert f" {name} {row}{points.std():.1f} {points.min()} " in told
    for seat, name in enumerate(FOUR.split(",")):
        assert f" {seat} {name} {wins[:, seat].mean():.1%} {scores[:, seat].mean():.1f} " in told

    code, output, error = run(*words, "--force", "--json", "--quiet")
    assert (code, error) == (0, "")
    found = json.loads(output)
    assert list(found) == [
        *("format", "game", "version", "config", "utility", "seed", "games", "decisions"),
        *("seconds", "policies", "seats", "complete", "records"),
    ]
    assert (found["format"], found["games"]) == ("dreamfactory-simulation/1", 30)
    assert found["records"] == {"file": "games.jsonl", "games": 30}
    assert (found["complete"], found["config"]["players"]) == (True, 4)
    assert [(row["name"], row["seats"]) for row in found["policies"]] == list(seats_of.items())
    for row in found["policies"]:
        points = scores[:, row["seats"]]
        assert row["win_rate"] == pytest.approx(wins[:, row["seats"]].mean())
        assert list(row["points"]) == list(SPREAD)
        assert row["points"]["mean"] == pytest.approx(points.mean())
        assert row["points"]["max"] == points.max()
    assert [row["policy"] for row in found["seats"]] == FOUR.split(",")
    assert sum(row["win_rate"] for row in found["seats"]) == pytest.approx(1)
    assert list(read_records(tmp_path / "games.jsonl")) == records


def test_simulate_says_the_score_and_the_wins_of_a_team(run: Run, toy: type[SignalGame]) -> None:
    words = ["simulate", "--game", "toy", "--games", "40", "--policies", "helper,random"]
    records = list(simulate(toy(2), ["helper", "random"], 40, 1))
    won = sum(bool(r["result"]["winners"]) for r in records)
    code, output, error = run(*words)
    assert code == 0, error
    assert f"\nhelper, random: {won} of 40 games won, {won / 40:.1%}\n" in output
    found = json.loads(run(*words, "--json", "--quiet")[1])
    assert found["utility"] == "shared"
    assert found["team"]["policies"] == ["helper", "random"]
    assert found["team"]["win_rate"] == pytest.approx(won / 40)
    points = [r["result"]["scores"][0] for r in records]
    assert found["team"]["points"]["mean"] == pytest.approx(np.mean(points))
    assert not {"policies", "seats"} & found.keys()


def test_a_simulation_that_had_nothing_to_do_has_nothing_to_say(run: Run) -> None:
    words = ["simulate", "--games", "3", "--players", "2", "--out", "games.jsonl", "--json", "-q"]
    assert run(*words)[0] == 0
    code, output, _ = run(*words, "--resume")
    found = json.loads(output)
    assert (code, found["games"], found["records"]["games"]) == (0, 0, 3)
    assert (found["complete"], found["policies"][0]["win_rate"]) == (True, None)
    assert found["seats"][1]["points"] is None


def test_evaluate_prints_what_the_arena_returns(run: Run) -> None:
    words = ["evaluate", "greedy", "--against", "random, expert", "--players", "3"]
    words += ["--games", "60", "--processes", "1", "--json"]
    code, output, error = run(*words, "--quiet")
    assert (code, error) == (0, "")
    found = json.loads(output)
    right = evaluate(duel("greedy", ["random", "expert"], players=3, games=60), processes=1)
    assert right is not None
    assert list(found) == [
        *("format", "policy", "others", "win_rate", "half_width", "score", "score_half_width"),
        *("enough", "report"),
    ]
    assert found["format"] == "dreamfactory-evaluation/1"
    assert (found["policy"], found["others"]) == ("greedy", ["random", "expert"])
    assert (found["win_rate"], found["half_width"]) == (right.win_rate, right.half_width)
    assert (found["score"], found["enough"]) == (right.score, True)
    assert found["report"]["deals"] == right.report["deals"]
    code, output, error = run(*words, "--until", "±0.1%")
    assert (code, json.loads(output)["enough"]) == (0, False)
    assert error.endswith("60 games are too few for ±0.1%; raise --games\n")


def test_tournament_prints_the_report_that_it_writes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("policies: [random, greedy]\nplayers: 2\ndeals: 4\n")
    words = ["tournament", "t.yaml", "--processes", "1"]
    code, output, error = run(*words, "--json", "--quiet")
    assert (code, error) == (0, "")
    assert json.loads(output) == json.loads((tmp_path / "runs/t/report.json").read_text())
    code, output, error = run(*words, "--quiet")
    assert (code, error) == (0, "")
    assert output.endswith("\nreport: runs/t/report.html\n")
    assert "Policies" in output


def test_progress_is_shown_unless_it_is_not_wanted(tmp_path: Path) -> None:
    words = ["simulate", "--games", "3", "--players", "2", "--json"]
    shown = run_command(*words, cwd=tmp_path, FORCE_COLOR="1")
    assert "playing" in shown.stderr
    assert json.loads(shown.stdout)["games"] == 3
    assert run_command(*words, "-q", cwd=tmp_path, FORCE_COLOR="1").stderr == ""


def test_what_was_stopped_is_not_complete(tmp_path: Path) -> None:
    words = ["simulate", "--players", "2", "--games", "200000", "--json", "--quiet"]
    process = start(*words, "--out", "games.jsonl", cwd=tmp_path)
    while not (tmp_path / "games.jsonl").exists():
        assert process.poll() is None
        time.sleep(0.001)  # the moment it is there
    process.send_signal(2)
    output, error = process.communicate(timeout=60)
    found = json.loads(output)
    assert (process.returncode, found["complete"]) == (130, False)
    assert error.startswith(f"stopped after {found['games']} of 200000 games; ")


def test_numbers_that_json_does_not_know_become_null(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": [1, float("inf")], "b": (float("nan"), "é", 0.5)})
    assert json.loads(capsys.readouterr().out) == {"a": [1, None], "b": [None, "é", 0.5]}
