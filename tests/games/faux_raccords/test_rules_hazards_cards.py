"""Hazards that strike pile, Cut and hands: F19, and F20 where they cannot be done."""

from __future__ import annotations

import pytest

from tests.games.faux_raccords.hazard_staging import (
    FILM,
    HINT,
    bins,
    left_is_empty,
    placed,
    without_pile,
)
from tests.games.faux_raccords.rule_staging import MakeGame

# ---------------------------------------------------------------------------- budget cut


@pytest.mark.rule("F19")
def test_budget_cut_bins_the_top_two_cards_of_the_pile(make_game: MakeGame) -> None:
    game = placed(make_game, "budget cut", deck=["8", "9", "10", "11", "12"])
    assert (game.to_move, "end" in game.legal()) == (2, True)  # nobody is asked
    game.idle().idle()
    assert game.hand() >= {"11"}
    assert not game.hand() & {"9", "10", "12"}


@pytest.mark.rule("F19", "F11")
@pytest.mark.parametrize(("left", "drawn"), [(1, 0), (2, 0), (3, 1)])
def test_budget_cut_takes_the_last_card_if_there_is_only_one(
    make_game: MakeGame, left: int, drawn: int
) -> None:
    keep = [["2", "3", "4"], ["5", "6", "7"]]
    game = make_game("feature", hands=keep, film=FILM, hazards=["budget cut"])
    # A card is drawn between the two placements.
    for _ in range(len(game.setup["deck"]) - left - 1):
        game.idle(keep=["2", "5"])
    first, second = ("2", "5") if game.to_move == 0 else ("5", "2")
    game.turn(f"place {first}", "at 1").turn(f"place {second}", "at 10")
    assert "end" in game.legal()  # it was done
    count = 0
    while not game.over:
        game.idle()
        count += 1
    assert count == 5 + drawn  # with three and two cards in hand


@pytest.mark.rule("F19", "F20")
def test_budget_cut_needs_a_pile(make_game: MakeGame) -> None:
    game = without_pile(make_game, "budget cut", cards=1)
    assert (game.to_move, game.legal()) == (1, bins("6"))


# ---------------------------------------------------------------------------- walk-out


@pytest.mark.rule("F19")
def test_walk_out_bins_the_whole_cut(make_game: MakeGame) -> None:
    hands = [["3", "4", "1"], ["9", "7", "12"], ["6"]]
    game = make_game("feature", 3, hands=hands, film=FILM, hazards=["walk-out"])
    game.turn("call 3", "show 4", "at 1").turn("call 9", "show 7", "at 1")
    assert game.to_move == 2  # nobody is asked
    game.play("call 6")
    assert game.legal() == HINT  # there is nothing to reuse
    game.turn().idle("1").play("call 12")
    assert game.offers("reuse") == {"1", "6"}


@pytest.mark.rule("F19", "F20")
def test_walk_out_needs_a_card_in_the_cut(make_game: MakeGame) -> None:
    game = placed(make_game, "walk-out")
    assert (game.to_move, game.legal()) == (1, bins("6", "7"))


# ---------------------------------------------------------------------------- wrong hands


@pytest.mark.rule("F19", "F25")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_wrong_hands_passes_a_card_of_each_to_the_left_at_once(
    make_game: MakeGame, players: int
) -> None:
    hands = [["2", "3", "4"], ["5", "6", "7"], ["12", "13", "14"], ["9", "10", "11"]][:players]
    deck = ["15", "16", "17", "18", "19"]
    film = FILM[: 6 if players == 4 else 8]
    hazards = ["wrong hands"]
    game = make_game("feature", players, hands=hands, film=film, deck=deck, hazards=hazards)
    if players == 4:  # six cards to begin with
        game.turn("place 2", "at 1").turn("place 5", "at 1")
        game.turn("place 12", "at 1").turn("place 9", "at 1")
        held = [{"3", "4", "15"}, {"6", "7", "16"}, {"13", "14", "17"}, {"10", "11"}]
        turn, drawn = 3, "18"
    else:
        game.turn("place 2", "at 1").turn("place 5", "at 10")
        held = [{"3", "4", "15"}, {"6", "7"}, {"12", "13", "14"}][:players]
        turn, drawn = 1, "16"
    passed: dict[int, str] = {}
    for step in range(players):
        seat = (turn + step) % players
        assert game.to_move == seat
        assert game.offers("pass") == held[seat]  # what is coming is not there yet
        passed[seat] = max(held[seat])
        game.play(f"pass {passed[seat]}")
    for seat, card in passed.items():
        held[seat].remove(card)
    for seat, card in passed.items():
        held[(seat + 1) % players].add(card)
    held[turn].add(drawn)
    for step in range(1, players + 1):
        seat = (turn + step) % players
        assert game.to_move == seat
        assert game.hand() == held[seat]
        game.idle().to_action()


@pytest.mark.rule("F19")
def test_wrong_hands_does_not_ask_an_empty_hand_but_gives_to_it(make_game: MakeGame) -> None:
    game = left_is_empty(make_game, "wrong hands")
    assert game.to_move == 0
    (card,) = game.offers("pass")
    game.play(f"pass {card}")
    assert game.to_move == 1
    assert game.hand() == {card}


# ---------------------------------------------------------------------------- early deadline


@pytest.mark.rule("F19")
@pytest.mark.parametrize("players", [2, 3])
def test_early_deadline_lets_the_player_to_the_left_bin_a_card(
    make_game: MakeGame, players: int
) -> None:
    hands = [["2", "3", "4"], ["5", "6", "7"], ["12", "13", "14"]][:players]
    game = placed(make_game, "early deadline", players, hands=hands)
    left = {"3", "4", "8"} if players == 2 else {"12", "13", "14"}
    assert (game.to_move, game.legal()) == ((1 + 1) % players, bins(*left))
    card = min(left)
    game.play(f"bin {card}")
    assert game.hand() == left - {card}


@pytest.mark.rule("F19", "F20", "F21")
def test_early_deadline_with_an_empty_hand_to_the_left_falls_back_on_the_turns_player(
    make_game: MakeGame,
) -> None:
    game = left_is_empty(make_game, "early deadline")
    assert game.to_move == 0
    assert len(game.offers("bin")) == len(game.legal()) == 1
    game.to_action()
    assert game.over
    assert (game.result()["ending"], game.result()["player"]) == ("empty hand", 1)


# ---------------------------------------------------------------------------- instead


@pytest.mark.rule("F20")
@pytest.mark.parametrize(("players", "seat"), [(2, 1), (3, 2)])
def test_the_first_player_with_a_card_bins_one_if_the_turns_player_has_none(
    make_game: MakeGame, players: int, seat: int
) -> None:
    keep = [["2"], ["5"], ["6"]][:players]
    game = make_game("feature", players, hands=keep, film=FILM, hazards=["censored"])
    # With two players seat 0 places last, with three seat 1; each then has no card left.
    for _ in range(len(game.setup["deck"]) + (3 if players == 2 else 6)):
        game.idle(keep=keep[game.to_move or 0])
    for card in ("5", "2") if players == 2 else ("2", "5"):
        game.turn(f"place {card}", "at 1" if card == "2" else "at 8")
    assert game.to_move == seat
    assert len(game.offers("bin")) == len(game.legal()) == 1


@pytest.mark.rule("F20", "F14")
def test_a_card_binned_instead_goes_face_down_and_not_to_the_cut(make_game: MakeGame) -> None:
    hands = [["2", "3", "4"], ["5", "6", "7"], ["12"]]
    game = placed(make_game, "walk-out", hands=hands).play("bin 7")
    game.play("call 12")
    assert game.legal() == HINT  # nothing to reuse
    game.turn().idle()
    assert "7" not in game.hand()


@pytest.mark.rule("F20", "F19")
@pytest.mark.parametrize(
    "hazard", ["wrong hands", "budget cut", "censored", "early deadline", "reshoot"]
)
def test_if_nobody_has_a_card_nothing_happens(make_game: MakeGame, hazard: str) -> None:
    game = without_pile(make_game, hazard, cards=0)
    assert game.over  # seat 0 begins with an empty hand
    assert (game.result()["ending"], game.result()["player"]) == ("empty hand", 0)
