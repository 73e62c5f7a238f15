"""Names of policies in files run no code that the user has not allowed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import yaml

from dreamfactory_env import GameError, OptionError
from dreamfactory_env.arena import read_tournament
from dreamfactory_env.arena.benchmark import Benchmark
from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.policies.naming import CodeGuard, module_of, network_named
from tests.paths import ROOT

REFUSED = "would run code, that of the module (bots|sys|os|subprocess).* --allow-code"


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a module that leaves a trace when it is imported; returns the trace."""
    trace = tmp_path / "trace"
    code = (
        "from pathlib import Path\nfrom tests.players import Batcher\n"
        f"Path({str(trace)!r}).touch()\nclass Mine(Batcher): pass\n"
    )
    (tmp_path / "bots.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "bots", raising=False)  # that of another test
    return trace


@pytest.mark.parametrize(
    ("name", "module"),
    [("a.b:C", "a.b"), ("sys:exit", "sys"), ("mcts:50", ""), ("random", ""),
     ("a:b.safetensors", ""), (":C", ""), ("a:", ""), ("", "")],
)  # fmt: skip
def test_a_name_says_whose_code_it_runs(name: str, module: str) -> None:
    assert module_of(name) == module


@pytest.mark.parametrize("name", ["bots:Mine", "sys:exit", "os:abort", "subprocess:Popen"])
def test_a_tournament_file_runs_no_code(bots: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(f"policies: [random, '{name}']\nplayers: 2\ndeals: 2\n")
    with pytest.raises(GameError, match=REFUSED):
        read_tournament(path)
    assert not bots.exists()


def test_a_tournament_file_runs_code_if_that_is_allowed(bots: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("policies: [random, 'bots:Mine']\nplayers: 2\ndeals: 2\n")
    assert read_tournament(path, allow_code=True).deals == 2
    assert bots.exists()


@pytest.mark.parametrize("section", ["schedule", "opponents", "network"])
def test_the_settings_of_a_training_run_no_code(bots: Path, tmp_path: Path, section: str) -> None:
    settings = yaml.safe_load((ROOT / "configs/train/quick.yaml").read_text())
    part = settings.setdefault(section, {})
    if section == "schedule":
        part["evaluate_against"] = ["bots:Mine"]
    elif section == "opponents":
        part["agents"] = {"bots:Mine": 1.0}
    else:
        part["start"] = "bots:Mine"
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(settings))
    with pytest.raises(GameError, match=f"{REFUSED}|is no trained network"):
        read_training(path)
    assert not bots.exists()
    if section == "schedule":
        assert read_training(path, allow_code=True).schedule.evaluate_against == ["bots:Mine"]


def test_the_results_of_a_benchmark_run_no_code(bots: Path, tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    data = {**Benchmark(path).data}
    data["policies"] = ["random", "bots:Mine"]
    path.write_text(json.dumps(data))
    benchmark = Benchmark(path)
    assert benchmark.absent() == ["bots:Mine"]
    with pytest.raises(OptionError, match=REFUSED):
        benchmark.field.policy("bots:Mine", benchmark.field.variants[0])
    assert not bots.exists()
    benchmark.add("bots:Mine")  # the user has named it
    assert benchmark.absent() == []
    assert bots.exists()
    assert Benchmark(path, allow_code=True).absent() == []


def test_a_network_is_looked_for_without_importing_anything(bots: Path) -> None:
    with pytest.raises(OptionError, match="is no trained network"):
        network_named("bots:Mine", DreamFactory(2))
    assert not bots.exists()


def test_a_guard_lets_pass_what_the_user_has_named() -> None:
    guard = CodeGuard()
    guard.trust(["bots:Mine", "random"])
    guard.check("bots:Other")
    guard.check("mcts:50")
    with pytest.raises(OptionError, match=REFUSED):
        guard.check("os:abort")
