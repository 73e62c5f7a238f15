"""Calling members of the production: F16. The editor has a file of its own."""

from __future__ import annotations

import pytest

from tests.games.faux_raccords.rule_staging import MakeGame, Table

HINT = {"no hint", "hint good", "hint bad"}


def numbers(last: int, *without: int) -> set[str]:
    return {str(number) for number in range(1, last + 1) if number not in without}


def few_cards_left(make_game: MakeGame, keep: list[list[str]], mode: str = "tutorial") -> Table:
    """Returns a game of two without a pile, in which seat 0 is to move and each kept one card."""
    game = make_game(mode, hands=keep)
    for _ in range(len(game.setup["deck"]) + 4):
        game.idle(keep=keep[game.to_move or 0])
    assert game.to_move == 0
    return game


# ---------------------------------------------------------------------------- calling


@pytest.mark.rule("F16")
@pytest.mark.parametrize("card", ["6", "2", "5", "1", "3"])
def test_every_effect_may_be_declined(make_game: MakeGame, card: str) -> None:
    game = make_game("tutorial", hands=[["7"], [card]]).idle("7")
    before = game.line()
    game.play(f"call {card}")
    assert "no effect" in game.legal()
    game.play("no effect")
    assert game.legal() == HINT
    assert game.turn().line() == before


@pytest.mark.rule("F16")
def test_a_called_card_lies_at_the_end_of_the_cut(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["2", "7"], ["5"]]).idle("2").play("call 5")
    assert game.offers("swap") == {"2", "5"}
    game.turn("no effect")
    assert "5" not in game.idle().hand()


@pytest.mark.rule("F16", "F28")
def test_what_cannot_be_done_is_not_asked(make_game: MakeGame) -> None:
    """The first two moves of the example of a record."""
    game = make_game("feature", hands=[["7", "12", "1b"], ["3", "20", "28"]], first=1)
    game.play("call 20")  # a manager, with nothing to reuse
    assert (game.to_move, game.legal()) == (1, HINT)
    game.play("no hint")
    assert game.to_move == 0


# ---------------------------------------------------------------------------- manager


@pytest.mark.rule("F16")
def test_a_manager_reuses_any_card_of_the_cut_but_the_one_just_called(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["2", "8"], ["6", "12"]]).idle("2").idle("6").idle("8")
    game.play("call 12")
    assert game.legal() == {"no effect", "reuse 2", "reuse 6", "reuse 8"}


@pytest.mark.rule("F16")
@pytest.mark.parametrize(
    ("card", "verb"), [("2", "take"), ("5", "swap"), ("1", "give"), ("3", "show")]
)
def test_the_reused_card_has_its_effect_and_is_in_the_bin(
    make_game: MakeGame, card: str, verb: str
) -> None:
    game = make_game("tutorial", hands=[[card, "8"], ["6", "12"]]).idle(card)
    game.play("call 6", f"reuse {card}")
    assert {words.rpartition(" ")[0] for words in game.legal()} == {verb, "no"}
    if verb == "swap":
        assert game.offers("swap") == {"6"}  # the reused card is gone
    game.turn("no effect").idle("8").play("call 12")
    assert game.offers("reuse") == {"6", "8"}


@pytest.mark.rule("F16")
def test_a_reused_card_leaves_the_cut_also_if_its_effect_is_declined_or_impossible(
    make_game: MakeGame,
) -> None:
    game = make_game("tutorial", hands=[["6", "8"], ["12", "20"]]).idle("6")
    game.play("call 12", "reuse 6")  # a manager, and only the 12 is left
    assert (game.to_move, game.legal()) == (1, HINT)
    game.turn().idle("8").play("call 20")
    assert game.offers("reuse") == {"8", "12"}


@pytest.mark.rule("F16")
def test_managers_reuse_managers_one_after_the_other(make_game: MakeGame) -> None:
    hands = [["6", "20", "3"], ["12", "5", "27"]]
    game = make_game("tutorial", hands=hands, film=["14", "15", "16", "17"])
    game.idle("6").idle("12").idle("20").idle("5").idle("3")
    game.play("call 27")
    assert game.offers("reuse") == {"6", "12", "20", "5", "3"}
    game.play("reuse 12")
    assert game.legal() == {"no effect", "reuse 6", "reuse 20", "reuse 5", "reuse 3"}
    game.play("reuse 6")
    assert game.offers("reuse") == {"20", "5", "3"}
    game.play("reuse 20", "reuse 5")
    assert game.legal() == {"no effect", "swap 3", "swap 27"}
    game.turn("swap 27", "for 2")
    assert game.line() == ["14", "27", "16", "17"]


@pytest.mark.rule("F16")
def test_a_chain_of_managers_may_stop_anywhere(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["6", "20"], ["2", "27"]]).idle("6").idle("2").idle("20")
    game.play("call 27", "reuse 20", "reuse 6", "no effect")
    assert game.legal() == HINT
    game.turn()
    assert "end" in game.legal()


# ---------------------------------------------------------------------------- star


@pytest.mark.rule("F16")
def test_a_star_swaps_any_card_of_the_cut_also_itself_for_any_card_of_the_film(
    make_game: MakeGame,
) -> None:
    film = ["20", "21", "22", "23"]
    game = make_game("tutorial", hands=[["2"], ["5", "8"]], film=film).idle("2").play("call 5")
    assert game.legal() == {"no effect", "swap 2", "swap 5"}
    itself = game.fork().play("swap 5")
    assert itself.legal() == {"for 1", "for 2", "for 3", "for 4"}
    assert itself.turn("for 1").line() == ["5", "21", "22", "23"]
    assert game.turn("swap 2", "for 3").line() == ["20", "21", "2", "23"]
    game.idle().play("call 8")
    assert {"5", "22"} < game.offers("swap")  # the 22 is in the Cut now


@pytest.mark.rule("F16")
@pytest.mark.parametrize(
    ("swapped", "calls", "left"),
    [
        ("2", 3, {"3", "5", "9", "7", "11"}),  # 23 3 5 9 7 11: the 23 was the first to go
        ("3", 3, {"23", "5", "9", "7", "11"}),  # 2 23 5 9 7 11
        ("3", 5, {"9", "7", "11", "10", "17"}),
        ("5", 4, {"23", "9", "7", "11", "10"}),  # 2 3 23 9 7 11 10
    ],
)
def test_the_film_card_takes_the_place_of_the_cut_card_in_the_row(
    make_game: MakeGame, swapped: str, calls: int, left: set[str]
) -> None:
    hands = [["2", "5", "7"], ["3", "9", "6"]]
    deck = ["10", "11", "12", "17", "27"]
    game = make_game("tutorial", hands=hands, film=["20", "21", "22", "23"], deck=deck)
    game.idle("2").idle("3").turn("call 5", f"swap {swapped}", "for 4")
    for card in ["9", "7", "11", "10", "17"][:calls]:
        game.idle(card)
    game.play("call 6" if "6" in game.hand() else "call 12")
    assert game.offers("reuse") == left


@pytest.mark.rule("F16", "F14")
def test_the_card_of_the_cut_lies_face_up_in_the_film_without_a_clap(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["5", "2", "7"], ["6"]]).turn("call 5", "swap 5", "for 2")
    assert game.play("view with 6").offers("look at") == numbers(4, 2)
    game.turn("look at 1")
    for card, place in (("2", 1), ("7", 3)):
        game.turn(f"view with {card}", f"look at {place}").idle()
    game.play(f"view with {min(game.hand())}", "look at 4")
    assert game.legal() == HINT  # the third Clap came from the reserve


@pytest.mark.rule("F16", "F10")
@pytest.mark.parametrize("mode", ["arcs", "studio"])
def test_a_star_may_swap_a_card_that_cannot_leave(make_game: MakeGame, mode: str) -> None:
    game = make_game(mode, 4, hands=[["5"]])
    film = game.film()
    game.play("call 5", "swap 5")
    assert game.offers("for") == set(film)
    assert game.turn("for 1/2").film() == {**film, "1/2": "5"}


# ---------------------------------------------------------------------------- producer


@pytest.mark.rule("F16")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_producer_gives_a_card_of_the_film_to_another_player(
    make_game: MakeGame, players: int
) -> None:
    film = ["20", "21", "22", "23"]
    game = make_game("tutorial", players, hands=[[], ["1"]], film=film, first=1).play("call 1")
    assert game.legal() == {"no effect", "give 1", "give 2", "give 3", "give 4"}
    game.play("give 2")
    assert game.legal() == {f"to player {seat}" for seat in range(players) if seat != 1}
    game.turn("to player 0")
    assert game.line() == ["20", "22", "23"]
    for _ in range(players - 2):
        assert "21" not in game.hand()
        game.idle()
    assert game.to_move == 0
    assert "21" in game.hand()
    assert len(game.hand()) == 4


@pytest.mark.rule("F16")
def test_a_producer_may_give_a_card_that_lies_face_up(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["3", "5"], ["1"]]).turn("call 3", "show 5", "at 1")
    game.play("call 1")
    assert "1" in game.offers("give")
    game.turn("give 1", "to player 0")
    assert "5" in game.hand()


# ---------------------------------------------------------------------------- script supervisor


@pytest.mark.rule("F16", "F25")
def test_a_script_supervisor_shows_a_card_anywhere_in_the_film(make_game: MakeGame) -> None:
    film = ["20", "21", "22", "23"]
    game = make_game("tutorial", hands=[["3", "5", "7"], ["6"]], film=film).play("call 3")
    assert game.legal() == {"no effect", "show 5", "show 7"}
    game.play("show 5")
    assert game.offers("at") == numbers(5)
    game.turn("at 3")
    assert game.line() == ["20", "21", "5", "22", "23"]
    assert game.play("view with 6").offers("look at") == numbers(5, 3)  # face up
    assert "5" not in game.turn("look at 1").hand()


@pytest.mark.rule("F16", "F13")
def test_a_shown_card_gets_no_clap(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["3", "5", "7"], ["6"]], deck=["8", "9", "10"])
    game.turn("call 3", "show 5", "at 1").idle("6")
    for card in ("7", "8", "10"):
        game.play(f"place {card}", "at 1")
        assert game.legal() == HINT  # from the reserve
        game.turn().idle()
    game.play(f"place {min(game.hand())}", "at 1")
    assert game.offers("move clap from") == {"2", "3", "4"}


@pytest.mark.rule("F16")
def test_a_script_supervisor_needs_a_card(make_game: MakeGame) -> None:
    game = few_cards_left(make_game, [["3"], ["7"]])
    assert game.hand() == {"3"}
    game.play("call 3")
    assert game.legal() == HINT  # there is nothing to show


@pytest.mark.rule("F16", "F8")
def test_a_script_supervisor_shows_by_the_rules_of_the_shape(make_game: MakeGame) -> None:
    game = make_game("arcs", 4, hands=[["3", "5"]]).play("call 3", "show 5")
    around = "0/1 0/2 0/3 1/0 2/0 3/0 1/3 2/3 3/1 3/2"
    assert game.offers("at") == set(around.split())
    game = make_game("studio", 4, hands=[["3", "5"]]).play("call 3", "show 5")
    assert game.offers("at") == {"1/0", "1/4", "2/2"}
    game = make_game("series", 3, hands=[["3", "5"]]).play("call 3", "show 5")
    assert game.offers("at") == {"1/2", "2/1", "2/4", "3/1", "3/4", "4/3"}
