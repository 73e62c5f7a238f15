"""Tournaments on a cluster: equal to those of one process byte for byte, whatever is lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import Tournament, duel, evaluate, run_tournament
from dreamfactory_env.arena.benchmark import Benchmark, Cell
from dreamfactory_env.arena.results import read_chunks
from dreamfactory_env.cluster.connection import Cluster, ClusterError
from dreamfactory_env.policies import Policy, View
from tests.paths import CONFIGS

ray = pytest.importorskip("ray")

MIXED = Tournament(
    policies=("tests.players:Sitter", "tests.players:Thrower", "greedy"),
    players=3,
    deals=6,
    records=True,
)
COMMAND = [sys.executable, "-c", "from dreamfactory_env.cli.main import main; main()"]


def files_of(folder: Path) -> dict[str, Any]:
    """Returns all that a tournament has left but for what depends on speed."""
    found: dict[str, Any] = {
        path.name: path.read_bytes()
        for path in [folder / "result.jsonl", *(folder / "records").glob("*")]
    }
    found["report"] = report = json.loads((folder / "report.json").read_text())
    for row in report["policies"]:
        assert row.pop("decisions_per_second") > 0
    return found


def test_all_files_are_those_of_one_process(cluster: Cluster, tmp_path: Path) -> None:
    scripted = Tournament(policies=("random", "greedy"), players=3, deals=300)
    for name, tournament in {"mixed": MIXED, "scripted": scripted}.items():
        here, there, few = (tmp_path / f"{name}-{place}" for place in ("here", "there", "few"))
        run_tournament(tournament, here, processes=1)
        run_tournament(tournament, there, cluster=cluster)
        run_tournament(tournament, few, processes=1, cluster=cluster)
        assert files_of(there) == files_of(few) == files_of(here)
    fouls = json.loads((tmp_path / "mixed-there" / "report.json").read_text())["fouls"]
    assert "RuntimeError: no idea" in json.dumps(fouls)


def test_files_need_not_be_on_the_nodes(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    there = ray.get(ray.remote(num_cpus=0)(lambda: Path.cwd()).remote())
    assert there != tmp_path  # so these paths lead nowhere
    shutil.copy(DreamFactory.agents["pretrained-small"], "agent.safetensors")
    shutil.copy(CONFIGS / "games" / "tiny.yaml", "tiny.yaml")
    options = {"components": "tiny.yaml"}
    tournament = Tournament(("agent.safetensors", "greedy"), players=2, deals=200, options=options)
    run_tournament(tournament, tmp_path / "here", processes=1)
    run_tournament(tournament, tmp_path / "there", cluster=cluster)
    assert files_of(tmp_path / "there") == files_of(tmp_path / "here")


def test_an_evaluation_and_a_cell_of_a_benchmark(cluster: Cluster, tmp_path: Path) -> None:
    match = duel("tests.players:Batcher", ["random"], players=2, games=3000)
    found = [evaluate(match, until=0.03, processes=1), evaluate(match, until=0.03, cluster=cluster)]
    plain = [asdict(each) for each in found if each is not None]
    for each in plain:
        for row in each["report"]["policies"]:
            assert row.pop("decisions_per_second") > 0
    assert plain[0] == plain[1]
    assert plain[0]["report"]["deals"] < match.deals  # it has stopped by itself
    cell = Cell("matrix", 2, "mcts:50", "greedy", 4)
    results = []
    for place, where in (("here", None), ("there", cluster)):
        benchmark = Benchmark(tmp_path / f"{place}.json", "dream_factory")
        result = benchmark.play(cell, cluster=where)
        assert result is not None
        results.append({**result, "move_seconds": None})
    assert results[0] == results[1]


# ---------------------------------------------------------------------------- what cannot be sent


def test_a_policy_that_cannot_be_sent_plays_here(cluster: Cluster) -> None:
    class Local(Policy):
        def act(self, view: View) -> int:
            return int(view.mask.argmax())

    message = "all games are played in this process, on one core, .*a policy cannot be pickled"
    with pytest.warns(UserWarning, match=message):
        found = evaluate(duel(Local(), ["random"], players=2, games=2), cluster=cluster)
    assert found is not None


def test_a_module_that_is_not_on_a_node_is_named(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("made_by_hand")
    source = "from tests.players import Sitter\nclass Mine(Sitter):\n    pass\n"
    exec(source, vars(module))
    monkeypatch.setitem(sys.modules, "made_by_hand", module)
    message = r"node \S+ cannot begin: .*made_by_hand.*must be there"
    with pytest.raises(ClusterError, match=message):
        evaluate(duel("made_by_hand:Mine", ["random"], players=2, games=2), cluster=cluster)


# ---------------------------------------------------------------------------- what is lost


class Casualty(Policy):
    """Kills its process once: whoever makes the file first."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def act(self, view: View) -> int:
        try:
            self.file.touch(exist_ok=False)
        except FileExistsError:
            return int(view.mask.argmax())
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def test_what_a_killed_process_has_played_is_played_again(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "killed"
    tournament = replace(
        MIXED, policies=("casualty", "greedy"), custom={"casualty": Casualty(file)}
    )
    run_tournament(tournament, tmp_path / "there", cluster=cluster)
    assert file.exists()
    run_tournament(tournament, tmp_path / "here", processes=1)
    assert files_of(tmp_path / "there") == files_of(tmp_path / "here")


def test_a_policy_that_always_ends_its_process(cluster: Cluster, tmp_path: Path) -> None:
    tournament = Tournament(policies=("tests.players:Killer", "random"), players=2, deals=3)
    with pytest.raises(ClusterError, match="5 workers were lost at the same job"):
        run_tournament(tournament, tmp_path, cluster=cluster)
    assert read_chunks(tmp_path / "result.jsonl", tournament) == []
