"""The games that a learner trains on: who is asked, who is paid, and that they can be copied."""

from __future__ import annotations

import numpy as np
import pytest

from dreamfactory_env import DreamFactory, IllegalMove, OptionError
from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.stepper import CALLER, FIRST_FROZEN, arrangement_of
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.learning.training_games import TrainingGames
from tests.learning.small import choose
from tests.toy_game import SignalGame

N_ENVS = {2: 6, 3: 4, 5: 3}


def games_of(n_envs: dict[int, int], **options: object) -> TrainingGames:
    """Returns games of Dream Factory from seed 3."""
    return TrainingGames(DreamFactory, n_envs, **{"seed": 3, **options})  # type: ignore[arg-type]


@pytest.mark.parametrize("shaping", [0.0, 0.5])
def test_everybody_is_paid_and_only_the_learner_is_asked(shaping: float) -> None:
    games = games_of(N_ENVS, shaping=shaping, reward="rank")
    asked = 0

    def frozen(observations: Array, masks: Array) -> Array:
        nonlocal asked
        asked += len(masks)
        return choose(masks, np.random.default_rng(asked))

    games.set_frozen(0, frozen)
    games.set_mix({CALLER: 1.0, 0: 1.0, 1: 1.0, FIRST_FROZEN: 1.0})
    games.reset()
    rng = np.random.default_rng(0)
    paid, finished, seen = np.zeros((games.num_envs, 5)), 0, set()
    for _ in range(250):
        assert games.action_masks().sum(axis=1).min() > 1  # forced moves are played on the way
        players, lineups = games.column("current_player"), games.column("lineup")
        seen |= set(lineups[:, :2].ravel().tolist())
        assert (lineups[np.arange(games.num_envs), players] == CALLER).all()
        result = games.play(choose(games.action_masks(), rng))
        assert (result.last_player == players).all()
        paid += result.rewards
        for row in np.flatnonzero(result.dones):
            count = games.players[row]
            returns = sorted(paid[row, :count])
            assert sum(returns) == pytest.approx(0, abs=1e-5)
            assert 0 < returns[-1] <= 1 + 1e-5
            assert result.returns[row, :count] == pytest.approx(paid[row, :count], abs=1e-5)
            assert (result.lineups[row, :count] == CALLER).any()
            paid[row] = 0
            finished += 1
    assert finished > 20
    assert asked > 100
    assert seen == {CALLER, 0, 1, FIRST_FROZEN}


def test_all_seats_of_a_shared_game_are_paid_the_same() -> None:
    games = TrainingGames(SignalGame, {2: 8, 3: 8}, {"goal": 2}, reward="score", seed=3)
    games.set_mix({CALLER: 1.0, 1: 1.0})
    games.reset()
    rng = np.random.default_rng(0)
    scores = []
    for _ in range(60):
        result = games.play(choose(games.action_masks(), rng))
        for row in np.flatnonzero(result.dones):
            returns = result.returns[row, : games.players[row]]
            assert len(set(returns.tolist())) == 1
            scores.append(returns[0])
    assert set(scores) >= {0.0, 0.5, 1.0}


def test_the_vector_environment_gives_the_reward_of_who_has_decided() -> None:
    env = TrainingVecEnv(DreamFactory, {2: 4, 3: 4}, seed=3)
    games = games_of({2: 4, 3: 4})
    assert (np.asarray(env.reset()) == games.reset()).all()
    rng = np.random.default_rng(0)
    over = 0
    for _ in range(150):
        actions = choose(env.action_masks(), rng)
        observations, rewards, dones, infos = env.step(actions)
        result = games.play(actions)
        assert (np.asarray(observations) == result.observations).all()
        assert (rewards == result.rewards[np.arange(8), result.last_player]).all()
        assert (dones == result.dones).all()
        assert infos == [{}] * 8
        over += int(dones.sum())
    assert over > 3
    assert env.env_method("game_at", indices=5)[0] == games.game_at(5)


def test_the_seat_of_the_learner_and_the_seeds_are_those_of_the_series() -> None:
    games = games_of({2: 32, 4: 32})
    games.set_mix({1: 1.0})
    games.reset()
    seeds, lineups = games.column("seed"), games.column("lineup")
    seats = set()
    for row in range(64):
        players, start = (2, 0) if row < 32 else (4, 32)
        series = derive_seed(np.uint64(derive_seed(np.uint64(3), start)), row - start)
        assert seeds[row] == derive_seed(np.uint64(series), 0)
        seat = arrangement_of(seeds[row], players)
        expected = [CALLER if other == seat else 1 for other in range(players)]
        assert lineups[row, :players].tolist() == expected
        seats.add((players, seat))
    assert len(seats) == 2 + 4


def test_the_time_of_the_games_is_not_that_of_frozen_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 1.0
        return now

    def frozen(observations: Array, masks: Array) -> Array:
        nonlocal now
        now += 1e6
        return choose(masks, np.random.default_rng(0))

    games = games_of({2: 4})
    games.set_frozen(0, frozen)
    games.set_mix({FIRST_FROZEN: 1.0})
    games.reset()
    monkeypatch.setattr("dreamfactory_env.learning.training_games.time.perf_counter", clock)
    seconds = games.play(games.action_masks().argmax(axis=1)).seconds
    assert now > 1e6
    assert 0 < seconds < 100


def test_the_same_games_are_played_again_also_from_a_clone() -> None:
    first, second, third = (games_of(N_ENVS) for _ in range(3))
    for games in (first, second, third):
        games.set_mix({CALLER: 1.0, 1: 1.0})
    assert (first.reset() == second.reset()).all()
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = choose(first.action_masks(), rng)
        results = first.play(actions), second.play(actions)
        assert results[0].observations.tobytes() == results[1].observations.tobytes()
    third.restore_state(first.clone_state())
    for _ in range(60):
        actions = choose(first.action_masks(), rng)
        for ours, theirs in zip(first.play(actions)[:-1], third.play(actions)[:-1], strict=True):
            assert np.asarray(ours).tobytes() == np.asarray(theirs).tobytes()


def test_an_illegal_action_raises_and_names_the_row() -> None:
    games = games_of({3: 4})
    games.reset()
    before = games.clone_state()
    actions = games.action_masks().argmax(axis=1)
    actions[2] = 62
    with pytest.raises(IllegalMove, match="row 2: 62 is not legal"):
        games.play(actions)
    assert games.clone_state() == before


@pytest.mark.parametrize("together", [0.0, 1.0])
def test_all_drawn_players_of_a_game_can_be_the_same(together: float) -> None:
    games = games_of({4: 256}, seed=2)
    games.set_mix({CALLER: 0.5, 1: 0.5}, together=together)
    games.reset()
    lineups = games.column("lineup")[:, :4]
    assert (lineups == CALLER).any(axis=1).all()
    scripted = (lineups == 1).sum(axis=1)
    if together:
        assert set(scripted) == {0, 3}
        assert 0.3 < (scripted == 3).mean() < 0.7
    else:
        assert set(scripted) == {0, 1, 2, 3}


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(OptionError, match="without a hint policy"):
        games_of({2: 1}, observes_hint=True)
    with pytest.raises(OptionError, match="there is no frozen player in slot 1"):
        games_of({2: 1}).set_mix({CALLER: 1.0, FIRST_FROZEN + 1: 1.0})
    with pytest.raises(OptionError, match="unknown option 'editon'"):
        TrainingGames(DreamFactory, {2: 1}, {"editon": "traumfabrik"})
    with pytest.raises(OptionError, match="there are rows 0 to 0, not 1"):
        games_of({2: 1}).game_at(1)
