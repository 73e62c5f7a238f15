"""Networks in files: equal to torch, refused if they are for something else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file
from sb3_contrib import MaskablePPO

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.envs.sb3 import SingleAgentVecEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.learning.config import Network, PPOSettings, Schedule, Training
from dreamfactory_env.learning.export import export
from dreamfactory_env.learning.run import Run, begin
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.policies.network import NetworkPolicy, header_of, write_network

GAME = DreamFactory(3, seed=0)


def model_of(activation: Any = torch.nn.ReLU) -> MaskablePPO:
    envs = SingleAgentVecEnv("dream_factory", 2, players=3)
    kwargs = {"net_arch": [32, 16], "activation_fn": activation}
    return MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=16, policy_kwargs=kwargs, seed=1)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("networks") / "agent.safetensors"
    export(model_of(), GAME, path, {"trained": "not at all"})
    return path


def test_a_network_from_a_file_is_that_of_torch(file: Path) -> None:
    policy = NetworkPolicy(GAME, file)
    assert policy.facts["trained"] == "not at all"
    model = model_of()
    batch = SelfPlayBatch(DreamFactory, 64, players=4)
    rng = np.random.default_rng(1)
    for _ in range(40):
        seen = torch.from_numpy(batch.observations.copy())
        with torch.no_grad():
            latent = model.policy.mlp_extractor.forward_actor(seen)
            theirs = model.policy.action_net(latent).numpy()
        assert np.abs(policy.logits(batch.observations) - theirs).max() < 1e-4
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))


def test_it_plays_by_its_name_wherever_a_policy_does(file: Path) -> None:
    game = DreamFactory(players=3, seed=7)
    policy = policy_named(str(file), GAME)
    while not game.over:
        game.play(policy.act(view_of(game)))
    found = evaluate(duel(str(file), ["random"], players=3, games=6), processes=1)
    assert found is not None
    assert found.report["fouls"] == []


def test_a_file_for_something_else_is_refused(file: Path, tmp_path: Path) -> None:
    tensors = load_file(file)
    header = header_of(GAME)
    path = tmp_path / "other.safetensors"
    for key in header:
        save_file(tensors, path, metadata={**header, key: "another"})
        with pytest.raises(
            OptionError, match=re.escape(f"its {key} is 'another', not '{header[key]}'")
        ):
            NetworkPolicy(GAME, path)
    save_file(tensors, path)
    with pytest.raises(OptionError, match="its format is None"):
        NetworkPolicy(GAME, path)
    save_file({**tensors, "hidden.1.bias": np.zeros(3, np.float32)}, path, metadata=header)
    with pytest.raises(OptionError, match=r"hidden.1.weight has the shape \(16, 32\): \(3, 32\)"):
        NetworkPolicy(GAME, path)
    for wrong in (tensors["actions.bias"] * np.nan, tensors["actions.bias"].astype(np.float64)):
        save_file({**tensors, "actions.bias": wrong}, path, metadata=header)
        with pytest.raises(OptionError, match=r"actions.bias must be finite numbers of the type"):
            NetworkPolicy(GAME, path)
    del tensors["actions.bias"]
    save_file(tensors, path, metadata=header)
    with pytest.raises(OptionError, match=r"the tensor 'actions.bias' is missing"):
        NetworkPolicy(GAME, path)
    path.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(OptionError, match="cannot be read as safetensors"):
        policy_named(str(path), GAME)
    with pytest.raises(OptionError, match="cannot be read as safetensors"):
        policy_named("missing.safetensors", GAME)
    described = {"a": {"dtype": "F32", "shape": [1] * 100, "data_offsets": [0, 4]}}
    text = json.dumps(described).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(4))
    with pytest.raises(OptionError, match="cannot be read as safetensors: maximum supported dim"):
        NetworkPolicy(GAME, path)


def test_a_network_of_one_layer_is_one(tmp_path: Path) -> None:
    path = tmp_path / "linear.safetensors"
    weight = np.zeros((120, GAME.spec.observation.size), np.float32)
    tensors = {"actions.weight": weight, "actions.bias": np.arange(120, dtype=np.float32)}
    write_network(path, GAME, tensors, {})
    game = DreamFactory(players=3, seed=7)
    assert NetworkPolicy(GAME, path).act(view_of(game)) == max(game.legal_actions().values())


def test_a_file_with_half_the_bits_is_half_as_large_and_plays_the_same(
    pointing: tuple[Run, Path], tmp_path: Path
) -> None:
    run, path = pointing
    halved = tmp_path / "half.safetensors"
    export(run.model, GAME, halved, {}, half=True)
    assert halved.stat().st_size < 0.55 * path.stat().st_size
    whole, half = NetworkPolicy(GAME, path), NetworkPolicy(GAME, halved)
    assert {tensor.dtype for tensor in half.tensors.values()} == {np.dtype(np.float32)}
    seen = run.env.games.reset()
    assert 0 < np.abs(whole.logits(seen) - half.logits(seen)).max() < 0.02


def test_what_cannot_be_exported_is_named(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="a Tanh cannot be exported"):
        export(model_of(torch.nn.Tanh), GAME, tmp_path / "a.safetensors", {})


@pytest.fixture(scope="module")
def pointing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    folder = tmp_path_factory.mktemp("pointing")
    settings = Training(
        512,
        {2: 8, 4: 8},
        network=Network([32, 16], pointer_width=12),
        ppo=PPOSettings(learning_rate=1e-2, n_steps=32, batch_size=64),
        schedule=Schedule(evaluation_players=[]),
    )
    run = begin(settings, folder / "run")
    run.train()
    path = folder / "agent.safetensors"
    export(run.model, GAME, path, {})
    return run, path


def test_a_network_that_points_at_things_is_that_of_torch(pointing: tuple[Run, Path]) -> None:
    run, path = pointing
    policy, games = NetworkPolicy(GAME, path), run.env.games
    seen = games.reset()
    rng = np.random.default_rng(1)
    for _ in range(100):
        masks = games.action_masks()
        with torch.no_grad():
            theirs = run.model.policy.logits_and_values(torch.from_numpy(seen), None)[0].numpy()
        assert np.abs(policy.logits(seen) - theirs).max() < 1e-4
        theirs[masks == 0] = -np.inf
        predicted, _ = run.model.predict(seen, deterministic=True, action_masks=masks)
        assert (predicted == theirs.argmax(axis=1)).all()
        seen = games.play((rng.random(masks.shape) * masks).argmax(axis=1)).observations


def test_logits_depend_on_what_an_action_points_at(pointing: tuple[Run, Path]) -> None:
    run, path = pointing
    policy = NetworkPolicy(GAME, path)
    spec = GAME.spec.observation
    place = GAME.spec.pointers[1].actions
    seen = run.env.games.observe()[:4]
    swapped = seen.copy()
    films, other = (spec.block(rows, "films") for rows in (seen[0], swapped[0]))
    other[0, 0], other[0, 1] = films[0, 1].copy(), films[0, 0].copy()
    # What the hidden layers say is the same for both: only what is pointed at differs.
    policy.tensors["hidden.0.weight"][:, spec.blocks["films"].slice] = 0
    policy.tensors["actions.weight"][:] = 0
    policy.tensors["actions.bias"][:] = 0
    before = policy.logits(seen)[0, place].reshape(3, 3, 6)
    after = policy.logits(swapped)[0, place].reshape(3, 3, 6)
    assert np.allclose(before[:, [1, 0, 2]], after, atol=1e-6)
    assert not np.allclose(before, after, atol=1e-4)


def test_a_pointer_that_lacks_something_is_named(
    pointing: tuple[Run, Path], tmp_path: Path
) -> None:
    tensors = load_file(pointing[1])
    path = tmp_path / "other.safetensors"
    del tensors["pointers.1.things.0.weight"]
    save_file(tensors, path, metadata=header_of(GAME))
    with pytest.raises(OptionError, match=r"the tensor 'pointers.1.things.0.weight' is missing"):
        NetworkPolicy(GAME, path)
