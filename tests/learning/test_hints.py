"""Networks that observe the hints of a scripted policy: they play like it at first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.cli.training import export_command
from dreamfactory_env.engine.stepper import CALLER, FIRST_FROZEN
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.config import Network, Others, PPOSettings, Schedule
from dreamfactory_env.learning.evaluation import ModelPolicy
from dreamfactory_env.learning.export import export
from dreamfactory_env.learning.run import Run, begin, resume
from dreamfactory_env.learning.training_games import TrainingGames
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.policies.network import NetworkPolicy, header_of, hint_fact, with_hints
from tests.commands import run
from tests.learning.small import STEPS, choose, drop_checkpoints, tiny, weights

GAME = DreamFactory(seed=0)
SIZE, ACTIONS = GAME.spec.observation.size, GAME.spec.num_actions
HINTED = Network(net_arch=[16], pointer_width=8, hint="expert")


@pytest.fixture(scope="module")
def hinted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    folder = tmp_path_factory.mktemp("hinted")
    ppo = PPOSettings(learning_rate=1e-2, n_steps=32, batch_size=64)
    run = begin(tiny(network=HINTED, ppo=ppo, total_timesteps=2048), folder / "run")
    run.train()
    path = folder / "agent.safetensors"
    export(run.model, GAME, path, {})
    return run, path


def test_observations_end_with_hints() -> None:
    games = TrainingGames(DreamFactory, {2: 4, 4: 4}, hint="expert", observes_hint=True, seed=3)
    seen = games.reset()
    expert = policy_named("expert", GAME)
    rng = np.random.default_rng(1)
    for _ in range(40):
        assert seen.shape == (8, SIZE + ACTIONS)
        assert games.observation_box().contains(seen[0])
        positions = [games.game_at(row) for row in range(8)]
        for row, game in enumerate(positions):
            assert (seen[row, :SIZE] == game.observe(game.to_move or 0)).all()
        hints = [expert.act(view_of(game)) for game in positions]
        assert seen[:, SIZE:].argmax(axis=1).tolist() == hints
        assert (seen[:, SIZE:].sum(axis=1) == 1).all()
        result = games.play(choose(games.action_masks(), rng))
        assert result.hints.tolist() == hints  # those of the decisions that were made
        seen = games.observe()
        assert (result.observations == seen).all()


def test_every_frozen_player_observes_its_own_hints_or_none() -> None:
    games = TrainingGames(DreamFactory, {3: 8}, hint="builder", observes_hint=True, seed=3)
    rng = np.random.default_rng(1)
    asked: dict[str, int] = dict.fromkeys(("", "greedy", "expert"), 0)

    def add(slot: int, hint: str) -> None:
        def frozen(seen: Array, masks: Array) -> Array:
            assert seen.shape[1] == SIZE + ACTIONS * bool(hint)
            (row, *_) = np.flatnonzero(games.column("current_policy") == FIRST_FROZEN + slot)
            game = games.game_at(int(row))
            assert (game.observe(game.to_move or 0) == seen[0, :SIZE]).all()
            if hint:
                assert seen[0, SIZE:].argmax() == policy_named(hint, GAME).act(view_of(game))
            asked[hint] += 1
            return choose(masks, rng)

        games.set_frozen(slot, frozen, hint)

    for slot, hint in enumerate(asked):
        add(slot, hint)
    games.set_mix({CALLER: 1.0, **{FIRST_FROZEN + slot: 1.0 for slot in range(3)}})
    games.reset()
    for _ in range(60):
        games.play(choose(games.action_masks(), rng))
    assert min(asked.values()) > 50


@pytest.mark.parametrize("pointer_width", [0, 8])
def test_at_first_a_network_plays_as_its_hint_policy_does(
    tmp_path: Path, pointer_width: int
) -> None:
    run = Run(tiny(network=Network([16], pointer_width, "builder")), tmp_path)
    games = run.env.games
    seen = games.reset()
    rng = np.random.default_rng(1)
    for _ in range(30):
        masks = games.action_masks()
        actions, _ = run.model.predict(seen, action_masks=masks, deterministic=True)
        assert actions.tolist() == games.column("hint").tolist()
        seen = games.play(choose(masks, rng)).observations


def test_how_much_a_hint_counts_is_learned(hinted: tuple[Run, Path]) -> None:
    run = hinted[0]
    assert run.model.policy.hint_bias.item() != run.settings.network.hint_bias


def test_how_much_a_hint_counts_at_first_is_a_setting(tmp_path: Path) -> None:
    likely = []
    for bias in (3.0, 6.0):
        network = Network([16], 8, "builder", hint_bias=bias)
        run = Run(tiny(network=network), tmp_path / str(bias))
        games = run.env.games
        seen, masks = games.reset(), games.action_masks()
        with torch.no_grad():
            logits, _ = run.model.policy.logits_and_values(torch.from_numpy(seen), None)
        chances = np.where(masks, np.exp(logits.numpy()), 0)
        hints = games.column("hint")
        rows = np.arange(len(hints))
        others = (chances.sum(axis=1) - chances[rows, hints]) / (masks.sum(axis=1) - 1)
        likely.append(np.log(chances[rows, hints] / others))
        assert np.abs(likely[-1] - bias).max() < 0.3
    assert (likely[1] > likely[0] + 2).all()


def test_a_network_with_hints_is_that_of_torch(hinted: tuple[Run, Path]) -> None:
    run, path = hinted
    policy, games = NetworkPolicy(GAME, path), run.env.games
    assert policy.hint == "expert"
    seen = games.reset()
    rng = np.random.default_rng(1)
    for _ in range(60):
        with torch.no_grad():
            theirs = run.model.policy.logits_and_values(torch.from_numpy(seen), None)[0].numpy()
        assert np.abs(policy.logits(seen) - theirs).max() < 1e-4
        best = policy.best(seen, games.action_masks())
        for row in (0, 12):  # in the arena, from views: the hint policy is asked on the way
            view = view_of(games.game_at(row), seed=int(games.column("seed")[row]))
            assert policy.act(view) == best[row]
        seen = games.play(choose(games.action_masks(), rng)).observations


def test_the_learner_is_evaluated_with_its_hints(hinted: tuple[Run, Path]) -> None:
    run, path = hinted
    views = [view_of(run.env.games.game_at(row)).alone() for row in range(8)]
    learner, agent = ModelPolicy(run.model), NetworkPolicy(GAME, path)
    assert [int(learner.act_batch(view)[0]) for view in views] == [
        int(agent.act_batch(view)[0]) for view in views
    ]


def test_a_run_with_hints_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    opponents = Others(self=0.4, past=0.3, scripted={"greedy": 0.2}, agents={"pretrained": 0.1})
    schedule = Schedule(
        snapshot_every=512,
        checkpoint_every=512,
        evaluation_deals=2,
        evaluate_against=["greedy"],
        evaluation_players=[2],
    )
    settings = tiny(network=HINTED, opponents=opponents, schedule=schedule)
    whole = begin(settings, tmp_path / "whole")
    whole.train()
    assert len(whole.league.snapshots) >= 2  # they observe hints, too
    cut = begin(settings, tmp_path / "cut")
    cut.train()
    drop_checkpoints(cut)
    again = resume(tmp_path / "cut")
    assert 0 < again.model.num_timesteps < STEPS
    again.train()
    assert weights(again) == weights(whole)
    assert again.evaluator.lines[-1]["results"] == whole.evaluator.lines[-1]["results"]


def test_a_file_whose_hint_policy_is_another_is_refused(
    hinted: tuple[Run, Path], tmp_path: Path
) -> None:
    tensors = load_file(hinted[1])
    header = header_of(GAME)
    fact = hint_fact(GAME, "expert")
    path = tmp_path / "other.safetensors"
    for found, message in (
        ("sage 12", "its adviser is 'sage 12', not 'random or greedy or builder or expert'"),
        ("expert 12", f"its adviser is 'expert 12', not '{fact}'"),
        ("", "its adviser is '', not 'random or"),
    ):
        save_file(tensors, path, metadata={**header, "adviser": found})
        with pytest.raises(OptionError, match=message):
            NetworkPolicy(GAME, path)
    save_file(tensors, path, metadata=header)
    with pytest.raises(OptionError, match=rf"hidden.0.weight has the shape .*: \(16, {SIZE}\)"):
        NetworkPolicy(GAME, path)
    del tensors["trust"]
    save_file(tensors, path, metadata={**header, "adviser": fact})
    with pytest.raises(OptionError, match="the tensor 'trust' is missing"):
        NetworkPolicy(GAME, path)


def test_hints_that_are_drawn_are_those_that_the_policy_would_play() -> None:
    games = TrainingGames(DreamFactory, {3: 8}, hint="random", observes_hint=True, seed=3)
    games.reset()
    rng = np.random.default_rng(1)
    for _ in range(30):
        seeds, moves = games.column("seed"), games.column("moves")
        hints = games.column("hint")
        for row in range(8):
            view = view_of(games.game_at(row), seed=int(seeds[row]), moves=int(moves[row]))
            assert hints[row] == policy_named("random", GAME).act(view)
        games.play(choose(games.action_masks(), rng))


def test_a_run_whose_hint_policy_has_changed_is_not_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(tiny(network=HINTED), tmp_path).train()
    monkeypatch.setitem(
        DreamFactory.spec.scripted, "expert", DreamFactory.spec.scripted["expert"] * 1.01
    )
    with pytest.raises(OptionError, match="cannot be resumed: the hint policy was 'expert"):
        resume(tmp_path)


def test_the_commands_know_of_hints(hinted: tuple[Run, Path], tmp_path: Path) -> None:
    trained, path = hinted
    export_command(trained.folder, tmp_path / "agent.safetensors")
    fact = hint_fact(GAME, "expert")
    assert NetworkPolicy(GAME, tmp_path / "agent.safetensors").facts["adviser"] == fact
    metadata = {**header_of(GAME), "adviser": "expert 12"}
    save_file(load_file(path), tmp_path / "other.safetensors", metadata=metadata)
    shown = run("describe", "other.safetensors", cwd=tmp_path, COLUMNS="300").stdout
    assert "no, for its adviser" in shown


def test_a_hint_stands_behind_the_observation() -> None:
    seen = with_hints(np.full((2, 3), 7, np.float32), np.array([1, 0]), 2)
    assert seen.tolist() == [[7, 7, 7, 0, 1], [7, 7, 7, 1, 0]]
    assert seen.dtype == np.float32
