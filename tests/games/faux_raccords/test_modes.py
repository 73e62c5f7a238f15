"""What is special in the modes that are no lines, and the hazards of all: F7 to F20."""

from __future__ import annotations

import pytest

from dreamfactory_env import FauxRaccords
from tests.games.faux_raccords.staging import decline, idle_turn, play, staged
from tests.games.faux_raccords.test_film import FILM, answers, line


def happened(game: FauxRaccords) -> list[str]:
    return [hazard["name"] for hazard in game.view(0)["hazards"] if hazard["happened"]]


# ---------------------------------------------------------------------------- series


@pytest.mark.rule("F7", "F18")
def test_series_hazards_wait_for_all_four_sides_and_leave_their_cells() -> None:
    game = staged("series", 2, hazards=["spilled coffee", "budget cut", "power cut", "walk-out"])
    assert "at 2/2" not in play(game, f"place {game.hand(0)[0]}").legal()
    play(game, "at 1/2", "no hint", f"place {game.hand(1)[0]}", "at 2/1", "no hint")
    assert happened(game) == ["spilled coffee"]  # it cannot be done: nobody has given a hint
    assert (game.phase, game.to_move) == ("bin", 1)
    assert game.view(0)["hazards"][0]["place"] == "2/2"
    play(game, f"bin {game.hand(1)[0]}")
    assert game.view(0)["hazards"][0]["place"] is None
    assert "at 2/2" in play(game, f"place {game.hand(0)[0]}").legal()
    play(game, "at 2/4", "no hint")
    assert happened(game) == ["spilled coffee"]  # 2/3 waits for a card on 2/2
    pile = game.view()["pile"]
    play(game, f"place {game.hand(1)[0]}", "at 2/2", "no hint")
    assert happened(game) == ["spilled coffee", "budget cut"]
    assert game.view()["pile"] == pile - 3  # two to the bin, and one was drawn


@pytest.mark.rule("F7", "F12")
def test_a_full_grid_takes_no_card_but_an_editors() -> None:
    game = staged("series", 2, hands=[["2", "1b", "9"]])
    s = game.state
    cards = [c for c in range(32) if c not in (1, 28, 8)]
    for k in range(16):
        slot = k // 4 * 8 + k % 4
        s.film[slot] = cards[k]
        s.occupied = int(s.occupied) | 1 << slot
    s.happened = 15
    assert not answers(game, "place")
    play(game, "call 1b")
    assert game.phase == "hint"  # nowhere to show a card
    s.phase = 0
    play(game, "call 2", "take 3/2", "enough")
    assert game.legal() == ["put at 3/2"]


# ---------------------------------------------------------------------------- arcs


@pytest.mark.rule("F8")
def test_a_card_put_at_zero_shifts_all_names() -> None:
    game = staged("arcs", 2, film=["2", "3", "5", "7", "8", "9"], hands=[["20"]])
    play(game, "place 20")
    names = {"0/1", "0/2", "0/3", "0/4", "1/0", "2/0", "3/0", "4/0", "1/4", "4/1"}
    assert answers(game, "at") == names | {"2/3", "3/2"}
    play(game, "at 0/2")
    film = {"1/2": "20", "2/1": "2", "2/2": "3", "2/3": "5", "3/1": "7", "3/2": "8", "4/1": "9"}
    assert game.film() == film
    assert [card["place"] for card in game.view()["film"] if card["claps"]] == ["1/2"]
    play(game, "no hint", f"place {game.hand(1)[0]}")
    assert not {name for name in answers(game, "at") if name.startswith("0/")}  # four x already


@pytest.mark.rule("F8", "F10")
def test_names_begin_at_one_again_when_a_card_leaves() -> None:
    game = staged("arcs", 4, film=["2", "3", "5", "7"], hands=[["20"], ["4"]])
    play(game, "place 20", "at 0/1", "no hint")
    assert game.film() == {"1/1": "20", "2/1": "2", "2/2": "3", "3/1": "5", "3/2": "7"}
    play(game, "call 4")
    assert answers(game, "give") == {"1/1", "2/1", "2/2", "3/1", "3/2"} - {"2/1"}
    play(game, "give 1/1", "to player 0")
    assert game.film() == {"1/1": "2", "1/2": "3", "2/1": "5", "2/2": "7"}


@pytest.mark.rule("F3", "F16", "F18")
@pytest.mark.parametrize(("answer", "names"), [("reuse 2", []), ("no effect", ["walk-out"])])
def test_a_manager_that_reuses_a_card_brings_no_hazard(answer: str, names: list[str]) -> None:
    hands = [["2", "10", "6"], ["7", "14", "17"]]
    game = staged("arcs", 2, hands=hands, hazards=["walk-out", "budget cut", "power cut"])
    for card in ("2", "7", "10"):
        idle_turn(game, card)
    assert game.to_move == 1
    play(game, "place 14", "at 0/1", "no hint", "call 6", answer)
    decline(game)
    assert happened(game) == names
    assert len(game.view()["cut"]["cards"]) == (0 if names else 3)


# ---------------------------------------------------------------------------- studio


@pytest.mark.rule("F9", "F10")
def test_a_producer_gives_neither_a_support_nor_the_middle_of_the_first_level() -> None:
    game = staged("studio", 4, film=["2", "3", "5", "7"], hands=[["20"], ["4"], ["11"]])
    play(game, "place 20", "at 1/4", "no hint", "call 4")
    # 1/1 1/2 1/3 1/4, and 2/1 on the first two.
    assert answers(game, "give") == {"1/4", "2/1"}
    play(game, "give 2/1", "to player 3", "no hint", "call 11")
    assert answers(game, "give") == {"1/1", "1/4"}


@pytest.mark.rule("F9", "F16")
def test_an_editor_takes_a_support_and_puts_another_card_under() -> None:
    game = staged("studio", 4, film=["5", "7", "8", "9"], hands=[["20"], ["2"]])
    play(game, "place 20", "at 1/4", "no hint", "call 2", "take 1/1", "take 1/4")
    # 1/2 1/3 and 2/1, which lacks its left support.
    assert game.film() == {"1/2": "7", "1/3": "8", "2/1": "9"}
    assert answers(game, "put at") == {"1/1", "1/4", "2/2"}
    play(game, "put at 1/4")
    assert game.legal() == ["put at 1/1"]  # the other card goes under
    play(game, "put at 1/1")
    film = {"1/1": "20", "1/2": "7", "1/3": "8", "1/4": "5", "2/1": "9"}
    assert game.film() == film


@pytest.mark.rule("F9")
def test_the_first_level_has_five_cards_at_most_and_begins_at_one() -> None:
    game = staged("studio", 3, hands=[["20"], ["21"], ["22"]])
    play(game, "place 20")
    assert answers(game, "at") == {"1/0", "1/4"}
    play(game, "at 1/0", "no hint", "place 21")
    assert game.film()["1/1"] == "20"
    assert answers(game, "at") == {"1/0", "1/5", "2/1"}
    play(game, "at 1/5", "no hint")
    while game.phase != "action":  # the hazard of a full level
        play(game, game.legal()[0])
    play(game, "place 22")
    assert answers(game, "at") == {"2/1", "2/4"}


# ---------------------------------------------------------------------------- hazards


@pytest.mark.rule("F18")
def test_a_line_that_reaches_ten_twice_has_one_hazard() -> None:
    hands = [["20", "21", "22"], ["4", "23", "24"]]
    game = staged("feature", 2, film=FILM, hands=hands, hazards=["budget cut"])
    play(game, "place 20", "at 9", "no hint", "place 23", "at 1", "no hint")
    assert happened(game) == ["budget cut"]
    idle_turn(game, "21")
    play(game, "call 4", "give 1", "to player 0", "no hint")
    assert len(line(game)) == 9
    play(game, f"place {game.hand(0)[0]}", "at 1", "no hint")
    assert len(line(game)) == 10
    assert happened(game) == ["budget cut"]
    assert game.phase == "action"


def near_ten(hazard: str, players: int = 3, **options: str) -> FauxRaccords:
    """Returns a game with nine cards in the line, before the turn that makes them ten."""
    hands = [["20", "21", "22"], ["23", "24", "25"], ["26", "27", "28"]][:players]
    game = staged("feature", players, film=FILM, hands=hands, hazards=[hazard], **options)  # type: ignore[arg-type]
    play(game, "place 20", "at 9", "hint bad", "on 9", "place 23", "at 1")
    if game.phase == "hint":
        game.play("no hint")
    return game


@pytest.mark.rule("F19")
def test_power_cut_asks_everybody_with_a_clap_from_the_turns_player_on() -> None:
    game = near_ten("power cut")
    assert (game.to_move, game.legal()) == (1, ["take clap from 1"])
    play(game, "take clap from 1")
    assert (game.to_move, game.legal()) == (0, ["take clap from 10"])
    play(game, "take clap from 10")
    assert (game.phase, game.to_move) == ("action", 2)
    assert [player["claps_left"] for player in game.view()["players"]] == [3, 3, 3]


@pytest.mark.rule("F17", "F19")
def test_lost_reel_and_its_hint_and_claps() -> None:
    game = near_ten("lost reel")
    assert (game.to_move, answers(game, "lose")) == (1, set(map(str, range(1, 11))))
    play(game, "lose 10")
    assert line(game) == ["23", *FILM]
    assert game.view()["players"][0]["claps_left"] == 3
    assert game.view(0)["bin_cards"] == []  # no memory
    assert not any(card["hints"] for card in game.view()["film"])


@pytest.mark.rule("F19")
def test_ego_clash_exchanges_two_touching_cards_with_all_on_them() -> None:
    game = near_ten("ego clash")
    play(game, "clash 10")
    assert game.legal() == ["with 9"]
    play(game, "with 9")
    assert line(game)[-2:] == ["20", "13"]
    moved = game.view()["film"][8]
    assert (moved["claps"], moved["hints"]) == ([0], [{"player": 0, "good": False}])


@pytest.mark.rule("F19")
def test_reshoot_puts_the_top_of_the_pile_in_the_place() -> None:
    game = near_ten("reshoot")
    top = game.view()["hidden"]["pile"][0]
    play(game, "reshoot 10")
    assert line(game)[9] == top
    assert game.view()["film"][9]["claps"] == []


@pytest.mark.rule("F19", "F20")
def test_walk_out_bins_the_cut_and_cannot_be_done_without_one() -> None:
    game = near_ten("walk-out")
    assert (game.phase, game.to_move) == ("bin", 1)
    assert answers(game, "bin") == {"24", "25"}
    play(game, "bin 24")
    assert (game.phase, game.to_move) == ("action", 2)


@pytest.mark.rule("F19", "F25")
def test_wrong_hands_pass_to_the_left_at_once() -> None:
    game = near_ten("wrong hands")
    first, third = game.hand(0)[0], game.hand(2)[0]
    play(game, "pass 24")
    assert "24" in game.hand(1)  # until all have chosen
    assert game.to_move == 2
    assert (game.view(1)["players"][1]["pending"] or {})["card"] == "24"
    assert game.view(0)["players"][1]["pending"] is None
    assert game.view(0)["players"][1]["has_passed"]
    play(game, f"pass {third}", f"pass {first}")
    assert "24" in game.hand(2)
    assert third in game.hand(0)
    assert first in game.hand(1)
    assert (game.phase, game.to_move) == ("action", 2)


@pytest.mark.rule("F19", "F20")
def test_early_deadline_asks_the_player_to_the_left() -> None:
    game = near_ten("early deadline")
    assert (game.phase, game.to_move, answers(game, "bin")) == ("bin", 2, {"26", "27", "28"})
    other = near_ten("early deadline", 2)
    assert other.to_move == 0


@pytest.mark.rule("F20")
def test_what_cannot_be_done_costs_the_first_player_with_a_card() -> None:
    hands = [["20", "21", "22"], ["23", "24", "25"], ["26", "27", "28"]]
    game = staged("feature", 3, film=FILM, hands=hands, hazards=["censored"])
    s = game.state
    play(game, "place 20", "at 9", "no hint")
    s.hands[1] = 1 << 22
    play(game, "place 23", "at 1", "no hint")
    assert (game.phase, game.to_move, len(game.hand(1))) == ("bin", 2, 0)
    play(game, "bin 26")
    assert (game.phase, game.to_move, len(game.hand(1))) == ("action", 2, 1)


@pytest.mark.rule("F19")
def test_censored_covers_a_face_up_card_and_spilled_coffee_takes_hints() -> None:
    hands = [["1b", "21", "22"], ["23", "24", "25"]]
    game = staged("feature", 2, film=FILM, hands=hands, hazards=["censored", "spilled coffee"])
    play(game, "call 1b", "show 22", "at 9", "hint good", "on 9", "place 23", "at 1", "no hint")
    assert game.legal() == ["cover 10"]
    play(game, "cover 10")
    assert game.view(1)["film"][9]["card"] is None
    play(game, "place 21", "at 11", "place 24", "at 3", "no hint")
    assert happened(game) == ["censored", "spilled coffee"]
    assert not any(card["hints"] for card in game.view()["film"])
    assert game.phase == "action"
