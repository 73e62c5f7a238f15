"""Networks in files: equal to torch, refused if they are for something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file
from sb3_contrib import MaskablePPO

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.envs.batch import SelfPlayBatch
from dreamfactory_env.envs.sb3 import SoloVecEnv
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.policies.network import NetworkPolicy, header_of, write_network
from training.export import export


def model_of(activation: Any = torch.nn.ReLU) -> MaskablePPO:
    envs = SoloVecEnv("dream_factory", 2, players=3)
    kwargs = {"net_arch": [32, 16], "activation_fn": activation}
    return MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=16, policy_kwargs=kwargs, seed=1)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("networks") / "agent.safetensors"
    export(model_of(), DreamFactory, path, {"trained": "not at all"})
    return path


def test_a_network_from_a_file_is_that_of_torch(file: Path) -> None:
    policy = NetworkPolicy(DreamFactory, file)
    assert policy.facts["trained"] == "not at all"
    model = model_of()
    batch = SelfPlayBatch(DreamFactory, 64, players=4)
    rng = np.random.default_rng(1)
    for _ in range(40):
        seen = torch.from_numpy(batch.observations.copy())
        with torch.no_grad():
            latent = model.policy.mlp_extractor.forward_actor(seen)
            theirs = model.policy.action_net(latent).numpy()
        assert np.abs(policy.ratings(batch.observations) - theirs).max() < 1e-4
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))


def test_it_plays_by_its_name_wherever_a_policy_does(file: Path) -> None:
    game = DreamFactory(players=3, seed=7)
    policy = policy_named(str(file), DreamFactory)
    while not game.over:
        game.play(policy.act(view_of(game)))
    found = evaluate(duel(str(file), ["random"], players=3, games=6), processes=1)
    assert found is not None
    assert found.report["fouls"] == []


def test_a_file_for_something_else_is_refused(file: Path, tmp_path: Path) -> None:
    tensors = load_file(file)
    header = header_of(DreamFactory)
    path = tmp_path / "other.safetensors"
    for key in header:
        save_file(tensors, path, metadata={**header, key: "another"})
        with pytest.raises(OptionError, match=f"its {key} is 'another', not '{header[key]}'"):
            NetworkPolicy(DreamFactory, path)
    save_file(tensors, path)
    with pytest.raises(OptionError, match="its format is None"):
        NetworkPolicy(DreamFactory, path)
    save_file({**tensors, "hidden.1.bias": np.zeros(3, np.float32)}, path, metadata=header)
    with pytest.raises(OptionError, match="layer 1 has the shapes"):
        NetworkPolicy(DreamFactory, path)
    del tensors["actions.bias"]
    save_file(tensors, path, metadata=header)
    with pytest.raises(OptionError, match=r"the tensor 'actions.bias' is missing"):
        NetworkPolicy(DreamFactory, path)
    path.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(OptionError, match="cannot be read as safetensors"):
        policy_named(str(path), DreamFactory)
    with pytest.raises(OptionError, match="cannot be read as safetensors"):
        policy_named("missing.safetensors", DreamFactory)


def test_a_network_of_one_layer_is_one(tmp_path: Path) -> None:
    path = tmp_path / "linear.safetensors"
    weight = np.zeros((120, DreamFactory.layout.size), np.float32)
    write_network(path, DreamFactory, [(weight, np.arange(120, dtype=np.float32))], {})
    game = DreamFactory(players=3, seed=7)
    assert NetworkPolicy(DreamFactory, path).act(view_of(game)) == max(
        game.legal_actions().values()
    )


def test_what_cannot_be_exported_is_named(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="a Tanh cannot be exported"):
        export(model_of(torch.nn.Tanh), DreamFactory, tmp_path / "a.safetensors", {})
