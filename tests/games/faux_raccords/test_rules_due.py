"""When hazards are due, and in which order: F18, with F3."""

from __future__ import annotations

import pytest

from tests.games.faux_raccords.rule_staging import MakeGame, Table

HINT = {"no hint", "hint good", "hint bad"}


def place_somewhere(game: Table, place: str = "1") -> Table:
    """Lets the player to move place a card, and gives no hint."""
    game.play(f"place {min(game.hand())}", f"at {place}")
    if game.offers("move clap from"):
        game.play(min(game.legal()))
    return game.turn()


def asked(game: Table) -> str:
    """Returns what is asked, without the answers: ``call`` if an action is to be chosen."""
    if "end" in game.legal():
        return "call"
    (verb,) = {words.rpartition(" ")[0] for words in game.legal()}
    return verb


# ---------------------------------------------------------------------------- feature


@pytest.mark.rule("F18", "F3")
@pytest.mark.parametrize(("players", "start"), [(3, 8), (4, 6)])
def test_the_hazards_of_a_feature_are_due_at_10_12_and_14_cards_in_their_order(
    make_game: MakeGame, players: int, start: int
) -> None:
    hazards = ["early deadline", "ego clash", "reshoot"]
    game = make_game("feature", players, hazards=hazards)
    verbs = {10: "bin", 12: "clash", 14: "reshoot"}
    for size in range(start + 1, 17):
        seat = game.to_move or 0
        place_somewhere(game)
        assert asked(game) == verbs.get(size, "call")
        if size == 10:
            assert game.to_move == (seat + 1) % players  # the player to the left bins a card
        game.to_action()
        assert len(game.line()) == size
        assert game.to_move == (seat + 1) % players


@pytest.mark.rule("F18")
def test_a_line_that_reaches_10_loses_a_card_and_reaches_10_again_has_one_hazard(
    make_game: MakeGame,
) -> None:
    game = make_game("feature", 3, hazards=["lost reel", "ego clash", "reshoot"])
    place_somewhere(game)
    place_somewhere(game)
    assert asked(game) == "lose"
    game.play("lose 1")
    assert len(game.line()) == 9
    place_somewhere(game)
    assert asked(game) == "call"  # ten again, and nothing happens
    assert len(game.line()) == 10
    place_somewhere(game)
    assert asked(game) == "call"
    place_somewhere(game)
    assert asked(game) == "clash"  # twelve


@pytest.mark.rule("F18", "F16")
def test_a_hazard_comes_at_the_end_of_the_turn_whatever_the_action(make_game: MakeGame) -> None:
    hands = [["2"], ["3", "9"]]
    game = make_game("feature", 3, hands=hands, hazards=["ego clash"]).turn("place 2", "at 1")
    game.play("call 3", "show 9", "at 1")
    assert game.legal() == HINT
    assert asked(game.turn()) == "clash"


@pytest.mark.rule("F18", "F3")
def test_the_tutorial_has_no_hazards(make_game: MakeGame) -> None:
    game = make_game("tutorial", 3)
    for size in range(5, 15):
        place_somewhere(game)
        assert len(game.line()) == size  # an action is to be chosen


# ---------------------------------------------------------------------------- shorts


@pytest.mark.rule("F18", "F3")
def test_the_hazards_of_the_shorts_are_due_at_5_and_7_cards_in_each_line(
    make_game: MakeGame,
) -> None:
    hazards = ["early deadline", "ego clash", "reshoot", "wrong hands"]
    game = make_game("shorts", 3, hazards=hazards)
    verbs = {"B5": "reshoot", "A5": "bin", "A7": "clash", "B7": "pass"}
    for place in ("B5", "A5", "B6", "A6", "A7", "B7", "A8", "B8"):
        place_somewhere(game, place)
        assert asked(game) == verbs.get(place, "call")
        game.to_action()


@pytest.mark.rule("F18", "F16")
def test_a_line_that_passes_over_5_at_once_has_its_hazard_at_6(make_game: MakeGame) -> None:
    hazards = ["early deadline", "ego clash", "reshoot", "wrong hands"]
    game = make_game("shorts", 3, hands=[["2"]], hazards=hazards)
    game.turn("call 2", "take A1", "take A1", "put at B1", "put at B1")
    assert asked(game) == "reshoot"
    game.play("reshoot A1")
    assert asked(game) == "call"


# ---------------------------------------------------------------------------- series


@pytest.mark.rule("F18", "F7")
def test_in_a_series_1_2_and_2_1_make_2_2_due_its_cell_is_free_next_turn_and_2_3_waits_for_it(
    make_game: MakeGame,
) -> None:
    hazards = ["wrong hands", "ego clash", "reshoot", "early deadline"]
    game = make_game("series", 3, hazards=hazards)
    place_somewhere(game, "1/2")
    assert asked(game) == "call"
    place_somewhere(game, "2/1")
    assert asked(game) == "pass"  # the hazard of 2/2
    for _ in range(3):
        game.play(min(game.legal()))
    game.play(f"place {min(game.hand())}")
    assert "2/2" in game.offers("at")
    game.turn("at 2/4")  # 2/3 has 1/3, 2/4 and the hazard of 3/3 beside it, but 2/2 is empty
    assert asked(game) == "call"
    place_somewhere(game, "2/2")
    assert asked(game) == "clash"  # the hazard of 2/3


@pytest.mark.rule("F18", "F7")
def test_in_a_series_the_cells_of_hazards_take_no_card_until_they_have_happened(
    make_game: MakeGame,
) -> None:
    game = make_game("series", 3, hazards=["power cut", "early deadline"])
    place_somewhere(game, "2/4")  # with 1/3 and two hazards: 2/3 is due
    assert asked(game) == "bin"
    game.to_action().play(f"place {min(game.hand())}")
    assert game.offers("at") & {"2/2", "2/3", "3/2", "3/3"} == {"2/3"}


@pytest.mark.rule("F18", "F3")
@pytest.mark.parametrize(
    ("places", "verb"),
    [
        (("1/2", "2/1"), "pass"),
        (("1/3", "2/4"), "clash"),
        (("3/1", "4/2"), "reshoot"),
        (("3/4", "4/3"), "bin"),
    ],
)
def test_in_a_series_each_hazard_waits_for_a_card_on_both_its_open_sides(
    make_game: MakeGame, places: tuple[str, str], verb: str
) -> None:
    hazards = ["wrong hands", "ego clash", "reshoot", "early deadline"]
    game = make_game("series", 4, hazards=hazards)
    place_somewhere(game, places[0])
    assert asked(game) == "call"
    place_somewhere(game, places[1])
    assert asked(game) == verb


@pytest.mark.rule("F18", "F16")
def test_two_hazards_that_are_due_at_once_happen_in_their_order(make_game: MakeGame) -> None:
    hazards = ["wrong hands", "ego clash", "reshoot", "early deadline"]
    game = make_game("series", 3, hands=[["2"]], hazards=hazards)
    game.turn("call 2", "take 1/1", "take 4/4", "put at 3/1", "put at 2/4")  # 3/2 and 2/3
    assert asked(game) == "clash"
    game.play("clash 1/3", "with 1/4")
    assert asked(game) == "reshoot"
    game.play("reshoot 3/1")
    assert asked(game) == "call"


@pytest.mark.rule("F18", "F7")
def test_of_two_hazards_side_by_side_the_second_is_not_due_once_the_first_has_left(
    make_game: MakeGame,
) -> None:
    hazards = ["wrong hands", "ego clash", "reshoot", "early deadline"]
    game = make_game("series", 3, hands=[["3"], ["2"]], hazards=hazards)
    game.turn("place 3", "at 1/2")
    game.turn("call 2", "take 1/4", "take 4/4", "put at 2/1", "put at 2/4")  # 2/2 and 2/3
    assert asked(game) == "pass"
    for _ in range(3):
        game.play(min(game.legal()))
    assert asked(game) == "call"


# ---------------------------------------------------------------------------- arcs


def cut_of_three(make_game: MakeGame, hazard: str = "ego clash") -> Table:
    """Returns a game of arcs for two: three cards in the Cut, and seat 1 holds a manager."""
    hands = [["2", "7", "8"], ["3", "6", "12"]]
    hazards = [hazard, "wrong hands", "early deadline"]
    return make_game("arcs", hands=hands, hazards=hazards).idle("2").idle("3").idle("7")


@pytest.mark.rule("F18", "F16")
def test_in_arcs_a_manager_that_reuses_a_card_brings_no_hazard(make_game: MakeGame) -> None:
    game = cut_of_three(make_game)
    assert asked(game) == "call"
    game.turn("call 6", "reuse 2", "no effect")
    assert asked(game) == "call"  # three cards again


@pytest.mark.rule("F18", "F16")
def test_in_arcs_a_manager_without_effect_may_bring_a_hazard(make_game: MakeGame) -> None:
    assert asked(cut_of_three(make_game).turn("call 6", "no effect")) == "clash"


@pytest.mark.rule("F18", "F3", "F11")
def test_the_hazards_of_arcs_are_due_at_4_5_and_6_cards_in_the_cut_before_the_sixth_leaves(
    make_game: MakeGame,
) -> None:
    game = cut_of_three(make_game)
    for verb in ("clash", "pass", "bin"):
        game.idle()
        assert asked(game) == verb
        game.to_action()
    for _ in range(4):  # six each time, but each hazard happens once
        game.idle()
        assert asked(game) == "call"


@pytest.mark.rule("F18")
def test_a_cut_that_grows_again_brings_no_hazard_a_second_time(make_game: MakeGame) -> None:
    game = cut_of_three(make_game, "walk-out")
    game.idle()  # the fourth, and all of them go
    for number in range(1, 6):
        assert asked(game) == "call"
        game.idle()
        assert asked(game) == ("pass" if number == 5 else "call")


# ---------------------------------------------------------------------------- studio


@pytest.mark.rule("F18", "F3", "F9")
def test_the_hazards_of_a_studio_are_due_when_their_level_is_full(make_game: MakeGame) -> None:
    hazards = ["early deadline", "ego clash", "reshoot", "wrong hands"]
    game = make_game("studio", 3, hazards=hazards)  # three, two and one card
    verbs = {"1/5": "bin", "2/4": "clash", "3/3": "reshoot", "4/2": "pass"}
    for place in ("1/4", "2/3", "3/2", "4/1", "1/5", "2/4", "3/3", "4/2", "5/1"):
        place_somewhere(game, place)
        assert asked(game) == verbs.get(place, "call")
        game.to_action()


@pytest.mark.rule("F18", "F9")
def test_a_level_of_a_studio_that_is_full_again_has_no_second_hazard(make_game: MakeGame) -> None:
    hazards = ["lost reel", "ego clash", "reshoot", "wrong hands"]
    game = make_game("studio", 3, hazards=hazards)
    place_somewhere(game, "1/4")
    place_somewhere(game, "1/5")
    assert asked(game) == "lose"
    game.play("lose 1/5")
    place_somewhere(game, "1/5")
    assert asked(game) == "call"
