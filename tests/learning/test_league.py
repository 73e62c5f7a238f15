"""The league: snapshots and agents as opponents, and how often they play."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.engine.stepper import CALLER, FIRST_FROZEN
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning import league
from dreamfactory_env.learning.config import Network, Others
from dreamfactory_env.learning.league import League
from dreamfactory_env.learning.other_seats import ACTIVE_SNAPSHOTS
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.ppo import SeatPPO
from dreamfactory_env.learning.run import begin, resume
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.learning.training_games import StepResult
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.utils.threads import VARIABLES, openblas_function
from tests.learning.small import STEPS, choose, drop_checkpoints, tiny, weights

FROZEN = str(DreamFactory.agents["pretrained"])
SIZE = DreamFactory.spec.observation.size
FIRST_AGENT = FIRST_FROZEN + ACTIVE_SNAPSHOTS


def test_how_often_it_plays_itself_may_depend_on_how_many_play(tmp_path: Path) -> None:
    opponents = Others(self=0, past=0, scripted={"greedy": 1}, self_at={2: 1e9})
    games = begin(tiny(opponents=opponents), tmp_path).env.games
    games.reset()
    for lineup, players in zip(games.column("lineup"), games.players, strict=True):
        own = lineup[:players].tolist().count(CALLER)
        assert own == (2 if players == 2 else 1)


@pytest.mark.parametrize("hint", ["", "greedy"])
def test_a_snapshot_plays_as_the_learner_did(tmp_path: Path, hint: str) -> None:
    settings = tiny(total_timesteps=1024, network=Network([16], pointer_width=8, hint=hint))
    run = begin(settings, tmp_path)
    run.train()
    run.league.take_snapshot()
    run.league.seats.set_players([run.league.snapshots[-1]], run.model.policy)
    buffer = run.model.rollout_buffer
    for seen, masks in zip(buffer.observations, buffer.action_masks, strict=True):
        np.random.seed(3)
        actions = run.env.games._frozen[FIRST_FROZEN](seen, masks)
        np.random.seed(3)
        with torch.no_grad():
            expected = run.model.policy(torch.from_numpy(seen), action_masks=masks)[0]
        assert actions.tolist() == expected.tolist()


def test_a_network_of_another_kind_plays_in_torch() -> None:
    env = TrainingVecEnv("dream_factory", {2: 8}, seed=1)
    policy = {
        "game": env.games.game,
        "pointer_width": 8,
        "net_arch": [16],
        "activation_fn": torch.nn.Tanh,
    }
    model = SeatPPO(SeatPolicy, env, n_steps=8, batch_size=32, policy_kwargs=policy, seed=1)
    others = Others(self=0.5, past=0.5)
    league = League(env.games, others, snapshot_every=64)
    model.learn(256, league)
    assert league.taken >= 2
    assert not model.policy.is_plain


def test_frozen_players_multiply_with_one_thread(tmp_path: Path) -> None:
    count, change = openblas_function("get_num_threads"), openblas_function("set_num_threads")
    if count is None or change is None or any(name in os.environ for name in VARIABLES):
        return  # NumPy has another BLAS, or the user has chosen
    change(2)
    begin(tiny(), tmp_path)
    assert count() == 1


def test_a_learner_alone_among_agents_that_do_not_change(tmp_path: Path) -> None:
    opponents = Others(self=0, past=0, agents={"pretrained": 1.0, FROZEN: 1.0})
    run = begin(tiny(opponents=opponents, total_timesteps=512), tmp_path)
    games = run.env.games
    games.reset()
    agent = policy_named("pretrained", games.game)
    asked = 0

    def checked(observations: Array, masks: Array) -> Array:
        """Answers as the agent does in the arena, where it sees views of the games."""
        nonlocal asked
        actions = run.league.agents["pretrained"].best(observations, masks)
        row = int(np.flatnonzero(games.column("current_policy") == FIRST_AGENT)[0])
        game = games.game_at(row)
        assert (game.observe(game.to_move or 0) == observations[0, :SIZE]).all()
        assert agent.act(view_of(game)) == actions[0]
        asked += 1
        return actions

    games.set_frozen(ACTIVE_SNAPSHOTS, checked, run.league.agents["pretrained"].hint)
    rng = np.random.default_rng(0)
    met: set[int] = set()
    for _ in range(120):
        for lineup, players in zip(games.column("lineup"), games.players, strict=True):
            seats = lineup[:players].tolist()
            assert seats.count(CALLER) == 1  # from the first deal on
            met |= set(seats)
        games.play(choose(games.action_masks(), rng))
    assert met == {CALLER, FIRST_AGENT, FIRST_AGENT + 1}
    assert asked > 50
    run.train()
    assert run.model.num_timesteps == 512


def test_a_run_among_agents_is_resumed_bit_for_bit_and_only_with_the_same_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.safetensors"
    shutil.copy(FROZEN, mine)
    monkeypatch.chdir(tmp_path)
    agents = {"pretrained-small": 1.0, "mine.safetensors": 0.5}
    settings = tiny(opponents=Others(self=0.1, past=0.2, scripted={"greedy": 0.2}, agents=agents))
    whole = begin(settings, tmp_path / "whole")
    whole.train()
    cut = begin(settings, tmp_path / "cut")
    cut.train()
    monkeypatch.chdir("/")  # files are found from everywhere
    drop_checkpoints(cut)
    again = resume(tmp_path / "cut")
    assert again.settings == settings
    assert list(again.settings.others.agents) == ["pretrained-small", str(mine)]
    assert 0 < again.model.num_timesteps < STEPS
    again.train()
    assert weights(again) == weights(whole)
    assert again.env.games.clone_state() == whole.env.games.clone_state()
    shutil.copy(DreamFactory.agents["pretrained-small"], mine)
    changed = resume(tmp_path / "cut")  # to be exported, say
    assert weights(changed) == weights(whole)
    with pytest.raises(OptionError, match=r"mine.safetensors is not the agent that this run has"):
        changed.train()


def test_opponents_that_the_learner_beats_most_are_forgotten_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league, "MAX_SNAPSHOTS", 2)
    run = begin(tiny(), tmp_path / "run")
    run.train()
    assert run.league.taken == 3  # after 512, 1024 and all 1536 decisions
    first, second = run.league.snapshots
    run.league.results = [0.4, 0.6]
    run.league.take_snapshot()
    assert run.league.taken == 4
    assert run.league.snapshots[0] is first
    assert all(kept is not second for kept in run.league.snapshots)
    assert run.league.results == [0.4, 0.5]
    again = begin(tiny(), tmp_path / "again")
    again.league.restore(run.league.save())
    assert (again.league.taken, again.league.results) == (4, [0.4, 0.5])


def test_opponents_that_win_play_more_often(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path)
    run.league.init_callback(run.model)
    for _ in range(3):
        run.league.take_snapshot()
    run.league.results = [0.9, 0.5, 0.1]
    chances = run.league.probabilities()
    assert chances[0] < chances[1] < chances[2]
    assert chances.sum() == pytest.approx(1)


def test_results_are_those_of_the_games_against_a_snapshot(tmp_path: Path) -> None:
    run = begin(tiny(n_envs={2: 3}), tmp_path)
    run.league.init_callback(run.model)
    for _ in range(2):
        run.league.take_snapshot()
    run.league.active = [1, 0]
    lineups = [[CALLER, FIRST_FROZEN], [FIRST_FROZEN + 1, CALLER], [CALLER, FIRST_FROZEN]]
    nothing = np.zeros(3)
    run.league.locals = {
        "result": StepResult(
            observations=nothing,
            last_player=nothing,
            hints=nothing,
            rewards=nothing,
            dones=np.array([True, True, False]),
            lineups=np.array(lineups),
            returns=np.array([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0]]),
            seconds=0.0,
        )
    }
    assert run.league.on_step()
    step = league.RESULT_STEP
    assert run.league.results == pytest.approx([0.5 - step * 0.5, 0.5 + step * 0.5])
