from __future__ import annotations

import numpy as np
import pytest

from dreamfactory_env import DreamFactory, FauxRaccords
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.policies.search.rollouts import play_moves
from dreamfactory_env.policies.search.search import _candidates
from dreamfactory_env.policies.search.tree import ROOT, add_node, back_up, new_tree
from dreamfactory_env.utils.errors import IllegalMove, OptionError


def advanced(game: Game, moves: int) -> Game:
    policy = policy_named(game.spec.rollout, game)
    for number in range(moves):
        game.play(policy.act(view_of(game, moves=number)))
    return game


@pytest.mark.parametrize("game", [DreamFactory(3, seed=5), FauxRaccords(2, seed=5)])
def test_games_depend_on_what_the_player_knows_and_the_seed_alone(game: Game) -> None:
    game = advanced(game.copy(), 6)
    seat = game.to_move
    assert seat is not None
    actions = list(game.legal_actions().values())[:2]
    found = play_moves(game, actions, 20, seed=1)
    assert found.points.shape == found.won.shape == (20, len(actions), game.players)
    for seed in (11, 12):
        again = play_moves(game.resample_hidden(seat, seed), actions, 20, seed=1)
        np.testing.assert_array_equal(again.points, found.points)
        np.testing.assert_array_equal(again.won, found.won)
    other = play_moves(game, actions, 20, seed=2)
    assert (other.points != found.points).any()


def test_all_moves_are_played_on_the_same_deals() -> None:
    game = advanced(DreamFactory(3, seed=5), 6)
    action = next(iter(game.legal_actions().values()))
    found = play_moves(game, [action, action], 20, seed=1)
    np.testing.assert_array_equal(found.points[:, 0], found.points[:, 1])
    assert len({tuple(row) for row in found.points[:, 0].tolist()}) > 5  # of many deals


def test_the_first_deals_of_many_are_those_of_few() -> None:
    game = advanced(DreamFactory(2, seed=5), 6)
    actions = list(game.legal_actions().values())[:2]
    few, many = play_moves(game, actions, 5, seed=1), play_moves(game, actions, 40, seed=1)
    np.testing.assert_array_equal(few.points, many.points[:5])


def test_a_game_that_is_played_by_hand_ends_the_same() -> None:
    """The last moves have no chance left, so the engine's own steps are the reference."""
    game = advanced(DreamFactory(2, seed=5), 20)
    policy = policy_named(game.spec.rollout, game)
    while True:
        after = game.copy()
        after.play(policy.act(view_of(after)))
        if after.over:
            break
        game = after
    actions = list(game.legal_actions().values())
    found = play_moves(game, actions, 3, seed=1)
    for place, action in enumerate(actions):
        end = game.copy().play(action)
        while not end.over:
            end.play(policy.act(view_of(end)))
        assert found.points[:, place].tolist() == [end.scores()] * 3
        assert [np.flatnonzero(row).tolist() for row in found.won[:, place]] == [end.winners()] * 3


def test_what_cannot_be_played_is_refused() -> None:
    game = DreamFactory(2, seed=5)
    with pytest.raises(IllegalMove):
        play_moves(game, [game.spec.num_actions - 1], 2, seed=1)
    advanced(game, 0)
    while not game.over:
        game.play(next(iter(game.legal_actions().values())))
    with pytest.raises(OptionError, match="over"):
        play_moves(game, [0], 2, seed=1)


def test_the_standard_errors_of_a_search_are_those_of_its_games() -> None:
    game = DreamFactory(2, seed=5)
    tree = new_tree(game, 10)
    returns = np.random.default_rng(1).normal(size=(12, 2))
    node = add_node(tree, ROOT, next(iter(game.legal_actions().values())))  # bids are their keys
    tree.path[:2] = ROOT, node
    for row in returns:
        tree.returns[:] = row
        back_up(tree, 2)
    found = {candidate.visits: candidate for candidate in _candidates(game, [tree])}
    assert found[12].utilities == pytest.approx(returns.mean(axis=0))
    assert found[12].errors == pytest.approx(returns.std(axis=0, ddof=1) / np.sqrt(12))
    assert found[0].errors == (np.inf, np.inf)
