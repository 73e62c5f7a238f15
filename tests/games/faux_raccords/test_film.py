"""What lies in the Film and on its cards: placing, viewing, members, hints (F5 to F17)."""

from __future__ import annotations

import pytest

from dreamfactory_env import FauxRaccords
from tests.games.faux_raccords.staging import decline, idle_turn, play, staged

FILM = ["2", "3", "5", "7", "8", "9", "11", "13"]


def line(game: FauxRaccords) -> list[str]:
    """Returns the cards of the Film in the order of its places."""
    return list(game.film().values())


def answers(game: FauxRaccords, verb: str) -> set[str]:
    """Returns what can be answered with a verb, without it."""
    words = [move for move in game.legal() if move.startswith(f"{verb} ")]
    return {move.removeprefix(f"{verb} ") for move in words}


# ---------------------------------------------------------------------------- place and view


@pytest.mark.rule("F6", "F13", "F25")
def test_a_card_is_placed_face_down_with_a_clap_and_those_behind_it_move_up() -> None:
    game = staged("feature", 3, film=FILM, hands=[["20", "21", "22"]])
    play(game, "place 21")
    assert game.phase == "place"
    assert "21" in game.hand(0)  # until it is put
    assert answers(game, "at") == set("123456789")
    play(game, "at 3")
    assert line(game) == ["2", "3", "21", "5", "7", "8", "9", "11", "13"]
    placed = game.view()["film"][2]
    assert (placed["claps"], placed["face_up"]) == ([0], False)
    assert game.hand(0) == ["20", "22"]


@pytest.mark.rule("F13")
def test_without_a_clap_in_reserve_one_must_move_and_the_card_just_put_has_a_name() -> None:
    game = staged("tutorial", 2, film=["2", "3", "4", "5"])
    for at in ("1", "3", "5"):
        play(game, f"place {game.hand(0)[0]}", f"at {at}", f"call {game.hand(1)[0]}")
        if game.phase != "hint":
            game.play("no effect")
        play(game, "no hint")
    assert game.to_move == 0
    play(game, f"place {game.hand(0)[0]}", "at 1")
    assert game.phase == "move clap"
    assert game.legal() == ["move clap from 2", "move clap from 4", "move clap from 6"]
    assert game.view(0)["film"][0]["card"] is not None  # just put, so it is seen
    assert game.view(1)["film"][0]["card"] is None
    play(game, "move clap from 4")
    claps = [card["place"] for card in game.view()["film"] if 0 in card["claps"]]
    assert claps == ["1", "2", "6"]


@pytest.mark.rule("F14")
def test_a_view_bins_a_card_and_shows_a_face_down_card_without_an_own_clap() -> None:
    game = staged("feature", 3, film=FILM, hands=[["20", "21", "22"]])
    play(game, "view with 22")
    assert game.state.binned == 1 << 21
    assert answers(game, "look at") == set("12345678")
    play(game, "look at 4")
    assert game.view(0)["film"][3]["card"]["card"] == "7"
    assert game.view(1)["film"][3]["card"] is None
    game.play("no hint")
    for _ in range(2):
        idle_turn(game)
    play(game, f"view with {game.hand(0)[0]}")
    assert answers(game, "look at") == set("1235678")


@pytest.mark.rule("F15")
@pytest.mark.parametrize(("players", "mode"), [(2, "feature"), (3, "feature"), (2, "tutorial")])
def test_with_two_players_own_claps_keep_cards_apart(players: int, mode: str) -> None:
    film = FILM[: 4 if mode == "tutorial" else 8]
    hazards = ["budget cut", "walk-out", "power cut"]
    game = staged(mode, players, film=film, hazards=hazards)
    play(game, f"place {game.hand(0)[0]}", "at 3", "no hint")
    for _ in range(players - 1):
        play(game, f"place {game.hand(game.turn)[0]}", "at 1", "no hint")
    # The Clap of player 0 is now behind the cards of all others.
    at = 2 + players
    size = len(film) + players
    bound = players == 2 and mode == "feature"
    play(game, f"place {game.hand(0)[0]}")
    every = set(map(str, range(1, size + 2)))
    assert answers(game, "at") == every - ({str(at), str(at + 1)} if bound else set())
    play(game, "at 1", "no hint")
    while game.phase == "bin":  # the second hazard, with twelve cards
        game.play(game.legal()[0])
    for _ in range(players - 1):
        idle_turn(game)
    play(game, f"view with {game.hand(0)[0]}")
    own = {1, at + 1}
    near = {place + step for place in own for step in (-1, 1)} if bound else set()
    expected = {place for place in range(1, size + 2) if place not in own | near}
    assert answers(game, "look at") == set(map(str, expected))


@pytest.mark.rule("F12", "F15")
def test_what_cannot_be_placed_or_viewed_is_not_offered() -> None:
    game = staged("shorts", 2, film=FILM)
    game.state.claps[0] = 0b1010 | 0b101 << 32  # one Clap more than there are
    words = {move.rpartition(" ")[0] for move in game.legal()}
    assert words == {"place", "call", ""}  # before A1 and behind B4; every other card touches
    game.state.claps[0] = 0b1001 | 0b1001 << 32
    assert {move.rpartition(" ")[0] for move in game.legal()} == {"place", "call", ""}
    play(game, next(iter(game.legal())))
    assert answers(game, "at") == {"A3", "B3"}


# ---------------------------------------------------------------------------- members


@pytest.mark.rule("F16")
def test_a_manager_reuses_cards_of_the_cut_but_not_the_one_called() -> None:
    game = staged("tutorial", 2, hands=[["6", "12", "20"], ["2", "27", "8"]])
    play(game, "call 6")
    assert game.phase == "hint"  # nothing to reuse
    play(game, "no hint", "call 2", "no effect", "no hint", "call 12")
    assert game.legal() == ["reuse 2", "reuse 6", "no effect"]
    play(game, "reuse 6")  # a manager again
    assert game.legal() == ["reuse 2", "no effect"]
    play(game, "reuse 2")
    assert game.phase == "take"
    assert [card["card"] for card in game.view()["cut"]["cards"]] == ["12"]
    assert game.view()["bin"] == 2
    play(game, "no effect", "no hint", "call 27")
    assert game.legal() == ["reuse 12", "no effect"]


@pytest.mark.rule("F5", "F16")
def test_an_editor_takes_all_before_any_is_put_and_marks_stay_on_the_cards() -> None:
    game = staged("shorts", 3, film=FILM, hands=[["20"], ["10"]], hazards=["budget cut"])
    play(game, "place 20", "at A2", "hint bad", "on A2")
    play(game, "call 10", "take A2")
    taken = game.view(2)["taken"]
    assert [card["claps"] for card in taken] == [[0]]
    assert [hint["player"] for hint in taken[0]["hints"]] == [0]
    assert game.view(0)["taken"][0]["card"]["card"] == "20"
    assert taken[0]["card"] is None
    assert answers(game, "take") == {"A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4"}
    play(game, "take A1")
    assert answers(game, "put at") == {"A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5"}
    play(game, "put at B1")  # the first one taken
    assert game.film()["B1"] == "20"
    moved = game.view()["film"][3]
    assert (moved["place"], moved["claps"], moved["hints"][0]["good"]) == ("B1", [0], False)
    assert "put at B6" in game.legal()
    play(game, "put at B6")
    assert line(game) == ["3", "5", "7", "20", "8", "9", "11", "13", "2"]


@pytest.mark.rule("F16")
def test_an_editor_who_has_taken_the_only_card_has_enough() -> None:
    game = staged("tutorial", 2, hands=[["2"]])
    s = game.state
    s.film[1:4] = -1
    s.occupied = 1
    play(game, "call 2", "take 1")
    assert game.legal() == ["enough"]
    assert play(game, "enough").legal() == ["put at 1"]


@pytest.mark.rule("F16", "F17")
def test_a_star_swaps_a_card_of_the_cut_which_lies_face_up() -> None:
    game = staged("feature", 3, film=FILM, hands=[["20"], ["25"]])
    play(game, "place 20", "at 1", "hint good", "on 1", "call 25")
    assert game.legal() == ["swap 25", "no effect"]
    play(game, "swap 25")
    assert game.view(2)["cut"]["chosen"] == "25"
    play(game, "for 1")
    assert [card["card"] for card in game.view()["cut"]["cards"]] == ["20"]
    revealed = game.view(2)["film"][0]
    assert (revealed["card"]["card"], revealed["face_up"]) == ("25", True)
    assert revealed["claps"] == revealed["hints"] == []
    players = game.view()["players"]
    assert (players[0]["claps_left"], players[0]["hint_left"]) == (3, False)


@pytest.mark.rule("F16", "F24")
def test_a_producer_gives_a_card_to_another_hand() -> None:
    game = staged("feature", 3, film=FILM, hands=[["4"]])
    play(game, "call 4", "give 8")
    assert game.legal() == ["to player 1", "to player 2"]
    play(game, "to player 2")
    assert line(game) == FILM[:7]
    assert "13" in [card["card"] for card in game.view(2)["players"][2]["hand"]]
    assert game.view(1)["players"][2] == {**game.view(1)["players"][2], "count": 4, "hand": None}


@pytest.mark.rule("F16", "F25")
def test_a_script_supervisor_shows_a_card_face_up_without_a_clap() -> None:
    game = staged("feature", 2, film=FILM, hands=[["1b", "28"]])
    play(game, "call 1b")
    assert {move.partition(" ")[0] for move in game.legal()} == {"show", "no"}
    play(game, "show 28")
    assert game.view(1)["players"][0]["pending"]["card"] == "28"
    play(game, "at 9")
    shown = game.view(1)["film"][8]
    assert (shown["card"]["card"], shown["face_up"], shown["claps"]) == ("28", True, [])


@pytest.mark.rule("F16")
@pytest.mark.parametrize("card", ["2", "8", "4"])
def test_an_effect_that_cannot_be_done_is_not_asked(card: str) -> None:
    game = staged("tutorial", 2, hands=[[card]])
    s = game.state
    s.film[:] = -1
    s.occupied = 0
    play(game, f"call {card}")
    assert (game.phase, game.to_move) == ("action", 1)  # nor a hint: no card lies there


@pytest.mark.rule("F16")
def test_a_script_supervisor_without_another_card_is_not_asked() -> None:
    script = staged("series", 2, hands=[["1b"]])
    script.state.hands[0] = 1 << 28
    play(script, "call 1b")
    assert script.phase == "hint"  # no card in hand


@pytest.mark.rule("F11")
def test_a_turn_ends_with_a_draw_and_a_cut_of_five() -> None:
    game = staged("tutorial", 2, hands=[["6", "12", "20"], ["2", "7", "10"]], deck=["14", "17"])
    for card in ("6", "2", "12", "7", "20", "10"):
        play(game, f"call {card}")
        if card == "10":
            assert game.view()["cut"]["cards"][0]["card"] == "6"
            assert len(game.view()["cut"]["cards"]) == 6
        decline(game)
    assert [card["card"] for card in game.view()["cut"]["cards"]] == ["2", "12", "7", "20", "10"]
    assert {"14", "17"} <= {*game.hand(0), *game.hand(1)}


@pytest.mark.rule("F17")
def test_a_hint_is_given_once() -> None:
    game = staged("tutorial", 2)
    play(game, f"place {game.hand(0)[0]}", "at 1")
    assert game.legal() == ["no hint", "hint good", "hint bad"]
    play(game, "hint good")
    assert game.view(1)["hint"] == "good"
    assert answers(game, "on") == set("12345")
    play(game, "on 5", f"place {game.hand(1)[0]}", "at 6", "no hint")
    assert game.view(1)["film"][4]["hints"] == [{"player": 0, "good": True}]
    play(game, f"place {game.hand(0)[0]}", "at 1")
    assert (game.phase, game.to_move) == ("action", 1)
    assert game.view(1)["film"][5]["hints"] == [{"player": 0, "good": True}]


# ---------------------------------------------------------------------------- the end


@pytest.mark.rule("F11", "F21", "F28")
def test_a_player_who_begins_a_turn_without_a_card_ends_the_game() -> None:
    game = staged("tutorial", 2, hands=[["2", "3", "5"], ["7"]])
    game.state.hands[1] = 1 << 6
    game.state.drawn = game.state.pile_end
    play(game, "place 2", "at 1", "no hint", "place 7", "at 1", "no hint", "place 3", "at 1")
    game.play("no hint")
    result = game.result()
    assert result is not None
    assert (result["ending"], result["player"]) == ("empty hand", 1)
    assert game.over


@pytest.mark.rule("F22", "F28")
def test_the_example_of_the_rulebook_scores_four() -> None:
    film = ["1", "4", "6", "7", "9", "15", "16", "18"]
    game = staged("feature", 2, film=film, moods=[["laughter", "drama"]])
    play(game, "end")
    result = game.result()
    assert result is not None
    assert result["genre"] == [4]
    assert result["film"] == {str(k + 1): card for k, card in enumerate(film)}
    assert result["conditions"] == {"size": False, "order": True, "doubles": True, "genre": False}
    assert (result["scores"], result["winners"], result["player"]) == ([0, 0], [], 0)
    assert game.view(1)["film"][0]["card"]["card"] == "1"  # revealed at the end
