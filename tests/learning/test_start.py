"""Runs that start with the weights of an agent."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.cli.training import train_command
from dreamfactory_env.learning.config import Network, Others, PPOSettings, Schedule, Training
from dreamfactory_env.learning.export import export, tensors_of
from dreamfactory_env.learning.run import begin, resume
from dreamfactory_env.learning.settings_file import write_training
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.policies.network import NetworkPolicy, NumpyNetwork
from dreamfactory_env.utils.errors import ConfigError
from tests.learning import small

GAME = DreamFactory(seed=0)
SMALL = "pretrained-small"
AS_SMALL = Network(net_arch=[64, 64], pointer_width=16, hint="expert", start=SMALL)


def tiny(**changes: Any) -> Training:
    """Returns the settings of a run of seconds from an agent on."""
    settings: dict[str, Any] = {
        "total_timesteps": 1024,
        "network": AS_SMALL,
        "ppo": PPOSettings(n_steps=32, batch_size=64),
        "opponents": Others(self=1, past=0),
    }
    return small.tiny(**{**settings, **changes})


def test_a_run_starts_with_the_weights_of_an_agent(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path / "run")
    agent = network_named(SMALL, GAME)
    seen = run.env.games.reset()
    with torch.no_grad():
        logits, _ = run.model.policy.logits_and_values(torch.from_numpy(seen), None)
    assert logits.numpy() == pytest.approx(agent.logits(seen), abs=1e-4)
    export(run.model, GAME, tmp_path / "again.safetensors", {})
    again = NetworkPolicy(GAME, tmp_path / "again.safetensors")
    assert again.tensors.keys() == agent.tensors.keys() | {"value.weight", "value.bias"}
    assert all((again.tensors[name] == agent.tensors[name]).all() for name in agent.tensors)


def test_a_wider_network_says_the_same_at_first_and_learns_with_all_of_it(tmp_path: Path) -> None:
    network = Network([96, 80], 24, "expert", start=SMALL)
    run = begin(tiny(network=network), tmp_path / "run")
    agent = network_named(SMALL, GAME)
    seen = run.env.games.reset()
    with torch.no_grad():
        logits, _ = run.model.policy.logits_and_values(torch.from_numpy(seen), None)
    assert logits.numpy() == pytest.approx(agent.logits(seen), abs=1e-4)
    before = {name: tensor.copy() for name, tensor in tensors_of(run.model.policy).items()}
    run.train()
    changed = {
        name: tensor != before[name] for name, tensor in tensors_of(run.model.policy).items()
    }
    assert changed["hidden.0.weight"][64:].any()  # what goes into new units, and comes from them
    assert changed["hidden.1.weight"][:64, 64:].any()
    assert changed["actions.weight"][:, 64:].any()
    assert not before["hidden.1.weight"][:64, 64:].any()
    assert before["hidden.1.weight"][64:].any()


@pytest.mark.parametrize("net_arch", [[64, 64], [96, 80]])
def test_a_run_starts_with_the_value_of_an_agent_that_has_one(
    tmp_path: Path, net_arch: list[int]
) -> None:
    file = tmp_path / "valued.safetensors"
    run = begin(tiny(), tmp_path / "first")
    run.train()
    export(run.model, GAME, file, run.facts())
    agent = NetworkPolicy(GAME, file)
    assert agent.foresees == "win"
    network = Network(net_arch, 16, "expert", start=str(file))
    policy = begin(tiny(network=network, seed=7), tmp_path / "second").model.policy
    seen = run.env.games.reset()
    with torch.no_grad():
        _, values = policy.logits_and_values(torch.from_numpy(seen), None)
    assert values.numpy()[:, 0] == pytest.approx(agent.values(seen), abs=1e-5)
    assert (policy.value_net.bias.detach().numpy() == agent.tensors["value.bias"]).all()


def test_a_value_of_another_reward_is_not_taken_on(tmp_path: Path) -> None:
    file = tmp_path / "valued.safetensors"
    run = begin(tiny(), tmp_path / "first")
    run.model.policy.value_net.bias.data += 1
    export(run.model, GAME, file, run.facts())
    network = Network([64, 64], 16, "expert", start=str(file))

    def starts_with_it(**paid: Any) -> bool:
        again = begin(tiny(network=network, **paid), tmp_path / "-".join(["again", *paid]))
        bias: float = again.model.policy.value_net.bias.item()
        return bias == run.model.policy.value_net.bias.item()

    assert starts_with_it()
    assert not starts_with_it(reward="score")
    assert not starts_with_it(shaping=0.5)


def test_an_agent_without_a_value_has_none_to_tell() -> None:
    agent = NumpyNetwork(GAME.spec, {"actions.bias": np.zeros(120, np.float32)})
    with pytest.raises(OptionError, match="the network has no value"):
        agent.values(np.zeros((1, GAME.spec.observation.size), np.float32))


MISTAKES = {
    "network.net_arch=[64]": "network.net_arch: must be at least 64 and 64, as in the agent",
    "network.net_arch=[96, 63]": "network.net_arch: must be at least 64 and 64, as in the agent",
    "network.pointer_width=8": "network.pointer_width: must be at least 16, as in the agent that",
    "network.hint=": "network.hint: must be 'expert' as in the agent that it starts with",
    "network.start=expert": "network.start: 'expert' is no trained network; known are pretrained",
    "network.start=no.safetensors": "network.start: .*no.safetensors cannot be read",
    "ppo.value_only_timesteps=1024": "ppo.value_only_timesteps: must be less than total_timesteps",
}


@pytest.mark.parametrize("change", MISTAKES)
def test_a_start_that_does_not_fit_is_named_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_training(tiny(), tmp_path / "run.yaml")
    with pytest.raises(ConfigError, match=MISTAKES[change]):
        train_command(tmp_path / "run.yaml", changes=[change])
    assert [file.name for file in tmp_path.iterdir()] == ["run.yaml"]


def test_a_start_that_does_not_fit_is_refused_in_python_too(tmp_path: Path) -> None:
    network = Network([64, 32], 16, "expert", start=SMALL)
    with pytest.raises(OptionError, match=r"start: the agent's actions.weight has the shape \(120"):
        begin(tiny(network=network), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_that_is_killed_before_its_first_checkpoint_starts_with_the_agent_again(
    tmp_path: Path,
) -> None:
    before = begin(tiny(), tmp_path).model.policy.state_dict()
    again = resume(tmp_path)
    assert again.saved_steps == 0
    after = again.model.policy.state_dict()
    assert all(torch.equal(weight, after[name]) for name, weight in before.items())


def test_at_first_nothing_but_the_value_is_learned(tmp_path: Path) -> None:
    ppo = PPOSettings(n_steps=32, batch_size=64, value_only_timesteps=512)
    run = begin(tiny(ppo=ppo, total_timesteps=512), tmp_path / "first")
    before = {name: weight.clone() for name, weight in run.model.policy.state_dict().items()}
    run.train()
    after = run.model.policy.state_dict()
    changed = {name for name, weight in before.items() if not torch.equal(weight, after[name])}
    assert changed == {"value_net.weight", "value_net.bias"}
    run = begin(tiny(ppo=ppo, total_timesteps=1024), tmp_path / "then")
    run.train()
    after = run.model.policy.state_dict()
    assert all(not torch.equal(weight, after[name]) for name, weight in before.items())


def test_a_run_that_started_with_a_file_is_resumed_without_it_bit_for_bit(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    rival = tmp_path / "rival.safetensors"
    for copy in (file, rival):
        shutil.copy(DreamFactory.agents[SMALL], copy)
    settings = tiny(
        network=Network([64, 64], 16, "expert", start=str(file)),
        ppo=PPOSettings(n_steps=32, batch_size=64, value_only_timesteps=512),
        schedule=Schedule(
            checkpoint_every=512,
            evaluation_deals=2,
            evaluate_against=[str(rival)],
            evaluation_players=[2],
        ),
    )
    whole = begin(settings, tmp_path / "whole")
    whole.train()
    cut = begin(settings, tmp_path / "cut")
    cut.train()
    file.unlink()
    small.drop_checkpoints(cut)
    again = resume(tmp_path / "cut")
    assert 0 < again.model.num_timesteps < settings.total_timesteps
    again.train()
    assert small.weights(again) == small.weights(whole)
    facts = again.facts()
    assert json.loads(facts["settings"])["network"]["start"] == "mine.safetensors"
    assert json.loads(facts["evaluation"])["results"][0]["others"] == "rival.safetensors"
    assert str(tmp_path) not in str(facts)  # folders are private
