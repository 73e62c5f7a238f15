"""Parties: D14 and D15."""

from __future__ import annotations

import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory.rules import set_party_order
from tests.games.dream_factory.staging import give_all_away, lay, placements, stacked


def order(game: DreamFactory) -> list[int]:
    """Returns the order in which the party would be held now."""
    set_party_order(game.state)
    return [int(seat) for seat in game.state.party_order[: game.players]]


@pytest.mark.rule("D14")
def test_most_red_tiles_first_and_ties_to_the_nearest_after_the_first_player() -> None:
    # The worked example of the 2000 rulebook: A 2, B 4, C 1, D 4; A is first: B, D, A, C.
    game = stacked(studios=[4, 2, 3, 5])
    lay(game, "North by Northwest", actor_1="actor 1", actor_2="actor 1")
    lay(game, "The Grapes of Wrath", actor="actor 0", guest="guest 1")
    lay(game, "Gentlemen Prefer Blondes", actor="actor 0", guest="guest 1")
    lay(game, "Casablanca", actor="actor 3")
    lay(game, "All Quiet on the Western Front", actor="actor 0", guest="guest 2")
    lay(game, "Harvey", actor="actor 0", blank="actor 2")
    assert [int(n) for n in game.state.red[:4]] == [2, 4, 1, 4]
    assert order(game) == [1, 3, 0, 2]


@pytest.mark.rule("D14")
def test_actors_and_guest_stars_count_together() -> None:
    # The worked example of the 2009 rulebook: Vincent (first) 2 guest stars, Jules 3 actors,
    # Butch 1 actor, Fabienne 2 actors and 1 guest star: Jules, Fabienne, Vincent, Butch.
    vincent, jules, butch, fabienne = range(4)
    game = stacked(studios=[1, 4, 2, 3])
    lay(game, "Vertigo", guest="guest 1")
    lay(game, "The Court Jester", guest="guest -1")
    lay(game, "North by Northwest", actor_1="actor 1", actor_2="actor 2")
    lay(game, "Gone with the Wind", actor="actor 3")
    lay(game, "The Grapes of Wrath", actor="actor 0")
    lay(game, "Casablanca", actor="actor 1", blank="actor 1", guest="guest 3")
    assert order(game) == [jules, fabienne, vincent, butch]


@pytest.mark.rule("D14")
@pytest.mark.parametrize("first", [0, 1, 2, 3, 4])
def test_all_equal_is_clockwise_from_the_first_player(first: int) -> None:
    game = stacked(players=5, first_player=first)
    assert order(game) == [(first + step) % 5 for step in range(5)]


@pytest.mark.rule("D14")
def test_only_visible_tiles_count() -> None:
    game = stacked(
        {(1, "City 1"): ["actor 1", "agency 0"], (1, "City 2"): ["actor 2", "actor 3", "agency 1"]},
        players=2,
        studios=[3, 1],
    )
    game.play("bid 0").play("pass").play("discard director 4")
    game.play("bid 0").play("pass")
    game.play("place actor 1 on Casablanca/actor")
    assert game.state.red[0] == 1
    game.play("place agency 0 on Casablanca/actor")  # an agency is not red
    assert game.state.red[0] == 0
    game.play("bid 0").play("pass")
    game.play("place actor 2 on Casablanca/blank")  # an actor on a blank space is
    assert game.state.red[0] == 1
    game.play("place actor 3 on Casablanca/blank")  # one actor over another is one
    assert game.state.red[0] == 1


@pytest.mark.rule("D14")
def test_tiles_on_finished_films_count_too() -> None:
    game = stacked({(1, "City 1"): ["effects 0", "actor 1"]}, players=2, studios=[5, 1])
    lay(game, "All Quiet on the Western Front", director="director 1", guest="guest 1")
    give_all_away(game, (1, "City 1"))
    assert game.to_move == 1
    game.play("pass")
    game.play("place actor 1 on All Quiet on the Western Front/actor")
    game.play("place effects 0 on All Quiet on the Western Front/effects")
    assert game.state.finished_count == 1
    assert game.state.red[0] == 2
    give_all_away(game, (1, "Party 1"))
    assert [int(p) for p in game.state.party_order[:2]] == [0, 1]


@pytest.mark.rule("D14")
def test_the_player_with_most_red_tiles_is_asked_first() -> None:
    game = lay(stacked(players=3), "Casablanca", actor="actor 0")
    give_all_away(game, (1, "Party 1"))
    assert game.state.first_player == 0
    asked = []
    while game.phase == "party":
        asked.append(game.to_move)
        game.play(game.legal()[0]).play(f"discard {game.hand[0]}")
    assert asked == [2, 0, 1]


@pytest.mark.rule("D14", "D7")
def test_the_tiles_of_a_party_are_turned_up_when_it_begins() -> None:
    tiles = ["actor 2", "music 0", "guest -1", "camera 3"]
    game = stacked({(1, "Party 1"): tiles})
    give_all_away(game, (1, "City 2"))
    assert game.lot_of(0, 3) is None
    give_all_away(game, (1, "Party 1"))
    assert game.lot == tiles == game.lot_of(0, 3)
    assert set(game.legal()) == {f"pick {tile}" for tile in tiles}


@pytest.mark.rule("D15")
def test_each_picks_and_places_before_the_next_picks() -> None:
    game = stacked({(1, "Party 1"): ["actor 2", "music 0", "effects 1"]}, players=3)
    give_all_away(game, (1, "Party 1"))
    first = int(game.state.first_player)
    seats = [(first + step) % 3 for step in range(3)]
    for seat, tile in zip(seats, ["music 0", "actor 2", "effects 1"], strict=True):
        assert (game.phase, game.to_move) == ("party", seat)
        game.play(f"pick {tile}")
        assert (game.phase, game.to_move) == ("placing", seat)
        assert game.hand == [tile]
        assert placements(game)
        game.play(f"discard {tile}")
    assert (game.phase, game.location) == ("auction", "City 3")
    assert game.state.first_player == first  # D15: the first player stays the same
    assert game.to_move == first


@pytest.mark.rule("D15")
def test_equal_tiles_of_a_party_share_one_action() -> None:
    tiles = ["actor 2", "music 0", "actor 2"]
    game = give_all_away(stacked({(1, "Party 1"): tiles}, players=3), (1, "Party 1"))
    assert sorted(game.legal()) == ["pick actor 2", "pick music 0"]
    game.play("pick actor 2").play("discard actor 2")
    assert sorted(game.legal()) == ["pick actor 2", "pick music 0"]


@pytest.mark.rule("D15")
def test_the_order_stays_although_the_picks_change_the_red_tiles() -> None:
    tiles = ["actor 2", "actor 1", "actor 0"]
    game = stacked({(1, "Party 1"): tiles}, players=3, studios=[1, 2, 3])
    give_all_away(game, (1, "Party 1"))
    seats = []
    while game.phase == "party":
        seats.append(game.to_move)
        game.play(game.legal()[0])
        game.play(next(words for words in game.legal() if words.startswith("place")))
    assert seats == [0, 1, 2]


@pytest.mark.rule("D15")
def test_declining_is_offered_in_the_2000_edition_only() -> None:
    for edition, offered in [("traumfabrik", True), ("dream_factory", False)]:
        game = give_all_away(stacked(edition=edition), (1, "Party 1"))
        assert ("decline" in game.legal()) == offered


@pytest.mark.rule("D15")
def test_who_declines_is_not_asked_again_and_tiles_left_over_are_out_of_the_game() -> None:
    game = stacked({(1, "Party 1"): ["actor 2", "music 0"]}, players=2, edition="traumfabrik")
    give_all_away(game, (1, "Party 1"))
    gone = int(game.state.discarded)
    seats = [game.to_move, game.play("decline").to_move]
    assert sorted(seat for seat in seats if seat is not None) == [0, 1]
    assert sorted(game.legal()) == ["decline", "pick actor 2", "pick music 0"]
    game.play("decline")
    assert game.location == "City 3"
    assert game.state.discarded == gone + 2
    assert "actor 2" not in game.lot
