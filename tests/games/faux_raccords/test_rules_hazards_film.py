"""Hazards that strike the Film: F19, and F20 where they cannot be done."""

from __future__ import annotations

import pytest

from tests.games.faux_raccords.hazard_staging import (
    FILM,
    HINT,
    bins,
    numbers,
    placed,
    shown,
    without_pile,
)
from tests.games.faux_raccords.rule_staging import MakeGame

# ---------------------------------------------------------------------------- power cut


@pytest.mark.rule("F19")
def test_power_cut_takes_a_clap_of_each_player_who_has_one_from_the_turns_player_on(
    make_game: MakeGame,
) -> None:
    game = placed(make_game, "power cut")
    assert (game.to_move, game.legal()) == (1, {"take clap from 10"})
    game.play("take clap from 10")
    assert (game.to_move, game.legal()) == (0, {"take clap from 1"})
    game.play("take clap from 1")
    assert (game.to_move, "end" in game.legal()) == (2, True)  # who had none
    game.idle()
    assert "1" in game.play("view with 3").offers("look at")  # the Clap has left the card


@pytest.mark.rule("F19", "F13")
def test_power_cut_lets_each_choose_and_the_clap_is_in_reserve_again(make_game: MakeGame) -> None:
    hands = [["2", "3", "4"], ["5", "6", "7"], ["28", "19", "17"]]
    deck = ["8", "9", "10", "11", "12", "13", "14", "15"]
    game = make_game("feature", 3, hands=hands, film=FILM, deck=deck, hazards=["power cut"])
    for first, second, third in (("2", "5", "28"), ("3", "6", "19")):
        game.turn(f"view with {first}", f"look at {first}")
        game.turn(f"view with {second}", f"look at {second}").idle(third)
    game.turn("place 4", "at 1").turn("place 7", "at 10")
    assert (game.to_move, game.offers("take clap from")) == (1, {"6", "7", "10"})
    game.play("take clap from 7")
    assert (game.to_move, game.offers("take clap from")) == (0, {"1", "3", "4"})
    game.play("take clap from 4").idle("17")
    game.play("place 8", "at 11")
    assert game.legal() == HINT  # from the reserve
    game.turn()
    game.play("place 9", "at 12", "no hint").idle().play("place 11", "at 1")
    assert game.offers("move clap from") == {"2", "4", "12"}


@pytest.mark.rule("F19", "F20")
def test_power_cut_needs_a_clap_in_the_film(make_game: MakeGame) -> None:
    game = shown(make_game, "power cut")
    assert (game.to_move, game.legal()) == (1, bins("7"))


# ---------------------------------------------------------------------------- lost reel


@pytest.mark.rule("F19")
def test_lost_reel_bins_a_face_down_card_that_the_turns_player_chooses(make_game: MakeGame) -> None:
    game = shown(make_game, "lost reel")
    assert (game.to_move, game.offers("lose")) == (1, numbers(10, 1, 10))
    game.play("lose 3")
    assert game.to_move == 2
    assert game.line() == ["4", "20", "22", "23", "24", "25", "26", "27", "6"]


@pytest.mark.rule("F19", "F17")
def test_lost_reel_gives_the_claps_back(make_game: MakeGame) -> None:
    game = placed(make_game, "lost reel", deck=["8", "9", "10", "11"])
    game.play("lose 1").idle().turn("place 3", "at 1").idle().idle()
    game.turn("place 4", "at 1").to_action().idle().idle()
    game.play("place 8", "at 1")
    assert game.legal() == HINT  # two of the three were there


@pytest.mark.rule("F19", "F10", "F20")
def test_lost_reel_cannot_take_a_card_that_may_not_leave(make_game: MakeGame) -> None:
    hands = [["1"], ["5"], ["8"], ["2", "7", "9"]]
    game = make_game("arcs", 4, hands=hands, hazards=["lost reel"])
    game.turn("call 1", "give 1/2", "to player 1")  # 2/1 holds 1/1 and 2/2 together
    trial = game.fork().idle().idle().idle("2")
    assert trial.offers("lose") == {"1/1", "2/2"}
    game.turn("call 5", "swap 5", "for 1/1").turn("call 8", "swap 8", "for 2/2").idle("2")
    assert (game.to_move, game.legal()) == (3, bins("7", "9"))  # only 2/1 is face down


# ---------------------------------------------------------------------------- ego clash


@pytest.mark.rule("F19", "F6")
def test_ego_clash_lets_two_neighbours_in_a_line_change_places(make_game: MakeGame) -> None:
    game = placed(make_game, "ego clash")
    assert (game.to_move, game.offers("clash")) == (1, numbers(10))
    assert game.fork().play("clash 1").legal() == {"with 2"}
    game.play("clash 4")
    assert (game.to_move, game.legal()) == (1, {"with 3", "with 5"})
    game.play("with 3")
    assert game.to_move == 2
    assert game.line() == ["2", "20", "22", "21", "23", "24", "25", "26", "27", "5"]


@pytest.mark.rule("F19", "F13")
def test_ego_clash_moves_what_is_on_the_cards_with_them(make_game: MakeGame) -> None:
    game = placed(make_game, "ego clash").play("clash 1", "with 2").idle()
    assert game.fork().play("view with 3").offers("look at") == numbers(10, 2)  # not one's own Clap
    game = shown(make_game, "ego clash").play("clash 1", "with 2")
    game.play(f"view with {min(game.hand())}")
    assert game.offers("look at") == numbers(10, 2, 10)  # nor what is face up


@pytest.mark.rule("F19", "F6")
def test_ego_clash_does_not_reach_from_one_line_to_the_other(make_game: MakeGame) -> None:
    hands = [["2", "3", "4"]]
    game = make_game("shorts", 3, hands=hands, hazards=["ego clash"]).turn("place 2", "at A5")
    assert game.play("clash A5").legal() == {"with A4"}
    game = make_game("shorts", 3, hands=hands, hazards=["ego clash"]).turn("place 2", "at A5")
    assert game.play("clash B1").legal() == {"with B2"}


@pytest.mark.rule("F19", "F7")
def test_ego_clash_in_a_series_needs_a_common_side(make_game: MakeGame) -> None:
    game = make_game("series", 4, hazards=["ego clash"])
    film = game.film()
    one = min(game.hand())
    game.turn(f"place {one}", "at 1/2")
    other = min(game.hand())
    game.turn(f"place {other}", "at 2/1")
    assert game.offers("clash") == {"1/1", "1/2", "2/1"}
    assert game.fork().play("clash 1/2").legal() == {"with 1/1"}
    game.play("clash 1/1")
    assert game.offers("with") == {"1/2", "2/1"}
    game.play("with 2/1")
    assert game.film() == {**film, "1/1": other, "1/2": one, "2/1": film["1/1"]}


@pytest.mark.rule("F19", "F8")
def test_ego_clash_in_arcs_reaches_sideways_and_along_the_column(make_game: MakeGame) -> None:
    game = make_game("arcs", 4, hazards=["ego clash"]).idle().idle().idle().idle()
    assert game.offers("clash") == {"1/1", "1/2", "2/1", "2/2"}
    assert game.fork().play("clash 1/1").offers("with") == {"1/2", "2/1"}  # not 2/2
    assert game.fork().play("clash 1/2").offers("with") == {"1/1", "2/1", "2/2"}
    game = make_game("arcs", 3, hazards=["ego clash"]).idle().idle().idle().idle()
    assert game.play("clash 2/2").offers("with") == {"1/2", "1/3", "2/1", "3/1"}


@pytest.mark.rule("F19", "F9")
def test_ego_clash_in_a_studio_reaches_along_the_level_down_and_up(make_game: MakeGame) -> None:
    game = make_game("studio", 3, hazards=["ego clash"])
    for place in ("1/4", "1/5"):
        game.turn(f"place {min(game.hand())}", f"at {place}")
    touching = {
        "1/1": "1/2 2/1",
        "1/2": "1/1 1/3 2/1 2/2",
        "1/3": "1/2 1/4 2/2",
        "2/1": "1/1 1/2 2/2 3/1",
        "3/1": "2/1 2/2",
        "1/5": "1/4",
    }
    for place, others in touching.items():
        assert game.fork().play(f"clash {place}").offers("with") == set(others.split())


@pytest.mark.rule("F19", "F20")
def test_ego_clash_needs_two_cards_that_touch(make_game: MakeGame) -> None:
    hands = [["1"], ["4"], ["11"], ["2", "7", "9"]]
    game = make_game("arcs", 4, hands=hands, hazards=["ego clash"])
    for seat, card in enumerate(("1", "4", "11")):
        game.play(f"call {card}")
        game.turn(f"give {max(game.offers('give'))}", f"to player {(seat + 1) % 3}")
    game.idle("2")
    assert (game.to_move, game.legal()) == (3, bins("7", "9"))  # one card is left


# ---------------------------------------------------------------------------- reshoot


@pytest.mark.rule("F19")
def test_reshoot_bins_a_face_down_card_and_the_top_of_the_pile_takes_its_place(
    make_game: MakeGame,
) -> None:
    game = shown(make_game, "reshoot", deck=["8", "10", "11", "12"])
    assert (game.to_move, game.offers("reshoot")) == (1, numbers(10, 1, 10))
    game.play("reshoot 3")  # the 10 goes there, so seat 1 draws the 11
    assert game.line() == ["4", "20", "10", "22", "23", "24", "25", "26", "27", "6"]
    assert not {"10", "11"} & game.hand()
    game.idle()
    assert "8" in game.hand()
    game.idle()
    assert "11" in game.hand()


@pytest.mark.rule("F19", "F17")
def test_reshoot_gives_the_claps_back_and_lays_the_new_card_face_down_without_one(
    make_game: MakeGame,
) -> None:
    game = placed(make_game, "reshoot").play("reshoot 1").idle()
    assert game.play("view with 3").offers("look at") == numbers(10)


@pytest.mark.rule("F19", "F10")
def test_reshoot_may_choose_a_card_that_cannot_leave(make_game: MakeGame) -> None:
    game = make_game("studio", 4, hazards=["reshoot"])
    for place in ("1/4", "1/5"):
        game.turn(f"place {min(game.hand())}", f"at {place}")
    assert game.offers("reshoot") == {"1/1", "1/2", "1/3", "1/4", "1/5", "2/1"}


@pytest.mark.rule("F19", "F20")
def test_reshoot_needs_a_pile_and_a_face_down_card(make_game: MakeGame) -> None:
    game = without_pile(make_game, "reshoot", cards=1)
    assert (game.to_move, game.legal()) == (1, bins("6"))
    # All four cards of the Film have gone.
    hands = [["1"], ["4"], ["11"], ["15", "7", "9"]]
    game = make_game("arcs", 4, hands=hands, hazards=["reshoot"])
    for seat, card in enumerate(("1", "4", "11", "15")):
        game.play(f"call {card}")
        game.turn(f"give {max(game.offers('give'))}", f"to player {(seat + 1) % 3}")
    assert (game.to_move, game.legal()) == (3, bins("7", "9"))


# ---------------------------------------------------------------------------- censored


@pytest.mark.rule("F19", "F14")
def test_censored_turns_a_face_up_card_down(make_game: MakeGame) -> None:
    game = shown(make_game, "censored")
    assert (game.to_move, game.legal()) == (1, {"cover 1", "cover 10"})
    game.play("cover 10")
    assert game.to_move == 2
    game.play(f"view with {min(game.hand())}")
    assert game.offers("look at") == numbers(10, 1)


@pytest.mark.rule("F19", "F20")
def test_censored_needs_a_face_up_card(make_game: MakeGame) -> None:
    game = placed(make_game, "censored")
    assert (game.to_move, game.legal()) == (1, bins("6", "7"))


# ---------------------------------------------------------------------------- spilled coffee


@pytest.mark.rule("F19", "F17")
def test_spilled_coffee_needs_a_hint_in_the_film(make_game: MakeGame) -> None:
    game = placed(make_game, "spilled coffee")
    assert (game.to_move, game.legal()) == (1, bins("6", "7"))
    hands = [["2", "3", "4"], ["5", "6", "7"]]
    game = make_game("feature", 3, hands=hands, hazards=["spilled coffee"])
    game.play("place 2", "at 1", "hint good", "on 5", "place 5", "at 1", "hint bad", "on 1")
    assert (game.to_move, "end" in game.legal()) == (2, True)  # nobody is asked
