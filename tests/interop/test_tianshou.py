"""Tianshou plays through its PettingZooEnv, and trains a DQN for every player."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tianshou.env import PettingZooEnv

from dreamfactory_env import dream_factory_v0
from tests.docs.examples import examples, run
from tests.interop.tally import Tally


@pytest.mark.parametrize("edition", ["dream_factory", "traumfabrik"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_are_legal_and_everybody_is_paid(
    players: int, edition: Any, tally: Tally
) -> None:
    env = PettingZooEnv(dream_factory_v0.env(players=players, edition=edition))
    rng = np.random.default_rng(players)
    for seed in range(3):
        seen, _ = env.reset(seed=seed)
        paid, over = np.zeros(players), False
        while not over:
            seen, rewards, over, _, _ = env.step(rng.choice(np.flatnonzero(seen["mask"])))
            paid += rewards
        assert np.flatnonzero(paid > 0).tolist() == env.env.unwrapped.game.winners()
        assert paid.sum() == pytest.approx(0)
    assert (tally.games, tally.illegal) == (3, 0)


def test_the_example_of_the_docs_trains_and_every_move_is_credited(tally: Tally) -> None:
    (code,) = examples("docs/interop.md", "Tianshou")
    names = run(code, "docs/interop.md")
    algorithm, buffer, result = names["algorithm"], names["buffer"], names["result"]
    assert result.train_step == 1000 == tally.moves
    assert result.update_step > 0
    assert result.train_episode == tally.games > 0
    assert tally.illegal == 0

    moves, indices = buffer.sample(0)  # all of them
    seats = np.array([int(agent[-1]) for agent in moves.obs.agent_id])
    lasts = indices
    for _ in range(names["to_the_end"]):
        lasts = buffer.next(lasts)
    ended = buffer.done[lasts]
    assert ended.any()

    targets = algorithm._preprocess_batch(moves, buffer, indices)
    for seat, agent in enumerate(names["env"].agents):
        mine = seats == seat
        learned = targets[agent].returns.flatten()[ended[mine]]
        assert learned.tolist() == pytest.approx(buffer.rew[lasts[mine & ended], seat].tolist())

    # Without the long horizon only the last move of a game would be worth anything.
    assert np.count_nonzero(buffer.rew[indices, seats]) == tally.games


def test_an_illegal_move_would_be_seen(tally: Tally) -> None:
    env = PettingZooEnv(dream_factory_v0.env(players=3))
    seen, _ = env.reset(seed=1)
    assert not seen["mask"][62]
    _, rewards, over, _, _ = env.step(62)
    assert over
    assert min(rewards) == -1
    assert tally.illegal == 1
