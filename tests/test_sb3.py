"""Stable-Baselines3, which knows nothing of this package, checks and plays DreamFactory-v0."""

from __future__ import annotations

import gymnasium
import pytest
import torch
from stable_baselines3.common.env_checker import check_env

from tests.examples import examples, run
from tests.tally import count_moves

torch.set_num_threads(1)  # the networks are small, and the tests run side by side


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_check_of_sb3_passes(players: int) -> None:
    check_env(gymnasium.make("DreamFactory-v0", players=players))


def test_maskable_ppo_trains_without_an_illegal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = count_moves(monkeypatch)
    code = examples("docs/interop.md", "Stable-Baselines3")[0]
    model = run(code, "docs/interop.md")["model"]
    assert model.num_timesteps == 2048 == tally.moves
    assert tally.games > 10
    assert tally.illegal == 0


def test_an_illegal_move_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = count_moves(monkeypatch)
    env = gymnasium.make("DreamFactory-v0", players=3)
    env.reset(seed=1)
    env.step(62)
    assert (tally.games, tally.illegal) == (1, 1)
