"""Auctions: D9 to D13."""

from __future__ import annotations

import pytest

from dreamfactory_env import DreamFactory
from tests.games.dream_factory.staging import auction, stacked


def bids(low: int, high: int) -> set[str]:
    return {f"bid {amount}" for amount in range(low, high + 1)}


@pytest.mark.rule("D9")
def test_the_first_player_may_bid_anything_from_zero_to_all_their_money() -> None:
    game = stacked(first_player=2)
    assert (game.phase, game.to_move) == ("auction", 2)
    assert set(game.legal()) == {"pass"} | bids(0, 12)


@pytest.mark.rule("D9")
def test_a_bid_must_be_higher_than_the_highest_and_the_turn_goes_clockwise() -> None:
    game = stacked(first_player=2).play("bid 3")
    assert game.to_move == 3
    assert set(game.legal()) == {"pass"} | bids(4, 12)
    game.play("bid 7")
    assert game.to_move == 0
    assert set(game.legal()) == {"pass"} | bids(8, 12)


@pytest.mark.rule("D9")
def test_zero_is_a_bid_and_not_a_pass() -> None:
    game = stacked(players=2).play("bid 0")
    assert game.to_move == 1
    assert set(game.legal()) == {"pass"} | bids(1, 12)
    game.play("bid 1")
    assert game.to_move == 0  # the one who bid 0 is still in
    assert set(game.legal()) == {"pass"} | bids(2, 12)


@pytest.mark.rule("D9")
def test_nobody_bids_more_than_their_own_money() -> None:
    game = auction(stacked(players=2), "bid 9", "pass")  # 3 and 21 left
    assert game.money == [3, 21]
    assert set(game.legal()) == {"pass"} | bids(0, 3)
    game.play("bid 2")
    assert set(game.legal()) == {"pass"} | bids(3, 21)


@pytest.mark.rule("D9")
def test_a_player_who_cannot_go_higher_is_asked_and_passes() -> None:
    game = stacked(players=3).play("bid 12")
    assert game.to_move == 1
    assert game.legal() == ["pass"]
    game.play("pass")
    assert game.to_move == 2
    assert game.legal() == ["pass"]


@pytest.mark.rule("D10")
def test_who_has_passed_is_out_of_this_auction_but_not_of_the_next() -> None:
    game = stacked(players=3)
    asked = []
    for move in ["pass", "bid 1", "bid 2", "bid 3", "bid 4"]:
        asked.append(game.to_move)
        game.play(move)
    assert asked == [0, 1, 2, 1, 2]
    auction(game, "pass")
    assert (game.location, game.to_move) == ("City 1", 2)
    assert "bids: 0: -, 1: -, 2: -" in str(game)
    assert game.play("pass").to_move == 0


@pytest.mark.rule("D11")
def test_the_one_left_wins_all_the_tiles_and_pays_the_bid() -> None:
    game = stacked({(1, "City 2"): ["actor 2", "music 0", "guest -1"]}, players=3)
    auction(game, "bid 0", "pass", "pass")
    auction(game, "bid 0", "pass", "pass")
    assert game.lot == ["actor 2", "music 0", "guest -1"]
    for move in ["bid 1", "bid 4", "pass"]:
        game.play(move)
    assert game.phase == "auction"
    game.play("pass")
    assert (game.phase, game.to_move) == ("placing", 1)
    assert game.hand == ["actor 2", "music 0", "guest -1"]
    assert game.money[1] == 12 - 4
    assert game.lot == []


@pytest.mark.rule("D11")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_if_all_others_pass_without_a_bid_the_last_wins_for_nothing_unasked(players: int) -> None:
    game = stacked(players=players, first_player=1)
    for seat in range(1, players):
        assert game.to_move == seat
        game.play("pass")
    assert (game.phase, game.to_move) == ("placing", 0)
    assert game.money == [10 if players == 5 else 12] * players


@pytest.mark.rule("D12")
def test_a_price_of_seven_among_four_gives_two_each_and_one_stays() -> None:
    # The worked example of both rulebooks.
    game = auction(stacked(), "bid 7", "pass", "pass", "pass")
    assert game.money == [5, 14, 14, 14]
    assert game.state.pot == 1


@pytest.mark.rule("D12")
def test_what_stayed_in_the_middle_is_shared_out_with_the_next_price() -> None:
    game = auction(stacked(), "bid 7", "pass", "pass", "pass")
    auction(game, "bid 2", "pass", "pass", "pass")  # 1 + 2 make 1 each
    assert game.money == [3, 15, 15, 15]
    assert game.state.pot == 0


@pytest.mark.rule("D12")
def test_the_winner_gets_no_share_of_the_middle() -> None:
    game = auction(stacked(), "pass", "bid 5", "pass", "pass")
    assert game.money == [13, 7, 13, 13]
    assert game.state.pot == 2
    auction(game, "bid 4", "pass", "pass", "pass")
    assert game.money == [15, 3, 15, 15]


@pytest.mark.rule("D12")
def test_with_two_players_the_price_goes_to_the_opponent() -> None:
    game = auction(stacked(players=2), "bid 5", "pass")
    assert game.money == [7, 17]
    assert game.state.pot == 0


@pytest.mark.rule("D13", "D8")
def test_the_winner_of_every_auction_opens_the_next_also_after_a_party_and_a_round() -> None:
    game = stacked(players=3)
    winner = 0
    while not game.over:
        if game.phase == "auction":
            assert game.to_move == game.state.first_player == winner
            winner = (winner + 1) % 3
            auction(game, "pass", "bid 0", "pass")
        else:
            game.play(game.legal()[-1])


@pytest.mark.rule("D13")
def test_the_winner_is_first_player_in_the_next_auction() -> None:
    game = auction(stacked(), "bid 1", "pass", "bid 2", "pass", "pass")
    assert game.state.first_player == 2
    assert (game.location, game.to_move) == ("City 1", 2)


@pytest.mark.rule("D9", "D12")
def test_a_rich_player_may_bid_everything_there_is() -> None:
    game = DreamFactory(5, seed=2)
    game.state.money[:] = [0, 0, 0, 0, 0]
    game.state.money[int(game.to_move or 0)] = 50
    assert set(game.legal()) == {"pass"} | bids(0, 50)
    assert game.play("bid 50").state.high_bid == 50
