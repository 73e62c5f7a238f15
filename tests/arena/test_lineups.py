"""Who sits where: rotations, drawn lineups, pairs, and all seatings of cross-play."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from dreamfactory_env.arena import Tournament
from dreamfactory_env.arena.lineups import crossplay, mixed, pairs, rotations, teams

SMALL = Tournament(policies=("random", "greedy"), players=3, deals=6, seed=4)


def test_everybody_sits_once_on_every_seat_of_a_deal() -> None:
    games = rotations((0, 1, 2, 3))
    assert games.tolist() == [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
    assert rotations((5, 2, 2)).tolist() == [[5, 2, 2], [2, 2, 5], [2, 5, 2]]


def test_no_game_of_a_deal_is_played_twice() -> None:
    assert rotations((0, 1, 0, 1)).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert rotations((3, 3, 3)).tolist() == [[3, 3, 3]]


@pytest.mark.parametrize(("policies", "players"), [(2, 2), (2, 5), (3, 2), (4, 4), (5, 2), (7, 3)])
def test_mixed_lineups_are_balanced_and_have_no_policy_twice_if_there_are_enough(
    policies: int, players: int
) -> None:
    deals = 600
    lineups = [mixed(deal, policies, players, 9) for deal in range(deals)]
    played = Counter(policy for lineup in lineups for policy in lineup)
    fair = deals * players / policies
    assert all(abs(played[policy] - fair) < 0.15 * fair for policy in range(policies))
    most = max(max(Counter(lineup).values()) for lineup in lineups)
    assert most == -(-players // policies)
    if policies > players:
        assert len({tuple(sorted(lineup)) for lineup in lineups}) > 1
    assert lineups == [mixed(deal, policies, players, 9) for deal in range(deals)]


def test_pairs_are_one_against_the_rest_both_ways() -> None:
    assert pairs(3, 4) == [
        *[(0, 1, 1, 1), (0, 2, 2, 2), (1, 0, 0, 0)],
        *[(1, 2, 2, 2), (2, 0, 0, 0), (2, 1, 1, 1)],
    ]


def test_listed_lineups_are_taken_in_turn() -> None:
    lineups = (("greedy", "random", "random"), ("random", "greedy", "greedy"))
    tournament = replace(SMALL, lineups=lineups)
    firsts = [tournament.games_of(deal)[0].tolist() for deal in range(3)]
    assert firsts == [[1, 0, 0], [0, 1, 1], [1, 0, 0]]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_policies_share_the_seats_in_every_way_once(players: int) -> None:
    lineups = teams(3, 7, players)
    seatings = [tuple(game) for lineup in lineups for game in rotations(lineup).tolist()]
    assert len(seatings) == len(set(seatings))
    assert set(seatings) == {s for s in product((3, 7), repeat=players) if len(set(s)) == 2}
    assert teams(4, 4, players) == [(4,) * players]


def test_the_lineups_of_two_policies_are_those_that_rotation_does_not_make() -> None:
    assert teams(0, 1, 2) == [(0, 1)]
    assert teams(0, 1, 3) == [(0, 0, 1), (0, 1, 1)]
    assert teams(0, 1, 4) == [(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 1)]


def test_crossplay_has_every_policy_with_itself_and_with_every_other() -> None:
    assert crossplay(3, 2) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    met = Counter(frozenset(lineup) for lineup in crossplay(3, 4))
    alone = [frozenset({policy}) for policy in range(3)]
    both = [frozenset(pair) for pair in ((0, 1), (0, 2), (1, 2))]
    assert met == {**dict.fromkeys(alone, 1), **dict.fromkeys(both, 4)}
