"""Rollouts in shards: the same games whoever plays them, and one shard is a plain rollout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dreamfactory_env.learning.config import PPOSettings, Training
from dreamfactory_env.learning.packing import pack, unpack
from dreamfactory_env.learning.rollout_jobs import PlayHere
from dreamfactory_env.learning.run import begin, resume
from dreamfactory_env.learning.settings_file import read_training, write_training
from dreamfactory_env.learning.training_games import TrainingGames, split
from dreamfactory_env.utils.errors import ConfigError, OptionError
from tests.learning.small import drop_checkpoints, tiny, weights

BOTH = pytest.mark.parametrize("async_rollouts", [False, True])


def sharded(actors: int, async_rollouts: bool) -> Training:
    ppo = PPOSettings(1e-2, n_steps=16, batch_size=64, async_rollouts=async_rollouts)
    return tiny(actors=actors, ppo=ppo)


def test_games_are_split_evenly_and_laid_side_by_side() -> None:
    n_envs = {2: 5, 4: 3}
    assert split(n_envs, 3) == [{2: 2, 4: 1}, {2: 2, 4: 1}, {2: 1, 4: 1}]
    games = TrainingGames("dream_factory", split(n_envs, 3), seed=3)
    assert games.players.tolist() == [2, 2, 4, 2, 2, 4, 2, 4]
    games.reset()
    shards = games.shards()
    assert [shard.num_envs for shard in shards] == [3, 3, 2]
    seen = np.concatenate([shard.observe() for shard in shards])
    assert np.array_equal(seen, games.observe())
    assert len(np.unique(games.column("seed"))) == games.num_envs
    shards[1].play(shards[1].action_masks().argmax(axis=1))
    assert np.flatnonzero((seen != games.observe()).any(axis=1)).tolist() == [3, 4, 5]


def test_what_is_packed_comes_out_bit_by_bit() -> None:
    rng = np.random.default_rng(3)
    array = rng.normal(size=(5, 7, 11)).astype(np.float32)
    array[rng.random(array.shape) < 0.7] = 0
    array[2, 3, :4] = [-0.0, np.nan, np.inf, 1e-45]
    packed = pack(array)
    assert packed.bits.nbytes + packed.numbers.nbytes < array.nbytes / 2
    whole = np.ones((5, 12, 11), np.float32)
    unpack(packed, whole[:, 3:10])
    assert whole[:, 3:10].tobytes() == array.tobytes()
    assert (whole[:, :3] == 1).all()
    assert (whole[:, 10:] == 1).all()


def test_more_shards_than_games() -> None:
    with pytest.raises(OptionError, match="4 shards need as many games of each player count"):
        split({2: 5, 4: 3}, 4)


def test_more_actors_than_games_are_a_mistake_of_the_settings(tmp_path: Path) -> None:
    write_training(tiny(actors=9), tmp_path / "config.yaml")
    with pytest.raises(ConfigError, match="so 8 actors at most, not 9"):
        read_training(tmp_path / "config.yaml")


@BOTH
def test_one_shard_is_a_plain_rollout(tmp_path: Path, async_rollouts: bool) -> None:
    plain = begin(sharded(1, async_rollouts), tmp_path / "plain")
    plain.train()
    one = begin(sharded(1, async_rollouts), tmp_path / "one")
    one.model._make_collector = one._collect_shards
    one.train()
    assert weights(one) == weights(plain)
    assert one.metrics.games == plain.metrics.games
    assert one.league.results == plain.league.results
    assert one.league.taken > 1  # snapshots have played, too


@BOTH
def test_shards_may_be_played_in_any_order(
    tmp_path: Path, async_rollouts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = begin(sharded(3, async_rollouts), tmp_path / "first")
    first.train()
    play = PlayHere.play
    monkeypatch.setattr(
        PlayHere, "play", lambda self, networks, jobs: play(self, networks, jobs[::-1])
    )
    last = begin(sharded(3, async_rollouts), tmp_path / "last")
    last.train()
    assert weights(last) == weights(first)


@BOTH
def test_a_run_in_shards_is_resumed_as_it_was(tmp_path: Path, async_rollouts: bool) -> None:
    whole = begin(sharded(3, async_rollouts), tmp_path / "whole")
    whole.train()
    plain = begin(sharded(1, async_rollouts), tmp_path / "plain")
    plain.train()
    assert weights(whole) != weights(plain)
    drop_checkpoints(whole)
    resumed = resume(tmp_path / "whole")
    assert 0 < resumed.saved_steps < whole.model.num_timesteps
    resumed.train()
    assert weights(resumed) == weights(whole)


def test_the_number_of_actors_is_part_of_a_run(tmp_path: Path) -> None:
    run = begin(sharded(2, True), tmp_path)
    run.train()
    with pytest.raises(OptionError, match="a run keeps its settings"):
        resume(tmp_path, {"actors": "4"})
    write_training(sharded(4, True), tmp_path / "config.yaml")
    with pytest.raises(OptionError, match="actors was 2 and is 4"):
        resume(tmp_path)
