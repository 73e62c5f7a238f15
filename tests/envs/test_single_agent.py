"""The Gymnasium environment: one agent among policies."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from dreamfactory_env import DreamFactory, GameError, IllegalMove, OptionError
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate


def play(env: Any, rng: random.Random, moves: int = 10**6) -> float:
    """Plays random legal actions until the game is over; returns the sum of the rewards."""
    paid, over = 0.0, False
    while not over and moves > 0:
        legal = np.flatnonzero(env.unwrapped.action_masks())
        assert len(legal) > 0
        observation, reward, over, truncated, info = env.step(int(rng.choice(legal)))
        assert not truncated
        assert env.observation_space.contains(observation)
        assert info["action_mask"].tolist() == env.unwrapped.action_masks().tolist()
        paid += float(reward)
        moves -= 1
    return paid


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gymnasium_finds_and_checks_it(players: int) -> None:
    env = gymnasium.make("DreamFactory-v0", players=players, opponents="random", seat=1)
    check_env(env.unwrapped)
    assert env.unwrapped.seat == 1  # type: ignore[attr-defined]


def test_every_render_mode_renders() -> None:
    for mode, kind in [("ansi", str), ("rgb_array", np.ndarray)]:
        env = gymnasium.make("DreamFactory-v0", render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(), kind)


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_agent_is_paid_its_utility_whoever_ends_the_game(players: int, reward: str) -> None:
    env = SingleAgentEnv("dream_factory", players=players, reward=reward)
    for seed in range(10):
        env.reset(seed=seed)
        paid = play(env, random.Random(seed))
        assert env.game.over
        assert paid == pytest.approx(env.game.returns(env.payoff)[env.seat])


def test_the_agent_is_asked_only_when_it_is_its_turn_and_opponents_play_as_in_a_simulation() -> (
    None
):
    record = next(simulate(DreamFactory(3), ["random"], 1, 4))
    env = SingleAgentEnv("dream_factory", players=3, seat=1)
    env.reset(seed=record["seed"])
    for seat, action, _ in record["moves"]:
        if seat == 1:
            assert env.game.to_move == 1
            env.step(action)
    assert env.game.result() == record["result"]
    again = env.record("random")
    assert again == record


@pytest.mark.parametrize(
    "opponents", [["greedy", "builder", "expert"], ["pretrained", "mcts:2", "tests.players:Sitter"]]
)
def test_named_opponents_play_at_their_seats(opponents: list[str]) -> None:
    names = [*opponents[:2], "random", *opponents[2:]]
    record = next(simulate(DreamFactory(4), names, 1, 4))
    assert replay(record).result() == record["result"]
    env = SingleAgentEnv("dream_factory", players=4, seat=2)
    env.reset(seed=record["seed"], options={"opponents": opponents})
    for seat, action, _ in record["moves"]:
        if seat == 2:
            env.step(action)
            env = pickle.loads(pickle.dumps(env))
    assert env.record("random") == record
    fixed = SingleAgentEnv("dream_factory", players=4, opponents=opponents, seat=2)
    fixed.reset(seed=record["seed"])
    for seat, action, _ in record["moves"]:
        if seat == 2:
            fixed.step(action)
    assert fixed.record("random") == record


def test_an_opponent_that_plays_illegally_is_named() -> None:
    env = SingleAgentEnv("dream_factory", players=2, seat=0, opponents="tests.players:Cheater")
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="is not legal for player 1"):
        play(env, random.Random(1))


def test_a_saved_game_in_which_the_agent_has_no_turn_is_refused() -> None:
    env = SingleAgentEnv("dream_factory", players=3, seat=0)
    env.reset(seed=1)
    before = env.clone_state()
    game = DreamFactory(3, seed=1)
    while not game.over:
        saved = game.save()
        game.play(game.legal()[0])
    for state in (saved, game.save()):  # somebody else's last move, and the end
        seat = next(seat for seat in range(3) if seat != DreamFactory.load(saved).to_move)
        with pytest.raises(OptionError, match=f"over before seat {seat} has a turn"):
            env.reset(seed=5, options={"state": state, "seat": seat})
    assert [repr(part) for part in env.clone_state()] == [repr(part) for part in before]
    env.reset(options={"state": DreamFactory(3, seed=2).save()})
    with pytest.raises(OptionError, match="from a saved state has no record"):
        env.record()


def test_an_illegal_action_loses_or_raises() -> None:
    env = SingleAgentEnv("dream_factory", players=3)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(62)
    assert (reward, over, info["illegal_action"]) == (-1, True, 62)
    assert not env.action_masks().any()
    with pytest.raises(OptionError, match="the game is over: call reset"):
        env.step(0)
    strict = SingleAgentEnv("dream_factory", players=3, illegal="raise")
    strict.reset(seed=1)
    before = strict.game.save()
    for action in (62, -1, 1000, None, "pass"):
        with pytest.raises(IllegalMove, match="legal: "):
            strict.step(action)
    assert strict.game.save() == before


def test_a_seed_is_the_game_of_that_seed_and_the_series_after_it() -> None:
    first, second = (
        SingleAgentEnv("dream_factory", players=4),
        SingleAgentEnv("dream_factory", players=4),
    )
    for env in (first, second):
        env.reset(seed=8)
    assert first.game.setup() == DreamFactory(4, seed=8).setup()
    for _ in range(3):
        a, b = first.reset()[0], second.reset()[0]
        assert a.tobytes() == b.tobytes()
        assert first.seat == second.seat
    assert {
        SingleAgentEnv("dream_factory", players=4).reset(seed=s)[1]["seat"] for s in range(40)
    } == {
        0,
        1,
        2,
        3,
    }


def test_a_reset_can_fix_seat_opponents_set_up_and_state() -> None:
    env = SingleAgentEnv("dream_factory", players=3)
    env.reset(seed=1, options={"seat": 2, "opponents": ["random", "random"]})
    assert env.seat == 2
    setup = DreamFactory(3, seed=77).setup()
    env.reset(seed=1, options={"setup": setup, "seat": 0})
    assert env.game.setup() == setup
    play(env, random.Random(1), moves=5)
    saved = env.game.save()
    env.reset(seed=2, options={"state": saved, "seat": 0})
    assert env.game.save() == saved
    env.reset(seed=1)
    assert env.game.setup() == DreamFactory(3, seed=1).setup()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": "randon"}, "unknown policy 'randon'; .*did you mean 'random'"),
        ({"opponents": ["random"] * 3}, "3 opponents for 2 other seats"),
        ({"seat": 3}, "there are players 0 to 2, not 3"),
        ({"seat": "first"}, "there are players 0 to 2, not 'first'"),
        ({"reward": "points"}, "reward must be one of"),
        ({"render_mode": "text"}, "render_mode must be one of"),
        ({"illegal": "skip"}, "illegal must be one of"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"partners": "random"}, "is a zero_sum game: give opponents, not partners"),
        ({"opponents": None}, "opponents must be a policy's name or a list of them: None"),
        ({"opponents": [["random"]]}, "opponents must be a policy's name or a list"),
        ({"player": 3}, "unknown option 'player'; .*did you mean 'players'"),
        ({"opponent": "random"}, "unknown option 'opponent'; .*did you mean 'opponents'"),
        ({"rewards": "win"}, "unknown option 'rewards'; .*did you mean 'reward'"),
        ({"seed": 3}, "unknown option 'seed'"),
        ({"seat": np.zeros(2)}, "there are players 0 to 2, not"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        SingleAgentEnv(**{"game": "dream_factory", "players": 3, **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sead": 1}, "unknown option 'sead' of reset; .*did you mean 'seat'"),
        ({"setup": {}}, "setup must be an object"),
        ({"state": b"no"}, "not a saved position"),
        ({"state": DreamFactory(4, seed=1).save()}, "a game with other options"),
        ({"state": b"", "setup": {}}, "give only one"),
    ],
)
def test_wrong_options_of_reset_are_refused_and_the_game_goes_on(
    options: dict[str, Any], message: str
) -> None:
    env = SingleAgentEnv("dream_factory", players=3)
    env.reset(seed=1)
    before = env.game.save()
    with pytest.raises(GameError, match=message):
        env.reset(options=options)
    assert env.game.save() == before
    assert env.action_masks().any()


def future(env: SingleAgentEnv) -> tuple[Any, ...]:
    paid = play(env, random.Random(7))
    record = env.record()
    env.reset()
    return paid, record, env.game.save()


@pytest.mark.parametrize("moves", [0, 15])
def test_copies_and_clones_have_the_same_future(moves: int) -> None:
    env = SingleAgentEnv("dream_factory", players=3)
    env.reset(seed=5)
    play(env, random.Random(5), moves)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    clone = env.clone_state()
    end = future(env)
    assert [future(other) for other in others] == [end, end]
    for _ in range(2):
        env.restore_state(clone)
        assert future(env) == end


def test_a_clone_goes_to_and_fro_between_environments_with_other_policies() -> None:
    names = ["tests.players:Sitter", "pretrained-small"]
    first = SingleAgentEnv("dream_factory", players=3, seat=0, opponents=names)
    second = SingleAgentEnv("dream_factory", players=3, seat=0, opponents=names[::-1])
    first.reset(seed=5)
    second.reset(seed=6)
    play(first, random.Random(5), 10)
    clone = first.clone_state()
    expected = future(first)
    second.restore_state(clone)  # there the same policies have other codes
    back = second.clone_state()
    assert future(second) == expected
    for _ in range(2):
        first.restore_state(clone)
        first.restore_state(back)
        assert future(first) == expected


def test_the_game_that_is_shown_is_a_copy_of_how_it_stands() -> None:
    env = SingleAgentEnv("dream_factory", players=3, seat=0)
    env.reset(seed=5)
    first = env.game
    before = first.save()
    assert env.game is first
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert first.save() == before != env.game.save()
    clone, shown = env.clone_state(), env.game.save()
    env.game.play(env.game.legal()[0])
    env.restore_state(clone)
    assert env.game.save() == shown


def test_records_of_its_games_can_be_replayed() -> None:
    env = SingleAgentEnv("dream_factory", players=5, edition="traumfabrik", choose_studio=True)
    env.reset(seed=3)
    play(env, random.Random(3))
    record = env.record("mine")
    assert record["agents"].count("mine") == 1
    assert replay(record) == env.game
