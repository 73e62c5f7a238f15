"""What a player cannot see, and redrawing it: D3, D5, D7."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.games.dream_factory import hidden
from tests.games.dream_factory.staging import give_all_away, stacked
from tests.games.dream_factory.styles import STYLES
from tests.games.dream_factory.test_properties import OPTIONS, SEEDS


def money_is_hidden(game: DreamFactory) -> bool:
    how = game.options.hidden_money
    return not game.over and (how == "always" or (how == "rule" and game.players > 2))


def seen_by(game: DreamFactory, player: int) -> dict[str, Any]:
    """Returns all that a player sees, put together from the public side of the game."""
    s = game.state
    taken = int(s.pile_taken)
    public = ["players", "edition", "hidden_money", "choose_studio", "phase", "round_number"]
    public += [
        "location",
        "first_player",
        "starting_player",
        "to_move",
        "high_bid",
        "bids",
        "passed",
    ]
    public += ["party_order", "party_turn", "lot", "hand", "pot", "pile_taken", "studio"]
    public += ["in_production", "owner", "tiles", "finished", "finished_count", "rank", "red"]
    public += ["free_tokens", "tokenless", "covered", "discarded", "awards", "best_director"]
    seen = {name: s[name].tolist() for name in public}
    hidden_fields = {"seed", "money", "deck", "pile", "spare"}
    assert set(public) | hidden_fields == set(s.dtype.names)
    seen["pile"] = [int(film) for film in s.pile[: taken + 1]]
    seen["lots"] = [game.lot_of(round_, place) for round_ in range(4) for place in range(8)]
    seen["own money"] = game.money[player]
    if not money_is_hidden(game):
        seen["money"] = game.money
    return seen


@settings(max_examples=120, deadline=None)
@given(
    options=OPTIONS,
    seed=SEEDS,
    style=st.sampled_from(list(STYLES)),
    moves=st.integers(0, 300),
    redraw=SEEDS,
)
@pytest.mark.rule("D3", "D5", "D7")
def test_a_redraw_keeps_all_that_a_player_sees_and_all_that_must_hold(
    options: dict[str, Any], seed: int, style: str, moves: int, redraw: int
) -> None:
    game = DreamFactory(seed=seed, **options)
    rng = random.Random(moves)
    for _ in range(moves):
        if not game.over:
            game.play(STYLES[style](game.legal(), rng))
    before = game.save()
    for player in range(game.players):
        other = game.resample_hidden(player, redraw)
        assert game.save() == before
        assert seen_by(other, player) == seen_by(game, player)
        assert Counter(other.setup()["deck"]) == Counter(game.setup()["deck"])
        assert sorted(other.setup()["pile"]) == sorted(game.setup()["pile"])
        assert sum(other.money) == sum(game.money)
        assert all(m >= max(b, 0) for m, b in zip(other.money, other.state.bids, strict=False))
        assert other.seed is None  # a seed would tell the shuffles
        if player == game.to_move:
            assert other.legal() == game.legal()
        # The outcome tells nothing of what was there before.
        assert game.resample_hidden(player, 7) == other.resample_hidden(player, 7)
        while not other.over:  # it goes on by the same rules
            other.play(STYLES[style](other.legal(), rng))


@pytest.mark.rule("D3", "D5", "D7")
def test_a_redraw_does_redraw_everything_hidden() -> None:
    game = stacked(players=4, seed=5)
    game.play("bid 2").play("bid 3")
    redrawn = [game.resample_hidden(1, seed) for seed in range(400)]
    decks = {tuple(other.setup()["deck"]) for other in redrawn}
    assert len(decks) == 400
    seen = [other.setup()["deck"] for other in redrawn]
    face_up = [*range(5), *range(9, 16)]  # cities of round 1, the parties between them
    for place in range(89):
        assert (len({deck[place] for deck in seen}) == 1) == (place in face_up)
    piles = Counter(tuple(other.setup()["pile"]) for other in redrawn)
    assert len({pile[0] for pile in piles}) == 1
    assert len({pile[1] for pile in piles}) == 6
    money = [other.money for other in redrawn]
    assert {m[1] for m in money} == {12}
    for player, bid in [(0, 2), (2, 0), (3, 0)]:
        held = {m[player] for m in money}
        assert min(held) == bid
        assert len(held) > 25


@pytest.mark.rule("D3", "D9")
def test_who_bids_and_then_passes_keeps_at_least_the_bid() -> None:
    game = stacked(players=3).play("bid 8").play("bid 9").play("bid 10").play("pass")
    money = [game.resample_hidden(2, seed).money for seed in range(300)]
    assert min(m[0] for m in money) == 8
    assert min(m[1] for m in money) == 9


@pytest.mark.rule("D3")
def test_every_spread_of_the_hidden_money_is_equally_likely() -> None:
    game = DreamFactory(3, seed=1)
    game.state.money[:3] = [32, 3, 1]
    spreads = Counter(tuple(game.resample_hidden(0, seed).money) for seed in range(2000))
    assert sorted(spreads) == [(32, k, 4 - k) for k in range(5)]
    assert all(320 <= count <= 480 for count in spreads.values())  # 400 to be expected, sd 18


@pytest.mark.rule("D3")
@pytest.mark.parametrize(
    ("players", "how", "sees"),
    [
        (2, "rule", True),
        (3, "rule", False),
        (5, "rule", False),
        (4, "never", True),
        (2, "always", False),
    ],
)
def test_who_sees_whose_money(players: int, how: str, sees: bool) -> None:
    game = DreamFactory(players, seed=1, hidden_money=how)
    assert hidden.sees_money(game.state, 0, 1) == sees
    assert hidden.sees_money(game.state, 1, 1)
    give_all_away(game, (5, ""))
    assert hidden.sees_money(game.state, 0, 1)  # at the end all is counted


@pytest.mark.rule("D3")
def test_with_two_players_hidden_money_is_known_from_the_total() -> None:
    game = DreamFactory(2, seed=1, hidden_money="always").play("bid 5").play("pass")
    assert game.resample_hidden(0, 3).money == game.money


@pytest.mark.rule("D1", "D7")
def test_while_studios_are_chosen_no_tile_is_known() -> None:
    game = DreamFactory(3, seed=1, choose_studio=True)
    decks = [game.resample_hidden(0, seed).setup()["deck"] for seed in range(200)]
    assert all(len({deck[place] for deck in decks}) > 10 for place in range(89))


@pytest.mark.parametrize("player", [-1, 4, None, "0", True])
def test_redrawing_for_somebody_who_does_not_play_is_refused(player: Any) -> None:
    with pytest.raises(OptionError, match="there are players 0 to 3"):
        DreamFactory(4, seed=1).resample_hidden(player, 1)
