"""``dreamfactory compile``: after it, nothing that users do compiles anything more."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from dreamfactory_env.cli import compiling
from dreamfactory_env.cli.small_programs import programs
from dreamfactory_env.engine.cache_files import CacheFiles
from dreamfactory_env.engine.compile_watch import CompileWatch
from tests.cli.tiny_training import CONFIG
from tests.commands import assert_refused, finish, run, start
from tests.paths import ROOT
from tests.toy_game import SignalGame

#: Single games, environments and policies, with other options than those that were compiled with.
PYTHON = """
import gymnasium
import numpy as np
from dreamfactory_env import DreamFactory, dream_factory_v0
from dreamfactory_env.engine.cache import watch
from dreamfactory_env.envs.sb3 import SelfPlayVecEnv, SingleAgentVecEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.policies.search import Search

game = DreamFactory(players=3, edition="traumfabrik", hidden_money="always", choose_studio=True)
game.play(game.legal()[-1]), print(game), game.observe(2), game.films(0), game.view(1)
game.resample_hidden(1, seed=5), DreamFactory.load(game.save()).scores()
Search(seconds=0.1, threads=2, cutoff=5, reward="win").analyse(game)

env = dream_factory_v0.env(players=5, reward="rank")
env.reset(seed=7)
for agent in env.agent_iter(60):
    observation, _, over, _, _ = env.last()
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

single = gymnasium.make("DreamFactory-v0", opponents=["mcts:3", "pretrained-small", "greedy"])
observation, info = single.reset(seed=1)
for _ in range(5):
    observation, *_, info = single.step(info["action_mask"].argmax())

many = gymnasium.make_vec("DreamFactory-v0", num_envs=3, players=2, opponents="expert", seat=1)
observation, info = many.reset(seed=1)
for _ in range(5):
    observation, *_, info = many.step(info["action_mask"].argmax(axis=1))

batch = SelfPlayBatch("dream_factory", 7, players=5, reward="win")
for _ in range(200):
    batch.step(batch.masks.argmax(axis=1))
for vec_env in (SingleAgentVecEnv("dream_factory", 3), SelfPlayVecEnv("dream_factory", 3)):
    vec_env.reset()
    vec_env.step(vec_env.action_masks().argmax(axis=1))
print("compiled:", watch.compiled)
"""
TOURNAMENT = """
policies: [random, builder, pretrained-small, "mcts:2"]
players: 2
deals: 4
records: true
"""
COMMANDS = (
    "simulate --games 2 --players 3 --policies random,expert,pretrained-small --out games.jsonl",
    "replay games.jsonl",
    "show games.jsonl",
    "evaluate pretrained-small --against expert --players 2 --games 20 --processes 2",
    "tournament tournament.yaml --out tournament --processes 2",
    "train training.yaml --out run",
    "export run --out agent.safetensors",
    "evaluate agent.safetensors --against greedy --games 4 --processes 1",
    "games",
)


def kept_in(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*.nbc")}


@pytest.mark.slow
def test_after_compiling_ahead_nothing_more_is_compiled(tmp_path: Path) -> None:
    cached = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    first = compile_all(cached, tmp_path)
    kept = kept_in(tmp_path / "cache")
    size = sum(path.stat().st_size for path in (tmp_path / "cache").rglob("*.nbc")) / 1e6
    cache = f"cache: {tmp_path}/cache/dreamfactory_env, {len(kept)} functions, {size:.1f} MB\n"
    assert re.search(
        rf"^{len(kept)} functions compiled in \d+ s, \d+ found\n{cache}\Z", first, re.M
    )
    assert re.search(r"^dream_factory: playing, \d+ functions in \d+ s$", first, re.M)

    (tmp_path / "tournament.yaml").write_text(TOURNAMENT)
    (tmp_path / "training.yaml").write_text(CONFIG.replace("6000", "600"))
    for command in COMMANDS:
        finished = run(*command.split(), cwd=tmp_path, **cached)
        assert finished.returncode == 0, finished.stderr
        assert "compiling" not in finished.stderr
    script = [sys.executable, "-c", PYTHON]
    environment = {**os.environ, **cached}
    done = subprocess.run(script, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("compiled: 0\n")
    assert kept_in(tmp_path / "cache") == kept

    again = compile_all(cached, tmp_path)
    assert re.fullmatch(
        rf"nothing to do: \d+ functions found, with all that they call\n{cache}", again
    )


def compile_all(cached: dict[str, str], folder: Path) -> str:
    process = start("compile", "--game", "all", cwd=folder, **cached)
    finished = finish(process, timeout=1800)
    assert (finished.returncode, finished.stderr) == (0, "")
    return finished.stdout


def test_a_shared_game_runs_through_every_program(toy: type[SignalGame]) -> None:
    for program in programs().values():
        program(toy)


def test_a_game_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert_refused({"compile --game chess": "unknown game 'chess'; known are"}, tmp_path)


def test_a_result_that_cannot_be_kept_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    nowhere = CacheFiles(tmp_path / "file/cache")
    assert not nowhere.write("a.nbc", b"whole")
    monkeypatch.setattr(compiling, "files", nowhere)
    watch = CompileWatch(nowhere)
    monkeypatch.setattr(compiling, "watch", watch)
    monkeypatch.setattr(compiling, "programs", dict)
    compiling.compile_command()  # nothing was compiled that could be lost
    watch.compiled = 3
    with pytest.raises(typer.Exit) as stopped:
        compiling.compile_command()
    assert stopped.value.exit_code == 1
    printed = capsys.readouterr()
    assert "3 functions compiled in 0 s, 0 found" in printed.out
    because = f"because {tmp_path}/file/cache cannot be written (Not a directory)"
    assert f"what was compiled is not kept, {because}\n" in printed.err
    assert "cache:" not in printed.out


def test_code_that_is_not_to_be_compiled_is_not_compiled(tmp_path: Path) -> None:
    finished = run("compile", cwd=tmp_path, NUMBA_DISABLE_JIT="1")
    assert finished.returncode == 2
    assert "NUMBA_DISABLE_JIT" in finished.stderr
