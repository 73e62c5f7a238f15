"""Who sees what: F24 and F25."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.faux_raccords.rule_staging import MakeGame

FILM = ["20", "21", "22", "23"]


def hidden(size: int, **known: str) -> dict[str, str | None]:
    """Returns a line in which only some cards are seen: ``p3="22"`` is the third."""
    return {str(number): known.get(f"p{number}") for number in range(1, size + 1)}


def cards_in(seen: dict[str, Any]) -> set[str]:
    """Returns all cards that a seat sees."""
    taken = [each["card"] for each in seen["taken"]]
    return {*seen["hand"], *seen["film"].values(), *taken, *seen["cut"]} - {None}


@pytest.mark.rule("F24", "F2")
@pytest.mark.parametrize("mode", ["tutorial", "feature", "shorts", "series", "arcs", "studio"])
def test_at_first_a_seat_sees_its_hand_the_moods_and_the_sizes_and_no_other_card(
    make_seen: MakeGame, mode: str
) -> None:
    game = make_seen(mode, 3)
    setup = game.setup
    for seat in range(3):
        seen = game.sees(seat)
        assert seen["hand"] == sorted(setup["hands"][seat])
        assert set(seen["film"].values()) == {None}
        assert len(seen["film"]) == len(setup["film"])
        assert seen["face_up"] == []
        assert seen["claps"] == [[], [], []]
        assert seen["hints"] == {}
        assert seen["hint_left"] == [True, True, True]
        assert seen["cut"] == []
        assert seen["hand_sizes"] == [3, 3, 3]
        assert (seen["pile"], seen["bin"]) == (len(setup["deck"]), 0)
        assert seen["moods"] == setup["moods"]
        assert seen["hazards"] == [None] * len(setup["hazards"])
        assert cards_in(seen) == set(setup["hands"][seat])


@pytest.mark.rule("F24", "F13", "F25")
def test_a_placed_card_is_seen_by_its_player_as_long_as_the_clap_is_on_it(
    make_seen: MakeGame,
) -> None:
    game = make_seen("tutorial", hands=[["2", "3", "4"], ["6", "7", "8"]], film=FILM, deck=["5"])
    game.play("place 2")
    assert game.sees(0)["hand"] == ["2", "3", "4"]  # until it is put
    assert game.sees(1)["hand_sizes"] == [3, 3]
    game.play("at 3")
    assert game.sees(0)["film"] == hidden(5, p3="2")
    assert game.sees(1)["film"] == hidden(5)
    for seat in (0, 1):
        assert game.sees(seat)["claps"] == [["3"], []]
        assert game.sees(seat)["hand_sizes"] == [2, 3]
        assert game.sees(seat)["bin"] == 0
    game.turn().idle("6").turn("place 3", "at 1").idle("7").turn("place 4", "at 1").idle("8")
    assert game.sees(0)["film"] == hidden(7, p1="4", p2="3", p5="2")
    game.turn("place 5", "at 7", "move clap from 5")
    assert game.sees(0)["film"] == hidden(8, p1="4", p2="3", p7="5")
    assert game.sees(1)["claps"] == [["1", "2", "7"], []]


@pytest.mark.rule("F24", "F14", "F25")
def test_a_viewed_card_is_seen_by_its_viewer_and_the_card_for_it_by_nobody(
    make_seen: MakeGame,
) -> None:
    game = make_seen("tutorial", hands=[["2", "3", "4"], ["6", "7", "8"]], film=FILM)
    game.play("view with 2")
    assert game.sees(0)["hand"] == ["3", "4"]
    assert game.sees(1)["hand_sizes"] == [2, 3]
    assert [game.sees(seat)["bin"] for seat in (0, 1)] == [1, 1]
    game.play("look at 3")
    assert game.sees(0)["film"] == hidden(4, p3="22")
    assert game.sees(1)["film"] == hidden(4)
    game.turn().turn("view with 6", "look at 3")
    assert game.sees(1)["film"] == hidden(4, p3="22")
    assert game.sees(0)["claps"] == [["3"], ["3"]]
    assert "2" not in cards_in(game.sees(0)) | cards_in(game.sees(1))
    assert "6" not in cards_in(game.sees(0)) | cards_in(game.sees(1))


@pytest.mark.rule("F24", "F16")
def test_everybody_sees_the_cut_and_what_lies_face_up(make_seen: MakeGame) -> None:
    hands = [["3", "4", "5"], ["6", "7", "8"]]
    game = make_seen("tutorial", hands=hands, film=FILM).play("call 3")
    assert [game.sees(seat)["cut"] for seat in (0, 1)] == [["3"], ["3"]]
    game.play("show 4")
    assert game.sees(0)["hand"] == ["4", "5"]  # until it is put
    game.turn("at 2")
    for seat in (0, 1):
        assert game.sees(seat)["film"] == hidden(5, p2="4")
        assert game.sees(seat)["face_up"] == ["2"]
        assert game.sees(seat)["claps"] == [[], []]
    game.turn("call 8", "swap 3", "for 1")
    for seat in (0, 1):
        assert game.sees(seat)["film"] == hidden(5, p1="3", p2="4")
        assert game.sees(seat)["cut"] == ["20", "8"]


@pytest.mark.rule("F24", "F16")
def test_a_card_in_the_editors_hand_is_seen_by_those_whose_clap_is_on_it(
    make_seen: MakeGame,
) -> None:
    game = make_seen("tutorial", hands=[["3", "4"], ["2"]], film=FILM)
    game.turn("view with 3", "look at 2").play("call 2", "take 2", "take 1")
    for seat, card in ((0, "21"), (1, None)):
        taken = game.sees(seat)["taken"]
        assert [each["card"] for each in taken] == [card, None]
        assert [each["claps"] for each in taken] == [[0], []]
        assert game.sees(seat)["film"] == hidden(2)
    game.turn("put at 1", "put at 1")
    assert game.sees(0)["film"] == hidden(4, p2="21")
    assert game.sees(1)["film"] == hidden(4)


@pytest.mark.rule("F24", "F16", "F17")
def test_a_card_that_is_given_is_seen_only_by_the_one_who_gets_it(make_seen: MakeGame) -> None:
    hands = [["3", "4"], ["1"], ["5"]]
    game = make_seen("tutorial", 3, hands=hands, film=FILM)
    game.turn("view with 3", "look at 2").turn("call 1", "give 2", "to player 2")
    assert "21" in game.sees(2)["hand"]
    assert "21" not in cards_in(game.sees(0)) | cards_in(game.sees(1))
    assert game.sees(0)["claps"] == [[], [], []]
    assert game.sees(0)["reserves"] == [3, 3, 3]
    assert game.sees(0)["hand_sizes"] == [3, 3, 4]


@pytest.mark.rule("F24", "F17")
def test_everybody_sees_the_hints_and_who_has_one_left(make_seen: MakeGame) -> None:
    game = make_seen("tutorial", hands=[["2"], ["6"]], film=FILM)
    game.play("place 2", "at 1", "hint good", "on 3")
    game.play("view with 6", "look at 1", "hint bad", "on 3")
    for seat in (0, 1):
        assert game.sees(seat)["hints"] == {"3": [(0, "good"), (1, "bad")]}
        assert game.sees(seat)["hint_left"] == [False, False]


@pytest.mark.rule("F24", "F19", "F17")
def test_spilled_coffee_takes_all_hints_from_the_film(make_seen: MakeGame) -> None:
    hands = [["2", "3", "4"], ["5", "6", "7"]]
    game = make_seen("feature", 3, hands=hands, hazards=["spilled coffee"])
    game.play("place 2", "at 1", "hint good", "on 5").play("place 5", "at 1", "hint bad", "on 1")
    assert game.sees(0)["hints"] == {}
    assert game.sees(0)["hint_left"] == [False, False, True]  # they are out of the game


@pytest.mark.rule("F24", "F18")
def test_a_hazard_is_seen_from_when_it_happens(make_seen: MakeGame) -> None:
    hands = [["2", "3"], ["5", "6"]]
    hazards = ["ego clash", "reshoot", "power cut"]
    game = make_seen("feature", 3, hands=hands, hazards=hazards).turn("place 2", "at 1")
    assert game.sees(2)["hazards"] == [None, None, None]
    game.play("place 5", "at 1", "no hint")
    for seat in range(3):
        assert game.sees(seat)["hazards"] == ["ego clash", None, None]
    game.to_action()
    assert game.sees(2)["hazards"] == ["ego clash", None, None]


@pytest.mark.rule("F24", "F19")
def test_a_card_that_is_covered_is_seen_no_more(make_seen: MakeGame) -> None:
    hands = [["3", "4", "1"], ["9", "6", "7"]]
    game = make_seen("feature", 3, hands=hands, hazards=["censored"])
    game.turn("call 3", "show 4", "at 1").turn("call 9", "show 6", "at 10").play("cover 1")
    for seat in range(3):
        assert game.sees(seat)["face_up"] == ["10"]
        assert game.sees(seat)["film"] == hidden(10, p10="6")


@pytest.mark.rule("F24", "F19")
def test_what_hazards_bin_is_seen_by_nobody(make_seen: MakeGame) -> None:
    hands = [["2", "3", "4"], ["5", "6", "7"], ["12", "13", "14"]]
    deck = ["8", "9", "10", "11"]
    for hazard, words, binned in (
        ("budget cut", (), {"9", "10"}),
        ("reshoot", ("reshoot 4",), {"22", "9"}),
        ("lost reel", ("lose 4",), {"22"}),
        ("early deadline", ("bin 12",), {"12"}),
    ):
        film = [*FILM, "24", "25", "26", "27"]
        game = make_seen("feature", 3, hands=hands, film=film, deck=deck, hazards=[hazard])
        game.turn("place 2", "at 1").turn("place 5", "at 10").play(*words)
        for seat in range(3):
            assert not cards_in(game.sees(seat)) & binned
        assert game.sees(0)["bin"] == len(binned) - (hazard == "reshoot")
        assert game.sees(0)["pile"] == 15 - 2 - {"budget cut": 2, "reshoot": 1}.get(hazard, 0)


@pytest.mark.rule("F25", "F19")
def test_a_card_that_is_passed_stays_in_hand_until_all_have_chosen(make_seen: MakeGame) -> None:
    hands = [["2", "3", "4"], ["5", "6", "7"], ["12", "13", "14"]]
    game = make_seen("feature", 3, hands=hands, deck=["8", "9"], hazards=["wrong hands"])
    game.turn("place 2", "at 1").turn("place 5", "at 10").play("pass 6", "pass 12")
    assert [game.sees(seat)["hand_sizes"] for seat in range(3)] == [[3, 2, 3]] * 3
    assert game.sees(1)["hand"] == ["6", "7"]
    assert game.sees(2)["hand"] == ["12", "13", "14"]
    game.play("pass 3")
    assert game.sees(0)["hand"] == ["12", "4", "8"]
    assert game.sees(1)["hand"] == ["3", "7", "9"]
    assert game.sees(2)["hand"] == ["13", "14", "6"]


@pytest.mark.rule("F25")
def test_the_words_of_others_do_not_name_their_secrets(make_seen: MakeGame) -> None:
    game = make_seen("feature", 3, hands=[["2", "3", "4"]], film=[*FILM, "24", "25", "26", "27"])
    game.play("place 2")
    assert game.sees(0).get("said", [(0, "place 2")]) == [(0, "place 2")]
    assert game.sees(1).get("said", [(0, "place")]) == [(0, "place")]
    assert game.sees(1).get("to_move", 0) == 0
    assert not cards_in(game.sees(1)) & {"2", "3", "4"}
