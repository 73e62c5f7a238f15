"""What a perfect memory is sure of: F26."""

from __future__ import annotations

import pytest

from tests.games.faux_raccords.rule_staging import MakeGame, Table

FILM = ["20", "21", "22", "23"]
LINE = [*FILM, "24", "25", "26", "27"]


@pytest.mark.rule("F26")
def test_a_seat_is_sure_of_its_hand_and_of_nothing_else_at_first(make_seen: MakeGame) -> None:
    game = make_seen("feature", 3)
    for seat in range(3):
        hand = game.setup["hands"][seat]
        assert game.sure_of(seat) == dict.fromkeys(hand, f"hand {seat}")


@pytest.mark.rule("F26", "F13")
def test_a_card_that_one_has_placed_is_remembered_when_the_clap_has_moved(
    make_seen: MakeGame,
) -> None:
    game = make_seen("tutorial", hands=[["2", "3", "4"], ["6", "7", "8"]], film=FILM, deck=["5"])
    for card, other in (("2", "6"), ("3", "7"), ("4", "8")):
        game.turn(f"place {card}", "at 1").idle(other)
    game.turn("place 5", "at 1", "move clap from 4")
    assert game.sure_of(0)["2"] == "film 4"
    assert game.sees(0)["film"]["4"] is None
    assert "2" not in game.sure_of(1)


@pytest.mark.rule("F26", "F14")
def test_the_card_that_one_has_viewed_with_is_remembered_in_the_bin(make_seen: MakeGame) -> None:
    game = make_seen("tutorial", hands=[["2", "3", "4"]], film=FILM)
    game.turn("view with 2", "look at 3")
    assert game.sure_of(0)["2"] == "bin"
    assert game.sure_of(0)["22"] == "film 3"
    assert not {"2", "22"} & set(game.sure_of(1))


@pytest.mark.rule("F26", "F16")
def test_a_card_is_followed_through_the_editors_hand(make_seen: MakeGame) -> None:
    game = make_seen("tutorial", hands=[["3", "4"], ["2"]], film=FILM)
    game.turn("view with 3", "look at 2").play("call 2", "take 2")
    assert game.sure_of(0)["21"] == "taken"
    game.turn("enough", "put at 4")
    assert game.sure_of(0)["21"] == "film 4"
    assert "21" not in game.sure_of(1)


@pytest.mark.rule("F26", "F19")
@pytest.mark.parametrize(
    ("hazard", "words", "where"),
    [
        ("ego clash", ("clash 4", "with 5"), "film 5"),
        ("lost reel", ("lose 4",), "bin"),
        ("reshoot", ("reshoot 4",), "bin"),
        ("power cut", ("take clap from 10", "take clap from 4"), "film 4"),
    ],
)
def test_a_card_of_the_film_is_followed_through_hazards(
    make_seen: MakeGame, hazard: str, words: tuple[str, ...], where: str
) -> None:
    hands = [["2", "3", "4"], ["5", "6", "7"], ["9", "13", "14"]]
    game = make_seen("feature", 3, hands=hands, film=LINE, hazards=[hazard])
    game.turn("view with 2", "look at 4").idle("6").turn("call 9", "show 13", "at 9")
    game.idle("3").turn("place 5", "at 10").play(*words)
    assert game.sure_of(0)["23"] == where
    assert "23" not in game.sure_of(1)


@pytest.mark.rule("F26", "F19", "F16")
def test_a_card_that_was_face_up_is_remembered_by_all_when_it_is_covered_or_given(
    make_seen: MakeGame,
) -> None:
    hands = [["3", "4", "1"], ["9", "6", "7"]]
    game = make_seen("feature", 3, hands=hands, hazards=["censored"])
    game.turn("call 3", "show 4", "at 1").turn("call 9", "show 6", "at 10").play("cover 1")
    assert [game.sure_of(seat)["4"] for seat in range(3)] == ["film 1"] * 3
    game.idle().turn("call 1", "give 10", "to player 1")
    assert [game.sure_of(seat)["6"] for seat in range(3)] == ["hand 1"] * 3


@pytest.mark.rule("F26", "F11", "F19")
def test_what_was_in_the_cut_is_remembered_in_the_bin(make_seen: MakeGame) -> None:
    game = make_seen("tutorial", hands=[["2", "5", "8"], ["3", "7", "9"]], film=FILM)
    for card in ("2", "3", "5", "7", "8"):
        game.idle(card)
    assert not {"2", "3"} & set(game.sure_of(0))  # they are in the open
    game.idle("9")
    assert [game.sure_of(seat)["2"] for seat in (0, 1)] == ["bin", "bin"]
    game = make_seen("tutorial", hands=[["2"], ["6"]]).idle("2").turn("call 6", "reuse 2")
    assert [game.sure_of(seat)["2"] for seat in (0, 1)] == ["bin", "bin"]


@pytest.mark.rule("F26", "F16")
def test_a_star_shows_both_cards_to_all(make_seen: MakeGame) -> None:
    hands = [["5"], ["16"]]
    game = make_seen("tutorial", 3, hands=hands, film=FILM).turn("call 5", "swap 5", "for 2")
    for seat in range(3):
        assert game.sure_of(seat)["5"] == "film 2"
        assert "21" not in game.sure_of(seat)  # it is in the Cut
    game.turn("call 16", "swap 21", "for 2")  # and back
    for seat in range(3):
        assert game.sure_of(seat)["21"] == "film 2"


# ---------------------------------------------------------------------------- losing track


def given(make_seen: MakeGame, **chosen: object) -> Table:
    """Returns a game of three in which seat 0 knows of the 21 in the hand of seat 1.

    Seat 2 does not know it. Seat 1 is to move, with the 6, 7, 8 and 21.
    """
    hands = [["2", "1", "4"], ["6", "7", "8"], ["9", "12", "13"]]
    deck = ["14", "15", "16", "17"]
    game = make_seen("feature", 3, hands=hands, film=LINE, deck=deck, first=0, **chosen)
    game.turn("view with 2", "look at 2").idle("6").idle("9")
    game.turn("call 1", "give 2", "to player 1")
    assert game.to_move == 1
    assert game.hand() == {"7", "8", "15", "21"}
    assert game.sure_of(0)["21"] == game.sure_of(1)["21"] == "hand 1"
    assert "21" not in game.sure_of(2)
    return game


@pytest.mark.rule("F26")
@pytest.mark.parametrize(
    "words",
    [
        ("place 7", "at 1"),
        ("place 21", "at 1"),
        ("view with 8", "look at 1"),
        ("view with 21", "look at 1"),
    ],
)
def test_one_loses_track_of_a_hand_that_lets_a_card_go_unseen(
    make_seen: MakeGame, words: tuple[str, ...]
) -> None:
    game = given(make_seen).play(*words)
    assert "21" not in game.sure_of(0)
    where = {"place 21": "film 1", "view with 21": "bin"}.get(words[0], "hand 1")
    assert game.sure_of(1)["21"] == where  # one's own hand is no riddle


@pytest.mark.rule("F26", "F25")
def test_a_card_chosen_to_be_placed_has_not_gone_until_it_is_put(make_seen: MakeGame) -> None:
    game = given(make_seen).play("place 7")
    assert game.sure_of(0)["21"] == "hand 1"
    assert "21" not in game.play("at 1").sure_of(0)


@pytest.mark.rule("F26", "F16")
def test_one_keeps_track_of_a_hand_that_lets_a_card_go_openly(make_seen: MakeGame) -> None:
    game = given(make_seen).idle("7")
    assert game.sure_of(0)["21"] == "hand 1"
    game.idle("12").idle("4").turn("call 21", "show 8", "at 1").idle("13")
    assert game.sure_of(0)["8"] == "film 1"
    game = make_seen("feature", 3, hands=[["2"], ["3", "6"]], film=LINE)
    game.turn("view with 2", "look at 2").turn("call 3", "show 6", "at 1")
    assert game.sure_of(0)["21"] == "film 3"


@pytest.mark.rule("F26")
def test_one_keeps_track_of_the_other_hands(make_seen: MakeGame) -> None:
    game = given(make_seen).idle("7").turn("place 12", "at 1").turn("place 4", "at 1")
    assert game.sure_of(0)["21"] == "hand 1"  # others have placed, seat 1 has not


@pytest.mark.rule("F26", "F19")
@pytest.mark.parametrize("card", ["15", "21"])
def test_one_loses_track_of_a_hand_that_bins_a_card(make_seen: MakeGame, card: str) -> None:
    game = given(make_seen, hazards=["early deadline"])
    # Seats 2 and 0 bring the line from 7 to 10 cards, and seat 1 plays openly.
    game.idle("7").turn("place 12", "at 1").turn("place 4", "at 1")
    game.idle("8").idle("13").turn("place 14", "at 1")
    assert game.sure_of(0)["21"] == "hand 1"
    assert game.to_move == 1
    game.play(f"bin {card}")
    assert not {"15", "21"} & set(game.sure_of(0))
    assert game.sure_of(1)[card] == "bin"


def before_passing(make_seen: MakeGame) -> Table:
    """Returns a game of three in which everybody knows of the 21 in the hand of seat 1.

    Seat 2 is the first to pass a card.
    """
    hands = [["2", "1", "4"], ["6", "7", "8"], ["9", "12", "13"]]
    game = make_seen("feature", 3, hands=hands, film=LINE, hazards=["wrong hands"])
    game.turn("view with 2", "look at 2").idle("6").turn("view with 9", "look at 2")
    game.turn("call 1", "give 2", "to player 1").idle("7")
    game.turn("place 12", "at 1").turn("place 4", "at 1").idle("8").turn("place 13", "at 1")
    assert [game.sure_of(seat)["21"] for seat in range(3)] == ["hand 1"] * 3
    assert game.to_move == 2
    return game


@pytest.mark.rule("F26", "F19")
def test_who_gets_a_passed_card_knows_which_and_a_third_loses_track(make_seen: MakeGame) -> None:
    game = before_passing(make_seen)
    passed: dict[int, str] = {}
    for seat in (2, 0, 1):
        passed[seat] = min(game.offers("pass") - {"21"})
        game.play(f"pass {passed[seat]}")
    # Seat 1 passed to seat 2, who has seen it; seat 0 has not.
    assert game.sure_of(2)["21"] == "hand 1"
    assert "21" not in game.sure_of(0)
    for seat in range(3):
        left = (seat + 1) % 3
        assert game.sure_of(seat)[passed[seat]] == f"hand {left}"  # also to who passed it
        assert game.sure_of(left)[passed[seat]] == f"hand {left}"
        assert passed[seat] not in game.sure_of((seat + 2) % 3)


@pytest.mark.rule("F26", "F19")
def test_a_third_loses_track_of_the_passed_card_as_well(make_seen: MakeGame) -> None:
    game = before_passing(make_seen)
    for _ in (2, 0):
        game.play(min(game.legal()))
    game.play("pass 21")
    assert game.sure_of(2)["21"] == game.sure_of(1)["21"] == "hand 2"
    assert "21" not in game.sure_of(0)


@pytest.mark.rule("F26", "F19")
def test_with_two_players_passing_loses_no_track(make_seen: MakeGame) -> None:
    hands = [["2", "1", "3"], ["6", "7", "8"]]
    deck = ["4", "9", "10", "11", "12", "13", "14", "15"]
    game = make_seen("feature", 2, hands=hands, film=LINE, deck=deck, hazards=["wrong hands"])
    game.turn("view with 2", "look at 2").idle("6").turn("call 1", "give 2", "to player 1")
    game.idle("7").turn("place 4", "at 1").idle("8")
    game.turn("place 3", "at 4").idle("9").turn("place 10", "at 7")
    game.play("pass 12", "pass 11")
    assert game.sure_of(0)["21"] == "hand 1"
    assert game.sure_of(0)["12"] == "hand 1"
    assert game.sure_of(0)["11"] == "hand 0"
    assert game.sure_of(1)["12"] == "hand 1"


# ---------------------------------------------------------------------------- a single card


def last_cards(make_seen: MakeGame, count: int) -> Table:
    """Returns a game of two without a pile: seat 1 has few cards, and seat 0 knows of the 21.

    Args:
        make_seen: Makes the game.
        count: How many cards seat 1 has, the 21 among them.
    """
    hands = [["2", "1"], ["4", "6", "7"]]
    game = make_seen("tutorial", hands=hands, film=FILM)
    game.turn("view with 2", "look at 2").idle("6")
    game.turn("call 1", "give 2", "to player 1").turn("call 4", "give 1", "to player 0")
    for _ in range(len(game.setup["deck"]) - 4 + 9 - 2 * count):
        game.idle(keep=["21"])
    assert game.to_move == 1
    assert len(game.hand()) == count
    assert game.sure_of(0)["21"] == "hand 1"
    return game


@pytest.mark.rule("F26")
@pytest.mark.parametrize(
    ("words", "where"),
    [(("place 21", "at 1"), "film 1"), (("view with 21",), "bin"), (("call 21",), None)],
)
def test_a_hand_of_one_card_keeps_no_secret(
    make_seen: MakeGame, words: tuple[str, ...], where: str | None
) -> None:
    game = last_cards(make_seen, 1).play(*words)
    assert game.sure_of(0).get("21") == where


@pytest.mark.rule("F26")
@pytest.mark.parametrize("verb", ["place", "view with"])
def test_a_hand_of_two_cards_keeps_its_secret(make_seen: MakeGame, verb: str) -> None:
    game = last_cards(make_seen, 2)
    (other,) = game.hand() - {"21"}
    for card in ("21", other):
        trial = game.fork().play(f"{verb} {card}")
        if verb == "place":
            trial.play("at 1")
        assert "21" not in trial.sure_of(0)


@pytest.mark.rule("F26")
def test_nothing_is_concluded(make_seen: MakeGame) -> None:
    """When the Film is all that is left, one could name its cards by elimination, but does not."""
    game = make_seen("tutorial", hands=[["2", "1"]], film=FILM)
    while not game.over:
        for seat in (0, 1):
            assert not set(FILM) & set(game.sure_of(seat))
        game.idle()
