"""The Film, its places and their names: F5 to F10."""

from __future__ import annotations

import pytest

from tests.games.faux_raccords.rule_staging import MakeGame, Table


def numbers(last: int, letter: str = "") -> set[str]:
    return {f"{letter}{number}" for number in range(1, last + 1)}


def cells(words: str) -> set[str]:
    return set(words.split())


def emptied(make_game: MakeGame, mode: str, card: str = "14") -> Table:
    """Returns a game of four in which the whole Film has been given away; seat 0 has a card."""
    hands = [["1", card], ["4"], ["11"], ["15"]]
    game = make_game(mode, 4, hands=hands, hazards=["walk-out"])  # in arcs, at the fourth call
    for seat, producer in enumerate(("1", "4", "11", "15")):
        game.play(f"call {producer}")
        game.turn(f"give {max(game.offers('give'))}", f"to player {(seat + 1) % 4}")
    return game


# ---------------------------------------------------------------------------- names of the moment


@pytest.mark.rule("F5", "F16")
def test_a_card_in_the_editors_hand_does_not_count_in_the_names(make_game: MakeGame) -> None:
    film = ["3", "5", "8", "9", "11", "13", "15", "16"]
    game = make_game("feature", 3, hands=[["2"]], film=film).play("call 2")
    assert game.offers("take") == numbers(8)
    game.play("take 3")
    assert game.offers("take") == numbers(7)
    game.play("take 3")  # which was the fourth
    assert game.offers("put at") == numbers(7)
    game.play("put at 7")  # the 8
    assert game.offers("put at") == numbers(8)  # it lies there now
    game.turn("put at 1")  # the 9
    assert game.line() == ["9", "3", "5", "11", "13", "15", "16", "8"]


@pytest.mark.rule("F5", "F13")
def test_a_card_just_put_counts_in_the_names_when_a_clap_moves(make_game: MakeGame) -> None:
    game = make_game("feature", 3, hands=[["2", "3", "4"]], deck=["5"])
    for card in ("2", "3", "4"):
        game.turn(f"place {card}", "at 1").idle().idle()
    game.play("place 5", "at 2")
    assert game.offers("move clap from") == {"1", "3", "4"}


@pytest.mark.rule("F5", "F8")
def test_a_card_just_put_shifts_the_names_when_a_clap_moves(make_game: MakeGame) -> None:
    game = make_game("arcs", hands=[["2", "3", "4"]], deck=["5"])
    for card, place in (("2", "2/3"), ("3", "3/2"), ("4", "4/1")):
        game.turn(f"place {card}", f"at {place}").idle()
    game.play("place 5", "at 3/0")
    assert game.offers("move clap from") == cells("2/4 3/3 4/2")


# ---------------------------------------------------------------------------- lines


@pytest.mark.rule("F6")
@pytest.mark.parametrize(("mode", "players", "size"), [("tutorial", 2, 4), ("feature", 4, 6)])
def test_a_line_offers_one_place_more_than_it_has_cards(
    make_game: MakeGame, mode: str, players: int, size: int
) -> None:
    game = make_game(mode, players)
    game.play(f"place {min(game.hand())}")
    assert game.legal() == {f"at {number}" for number in range(1, size + 2)}


@pytest.mark.rule("F6")
@pytest.mark.parametrize("number", range(1, 6))
def test_a_card_put_at_a_number_gets_it_and_those_from_there_on_move_up(
    make_game: MakeGame, number: int
) -> None:
    film = ["12", "3", "20", "7"]
    game = make_game("tutorial", film=film, hands=[["5"]]).turn("place 5", f"at {number}")
    film.insert(number - 1, "5")
    assert game.line() == film


@pytest.mark.rule("F6")
def test_places_of_the_shorts_have_the_letter_of_their_line(make_game: MakeGame) -> None:
    film = ["12", "3", "20", "7", "8", "9", "10", "11"]
    game = make_game("shorts", 3, film=film, hands=[["5"]]).play("place 5")
    assert game.offers("at") == numbers(5, "A") | numbers(5, "B")
    game.turn("at B2").to_action()  # five cards in B: a hazard
    assert (game.line("A"), game.line("B")) == (film[:4], ["8", "5", "9", "10", "11"])
    game.play(f"place {min(game.hand())}")
    assert game.offers("at") == numbers(5, "A") | numbers(6, "B")


@pytest.mark.rule("F6", "F21")
def test_a_line_may_be_longer_than_its_aim(make_game: MakeGame) -> None:
    game = make_game("tutorial", 4)
    for size in range(4, 14):
        assert len(game.line()) == size
        assert game.result_now()["conditions"]["size"] == (size == 12)
        game.play(f"place {min(game.hand())}")
        assert game.offers("at") == numbers(size + 1)
        game.play("at 1")
        if game.offers("move clap from"):
            game.play(min(game.legal()))
        game.turn()


@pytest.mark.rule("F6", "F16")
def test_a_line_may_be_empty(make_game: MakeGame) -> None:
    film = ["12", "3", "20", "8", "9", "6"]
    hazards = ["walk-out", "reshoot", "power cut", "early deadline"]
    game = make_game("shorts", 4, film=film, hands=[["2"], ["7"], ["4"]], hazards=hazards)
    game.turn("call 2", "take A1", "take A1", "put at B1", "put at B2")
    game.to_action()  # five cards in B: a hazard
    assert (game.line("A"), game.line("B")) == (["20"], ["12", "3", "8", "9", "6"])
    game.play("call 7", "take A1", "enough")
    assert game.offers("put at") == {"A1"} | numbers(6, "B")
    game.turn("put at B6")
    assert (game.line("A"), game.line("B")) == ([], ["12", "3", "8", "9", "6", "20"])
    game.play("place 4")
    assert game.offers("at") == {"A1"} | numbers(7, "B")
    assert game.turn("at A1").line("A") == ["4"]


# ---------------------------------------------------------------------------- series


@pytest.mark.rule("F7")
@pytest.mark.parametrize(
    ("players", "free"),
    [
        (2, "1/2 2/1 2/4 3/1 3/4 4/3"),
        (3, "1/2 2/1 2/4 3/1 3/4 4/3"),
        (4, "1/2 1/3 2/1 2/4 3/1 3/4 4/2 4/3"),
    ],
)
def test_any_free_cell_without_a_hazard_takes_a_card_and_nothing_shifts(
    make_game: MakeGame, players: int, free: str
) -> None:
    game = make_game("series", players)
    film = game.film()
    card = min(game.hand())
    game.play(f"place {card}")
    assert game.offers("at") == cells(free)
    game.turn("at 4/3")
    assert game.film() == {**film, "4/3": card}
    game.play(f"place {min(game.hand())}")
    assert game.offers("at") == cells(free) - {"4/3"}


# ---------------------------------------------------------------------------- arcs


@pytest.mark.rule("F8")
@pytest.mark.parametrize(
    ("players", "places"),
    [
        (2, "0/1 0/2 0/3 0/4 1/0 2/0 3/0 4/0 1/4 2/3 3/2 4/1"),
        (4, "0/1 0/2 0/3 1/0 2/0 3/0 1/3 2/3 3/1 3/2"),
    ],
)
def test_a_card_is_put_touching_another_sideways_or_in_its_column(
    make_game: MakeGame, players: int, places: str
) -> None:
    game = make_game("arcs", players)
    game.play(f"place {min(game.hand())}")
    assert game.offers("at") == cells(places)


@pytest.mark.rule("F8")
def test_in_arcs_a_card_at_0_2_shifts_all_names(make_game: MakeGame) -> None:
    film = ["3", "5", "8", "9", "11", "13"]
    game = make_game("arcs", film=film, hands=[["2"]]).turn("place 2", "at 0/2")
    shifted = dict(zip(["2/1", "2/2", "2/3", "3/1", "3/2", "4/1"], film, strict=True))
    assert game.film() == {"1/2": "2", **shifted}


@pytest.mark.rule("F8")
def test_a_card_at_y_0_shifts_only_the_second_numbers(make_game: MakeGame) -> None:
    film = ["3", "5", "8", "9"]
    game = make_game("arcs", 4, film=film, hands=[["2"]]).turn("place 2", "at 3/0")
    assert game.film() == {"1/2": "3", "1/3": "5", "2/2": "8", "2/3": "9", "3/1": "2"}


@pytest.mark.rule("F8")
def test_the_losange_spans_four_and_the_players_choose_where_it_lies(make_game: MakeGame) -> None:
    game = make_game("arcs")  # the first six span three either way
    game.turn(f"place {min(game.hand())}", "at 0/2")  # x is full, y is not
    game.play(f"place {min(game.hand())}")
    places = game.offers("at")
    assert {place.split("/")[0] for place in places} == {"1", "2", "3", "4"}
    assert {place.split("/")[1] for place in places} == {"0", "1", "2", "3", "4"}
    game.turn("at 2/4")  # now both are full
    game.play(f"place {min(game.hand())}")
    assert game.offers("at") == cells("1/1 1/3 1/4 3/3 3/4 4/2")


@pytest.mark.rule("F8", "F10")
def test_a_name_counts_from_the_cards_that_are_left(make_game: MakeGame) -> None:
    film = ["3", "5", "8", "9"]
    game = make_game("arcs", 4, film=film, hands=[["1"], ["4"]])
    game.turn("call 1", "give 1/1", "to player 1")
    assert game.film() == {"1/2": "5", "2/1": "8", "2/2": "9"}
    game.turn("call 4", "give 1/2", "to player 0")
    assert game.film() == {"1/1": "8", "1/2": "9"}  # x was 2


# ---------------------------------------------------------------------------- studio


@pytest.mark.rule("F9")
@pytest.mark.parametrize(("players", "places"), [(2, "1/0 1/4"), (4, "1/0 1/4 2/2")])
def test_a_card_is_put_on_the_first_level_or_on_two_cards(
    make_game: MakeGame, players: int, places: str
) -> None:
    game = make_game("studio", players)
    game.play(f"place {min(game.hand())}")
    assert game.offers("at") == cells(places)


@pytest.mark.rule("F9")
def test_a_card_left_of_the_first_level_shifts_all_names(make_game: MakeGame) -> None:
    film = ["3", "5", "8", "9"]
    game = make_game("studio", 4, film=film, hands=[["2"]]).turn("place 2", "at 1/0")
    assert game.film() == {"1/1": "2", "1/2": "3", "1/3": "5", "1/4": "8", "2/2": "9"}
    game.play(f"place {min(game.hand())}")
    assert game.offers("at") == cells("1/0 1/5 2/1 2/3")


@pytest.mark.rule("F9")
def test_the_first_level_never_has_more_than_five_cards(make_game: MakeGame) -> None:
    game = make_game("studio", 4, hazards=["budget cut"])
    for place in ("1/4", "1/0"):
        game.turn(f"place {min(game.hand())}", f"at {place}")
    game.play(f"place {min(game.hand())}")
    assert game.offers("at") == cells("2/1 2/3 2/4")  # two rests on the second and third
    game.turn("at 2/3").play(f"place {min(game.hand())}")
    assert game.offers("at") == cells("2/1 2/4 3/2")


@pytest.mark.rule("F9", "F10")
def test_a_card_may_be_put_back_beside_the_first_level_when_one_has_left(
    make_game: MakeGame,
) -> None:
    film = ["3", "5", "8", "9"]
    game = make_game("studio", 4, film=film, hands=[["2"], ["1"]], hazards=["budget cut"])
    game.turn("place 2", "at 1/0")  # 2 3 5 8, the 9 rests on 3 and 5
    game.play("call 1")
    assert game.offers("give") == cells("1/1 1/4 2/2")
    game.turn("give 1/1", "to player 0")
    assert game.film() == {"1/1": "3", "1/2": "5", "1/3": "8", "2/1": "9"}


# ---------------------------------------------------------------------------- whole


@pytest.mark.rule("F10", "F16")
def test_in_studio_a_producer_is_offered_neither_a_support_nor_the_middle_of_level_1(
    make_game: MakeGame,
) -> None:
    game = make_game("studio", 4, hands=[["1"], ["4"], ["11"]]).play("call 1")
    assert game.offers("give") == cells("1/3 2/1")
    game.turn("give 2/1", "to player 1").play("call 4")
    assert game.offers("give") == cells("1/1 1/3")  # a card of the middle supports nothing now
    game.turn("give 1/1", "to player 0").play("call 11")
    assert game.offers("give") == cells("1/1 1/2")


@pytest.mark.rule("F10", "F16")
def test_in_arcs_a_producer_is_not_offered_a_card_that_holds_the_film_together(
    make_game: MakeGame,
) -> None:
    game = make_game("arcs", 4, hands=[["1"], ["4"]]).play("call 1")
    assert game.offers("give") == cells("1/1 1/2 2/1 2/2")
    game.turn("give 1/2", "to player 1").play("call 4")
    assert game.offers("give") == cells("1/1 2/2")


@pytest.mark.rule("F10", "F16")
@pytest.mark.parametrize("mode", ["feature", "series"])
def test_in_other_modes_any_card_may_leave(make_game: MakeGame, mode: str) -> None:
    game = make_game(mode, 3, hands=[["1"]])
    film = set(game.film())
    assert game.play("call 1").offers("give") == film


@pytest.mark.rule("F8", "F9", "F10", "F12", "F17")
@pytest.mark.parametrize("mode", ["arcs", "studio"])
def test_an_empty_film_is_whole_and_takes_a_card_at_1_1(make_game: MakeGame, mode: str) -> None:
    game = emptied(make_game, mode)
    assert game.film() == {}
    assert not game.offers("view with")  # there is nothing to look at
    card = min(game.offers("place"))
    game.play(f"place {card}")
    assert game.legal() == {"at 1/1"}
    assert game.turn("at 1/1").film() == {"1/1": card}


@pytest.mark.rule("F16", "F17")
@pytest.mark.parametrize("mode", ["arcs", "studio"])
@pytest.mark.parametrize("card", ["14", "16", "22"])
def test_editor_star_and_producer_have_no_effect_on_an_empty_film_and_no_hint_is_asked(
    make_game: MakeGame, mode: str, card: str
) -> None:
    game = emptied(make_game, mode, card)
    game.play(f"call {card}")
    assert game.to_move == 1  # and nobody was asked anything
    assert "end" in game.legal()
