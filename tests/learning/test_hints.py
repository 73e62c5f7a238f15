"""Networks that hear a scripted policy's advice: they play like it at first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.cli.training import export_command
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.config import Learning, Network, Opponents, Rhythm
from dreamfactory_env.learning.evaluation import ModelPolicy
from dreamfactory_env.learning.export import export
from dreamfactory_env.learning.run import Run, begin, resume
from dreamfactory_env.learning.training_env import FIRST_GUEST, LEARNER, TrainingVecEnv
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.policies.network import NetworkPolicy, adviser_fact, header_of, with_advice
from tests.commands import run
from tests.learning.test_training import TINY, choose, tiny, weights

SIZE, ACTIONS = DreamFactory.layout.size, DreamFactory.actions
HEARING = Network(layers=[16], width=8, adviser="expert")


@pytest.fixture(scope="module")
def hearing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    folder = tmp_path_factory.mktemp("hearing")
    learning = Learning(rate=1e-2, rollout=32, batch=64)
    run = begin(tiny(network=HEARING, learning=learning, steps=2048), folder / "run")
    run.train()
    path = folder / "agent.safetensors"
    export(run.model, DreamFactory, path, {})
    return run, path


def test_what_is_seen_ends_with_what_is_advised() -> None:
    table = TrainingVecEnv(DreamFactory, {2: 4, 4: 4}, adviser="expert", heard=True, seed=3)
    table.reset()
    seen = table.seen()
    expert = policy_named("expert", DreamFactory)
    rng = np.random.default_rng(1)
    for _ in range(40):
        assert seen.shape == (8, SIZE + ACTIONS)
        assert table.observation_space.contains(seen[0])
        assert (seen[:, :SIZE] == table.observations).all()
        wanted = [expert.act(view_of(table.game_at(row))) for row in range(8)]
        assert seen[:, SIZE:].argmax(axis=1).tolist() == wanted
        assert (seen[:, SIZE:].sum(axis=1) == 1).all()
        told = np.asarray(table.step(choose(table.masks, rng))[0])
        seen = table.seen()
        assert (told == seen).all()


def test_every_guest_hears_its_own_adviser_and_who_has_none_hears_nothing() -> None:
    table = TrainingVecEnv(DreamFactory, {3: 8}, adviser="builder", heard=True, seed=3)
    rng = np.random.default_rng(1)
    heard: dict[str, int] = dict.fromkeys(("", "greedy", "expert"), 0)

    def invite(who: int, adviser: str) -> None:
        def answer(seen: Array, masks: Array) -> Array:
            assert seen.shape[1] == SIZE + ACTIONS * bool(adviser)
            (row, *_) = np.flatnonzero(table.asked == who)
            game = table.game_at(int(row))
            assert (game.observe(game.to_move or 0) == seen[0, :SIZE]).all()
            if adviser:
                advice = policy_named(adviser, DreamFactory).act(view_of(game))
                assert seen[0, SIZE:].argmax() == advice
            heard[adviser] += 1
            return choose(masks, rng)

        table.invite(who, answer, adviser)

    for place, adviser in enumerate(heard):
        invite(FIRST_GUEST + place, adviser)
    table.set_mix({LEARNER: 1.0, **{FIRST_GUEST + place: 1.0 for place in range(3)}})
    table.reset()
    for _ in range(60):
        table.step(choose(table.masks, rng))
    assert min(heard.values()) > 50


def test_at_first_a_network_plays_as_its_adviser_does(tmp_path: Path) -> None:
    for width in (0, 8):
        run = Run(tiny(network=Network([16], width, "builder")), tmp_path)
        table = run.table
        seen = table.reset()
        rng = np.random.default_rng(1)
        for _ in range(30):
            told, _ = run.model.predict(seen, action_masks=table.masks, deterministic=True)
            assert told.tolist() == table.advice.tolist()
            table.step(choose(table.masks, rng))
            seen = table.seen()


def test_how_much_advice_is_trusted_is_learned(hearing: tuple[Run, Path]) -> None:
    policy = hearing[0].model.policy
    assert policy.trust.item() != policy.TRUST


def test_a_network_that_hears_advice_is_that_of_torch(hearing: tuple[Run, Path]) -> None:
    run, path = hearing
    policy, table = NetworkPolicy(DreamFactory, path), run.table
    assert policy.adviser == "expert"
    seen = table.reset()
    rng = np.random.default_rng(1)
    for _ in range(60):
        with torch.no_grad():
            theirs = run.model.policy.rate(torch.from_numpy(seen), None)[0].numpy()
        assert np.abs(policy.ratings(seen) - theirs).max() < 1e-4
        best = policy.best(seen, table.masks)
        for row in (0, 12):  # in the arena, from views: the adviser is asked on the way
            view = view_of(table.game_at(row), seed=int(table.seeds[row]))
            assert policy.act(view) == best[row]
        table.step(choose(table.masks, rng))
        seen = table.seen()


def test_the_learner_is_evaluated_with_its_adviser(hearing: tuple[Run, Path]) -> None:
    run, path = hearing
    views = [view_of(run.table.game_at(row)).alone() for row in range(8)]
    learner, agent = ModelPolicy(run.model), NetworkPolicy(DreamFactory, path)
    assert [int(learner.act_batch(view)[0]) for view in views] == [
        int(agent.act_batch(view)[0]) for view in views
    ]


def test_a_run_with_an_adviser_goes_on_bit_by_bit(tmp_path: Path) -> None:
    opponents = Opponents(self=0.4, past=0.3, scripted={"greedy": 0.2}, agents={"pretrained": 0.1})
    rhythm = Rhythm(snapshot=512, checkpoint=512, deals=2, against=["greedy"], players=[2])
    settings = tiny(network=HEARING, opponents=opponents, rhythm=rhythm)
    whole = begin(settings, tmp_path / "whole")
    whole.train()
    assert len(whole.league.snapshots) >= 2  # they hear advice, too
    begin(settings, tmp_path / "cut").train()
    files = sorted((tmp_path / "cut" / "checkpoints").iterdir())
    for file in files[1:]:
        file.unlink()
    again = resume(tmp_path / "cut")
    assert 0 < again.model.num_timesteps < TINY["steps"]
    again.train()
    assert weights(again) == weights(whole)
    assert again.evaluator.lines[-1]["results"] == whole.evaluator.lines[-1]["results"]


def test_a_file_whose_adviser_is_somebody_else_is_refused(
    hearing: tuple[Run, Path], tmp_path: Path
) -> None:
    tensors = load_file(hearing[1])
    header = header_of(DreamFactory)
    fact = adviser_fact(DreamFactory, "expert")
    path = tmp_path / "other.safetensors"
    for found, told in (
        ("sage 12", "its adviser is 'sage 12', not 'random or greedy or builder or expert'"),
        ("expert 12", f"its adviser is 'expert 12', not '{fact}'"),
        ("", "its adviser is '', not 'random or"),
    ):
        save_file(tensors, path, metadata={**header, "adviser": found})
        with pytest.raises(OptionError, match=told):
            NetworkPolicy(DreamFactory, path)
    save_file(tensors, path, metadata=header)
    with pytest.raises(OptionError, match=rf"hidden.0.weight has the shape .*: \(16, {SIZE}\)"):
        NetworkPolicy(DreamFactory, path)
    del tensors["trust"]
    save_file(tensors, path, metadata={**header, "adviser": fact})
    with pytest.raises(OptionError, match="the tensor 'trust' is missing"):
        NetworkPolicy(DreamFactory, path)


def test_an_adviser_that_draws_lots_is_heard_as_it_would_play() -> None:
    table = TrainingVecEnv(DreamFactory, {3: 8}, adviser="random", heard=True, seed=3)
    table.reset()
    rng = np.random.default_rng(1)
    for _ in range(30):
        for row in range(8):
            seed, moves = int(table.seeds[row]), int(table.moves[row])
            view = view_of(table.game_at(row), seed=seed, moves=moves)
            assert table.advice[row] == policy_named("random", DreamFactory).act(view)
        table.step(choose(table.masks, rng))


def test_what_makes_no_sense_at_a_table_is_refused() -> None:
    with pytest.raises(OptionError, match="without an adviser"):
        TrainingVecEnv(DreamFactory, {2: 1}, heard=True)
    table = TrainingVecEnv(DreamFactory, {2: 1})
    with pytest.raises(OptionError, match="the guest 101 was not invited"):
        table.set_mix({LEARNER: 1.0, FIRST_GUEST + 1: 1.0})


def test_a_run_whose_adviser_has_changed_does_not_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(tiny(network=HEARING), tmp_path).train()
    monkeypatch.setitem(DreamFactory.scripted, "expert", DreamFactory.scripted["expert"] * 1.01)
    with pytest.raises(OptionError, match="cannot go on: the adviser was 'expert"):
        resume(tmp_path)


def test_the_commands_know_of_advisers(hearing: tuple[Run, Path], tmp_path: Path) -> None:
    trained, path = hearing
    export_command(trained.folder, tmp_path / "agent.safetensors")
    fact = adviser_fact(DreamFactory, "expert")
    assert NetworkPolicy(DreamFactory, tmp_path / "agent.safetensors").facts["adviser"] == fact
    metadata = {**header_of(DreamFactory), "adviser": "expert 12"}
    save_file(load_file(path), tmp_path / "other.safetensors", metadata=metadata)
    told = run("describe", "other.safetensors", cwd=tmp_path, COLUMNS="300").stdout
    assert "no, for its adviser" in told


def test_advice_stands_behind_the_observation() -> None:
    seen = with_advice(np.full((2, 3), 7, np.float32), np.array([1, 0]), 2)
    assert seen.tolist() == [[7, 7, 7, 0, 1], [7, 7, 7, 1, 0]]
    assert seen.dtype == np.float32
