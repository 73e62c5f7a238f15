"""The editor: F16, with F5, F8, F9 and F10."""

from __future__ import annotations

import pytest

from tests.games.faux_raccords.rule_staging import MakeGame

HINT = {"no hint", "hint good", "hint bad"}
FOUR = ["20", "21", "22", "23"]


def numbers(last: int, letter: str = "") -> set[str]:
    return {f"{letter}{number}" for number in range(1, last + 1)}


def cells(words: str) -> set[str]:
    return set(words.split())


# ---------------------------------------------------------------------------- lines


@pytest.mark.rule("F16")
def test_an_editor_takes_one_card_and_puts_it_anywhere_also_where_it_was(
    make_game: MakeGame,
) -> None:
    game = make_game("tutorial", hands=[["2"]], film=FOUR).play("call 2")
    assert game.legal() == {"no effect", *(f"take {place}" for place in numbers(4))}
    game.play("take 2")
    assert game.legal() == {"enough", *(f"take {place}" for place in numbers(3))}
    game.play("enough")
    assert game.legal() == {f"put at {place}" for place in numbers(4)}
    lines = [game.fork().turn(f"put at {place}").line() for place in range(1, 5)]
    assert lines == [
        ["21", "20", "22", "23"],
        ["20", "21", "22", "23"],
        ["20", "22", "21", "23"],
        ["20", "22", "23", "21"],
    ]


@pytest.mark.rule("F16")
def test_two_cards_are_taken_before_any_is_put_and_put_in_the_order_taken(
    make_game: MakeGame,
) -> None:
    game = make_game("tutorial", hands=[["2"]], film=FOUR).play("call 2", "take 4", "take 1")
    assert game.offers("put at") == numbers(3)
    game.play("put at 1")  # the 23
    assert game.offers("put at") == numbers(4)
    assert game.turn("put at 3").line() == ["23", "21", "20", "22"]


@pytest.mark.rule("F16")
def test_an_editor_takes_no_more_than_two_cards(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["2"]]).play("call 2", "take 1", "take 1")
    assert not game.offers("take")
    assert "enough" not in game.legal()
    game.play("put at 1", "put at 1")
    assert game.legal() == HINT


@pytest.mark.rule("F16", "F6")
def test_in_the_shorts_a_card_may_go_to_the_other_line(make_game: MakeGame) -> None:
    film = ["3", "5", "8", "9", "11", "13", "15", "16"]
    game = make_game("shorts", 3, hands=[["2"]], film=film).play("call 2", "take A1", "take B4")
    assert game.offers("put at") == numbers(4, "A") | numbers(4, "B")
    game.play("put at B1")
    assert game.offers("put at") == numbers(4, "A") | numbers(5, "B")
    game.turn("put at A4")
    assert (game.line("A"), game.line("B")) == (["5", "8", "9", "16"], ["3", "11", "13", "15"])


@pytest.mark.rule("F16", "F13")
def test_claps_stay_on_a_card_that_is_moved(make_game: MakeGame) -> None:
    hands = [["3", "5", "7"], ["2"]]
    game = make_game("tutorial", hands=hands, deck=["8", "9", "10", "11", "12"])
    game.turn("place 3", "at 1").turn("call 2", "take 1", "enough", "put at 5")
    game.turn("place 5", "at 1").idle().turn("place 7", "at 1").idle()
    game.play("place 8", "at 1")
    assert game.offers("move clap from") == {"2", "3", "8"}


@pytest.mark.rule("F16", "F14")
def test_a_card_stays_face_up_or_face_down_when_it_is_moved(make_game: MakeGame) -> None:
    hands = [["3", "5"], ["2", "7"]]
    game = make_game("tutorial", hands=hands).turn("call 3", "show 5", "at 1")
    game.turn("call 2", "take 1", "take 1", "put at 4", "put at 1")  # the 5 is the last now
    assert game.line()[4] == "5"
    assert game.idle().play("view with 7").offers("look at") == numbers(4)


@pytest.mark.rule("F16")
def test_an_editor_with_one_card_in_the_film_has_enough(make_game: MakeGame) -> None:
    hands = [["1", "2"], ["4"], ["11"]]
    game = make_game("studio", 4, hands=hands)
    for card in ("1", "4", "11"):
        game.play(f"call {card}")
        game.turn(f"give {max(game.offers('give'))}", f"to player {1 if card == '1' else 0}")
    game.idle()
    assert len(game.film()) == 1
    game.play("call 2", "take 1/1")
    assert game.legal() == {"enough"}
    game.play("enough")
    assert game.legal() == {"put at 1/1"}


# ---------------------------------------------------------------------------- series


@pytest.mark.rule("F16", "F7")
def test_in_a_series_cards_go_to_free_cells_without_a_hazard(make_game: MakeGame) -> None:
    film = ["3", "5", "8", "9", "11", "13"]  # 1/1 1/3 1/4 4/1 4/2 4/4
    game = make_game("series", hands=[["2"]], film=film).play("call 2", "take 1/1", "take 4/4")
    free = cells("1/2 2/1 2/4 3/1 3/4 4/3")
    assert game.offers("put at") == free | {"1/1", "4/4"}
    game.play("put at 4/4")
    assert game.offers("put at") == free | {"1/1"}
    game.turn("put at 3/1").to_action()
    film_now = {"1/3": "5", "1/4": "8", "3/1": "13", "4/1": "9", "4/2": "11", "4/4": "3"}
    assert game.film() == film_now


# ---------------------------------------------------------------------------- arcs


@pytest.mark.rule("F16", "F10")
def test_in_arcs_any_card_may_be_taken_and_one_card_makes_the_film_whole_again(
    make_game: MakeGame,
) -> None:
    hands = [["1"], ["2"]]
    game = make_game("arcs", 4, hands=hands, film=["3", "5", "8", "9"])
    game.turn("call 1", "give 1/2", "to player 1")  # 3 at 1/1, 8 at 2/1, 9 at 2/2
    game.play("call 2")
    assert game.offers("take") == cells("1/1 2/1 2/2")
    game.play("take 2/1", "enough")  # what is left is in two pieces
    assert game.offers("put at") == cells("1/2 2/1")
    assert game.turn("put at 1/2").film() == {"1/1": "3", "1/2": "8", "2/2": "9"}


@pytest.mark.rule("F16", "F8")
def test_in_arcs_a_card_at_the_edge_goes_where_it_touches_what_is_left(
    make_game: MakeGame,
) -> None:
    game = make_game("arcs", 4, hands=[["2"]], film=["3", "5", "8", "9"])
    game.play("call 2", "take 1/1", "enough")
    # 1/2, 2/1 and 2/2 are left; the card may go around them, within a span of four.
    around = "0/2 0/3 1/1 1/3 2/0 2/3 3/0 3/1 3/2"
    assert game.offers("put at") == cells(around)
    assert game.turn("put at 3/0").film() == {"1/3": "5", "2/2": "8", "2/3": "9", "3/1": "3"}


@pytest.mark.rule("F16", "F10")
def test_in_arcs_the_first_of_two_goes_only_where_the_second_can_make_the_film_whole(
    make_game: MakeGame,
) -> None:
    hands = [["1", "7"], ["4", "2"], ["11"]]
    game = make_game("arcs", 3, hands=hands, film=["3", "5", "8", "9", "12", "13"])
    game.turn("call 1", "give 1/3", "to player 1").turn("call 4", "give 1/2", "to player 0")
    game.turn("call 11", "give 2/2", "to player 0").turn("place 7", "at 4/1")
    assert game.film() == {"1/1": "3", "2/1": "9", "3/1": "13", "4/1": "7"}
    game.play("call 2", "take 2/1", "take 3/1")
    # Between the ends of a row of four there is one way to close the gap.
    assert game.offers("put at") == cells("2/1 3/1")
    game.play("put at 3/1")
    assert game.legal() == {"put at 2/1"}
    game.to_action()
    assert game.film() == {"1/1": "3", "2/1": "13", "3/1": "9", "4/1": "7"}


@pytest.mark.rule("F16", "F10")
def test_in_arcs_the_first_of_two_may_leave_the_gap_to_the_second(make_game: MakeGame) -> None:
    game = make_game("arcs", 4, hands=[["2"]], film=["3", "5", "8", "9"])
    game.play("call 2", "take 1/2", "take 2/1")  # 1/1 and 2/2 do not touch
    assert cells("1/2 2/1 0/1 2/3") < game.offers("put at")
    shifted = game.fork().play("put at 0/1")  # 1/1 is 2/1 now, and 2/2 is 3/2
    assert shifted.offers("put at") == cells("2/2 3/1")
    assert game.fork().play("put at 2/3").offers("put at") == cells("1/2 2/1")
    joined = game.play("put at 1/2")
    assert cells("2/1 1/3 0/1 2/3 3/2") < joined.offers("put at")


@pytest.mark.rule("F16", "F10", "F8")
def test_in_arcs_three_pieces_are_joined_by_two_cards_or_by_one(make_game: MakeGame) -> None:
    hands = [["6", "7"], ["4"], ["10"], ["1"]]
    game = make_game("arcs", 4, hands=hands, film=["3", "5", "8", "9"])
    game.turn("call 6").turn("place 4", "at 3/1").turn("place 10", "at 3/0")  # y shifts
    expected = {"1/2": "3", "1/3": "5", "2/2": "8", "2/3": "9", "3/1": "10", "3/2": "4"}
    assert game.film() == expected
    game.turn("call 1", "give 1/3", "to player 0")
    game.play("call 7", "take 2/2", "take 3/2")  # 1/2, 2/3 and 3/1 are left, and none touch
    assert game.fork().play("put at 1/3").offers("put at") == cells("2/1 2/2 3/2")
    assert game.fork().play("put at 3/3").offers("put at") == cells("2/2")


# ---------------------------------------------------------------------------- studio


@pytest.mark.rule("F16", "F9", "F10")
def test_in_studio_an_editor_takes_a_support_and_another_card_and_puts_the_other_one_under(
    make_game: MakeGame,
) -> None:
    game = make_game("studio", 4, hands=[["2"]], film=["3", "5", "8", "9"])
    # 3 5 8 below, the 9 on 3 and 5
    game.play("call 2")
    assert game.offers("take") == cells("1/1 1/2 1/3 2/1")
    game.play("take 1/1", "take 1/3")  # the 3, a support, and the 8
    # 1/2 and 2/1 are left. The 3 goes first: under the 9, or elsewhere, and then the 8 goes under.
    assert game.offers("put at") == cells("1/1 1/3")
    game.play("put at 1/3")
    assert game.offers("put at") == cells("1/1")
    assert game.turn("put at 1/1").film() == {"1/1": "8", "1/2": "5", "1/3": "3", "2/1": "9"}


@pytest.mark.rule("F16", "F9", "F10")
def test_in_studio_a_support_that_is_taken_alone_goes_back(make_game: MakeGame) -> None:
    game = make_game("studio", 4, hands=[["2"]], film=["3", "5", "8", "9"])
    game.play("call 2", "take 1/1", "enough")
    assert game.legal() == {"put at 1/1"}  # the 9 still is at index 1
    other = make_game("studio", 4, hands=[["2"]], film=["3", "5", "8", "9"])
    other.play("call 2", "take 2/1", "enough")
    assert other.offers("put at") == cells("1/0 1/4 2/1 2/2")


@pytest.mark.rule("F16", "F9", "F5")
def test_in_studio_names_count_from_the_least_index_that_lies_there(make_game: MakeGame) -> None:
    game = make_game("studio", 4, hands=[["2"]], film=["3", "5", "8", "9"])
    game.play("call 2", "take 1/1")
    assert game.offers("take") == cells("1/2 1/3 2/1")  # the 9 has index 1
    game.play("take 2/1")
    # The 5 and the 8 are 1/1 and 1/2 now.
    assert game.offers("put at") == cells("1/0 1/3 2/1")
    game.play("put at 2/1")  # the 3
    assert game.offers("put at") == cells("1/0 1/3")
    assert game.turn("put at 1/3").film() == {"1/1": "5", "1/2": "8", "1/3": "9", "2/1": "3"}


@pytest.mark.rule("F16", "F9", "F10")
def test_in_studio_both_supports_of_a_card_may_be_exchanged(make_game: MakeGame) -> None:
    game = make_game("studio", 4, hands=[["2"]], film=["3", "5", "8", "9"])
    game.play("call 2", "take 1/1", "take 1/2")  # the 9 hangs in the air beside the 8
    assert game.offers("put at") == cells("1/1 1/2")
    game.play("put at 1/2")
    assert game.offers("put at") == cells("1/1")
    assert game.turn("put at 1/1").film() == {"1/1": "5", "1/2": "3", "1/3": "8", "2/1": "9"}


@pytest.mark.rule("F16", "F9")
def test_in_studio_a_card_of_the_first_level_may_go_up(make_game: MakeGame) -> None:
    game = make_game("studio", 4, hands=[["2", "7"], ["10"]], film=["3", "5", "8", "9"])
    game.turn("place 7", "at 1/4").play("call 10", "take 1/4", "enough")
    assert game.offers("put at") == cells("1/0 1/4 2/2")
    game.turn("put at 2/2")
    assert game.film() == {"1/1": "3", "1/2": "5", "1/3": "8", "2/1": "9", "2/2": "7"}
