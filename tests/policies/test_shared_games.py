"""All kinds of policies in a shared game: scripted, the search, networks, and one's own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from dreamfactory_env import OptionError
from dreamfactory_env.policies import Policy, ScriptedPolicy, View, policy_named, view_of
from dreamfactory_env.policies.network import NetworkPolicy, write_network
from dreamfactory_env.policies.search import Search
from dreamfactory_env.policies.seating import SeatedPolicies
from dreamfactory_env.records.simulation import simulate
from tests.toy_game import SignalGame
from tests.toy_game.rules import HIGH, LOW, NOTHING, SIGNAL, STOP

PLAYERS = pytest.mark.parametrize("players", [2, 3])


def positions(players: int, games: int) -> Iterator[tuple[SignalGame, int]]:
    """Gives positions of random games with the number of the move."""
    for seed in range(games):
        game, rng = SignalGame(players, seed=seed, memory=True), random.Random(seed)
        moves = 0
        while not game.over:
            yield game.copy(), moves
            game.play(rng.choice(game.legal()))
            moves += 1


def points_of(name: str, games: int, players: int = 2) -> np.ndarray:
    """Returns the points of games in which all seats belong to one policy."""
    records = simulate(SignalGame(players), [name], games, 7)
    return np.array([record["result"]["scores"][0] for record in records])


@PLAYERS
def test_the_ladder_rises_and_the_search_is_better_than_chance(players: int) -> None:
    found = {name: points_of(name, 200, players) for name in ("random", "helper", "mcts:20")}
    errors = {name: points.std() / np.sqrt(len(points)) for name, points in found.items()}
    for name in ("helper", "mcts:20"):
        gained = found[name].mean() - found["random"].mean()
        assert gained > 4 * np.hypot(errors[name], errors["random"])


@PLAYERS
@pytest.mark.parametrize("name", ["random", "helper", "mcts:10"])
def test_a_policy_decides_the_same_when_only_hidden_things_differ(name: str, players: int) -> None:
    policy = policy_named(name, SignalGame(players, memory=True))
    redrawn = 0
    for game, moves in positions(players, 6):
        assert game.to_move is not None
        chosen = policy.act(view_of(game, seed=5, moves=moves))
        for seed in range(3):
            other = game.resample_hidden(game.to_move, seed)
            redrawn += other.setup() != game.setup()
            assert policy.act(view_of(other, seed=5, moves=moves)) == chosen
    assert redrawn > 20


def test_the_search_finds_the_same_for_all_seats_and_prefers_a_signal() -> None:
    game = SignalGame(2, seed=3)
    found = Search(400).analyse(game)
    for candidate in found.candidates:
        assert candidate.utilities[0] == candidate.utilities[1]
        assert 0 <= candidate.utilities[0] <= 1
    assert found.best.words == "signal player 1"
    assert next(c for c in found.candidates if c.words == "stop").utilities == (0, 0)
    with pytest.raises(OptionError, match="reward must be one of win, score, not 'rank'"):
        Search(10, reward="rank").analyse(game)


def test_the_search_uses_what_the_player_was_told_and_nothing_else() -> None:
    guessed = set()
    for seed in range(12):
        game = SignalGame(2, seed=seed).play("signal player 1")
        told = int(game.states["told"][0, 1])
        best = Search(200, seed=seed).analyse(game).best.words
        kind, _, rank = best.partition(" ")
        if kind == "guess":
            assert (int(rank) >= 2) == (told == HIGH)
            guessed.add(told)
    assert guessed == {LOW, HIGH}


def test_the_helper_signals_first_and_guesses_what_it_was_told() -> None:
    game = SignalGame(3, seed=2)
    helper = ScriptedPolicy(game, "helper")
    assert helper.act(view_of(game)) == SIGNAL
    game.play(SIGNAL)
    assert game.states["told"][0].tolist()[1] != NOTHING
    guess = helper.act(view_of(game))
    assert (guess >= 2) == (game.states["told"][0, 1] == HIGH)


# ---------------------------------------------------------------------------- networks


def tensors_of(game: SignalGame, seed: int) -> dict[str, np.ndarray]:
    """Returns a random network with one hidden layer."""
    rng = np.random.default_rng(seed)
    size, actions = game.spec.observation.size, game.spec.num_actions
    shapes = {
        "hidden.0.weight": (16, size),
        "hidden.0.bias": (16,),
        "actions.weight": (actions, 16),
        "actions.bias": (actions,),
    }
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.mark.parametrize("memory", [False, True])
def test_a_network_plays_the_observation_that_it_was_made_for(tmp_path: Path, memory: bool) -> None:
    game = SignalGame(3, seed=1, memory=memory)
    path = tmp_path / "agent.safetensors"
    tensors = tensors_of(game, 1)
    write_network(path, game, tensors, {"trained": "not at all"})
    policy = policy_named(str(path), game)
    assert isinstance(policy, NetworkPolicy)
    assert (policy.facts["trained"], policy.layers, policy.width) == ("not at all", [16], 0)
    hidden = tensors["hidden.0.weight"] @ game.observe(0) + tensors["hidden.0.bias"]
    logits = tensors["actions.weight"] @ np.maximum(hidden, 0) + tensors["actions.bias"]
    legal = list(game.legal_actions().values())
    assert policy.act(view_of(game)) == max(legal, key=lambda action: logits[action])
    records = list(simulate(game, [str(path)], 5, 1))
    assert all(record["moves"] for record in records)
    other = SignalGame(3, seed=1, memory=not memory)
    with pytest.raises(OptionError, match="its observation is "):
        policy_named(str(path), other)


def test_a_network_may_observe_hints_of_a_shared_games_policy(tmp_path: Path) -> None:
    game = SignalGame(2, seed=1)
    size, actions = game.spec.observation.size + game.spec.num_actions, game.spec.num_actions
    tensors = {
        "actions.weight": np.zeros((actions, size), np.float32),
        "actions.bias": np.zeros(actions, np.float32),
        "trust": np.ones(1, np.float32),
    }
    path = tmp_path / "hinted.safetensors"
    write_network(path, game, tensors, {}, hint="helper")
    network, helper = simulate(game, [str(path)], 5, 1), simulate(game, ["helper"], 5, 1)
    assert [r["moves"] for r in network] == [r["moves"] for r in helper]


# ---------------------------------------------------------------------------- one's own


class Stopper(Policy):
    """Ends the game as soon as there are points."""

    def act(self, view: View) -> int:
        return STOP if view.game.scores()[0] > 0 else int(view.mask.argmax())


def test_a_policy_of_ones_own_plays_beside_others() -> None:
    name = f"{__name__}:Stopper"
    for record in simulate(SignalGame(3), [name, "helper", "random"], 10, 2):
        assert record["agents"] == [name, "helper", "random"]
        seats = [seat for seat, _, _ in record["moves"]]
        assert seats == [k % 3 for k in range(len(seats))]


def test_seats_are_taken_by_names_and_each_policy_is_made_once() -> None:
    seated = SeatedPolicies(SignalGame(3))
    name = f"{__name__}:Stopper"
    codes = seated.codes([name, "helper", name], 3)
    assert codes == [100, 1, 100]
    assert seated.codes(["random"], 3) == [0, 0, 0]
    assert len(seated.policies) == 1
    assert not seated.batched
    with pytest.raises(OptionError, match="2 policies for 3 players; give 1 or 3"):
        seated.codes(["random", "helper"], 3)
