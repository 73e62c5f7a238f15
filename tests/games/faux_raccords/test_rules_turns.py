"""A turn, the actions and the hint: F11 to F15 and F17."""

from __future__ import annotations

import pytest

from tests.games.faux_raccords.rule_staging import MakeGame, Table

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
MODES = ["tutorial", "feature", "shorts", "series", "arcs", "studio"]


def numbers(last: int, *without: int) -> set[str]:
    return {str(number) for number in range(1, last + 1) if number not in without}


# ---------------------------------------------------------------------------- the course of a turn


@pytest.mark.rule("F11")
@PLAYERS
def test_the_turn_goes_round_clockwise_and_each_draws_the_top_of_the_pile(
    make_game: MakeGame, players: int
) -> None:
    game = make_game("tutorial", players, first=1)
    pile = list(game.setup["deck"])
    hands = [set(hand) for hand in game.setup["hands"]]
    for step in range(2 * players):
        seat = (1 + step) % players
        assert game.to_move == seat
        assert game.hand() == hands[seat]
        card = min(hands[seat])
        game.idle(card)
        hands[seat] = (hands[seat] - {card}) | {pile.pop(0)}


@pytest.mark.rule("F11")
def test_there_is_no_limit_to_a_hand(make_game: MakeGame) -> None:
    hands = [["1", "4", "11"], ["3", "9", "23"]]
    game = make_game("tutorial", hands=hands)
    for card in ("1", "4", "11"):
        game.turn(f"call {card}", "give 1", "to player 1").idle()
    game.idle()
    assert len(game.hand()) == 6


@pytest.mark.rule("F11", "F21")
@PLAYERS
def test_with_an_empty_pile_nobody_draws_and_an_empty_hand_ends_the_game(
    make_game: MakeGame, players: int
) -> None:
    game = make_game("tutorial", players)
    turns = 24 - 4  # every card that is not in the Film is called
    for turn in range(turns):
        assert not game.over
        assert game.to_move == turn % players
        assert len(game.hand()) == min(3, -(-(turns - turn) // players))
        game.idle()
    assert game.over
    assert game.to_move is None
    assert game.legal() == set()
    result = game.result()
    assert (result["ending"], result["player"]) == ("empty hand", turns % players)


@pytest.mark.rule("F11", "F17", "F18")
def test_the_hint_comes_before_the_hazards_and_they_before_the_draw(make_game: MakeGame) -> None:
    hands = [["2", "3"], ["5", "6"]]
    deck = ["8", "9", "10", "11"]
    game = make_game("feature", 3, hands=hands, deck=deck, hazards=["budget cut"])
    game.turn("place 2", "at 1").play("place 5", "at 1")  # ten cards, and 9 and 10 go to the bin
    assert game.legal() == {"no hint", "hint good", "hint bad"}
    game.play("no hint").idle().idle()
    assert game.to_move == 1
    assert "11" in game.hand()
    assert not {"9", "10"} & game.hand()


@pytest.mark.rule("F11", "F16")
def test_when_the_cut_has_more_than_five_the_first_of_the_row_goes_to_the_bin(
    make_game: MakeGame,
) -> None:
    called = ["2", "3", "5", "7", "8", "9", "10"]
    game = make_game("tutorial", hands=[["2", "5", "8"], ["3", "7", "9"]], deck=["10", "6", "12"])
    for card in called[:5]:
        game.idle(card)
    game.play("call 9")
    game.turn("no effect")  # six, so the 2 leaves
    game.idle("10")  # and the 3
    game.play("call 6")
    assert game.offers("reuse") == {"5", "7", "8", "9", "10"}


@pytest.mark.rule("F11", "F12")
@PLAYERS
@pytest.mark.parametrize("mode", MODES)
def test_at_first_each_card_may_be_placed_called_or_viewed_with_and_anybody_may_end(
    make_game: MakeGame, mode: str, players: int
) -> None:
    game = make_game(mode, players)
    verbs = ("place", "call", "view with")
    hand = game.setup["hands"][0]
    assert game.legal() == {"end", *(f"{verb} {card}" for verb in verbs for card in hand)}


# ---------------------------------------------------------------------------- placing


@pytest.mark.rule("F13", "F1")
def test_three_claps_come_from_the_reserve_and_then_one_of_ones_own_must_move(
    make_game: MakeGame,
) -> None:
    game = make_game("tutorial", hands=[["2", "3", "4"], ["6", "7", "8"]], deck=["5"])
    for card, other, last in (("2", "6", 6), ("3", "7", 8), ("4", "8", 10)):
        game.turn(f"place {card}", "at 1").turn(f"place {other}", f"at {last}")
    game.play("place 5", "at 1")
    assert game.legal() == {"move clap from 2", "move clap from 3", "move clap from 4"}
    game.turn("move clap from 3").idle()
    game.play(f"place {min(game.hand())}", "at 11")
    assert game.offers("move clap from") == {"1", "2", "4"}


@pytest.mark.rule("F13", "F14")
def test_a_placed_card_lies_face_down_with_a_clap_of_its_player(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["2", "3"], ["6"]]).turn("place 2", "at 3")
    assert game.play("view with 6").offers("look at") == numbers(5)  # the other may look at it
    game.turn("look at 1").play("view with 3")
    assert game.offers("look at") == numbers(5, 3)


# ---------------------------------------------------------------------------- viewing


@pytest.mark.rule("F14")
def test_the_card_one_views_with_goes_to_the_bin_and_not_to_the_cut(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["2"], ["6"]]).turn("view with 2", "look at 1")
    game.play("call 6")
    assert game.legal() == {"no hint", "hint good", "hint bad"}  # there is nothing to reuse


@pytest.mark.rule("F14")
def test_only_face_down_cards_without_ones_own_clap_are_looked_at(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["3", "5", "7"], ["6", "8"]])
    game.turn("call 3", "show 5", "at 2")
    game.play("view with 6")
    assert game.offers("look at") == numbers(5, 2)  # not the card that is shown
    game.turn("look at 4").play("view with 7")
    assert game.offers("look at") == numbers(5, 2)  # but one with the Clap of another
    game.turn("look at 4").play("view with 8")
    assert game.offers("look at") == numbers(5, 2, 4)


@pytest.mark.rule("F14", "F13")
def test_a_view_moves_a_clap_if_none_is_in_reserve(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["2", "3", "5"]], deck=["7"])
    for card, place in (("2", "1"), ("3", "2"), ("5", "3")):
        game.turn(f"view with {card}", f"look at {place}").idle()
    game.play("view with 7", "look at 4")
    assert game.legal() == {"move clap from 1", "move clap from 2", "move clap from 3"}
    game.turn("move clap from 2").idle()
    game.play(f"view with {min(game.hand())}")
    assert game.offers("look at") == {"2"}


@pytest.mark.rule("F12", "F14")
def test_view_is_not_offered_if_there_is_no_card_to_look_at(make_game: MakeGame) -> None:
    hands = [["2", "5", "3"], ["13", "16", "18"]]
    game = make_game("tutorial", hands=hands, film=["20", "21", "22", "23"], deck=["7", "8"])
    game.turn("view with 2", "look at 1").turn("call 13", "swap 13", "for 4")
    game.turn("view with 5", "look at 2").turn("call 16", "swap 16", "for 3")
    # Cards 3 and 4 are face up, 1 and 2 have a Clap.
    assert not game.offers("view with")
    assert game.offers("place") == game.offers("call") == game.hand()
    assert "end" in game.legal()


# ---------------------------------------------------------------------------- two players


@pytest.mark.rule("F15")
def test_two_players_do_not_place_beside_their_own_claps(make_game: MakeGame) -> None:
    game = make_game("feature", hands=[["2", "3"], ["5"]]).turn("place 2", "at 4")
    game.play("place 5")
    assert game.offers("at") == numbers(10)  # the Claps of the other do not matter
    game.turn("at 10").to_action()
    game.play("place 3")
    assert game.offers("at") == numbers(11, 4, 5)


@pytest.mark.rule("F15")
def test_two_players_do_not_view_beside_their_own_claps(make_game: MakeGame) -> None:
    game = make_game("feature", hands=[["2", "3"], ["5"]]).turn("place 2", "at 4")
    game.play("view with 5")
    assert game.offers("look at") == numbers(9)
    game.turn("look at 9").play("view with 3")
    assert game.offers("look at") == numbers(9, 3, 4, 5)


@pytest.mark.rule("F15")
def test_the_ends_of_a_line_have_one_neighbour(make_game: MakeGame) -> None:
    game = make_game("feature", hands=[["2", "3"], ["5"]]).turn("view with 2", "look at 1")
    game.turn("view with 5", "look at 8").play("place 3")
    assert game.offers("at") == numbers(9, 1, 2)
    game.turn("at 9").idle()
    game.play(f"view with {min(game.hand())}")
    assert game.offers("look at") == numbers(9, 1, 2, 8, 9)


@pytest.mark.rule("F15", "F13")
def test_the_clap_that_is_about_to_move_counts_as_well(make_game: MakeGame) -> None:
    game = make_game("feature", hands=[["2", "3", "5"]])
    for card, place in (("2", 1), ("3", 4), ("5", 7)):
        game.turn(f"view with {card}", f"look at {place}").idle()
    assert game.fork().play(f"place {min(game.hand())}").offers("at") == numbers(
        9, 1, 2, 4, 5, 7, 8
    )
    # Each face-down card touches a Clap or has one: 1 2 3 4 5 6 7 8.
    assert not game.offers("view with")


@pytest.mark.rule("F15")
def test_in_the_shorts_only_the_line_with_the_clap_is_barred(make_game: MakeGame) -> None:
    game = make_game("shorts", hands=[["2", "3"], ["5"]]).turn("view with 2", "look at A4")
    game.idle("5")
    line_b = {f"B{number}" for number in range(1, 6)}
    assert game.fork().play("place 3").offers("at") == {"A1", "A2", "A3"} | line_b
    assert game.play("view with 3").offers("look at") == {"A1", "A2"} | (line_b - {"B5"})


@pytest.mark.rule("F15")
@pytest.mark.parametrize(
    ("mode", "players", "place"),
    [("tutorial", 2, "2"), ("feature", 3, "2"), ("feature", 4, "2"), ("shorts", 3, "A2")],
)
def test_nobody_is_barred_with_more_players_or_in_the_tutorial(
    make_game: MakeGame, mode: str, players: int, place: str
) -> None:
    game = make_game(mode, players, hands=[["2", "3"]])
    film = set(game.film())
    game.turn("view with 2", f"look at {place}")
    for _ in range(players - 1):
        game.idle()
    assert game.fork().play("view with 3").offers("look at") == film - {place}
    game.play("place 3")
    assert film < game.offers("at")


@pytest.mark.rule("F15", "F7", "F8", "F9")
@pytest.mark.parametrize("mode", ["series", "arcs", "studio"])
def test_two_players_are_not_barred_in_other_shapes(make_game: MakeGame, mode: str) -> None:
    game = make_game(mode, hands=[["2", "3"], ["5"]])
    film = set(game.film())
    room = game.fork().play("place 3").offers("at")
    game.turn("view with 2", "look at 1/1").idle("5")
    assert game.fork().play("place 3").offers("at") == room
    assert game.play("view with 3").offers("look at") == film - {"1/1"}


@pytest.mark.rule("F15", "F16")
def test_editor_and_script_are_not_barred_beside_ones_own_clap(make_game: MakeGame) -> None:
    game = make_game("feature", hands=[["3", "9", "2"], ["5"]], deck=["7"])
    game.turn("view with 9", "look at 4").idle("5")
    shown = game.fork().play("call 3", "show 2")
    assert shown.offers("at") == numbers(9)
    game.play("call 2", "take 8", "enough")
    assert game.offers("put at") == numbers(8)


def barred_everywhere(make_game: MakeGame) -> Table:
    """Returns a game of two with five cards in the line, and Claps of seat 0 on 1, 3 and 5."""
    game = make_game("feature", hands=[["2", "3", "5"], ["1", "4", "11"]])
    for mine, theirs, place in (("2", "1", 1), ("3", "4", 3), ("5", "11", 5)):
        last = len(game.film())
        game.turn(f"view with {mine}", f"look at {place}")
        game.turn(f"call {theirs}", f"give {last}", "to player 0")
    return game


@pytest.mark.rule("F12", "F15")
def test_who_is_barred_everywhere_may_still_call_and_end_and_nobody_loses(
    make_game: MakeGame,
) -> None:
    game = barred_everywhere(make_game)
    assert len(game.line()) == 5
    assert game.to_move == 0
    hand = game.hand()
    assert len(hand) == 6
    assert game.legal() == {"end", *(f"call {card}" for card in hand)}
    game.idle()
    assert not game.over
    assert game.offers("place") == game.hand()  # the other is free


# ---------------------------------------------------------------------------- the hint


@pytest.mark.rule("F17", "F1")
def test_the_hint_is_asked_after_each_action_until_it_is_given(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["2", "3", "5"], ["6", "7", "8"]])
    asked = {"no hint", "hint good", "hint bad"}
    game.play("place 2", "at 5")
    assert (game.legal(), game.to_move) == (asked, 0)
    game.play("no hint").play("view with 6", "look at 1")
    assert (game.legal(), game.to_move) == (asked, 1)
    game.play("hint bad")
    assert (game.legal(), game.to_move) == ({f"on {place}" for place in range(1, 6)}, 1)
    game.play("on 1").play("call 3", "no effect")
    assert (game.legal(), game.to_move) == (asked, 0)  # each has a token
    game.play("hint good", "on 1")  # two on one card
    for card in ("7", "5", "8"):
        game.play(f"call {card}").play("no effect")
        assert "end" in game.legal()  # nobody is asked for a hint any more


@pytest.mark.rule("F17", "F21")
def test_no_hint_is_asked_after_the_end(make_game: MakeGame) -> None:
    game = make_game("feature", 3).play("end")
    assert game.over
    assert game.result()["ending"] == "end"


@pytest.mark.rule("F17")
@pytest.mark.parametrize("way", ["give", "swap"])
def test_a_card_that_leaves_the_film_gives_its_claps_back(make_game: MakeGame, way: str) -> None:
    hands = [["2", "3", "5"], ["1", "13", "9"]]
    game = make_game("tutorial", 2, hands=hands, deck=["7", "8", "10"])
    game.turn("place 2", "at 1").idle("9")
    game.turn("place 3", "at 1").idle("8")
    game.turn("place 5", "at 1")
    words = ["call 1", "give 2", "to player 0"] if way == "give" else ["call 13", "swap 9", "for 2"]
    game.turn(*words)
    game.play("place 7", "at 1")
    assert "no hint" in game.legal()  # no Clap had to move
    game.turn().idle()
    game.play(f"place {min(game.hand())}", "at 1")
    line = {"give": {"2", "3", "4"}, "swap": {"2", "3", "5"}}
    assert game.offers("move clap from") == line[way]


@pytest.mark.rule("F17", "F19")
@pytest.mark.parametrize("way", ["stays", "give", "swap", "take"])
def test_the_hints_on_a_card_that_leaves_the_film_leave_the_game(
    make_game: MakeGame, way: str
) -> None:
    """Spilled coffee needs a hint in the Film; without one a card is binned instead."""
    hands = [["2", "6"], ["1", "13", "26"], ["3", "9"]]
    game = make_game("feature", 3, hands=hands, hazards=["spilled coffee"])
    game.play("place 2", "at 1", "hint good", "on 4")
    words = {
        "stays": ["call 1", "no effect"],
        "give": ["call 1", "give 4", "to player 0"],
        "swap": ["call 13", "swap 13", "for 4"],
        "take": ["call 26", "take 4", "enough", "put at 1"],
    }
    game.turn(*words[way])
    if len(game.line()) == 8:
        game.turn("call 3", "show 9", "at 1")
    game.turn(f"place {min(game.hand())}", "at 1")
    assert bool(game.offers("bin")) == (way in ("give", "swap"))
