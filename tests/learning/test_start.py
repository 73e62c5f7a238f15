"""Runs that begin with the weights of an agent."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.cli.training import train_command
from dreamfactory_env.learning.config import (
    Learning,
    Network,
    Opponents,
    Rhythm,
    Training,
    write_training,
)
from dreamfactory_env.learning.export import export
from dreamfactory_env.learning.run import begin, resume
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.utils.errors import ConfigError

SMALL = "pretrained-small"
AS_SMALL = Network(layers=[64, 64], width=16, adviser="expert", start=SMALL)


def tiny(**changes: Any) -> Training:
    """Returns the settings of a run of seconds."""
    chosen: dict[str, Any] = {
        "steps": 1024,
        "rows": {2: 8, 3: 8},
        "network": AS_SMALL,
        "learning": Learning(rollout=32, batch=64),
        "opponents": Opponents(self=1, past=0),
        "rhythm": Rhythm(checkpoint=512, against=[]),
        "threads": 1,
        **changes,
    }
    return Training(**chosen)


def test_a_run_begins_with_the_weights_of_an_agent(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path / "run")
    agent = network_named(SMALL, DreamFactory)
    seen = run.table.reset()
    with torch.no_grad():
        ratings, _ = run.model.policy.rate(torch.from_numpy(seen), None)
    assert ratings.numpy() == pytest.approx(agent.ratings(seen), abs=1e-4)
    export(run.model, DreamFactory, tmp_path / "again.safetensors", {})
    again = NetworkPolicy(DreamFactory, tmp_path / "again.safetensors")
    assert again.tensors.keys() == agent.tensors.keys()
    assert all((again.tensors[name] == agent.tensors[name]).all() for name in agent.tensors)


MISTAKES = {
    "network.layers=[64]": r"network.layers: must be \[64, 64\] as in the agent",
    "network.width=0": "network.width: must be 16 as in the agent that it begins with, not 0",
    "network.adviser=": "network.adviser: must be 'expert' as in the agent that it begins with",
    "network.start=expert": "network.start: 'expert' is no trained network; known are pretrained",
    "network.start=no.safetensors": "network.start: .*no.safetensors cannot be read",
    "learning.value_first=1024": "learning.value_first: must be less than steps, 1024",
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
    network = Network([64, 32], 16, "expert", SMALL)
    with pytest.raises(OptionError, match=r"start: the agent's actions.weight has the shape \(120"):
        begin(tiny(network=network), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_that_is_killed_before_its_first_checkpoint_begins_with_the_agent_again(
    tmp_path: Path,
) -> None:
    before = begin(tiny(), tmp_path).model.policy.state_dict()
    again = resume(tmp_path)
    assert again.kept == 0
    after = again.model.policy.state_dict()
    assert all(torch.equal(weight, after[name]) for name, weight in before.items())


def test_at_first_nothing_but_the_value_is_learned(tmp_path: Path) -> None:
    learning = Learning(rollout=32, batch=64, value_first=512)
    run = begin(tiny(learning=learning, steps=512), tmp_path / "first")
    before = {name: weight.clone() for name, weight in run.model.policy.state_dict().items()}
    run.train()
    after = run.model.policy.state_dict()
    changed = {name for name, weight in before.items() if not torch.equal(weight, after[name])}
    assert changed == {"value_net.weight", "value_net.bias"}
    run = begin(tiny(learning=learning, steps=1024), tmp_path / "then")
    run.train()
    after = run.model.policy.state_dict()
    assert all(not torch.equal(weight, after[name]) for name, weight in before.items())


def test_a_run_that_began_with_a_file_goes_on_without_it_bit_by_bit(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    rival = tmp_path / "rival.safetensors"
    for copy in (file, rival):
        shutil.copy(DreamFactory.agents[SMALL], copy)
    settings = tiny(
        network=Network([64, 64], 16, "expert", str(file)),
        learning=Learning(rollout=32, batch=64, value_first=512),
        rhythm=Rhythm(checkpoint=512, deals=2, against=[str(rival)], players=[2]),
    )
    whole = begin(settings, tmp_path / "whole")
    whole.train()
    begin(settings, tmp_path / "cut").train()
    file.unlink()
    for checkpoint in sorted((tmp_path / "cut" / "checkpoints").iterdir())[1:]:
        checkpoint.unlink()
    again = resume(tmp_path / "cut")
    assert 0 < again.model.num_timesteps < settings.steps
    again.train()
    for name, weight in whole.model.policy.state_dict().items():
        assert torch.equal(weight, again.model.policy.state_dict()[name])
    facts = again.facts()
    assert json.loads(facts["settings"])["network"]["start"] == "mine.safetensors"
    assert json.loads(facts["strength"])["results"][0]["against"] == "rival.safetensors"
    assert str(tmp_path) not in str(facts)  # folders are nobody else's business
