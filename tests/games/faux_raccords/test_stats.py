"""What is counted for reports is what was played."""

from __future__ import annotations

import numpy as np
import pytest

from dreamfactory_env import FauxRaccords
from dreamfactory_env.games.faux_raccords.components import MEMBERS
from dreamfactory_env.games.faux_raccords.stats import Seat
from tests.games.faux_raccords.positions import history
from tests.games.faux_raccords.staging import OPTIONS, staged


def counts_of(
    games: tuple[FauxRaccords, ...], moves: tuple[int, ...]
) -> tuple[list[int], np.ndarray]:
    """Returns the counts of the table and of each seat."""
    game, stats = games[-1], games[-1].stats()
    table = np.zeros(stats.table_size, np.int32)
    seats = np.zeros((game.players, stats.seat_size), np.int32)
    for position, action in zip(games, moves, strict=False):
        game.kernels.count_move(position.states[0], game.params[0], action, table, seats)
    game.kernels.count_end(game.states[0], game.params[0], table, seats)
    return table.tolist(), seats


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_actions_and_hints_are_counted_by_seat(mode: str, players: int) -> None:
    games, moves = history(mode, players)
    table, seats = counts_of(games, moves)
    words: list[list[str]] = [[] for _ in range(players)]
    for game, action in zip(games, moves, strict=False):
        assert game.to_move is not None
        words[game.to_move].append(game.action_to_string(action))
    for seat, said in enumerate(words):
        begins = {
            Seat.PLACES: "place ",
            Seat.VIEWS: "view with ",
            Seat.GOOD_HINTS: "hint good",
            Seat.BAD_HINTS: "hint bad",
            Seat.ENDS: "end",
        }
        for place, start in begins.items():
            assert seats[seat, place] == sum(move.startswith(start) for move in said)
        members = {c.name: c.member for c in games[0].options.components.cards}
        called = [members[move.split()[1]] for move in said if move.startswith("call ")]
        assert seats[seat, Seat.CALLS :].tolist() == [called.count(m) for m in MEMBERS]
    ended = games[-1].result()
    assert ended is not None
    assert table == ([0, 1, 0, 0] if ended["ending"] == "end" else [0, 0, 0, 1])
    assert seats[int(games[0].state.first_player), Seat.TURN] == 0


def test_who_ends_a_film_that_is_right_is_right() -> None:
    game = staged("tutorial", film=[str(card) for card in range(1, 5)])
    slots = range(12)
    game.state.film[:12], game.state.occupied = list(slots), (1 << 12) - 1
    action = game.legal_actions()["end"]
    table, seats = counts_of((game.copy(), game.copy().play(action)), (action,))
    assert table == [1, 0, 0, 0]
    assert seats[0, Seat.ENDS] == seats[0, Seat.RIGHT_ENDS] == 1
