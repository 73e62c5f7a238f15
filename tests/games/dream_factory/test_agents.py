"""The trained agents that come with the package: they play by name, everywhere, without torch."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hatchling.builders.wheel import WheelBuilder
from safetensors.numpy import load_file, save_file

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.run_files import flat
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.policies import policy_named
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.policies.network import header_of, with_hints
from tests.commands import assert_refused, run
from tests.paths import ROOT

AGENTS = list(DreamFactory.agents)
GAME = DreamFactory(3, seed=0)


def test_the_agents_are_those_the_game_declares() -> None:
    assert AGENTS == ["pretrained", "pretrained-small"]
    with pytest.raises(OptionError, match=r"expert, pretrained, .*; did you mean 'pretrained'"):
        policy_named("pretraind", GAME)


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("edition", ["dream_factory", "traumfabrik"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_agent_plays_legal_moves(name: str, edition: str, players: int) -> None:
    match = duel(name, ["greedy"], players=players, games=4, options={"edition": edition})
    found = evaluate(match, processes=1)
    assert found is not None
    assert found.report["fouls"] == []


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_decides_alone_as_it_does_among_many(name: str) -> None:
    policy = network_named(name, GAME)
    batch = SelfPlayBatch(DreamFactory, 32, players=3)
    rng = np.random.default_rng(1)
    for _ in range(30):
        seen, masks = batch.observations, batch.masks
        if policy.hint:
            seen = with_hints(seen, masks.argmax(axis=1), masks.shape[1])
        rated = np.sort(np.where(masks, policy.logits(seen), -np.inf), axis=1)
        clear = rated[:, -1] - rated[:, -2] > 1e-4  # sums differ in their last digits
        together = policy.best(seen, masks)
        alone = [policy.best(seen[k : k + 1], masks[k : k + 1])[0] for k in range(len(seen))]
        assert (together == alone)[clear].all()
        assert masks[np.arange(len(masks)), together].all()
        batch.step((rng.random(masks.shape) * masks).argmax(axis=1))


def test_an_agent_needs_no_torch() -> None:
    code = f"""
import sys
sys.modules["torch"] = None  # whoever imports it gets an error
from dreamfactory_env import DreamFactory
from dreamfactory_env.policies import policy_named, view_of
for name in {AGENTS}:
    game = DreamFactory(3, seed=7)
    policy = policy_named(name, game)
    while not game.over:
        game.play(policy.act(view_of(game)))
    print(name)
"""
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stdout.split() == AGENTS, finished.stderr


def test_the_wheel_brings_the_agents(tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = f"""
import dreamfactory_env
from dreamfactory_env.policies import policy_named
print(dreamfactory_env.__file__)
for name in {AGENTS}:
    print(policy_named(name, dreamfactory_env.DreamFactory(seed=0)).fingerprint())
"""
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "site", capture_output=True, text=True
    )
    where, *found = finished.stdout.split()
    assert Path(where).is_relative_to(tmp_path), finished.stderr
    assert found == [policy_named(name, GAME).fingerprint() for name in AGENTS]


def test_an_agent_of_an_older_layout_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.safetensors"
    old = {**header_of(GAME), "observation": "of last year"}
    save_file(load_file(DreamFactory.agents["pretrained"]), path, metadata=old)
    monkeypatch.setitem(DreamFactory.agents, "pretrained", path)
    with pytest.raises(OptionError, match="its observation is 'of last year', not"):
        policy_named("pretrained", GAME)


def test_what_is_no_network_is_not_taken_for_one() -> None:
    for name in ("expert", "mcts:5", "tests.players:Batcher"):
        with pytest.raises(OptionError, match=r"no trained network; known are pretrained, .*file"):
            network_named(name, GAME)


def test_fingerprints_tell_policies_of_a_name_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["builder", "expert", "mcts:5", *AGENTS]
    before = [policy_named(name, GAME).fingerprint() for name in names]
    assert len(set(before)) == len(names) - 1  # the search rests on expert
    monkeypatch.setitem(
        DreamFactory.spec.scripted, "builder", DreamFactory.spec.scripted["builder"] * 1.01
    )
    monkeypatch.setitem(DreamFactory.agents, AGENTS[0], DreamFactory.agents[AGENTS[1]])
    after = [policy_named(name, GAME).fingerprint() for name in names]
    changed = [name for name, a, b in zip(names, before, after, strict=True) if a != b]
    assert changed == ["builder", AGENTS[0]]
    search = policy_named("mcts:5", GAME).fingerprint()
    monkeypatch.setitem(
        DreamFactory.spec.scripted, "expert", DreamFactory.spec.scripted["expert"] * 1.01
    )
    assert policy_named("mcts:5", GAME).fingerprint() != search
    assert policy_named("tests.players:Batcher", GAME).fingerprint() == ""


def test_describe_tells_what_a_file_says(tmp_path: Path) -> None:
    finished = run("describe", "pretrained", cwd=tmp_path, COLUMNS="300")
    assert finished.returncode == 0
    told = {line.split()[0]: line for line in finished.stdout.splitlines()}
    assert "pretrained.safetensors" in told["file"]
    assert told["plays"].split() == ["plays", "here", "yes"]
    for key, value in header_of(GAME).items():
        assert told[key].strip().split(maxsplit=1) == [key, value]
    rude = {**header_of(GAME), "version": "v9", "trained": "\x1b[31mfor ever\n"}
    save_file({"a": np.zeros((2, 3), np.float32)}, tmp_path / "rude.safetensors", metadata=rude)
    shown = run("describe", "rude.safetensors", cwd=tmp_path, COLUMNS="300").stdout
    assert "\x1b" not in shown
    assert "?[31mfor ever" in shown
    assert "no, for its version" in shown
    assert ", 6 numbers" in shown
    (tmp_path / "text.safetensors").write_text("nothing")
    bad = {
        "describe expert": "'expert' is no trained agent of dream_factory; known are pretrained,",
        "describe pretraind": "did you mean 'pretrained'",
        "describe missing.safetensors": "missing.safetensors cannot be read as safetensors",
        "describe text.safetensors": "text.safetensors cannot be read as safetensors",
    }
    assert_refused(bad, tmp_path)


def test_agents_meet_in_the_arena_by_name(tmp_path: Path) -> None:
    finished = run(
        *("evaluate", "pretrained", "--against", "pretrained-small", "--players", "2"),
        *("--games", "8", "--processes", "1"),
        cwd=tmp_path,
    )
    assert "pretrained wins " in finished.stdout


#: The settings under the names that they had when the agents were trained.
OLD_NAMES = {
    "steps": "total_timesteps",
    "network.layers": "network.net_arch",
    "network.width": "network.pointer_width",
    "network.adviser": "network.hint",
    "learning.rate": "ppo.learning_rate",
    "learning.final_rate": "ppo.final_learning_rate",
    "learning.rollout": "ppo.n_steps",
    "learning.batch": "ppo.batch_size",
    "learning.epochs": "ppo.n_epochs",
    "learning.clip": "ppo.clip_range",
    "learning.entropy": "ppo.ent_coef",
    "learning.final_entropy": "ppo.final_ent_coef",
    "learning.value": "ppo.vf_coef",
    "learning.value_first": "ppo.value_only_timesteps",
    "teacher.steps": "teacher.timesteps",
    "teacher.fading": "teacher.fading_timesteps",
    "teacher.batch": "teacher.batch_size",
    "rhythm.snapshot": "schedule.snapshot_every",
    "rhythm.checkpoint": "schedule.checkpoint_every",
    "rhythm.evaluation": "schedule.evaluate_every",
    "rhythm.deals": "schedule.evaluation_deals",
    "rhythm.against": "schedule.evaluate_against",
    "rhythm.players": "schedule.evaluation_players",
}


@pytest.mark.parametrize("name", AGENTS)
def test_the_agents_come_from_the_configurations_that_are_here(name: str) -> None:
    policy = network_named(name, GAME)
    config = ROOT / "configs" / "train" / f"{name.replace('-', '_')}.yaml"
    now, default = (
        flat(json.loads(json.dumps(asdict(settings))))
        for settings in (read_training(config, resuming=True), Training(1))
    )
    now["network.start"] = Path(now["network.start"]).name  # folders are private
    then = {}
    for old, value in flat(json.loads(policy.facts["settings"])).items():
        renamed = OLD_NAMES.get(old, old.replace("learning.", "ppo."))
        then[renamed.replace("rows.", "n_envs.")] = value
    assert then.keys() <= now.keys()
    now.pop("threads")  # which change nothing but the speed
    for key, value in now.items():  # what was no setting yet is as if nobody had set it
        assert value == then.get(key, default.get(key)), key
    trained, strength = (
        policy.facts.get(key) or policy.facts[old]
        for key, old in (("timesteps", "steps"), ("evaluation", "strength"))
    )
    assert int(trained) > 0
    assert json.loads(strength)["results"], "nobody knows how strong it is"
