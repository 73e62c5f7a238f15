"""A search that a network guides: the priors are the network's, and it is as honest as others."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory, FauxRaccords, OptionError
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies import SearchPolicy, policy_named
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.policies.policy import Views
from dreamfactory_env.policies.search import Budget, Search, parse_search
from dreamfactory_env.policies.search.prior import ask, make_prior, make_room
from tests.policies.test_search import seen, some_positions

#: A game without hints, and one whose network observes those of a scripted policy.
GAMES: dict[str, Any] = {
    "dream_factory": lambda seed: DreamFactory(4, seed=seed),
    "faux_raccords": lambda seed: FauxRaccords(3, seed=seed, mode="tutorial", memory="perfect"),
}


def positions(name: str, count: int) -> list[Game]:
    """Returns positions with a choice, from random games."""
    rng, found, seed = random.Random(1), list[Game](), 0
    while len(found) < count:
        seed += 1
        game = GAMES[name](seed)
        for _ in range(rng.randrange(30)):
            if not game.over:
                game.play(rng.choice(game.legal()[:3]))
        if not game.over and len(game.legal()) > 1:
            found.append(game)
    return found


def views_of(game: Game) -> Views:
    """Returns what the player to move may know."""
    one = np.zeros(1, np.int64)
    return Views(game, game.states, np.array([game.to_move]), one.astype(np.uint64), one)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("trust", [1.0, 0.9])
def test_priors_are_the_probabilities_of_the_network(name: str, trust: float) -> None:
    for game in positions(name, 12):
        network = network_named("pretrained", game)
        prior = make_prior(game, game.spec.rollout, network, trust)
        room = make_room(game, network)
        buffer = np.array(sorted(game.legal_actions().values()), np.int32)
        out, count = np.empty(len(buffer)), len(buffer)
        views = views_of(game)
        asked = (prior, room, game.states, game.params, buffer, views.streams[0], 0, out)
        for _ in range(2):  # the room is left as it was
            game.compiled(ask)(*asked)
            expected = network.probabilities(views)[0, buffer]
            expected = trust * expected + (1 - trust) / count
            assert out == pytest.approx(expected, abs=1e-5)
            assert not room.mask.any()


def test_what_the_player_cannot_know_does_not_matter() -> None:
    redrawn = 0
    for number, game in enumerate(some_positions(24)):
        assert game.to_move is not None
        search = Search(30, rollout="greedy", network=network_named("pretrained", game), seed=3)
        other = game.resample_hidden(game.to_move, number)
        redrawn += other.setup() != game.setup()
        assert seen(search.analyse(other, number)) == seen(search.analyse(game, number))
    assert redrawn > 15


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_analysis(threads: int) -> None:
    (game,) = some_positions(1)
    network = network_named("pretrained-small", game)
    search = Search(200, threads=threads, rollout="greedy", network=network, seed=8)
    assert seen(search.analyse(game, 1)) == seen(search.analyse(game, 1))
    alone = Search(200, threads=threads, rollout="greedy", seed=8)
    assert seen(alone.analyse(game, 1)) != seen(search.analyse(game, 1))


def test_with_one_iteration_and_all_trust_it_plays_what_the_network_plays() -> None:
    for game in positions("dream_factory", 12):
        network = network_named("pretrained", game)
        best = Search(1, network=network, trust=1.0).choose(game)
        assert best == network.act_batch(views_of(game))[0]


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_played_legally(name: str) -> None:
    game = GAMES[name](3)
    search = Search(3, network=network_named("pretrained", game))
    while not game.over:
        game.play(search.choose(game))  # play raises if it is not legal


def test_names_say_budget_and_network() -> None:
    game = DreamFactory(2, seed=0)
    policy: Any = policy_named("mcts:7:pretrained", game)
    assert isinstance(policy, SearchPolicy)
    assert (policy.search.iterations, policy.search.seconds) == (7, None)
    assert isinstance(policy.search.network, NetworkPolicy)
    assert policy.fingerprint() != policy_named("mcts:7", game).fingerprint()
    assert policy.fingerprint() != policy_named("mcts:7:pretrained-small", game).fingerprint()
    assert parse_search("0.5s:pretrained") == (Budget(seconds=0.5), "pretrained")
    assert parse_search("20") == (Budget(20), "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mcts:5:", "the network that guides a search is missing in '5:'"),
        ("mcts:5:pretraned", "'pretraned' is no trained network.*did you mean 'pretrained'"),
        ("mcts:5:expert", "'expert' is no trained network"),
        ("mcts:x:pretrained", "the budget of a search is"),
        ("mcts:5:nowhere.safetensors", "nowhere.safetensors cannot be read"),
    ],
)
def test_wrong_names_are_told(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        policy_named(name, DreamFactory(2, seed=0))
