"""The command of the benchmark: what is played, resumed, extended and refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.arena.analysis.ratings import SCALE, Choices
from dreamfactory_env.arena.benchmark import MATRIX, SEED, Benchmark, Cell, CellResult, page
from dreamfactory_env.arena.benchmark.competitive import WIDEST
from dreamfactory_env.arena.benchmark.data import as_text
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result
from dreamfactory_env.cli.main import app
from dreamfactory_env.games import new_game
from tests.arena.test_benchmark import read, without_times
from tests.commands import assert_refused, run, start
from tests.paths import ROOT

SMALL = ["random", "greedy", "expert"]
SEARCHES = ["mcts:50", "mcts:50:pretrained"]
COMMAND = [
    *("benchmark", "--out", "small.json", "--only", ",".join(SMALL)),
    *("--players", "2,3", "--games", "24"),
]


def played(data: Any) -> list[tuple[int, str, str, int]]:
    return [(c["players"], c["row"], c["column"], c["games"]) for c in data["cells"]]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a small benchmark that the real command has played."""
    folder = tmp_path_factory.mktemp("benchmark")
    finished = run(*COMMAND, cwd=folder)
    assert finished.returncode == 0, finished.stderr
    assert "3 players, greedy among random: 100.0%" in finished.stdout
    assert finished.stdout.endswith("results: small.json\npage: small.md\n")
    return folder


def test_every_policy_meets_every_other_and_two_players_are_their_own_mirror(small: Path) -> None:
    data = read(small / "small.json")
    twos = [(2, *names, 24) for names in [("greedy", "random"), ("expert", "random")]]
    twos.append((2, "expert", "greedy", 24))
    threes = [(3, row, column, 24) for row, column in permutations(SMALL, 2)]
    assert sorted(played(data)) == sorted(twos + threes)
    assert data["policies"] == [*SMALL[:2], "builder", "expert", *SEARCHES, *DreamFactory.agents]
    assert data["observation"] == DreamFactory.spec.observation.fingerprint()
    assert (data["game"], data["version"], data["seed"]) == ("dream_factory", "v0", SEED)
    assert sorted(path.name for path in small.iterdir()) == ["small.json", "small.md"]


def test_a_cell_says_what_the_arena_says(small: Path) -> None:
    for cell in read(small / "small.json")["cells"]:
        match = duel(cell["row"], [cell["column"]], players=cell["players"], games=24, seed=SEED)
        found = evaluate(match, processes=1)
        assert found is not None
        assert cell["win_rate"] == pytest.approx(found.win_rate, abs=1e-7)
        assert cell["half_width"] == pytest.approx(found.half_width, abs=1e-7)
        assert cell["deals"] == found.report["deals"]
        rows: dict[str, Any] = {row["name"]: row for row in found.report["policies"]}
        mean_place = sum((k + 1) * share for k, share in enumerate(cell["places"]))
        assert mean_place == pytest.approx(rows[cell["row"]]["place"]["value"], abs=1e-6)


def test_the_page_says_what_the_file_says(small: Path) -> None:
    data = read(small / "small.json")
    text = (small / "small.md").read_text("utf-8")
    assert text == page(data, "small.json", new_game("dream_factory", {}))
    cell = next(c for c in data["cells"] if (c["row"], c["column"]) == ("expert", "greedy"))
    assert cell["half_width"] > WIDEST  # so few games say too little
    assert "± " not in text.split(" players\n")[1].split("\n\n24 games")[0]
    for other in data["cells"]:
        other["half_width"] = 0.04
    text = page(data, "small.json", new_game("dream_factory", {}))
    two, three = (section.split("\n## ")[0] for section in text.split(" players\n")[1:3])
    rate, half = 100 * cell["win_rate"], 100 * cell["half_width"]
    assert f" | {rate:.1f} ± {half:.1f} | – |\n\n24 games" in two
    assert f"| {100 - rate:.1f} ± {half:.1f} |\n| `expert`" in two
    assert "24 games in a cell, unless it says otherwise; a fair share is 33.3." in three
    assert "| `expert` | 1500 | 1500 to 1500 |" in three


def test_what_is_there_is_not_played_again(small: Path, tmp_path: Path) -> None:
    shutil.copy(small / "small.json", tmp_path)
    before = (tmp_path / "small.json").read_bytes()
    finished = run(*COMMAND, cwd=tmp_path)
    assert "among" not in finished.stdout
    assert (tmp_path / "small.json").read_bytes() == before
    more = run(*COMMAND[:-1], "30", "--only", "random,greedy", "--players", "3", cwd=tmp_path)
    assert more.stdout.count("among") == 2
    data = read(tmp_path / "small.json")
    assert [c[-1] for c in played(data) if set(c[1:3]) == {"random", "greedy"}] == [24, 30, 30]
    assert " – (30) |" in (tmp_path / "small.md").read_text("utf-8")
    again = run(*COMMAND, "--only", "greedy,random", "--force", "--players", "2", cwd=tmp_path)
    assert again.stdout.count("among") == 1


def test_a_policy_is_added_to_a_copy_and_nothing_else_is_played(
    small: Path, tmp_path: Path
) -> None:
    base = (small / "small.json").read_bytes()
    (tmp_path / "bots.py").write_text(
        "from dreamfactory_env.policies import Policy\n"
        "class Mine(Policy):\n"
        "    def act_batch(self, views): return views.masks.argmax(axis=1)\n"
    )
    add = [
        "--from",
        str(small / "small.json"),
        "--add",
        "bots:Mine",
        "--games",
        "6",
        "--players",
        "3",
    ]
    finished = run(
        "benchmark", "--out", "mine.json", *add, "--only", "bots:Mine,expert", cwd=tmp_path
    )
    assert finished.returncode == 0, finished.stderr
    assert (small / "small.json").read_bytes() == base
    data = read(tmp_path / "mine.json")
    assert data["policies"][-1] == "bots:Mine"
    mine = [cell for cell in data["cells"] if "bots:Mine" in (cell["row"], cell["column"])]
    others = [cell for cell in data["cells"] if cell not in mine]
    assert sorted((c["row"], c["column"], c["games"]) for c in mine) == [
        ("bots:Mine", "expert", 6),
        ("expert", "bots:Mine", 6),
    ]
    assert others == read(small / "small.json")["cells"]
    assert "`bots:Mine`" in (tmp_path / "mine.md").read_text("utf-8")
    assert "bots:Mine" in {row["name"] for row in data["ratings"]["3"]}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_command_continues_after_it_was_stopped(
    small: Path, tmp_path: Path, how: signal.Signals
) -> None:
    shutil.copy(small / "small.json", tmp_path)
    name = "tests.players:Sitter"
    command = ["benchmark", "--out", "small.json", "--add", name, "--only", f"{name},greedy,random"]
    command += ["--players", "2", "--search-games", "16", "--processes", "1"]
    root = str(ROOT)
    env = {"PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    process = start(*command, cwd=tmp_path, SITTER_SECONDS="0.01", **env)
    parts = tmp_path / "small.json.parts"
    deadline = time.monotonic() + 100
    while sum(len(path.read_bytes().splitlines()) for path in parts.glob("*.jsonl")) < 3:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(how)
    _, message = process.communicate(timeout=100)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "stopped; the same command continues" in message
    begun = {path.name: path.read_bytes().splitlines() for path in parts.glob("*.jsonl")}
    assert any(len(lines) > 2 for lines in begun.values())
    finished = run(*command, cwd=tmp_path, **env)
    assert finished.returncode == 0, finished.stderr
    assert not parts.exists()
    whole = Benchmark(tmp_path / "whole.json")
    mine = [c for c in read(tmp_path / "small.json")["cells"] if name in (c["row"], c["column"])]
    for cell in mine:
        whole.play(Cell(MATRIX, 2, cell["row"], cell["column"], 16))
    assert len(mine) == 2
    assert without_times(mine) == without_times(sorted(whole.data["cells"], key=mine_first(mine)))


def mine_first(cells: list[CellResult]) -> Any:
    """Returns the order of some cells, as a key for sorting others."""
    order = [(cell["row"], cell["column"]) for cell in cells]
    return lambda cell: order.index((cell["row"], cell["column"]))


def test_what_a_changed_policy_has_played_is_forgotten(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(small / "small.json", tmp_path)
    data = read(tmp_path / "small.json")
    for cell in data["cells"]:
        for place, name in enumerate((cell["row"], cell["column"])):
            if name == "greedy":
                cell["fingerprints"][place] = "another"
    (tmp_path / "small.json").write_text(as_text(data))
    assert Benchmark(tmp_path / "small.json").changed() == ["greedy"]
    message = "in these results other policies have played under the names greedy; without --add"
    assert_refused({"benchmark --out small.json --add pretrained": message}, tmp_path)
    finished = run(*COMMAND, cwd=tmp_path)
    assert (
        "greedy have changed: what they have played in small.json is forgotten" in finished.stderr
    )
    assert finished.stdout.count("among") == 6
    assert (tmp_path / "small.json").read_bytes() == (small / "small.json").read_bytes()


def test_a_file_that_is_gone_leaves_what_it_has_played(small: Path, tmp_path: Path) -> None:
    data = read(small / "small.json")
    data["cells"][0]["row"] = "gone.safetensors"
    (tmp_path / "small.json").write_text(as_text(data))
    benchmark = Benchmark(tmp_path / "small.json")
    assert benchmark.changed() == []
    with pytest.raises(OptionError, match=r"gone.safetensors cannot be read"):
        benchmark.add("gone.safetensors")


def test_results_with_policies_of_others_are_played_on(small: Path, tmp_path: Path) -> None:
    data = read(small / "small.json")
    data["policies"].append("theirs.safetensors")
    data["cells"][0]["row"] = "theirs.safetensors"
    (tmp_path / "small.json").write_text(as_text(data))
    benchmark = Benchmark(tmp_path / "small.json")
    assert benchmark.absent() == ["theirs.safetensors"]
    names = {name for cell in benchmark.matrix([2], 10, 10) for name in (cell.row, cell.column)}
    assert names == {*DreamFactory.spec.scripted, *SEARCHES, *DreamFactory.agents}
    words = "benchmark --out small.json --only greedy,random --players 2 --games 4"
    finished = run(*words.split(), cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert "theirs.safetensors is not here" in finished.stderr
    assert "theirs.safetensors" in (tmp_path / "small.md").read_text()


def test_what_is_no_benchmark_is_refused(tmp_path: Path) -> None:
    about = Benchmark(tmp_path / "new.json").data
    (tmp_path / "torn.json").write_text(json.dumps({**about, "cells": None}))
    finished = run("benchmark", "--out", "torn.json", cwd=tmp_path)
    assert finished.returncode == 2
    assert finished.stderr == "error: torn.json: 1 mistake\n  cells: must be a list, not None\n"
    wrong = {"benchmark --out results.md": "the results must be a .json file"}
    assert_refused(wrong, tmp_path)


def test_the_search_and_a_best_response_are_played_by_the_command(tmp_path: Path) -> None:
    shutil.copy(DreamFactory.agents["pretrained-small"], tmp_path / "answer.safetensors")
    finished = run(
        *("benchmark", "--out", "new.json", "--only", "mcts:50,random", "--players", "2"),
        *("--search-games", "1", "--games", "20", "--response", "answer.safetensors"),
        cwd=tmp_path,
    )
    assert finished.returncode == 0, finished.stderr
    assert "mcts:50 among random: 100.0%" in finished.stdout
    assert " ms a move" in finished.stdout
    data = read(tmp_path / "new.json")
    assert played(data) == [
        (2, "mcts:50", "random", 4),
        (2, "answer.safetensors", "pretrained", 20),
        (4, "answer.safetensors", "pretrained", 20),
    ]
    response = data["cells"][2]
    assert response["part"] == "response"
    assert response["facts"]["game"] == "dream_factory"
    text = (tmp_path / "new.md").read_text("utf-8")
    rate, half = 100 * response["win_rate"], 100 * response["half_width"]
    row = f"| 4 | {rate:.1f} ± {half:.1f} | 25.0 | {rate - 25:+.1f} ± {half:.1f} | 20 |"
    assert f"| `answer.safetensors` {row}" in text
    # Another agent of that name was not the one it was trained against.
    for cell in data["cells"]:
        cell["fingerprints"][1] = "another" if cell["part"] == "response" else "ff"
    (tmp_path / "new.json").write_text(as_text(data))
    benchmark = Benchmark(tmp_path / "new.json")
    benchmark.drop_changed()
    assert benchmark.data["cells"] == []


def test_the_best_agent_meets_a_search_by_time_if_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamfactory_env.arena.benchmark.benchmark.TIMED", "mcts:0.001s")
    file = tmp_path / "clock.json"
    names = "random,pretrained,mcts:0.001s,mcts:0.001s:pretrained"
    command = ["benchmark", "--out", str(file), "--only", names, "--players", "2"]
    command += ["--games", "4", "--timed-games", "4", "--processes", "1"]
    finished = CliRunner().invoke(app, command)
    assert finished.exit_code == 0, finished.output
    data = read(file)
    assert sorted(played(data)) == [
        (2, "mcts:0.001s:pretrained", "mcts:0.001s", 4),
        (2, "mcts:0.001s:pretrained", "pretrained", 4),
        (2, "pretrained", "mcts:0.001s", 4),
        (2, "pretrained", "random", 4),
    ]
    for timed in data["cells"][1:]:
        assert timed["part"] == "clock"
        assert timed["move_seconds"][0 if timed["column"] == "pretrained" else 1] > 1e-4
        assert timed["machine"]["cores"] >= 1
        assert timed["machine"]["processor"]
        timed["half_width"] = 0.04  # as if there were more games
    assert "machine" not in data["cells"][0]  # which nobody timed
    assert (
        "| `pretrained` | `mcts:0.001s` | 2 | – | 50.0 | 4 | "
        in (tmp_path / "clock.md").read_text()
    )
    text = page(data, "clock.json", new_game("dream_factory", {}))
    for timed in data["cells"][1:]:
        wins, machine = 100 * timed["win_rate"], timed["machine"]
        names = f"| `{timed['row']}` | `{timed['column']}` | 2 | {wins:.1f} ± 4.0 | 50.0 | 4 | "
        where = f"| {machine['processor']}, {machine['cores']} cores, load {machine['load']:.1f}"
        assert names in text
        assert where in text.split(names)[1].split("\n")[0]
    assert "mcts:0.001s" not in text.split("## Against the clock")[0]
    few = CliRunner().invoke(
        app, [*command, "--out", str(tmp_path / "few.json"), "--only", "pretrained,mcts:0.001s"]
    )
    assert few.exit_code == 0, few.output
    assert played(read(tmp_path / "few.json")) == [(2, "pretrained", "mcts:0.001s", 4)]


def test_ratings_from_the_file_are_those_of_the_games(small: Path) -> None:
    data = read(small / "small.json")
    names = SMALL
    entrants, rank_key = [], []
    for row, column in permutations(names, 2):
        match = duel(row, [column], players=3, games=24, seed=SEED)
        result = Result.of(match, list(play_chunks(match)))
        order = np.array([names.index(name) for name in match.policies])
        entrants.append(order[result.entrants])
        rank_key.append(result.rank_key)
    choices = Choices(np.concatenate(entrants), np.concatenate(rank_key), len(names))
    theta = choices.fit(np.ones(24 * 6))
    expected = 1500 + SCALE * (theta - theta[names.index("expert")])
    found = {row["name"]: row for row in data["ratings"]["3"]}
    for name, rating in zip(names, expected, strict=True):
        assert found[name]["rating"] == pytest.approx(rating, abs=0.1)
        assert found[name]["low"] <= found[name]["rating"] <= found[name]["high"]
    assert [row["name"] for row in data["ratings"]["3"]] == ["expert", "greedy", "random"]
    assert found["greedy"]["high"] - found["greedy"]["low"] > 20


def test_a_file_that_cannot_be_used_is_named_and_not_touched(small: Path, tmp_path: Path) -> None:
    data = read(small / "small.json")
    (tmp_path / "old.json").write_text(as_text({**data, "version": "v9"}))
    (tmp_path / "text.json").write_text("no results")
    (tmp_path / "list.json").write_text("[]")
    bad = {
        "old.json": "old.json: its version is 'v9', not 'v0'",
        "text.json": "text.json cannot be read as a benchmark",
        "list.json": "list.json cannot be read as a benchmark",
        "new1.json --from missing.json": "missing.json cannot be read as a benchmark",
        "new2.json --add nobody": "unknown policy 'nobody'",
        "new3.json --only expart": "'expart' is not in these results; .* did you mean 'expert'",
        "new4.json --players 2,6": "--players must be some of 2, 3, 4, 5 .* not '2,6'",
        "new5.json --players two": "--players must be some of 2, 3, 4, 5 .* not 'two'",
        "new6.json --games 0": "--games must be at least 1, not 0",
        "new7.json --timed-games -1": "--timed-games must be at least 0, not -1",
        "new8.json --response expert": "'expert' is no trained network",
        "new9.json --processes 0": "processes must be a whole number from 1 up, not 0",
    }
    assert_refused({f"benchmark --out {options}": text for options, text in bad.items()}, tmp_path)
