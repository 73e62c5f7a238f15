"""Set-up and thoughts, R2 to R14, with the referee and with the engine."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.games.fabrique_a_reves.referee_setup import MODES, TOOLS, random_setup
from tests.games.fabrique_a_reves.referee_words import standard_box
from tests.games.fabrique_a_reves.rule_staging import (
    BOTH,
    ENGINE,
    EVERY_COUNT,
    EVERY_MODE,
    MakeGame,
    make_config,
)

FIVE = {str(vial) for vial in range(1, 6)}
#: Words of the first reservoir that forbid few dreams of the electric night.
PILE = "string coin bag wagon cheese"

EACH_MODE = pytest.mark.parametrize("mode", EVERY_MODE)
EACH_COUNT = pytest.mark.parametrize("players", EVERY_COUNT)


def takes(reservoirs: int, vials: int) -> set[str]:
    return {f"take {r + 1} into {v + 1}" for r in range(reservoirs) for v in range(vials)}


# ---------------------------------------------------------------------------- set-up


def deals(config: dict[str, Any], seeds: int) -> list[dict[str, Any]]:
    """Returns set-ups that the engine deals if there is one, else the referee."""
    if ENGINE is None:
        return [random_setup(config, standard_box(), random.Random(s)) for s in range(seeds)]
    return [ENGINE.from_config(config, seed=seed).setup() for seed in range(seeds)]


@pytest.mark.rule("R3", "R4", "R8")
@BOTH
@EACH_MODE
def test_the_first_turn_offers_what_the_mode_has(make_game: MakeGame, mode: str) -> None:
    game = make_game(mode, drawn=["doubt", "dust+2", "quill"])
    vials = range(1, {"wednesday": 4}.get(mode, 5) + 1)
    tools = {
        "base": "broom doubt dust",
        "monday": "broom doubt dust",
        "tuesday": "broom doubt dust spill",
        "wednesday": "broom doubt dust spill",
        "thursday": "broom doubt dust spill quill",
        "friday": "broom doubt dust spill quill",
        "saturday": "broom doubt dust dust+2 spill quill",
        "sunday": "broom doubt dust dust+2 spill quill",
        "variant": "doubt dust+2 quill",
    }[mode].split()
    expected = takes(6 if mode == "monday" else 8, len(vials))
    expected |= {"broom"} & set(tools)
    for tool in {"doubt", "dust", "dust+2"} & set(tools):
        expected |= {f"{tool} on {vial}" for vial in vials}
    if "quill" in tools:
        expected |= {f"quill {vial}" for vial in vials}
    assert game.legal() == expected  # no vial to spill (R11), no pass (R13)


@pytest.mark.rule("R3", "R4", "R5")
@EACH_MODE
@EACH_COUNT
def test_chance_deals_by_the_rules(mode: str, players: int) -> None:
    setups = deals(make_config(mode, players), 40)
    assert {setup["first_player"] for setup in setups} == set(range(players))
    level = {"wednesday": 2, "thursday": 2, "saturday": 3, "sunday": None}.get(mode, 1)
    printed = set(standard_box().cards)
    tops: Counter[str] = Counter()
    for setup in setups:
        sizes = [len(reservoir) for reservoir in setup["reservoirs"]]
        assert sizes == ([34, 34, 33, 33, 33, 33] if mode == "monday" else [25] * 8)
        cards = [tuple(card.split("/")) for pile in setup["reservoirs"] for card in pile]
        assert len({frozenset(card) for card in cards}) == 200
        assert all(card in printed or card[::-1] in printed for card in cards)
        tops.update(card[0] for card in cards if card in printed)
        themes = setup["themes"]
        assert len(set(themes)) == {"friday": 2, "sunday": 0}.get(mode, 1)
        assert all(standard_box().themes[theme].level == level for theme in themes)
        tools = setup["tools"]
        assert tools == [tool for tool in TOOLS if tool in tools]
        assert tools == list(MODES[mode].tools) or (mode == "variant" and len(tools) == 3)
        assert len(setup["minds"]) == players
    assert len(tops) == 200  # either side is up now and then
    assert abs(tops.total() / (200 * len(setups)) - 0.5) < 0.04
    if mode == "variant":
        assert {tool for setup in setups for tool in setup["tools"]} == set(TOOLS)
    if mode != "sunday":
        assert len({theme for setup in setups for theme in setup["themes"]}) >= 7


# ---------------------------------------------------------------------------- turns


@pytest.mark.rule("R5", "R6")
@BOTH
@EACH_COUNT
def test_turns_go_clockwise_from_the_first_player(make_game: MakeGame, players: int) -> None:
    game = make_game(players=players, first=players - 1)
    for step in range(2 * players):
        assert game.to_move == (players - 1 + step) % players
        game.take(1 + step % 5)


@pytest.mark.rule("R6", "R13")
@BOTH
def test_who_has_passed_takes_no_more_turns_and_the_last_goes_on_alone(
    make_game: MakeGame,
) -> None:
    game = make_game(players=4, first=1).one_each()
    assert game.to_move == 2
    game.play("pass").take(1)
    assert game.to_move == 0
    game.play("pass").take(2)  # by 1
    assert game.to_move == 3
    game.play("pass")
    for vial in (3, 4, 5, 1):
        assert game.to_move == 1
        game.take(vial)
    game.play("pass")
    assert game.dreams()
    assert game.to_move == 1  # the first player writes first (R15)


@pytest.mark.rule("R7")
@BOTH
def test_a_vial_holds_three_words(make_game: MakeGame) -> None:
    game = make_game().take(2, 2)
    assert game.offers("take 5 into") == FIVE
    game.take(2)
    assert game.offers("take 5 into") == FIVE - {"2"}


@pytest.mark.rule("R3", "R7")
@BOTH
def test_the_top_card_goes_and_the_next_counts_with_the_side_that_is_up(
    make_game: MakeGame,
) -> None:
    """Seen by what the words forbid (R16): dog is one of the first two, neither horse nor cat."""
    game = make_game(level=0, piles={1: "dog fish horse", 2: "sand cat"})
    game.take(1, 2).play("take 2 into 3").play("take 3 into 4", "take 3 into 5").all_pass()
    dreams = game.dreams()
    assert {"dog", "fish"} & dreams == set()
    assert {"horse", "cat", "jellyfish"} & dreams == {"horse", "cat"}


# ---------------------------------------------------------------------------- tools


@pytest.mark.rule("R8")
@BOTH
@pytest.mark.parametrize("tool", ["doubt on", "dust on", "dust+2 on", "spill", "quill"])
def test_a_tool_is_used_once_and_no_vial_has_two(make_game: MakeGame, tool: str) -> None:
    game = make_game("sunday", first=1).take(2, 2)
    assert game.to_move == 0
    game.play(f"{tool} 2")
    if tool == "quill":
        assert game.to_move == 0
        game.play("write loud")
    assert game.to_move == 1  # it was a turn
    assert game.offers(tool) == set()
    for other in ("doubt on", "dust on", "dust+2 on", "quill"):
        if other != tool:
            assert game.offers(other) == FIVE - {"2"}
    assert game.offers("spill") == set()  # no other vial has a word


@pytest.mark.rule("R8")
@BOTH
def test_the_broom_lies_on_no_vial(make_game: MakeGame) -> None:
    game = make_game().play("broom")
    assert game.to_move == 1
    assert "broom" not in game.legal()
    assert game.offers("doubt on") == game.offers("dust on") == FIVE


@pytest.mark.rule("R8", "R12")
@BOTH
def test_empty_and_full_vials_take_tools(make_game: MakeGame) -> None:
    game = make_game("sunday").take(1, 1, 1, 2)
    for tool in ("doubt on", "dust on", "dust+2 on"):
        assert game.offers(tool) == FIVE
    assert game.offers("spill") == {"1", "2"}
    assert game.offers("quill") == FIVE - {"1"}


@pytest.mark.rule("R9")
@BOTH
def test_the_broom_discards_every_top_card(make_game: MakeGame) -> None:
    animals = {1: "dog horse", 2: "cat monkey", 3: "fish snake", 4: "bird mouse", 5: "insect wolf"}
    game = make_game(level=0, piles=animals).play("broom")
    game.play(*(f"take {number} into {number}" for number in range(1, 6))).all_pass()
    dreams = game.dreams()
    assert {"horse", "monkey", "snake", "mouse", "wolf", "bat"} & dreams == set()  # chauve-souris
    assert {"dog", "cat", "fish", "bird"} <= dreams


@pytest.mark.rule("R11")
@BOTH
def test_a_spilled_vial_is_empty_and_can_be_filled_anew(make_game: MakeGame) -> None:
    game = make_game("tuesday", players=2).take(1, 1, 1, 2)
    assert game.offers("spill") == {"1", "2"}
    game.play("spill 1")
    assert game.offers("take 2 into") == FIVE
    game.take(1, 1, 1)
    assert game.offers("take 2 into") == FIVE - {"1"}
    assert game.offers("doubt on") == FIVE - {"1"}


@pytest.mark.rule("R11")
@BOTH
@pytest.mark.parametrize("tool", ["doubt on 1", "dust on 1"])
def test_a_vial_with_a_token_is_not_spilled(make_game: MakeGame, tool: str) -> None:
    game = make_game("tuesday").take(1, 2).play(tool)
    assert game.offers("spill") == {"2"}


@pytest.mark.rule("R12")
@BOTH
def test_the_quill_writes_one_of_its_words_in_the_same_turn(make_game: MakeGame) -> None:
    game = make_game("thursday", first=2).take(1, 1)
    assert game.to_move == 1
    game.play("quill 1")
    assert game.to_move == 1
    assert game.legal() == {f"write {word}" for word in standard_box().quill}
    assert len(game.legal()) == 128
    game.play("write explosive")
    assert game.to_move == 2
    assert game.offers("take 1 into") == FIVE - {"1"}  # it is the third word
    assert game.offers("quill") == set()


@pytest.mark.rule("R12", "R16")
@BOTH
def test_a_written_word_forbids_as_a_card_does(make_game: MakeGame) -> None:
    game = make_game("friday", players=2, piles={1: PILE}, themes=["weather", "party"])
    with_quill = game.play("quill 1", "write solar").one_each().all_pass().dreams()
    other = make_game("friday", players=2, piles={1: PILE}, themes=["weather", "party"])
    without = other.one_each().all_pass().dreams()
    assert with_quill < without
    forbidden = ["sun", "sunglasses", "sunburn", "sunscreen", "sunrise", "sunset", "parasol"]
    assert without - with_quill == {*forbidden, "solar panel"}


# ---------------------------------------------------------------------------- passing, the end


@pytest.mark.rule("R13")
@BOTH
@pytest.mark.parametrize("mode", ["base", "wednesday"])
def test_passing_needs_a_word_in_every_vial(make_game: MakeGame, mode: str) -> None:
    game = make_game(mode)
    for vial in range(1, game.vials + 1):
        assert "pass" not in game.legal()
        game.take(vial)
    assert "pass" in game.legal()


@pytest.mark.rule("R12", "R13")
@BOTH
def test_a_written_word_is_a_word_for_passing(make_game: MakeGame) -> None:
    game = make_game("thursday").take(1, 2, 3, 4)
    assert "pass" not in game.legal()
    game.play("quill 5", "write loud")
    assert "pass" in game.legal()


@pytest.mark.rule("R13", "R11", "R6")
@BOTH
def test_a_pass_stays_if_a_vial_is_emptied_and_the_others_must_fill_it(
    make_game: MakeGame,
) -> None:
    game = make_game("tuesday", players=3).one_each()
    assert game.to_move == 2
    game.play("pass", "spill 4")  # by 0
    assert game.to_move == 1
    assert "pass" not in game.legal()
    game.take(1)
    assert game.to_move == 0
    assert "pass" not in game.legal()
    game.take(4)
    assert game.to_move == 1
    game.play("pass", "pass")
    assert game.dreams()


@pytest.mark.rule("R14")
@BOTH
@pytest.mark.parametrize("mode", ["base", "wednesday"])
def test_the_phase_ends_at_once_when_all_vials_are_full(make_game: MakeGame, mode: str) -> None:
    game = make_game(mode, first=1)
    for _ in range(3):
        assert "broom" in game.legal()
        game.one_each()
    assert all(words.startswith("dream 1 ") for words in game.legal())
    assert game.to_move == 1


@pytest.mark.rule("R14", "R12")
@BOTH
def test_a_written_word_can_be_the_last(make_game: MakeGame) -> None:
    game = make_game("thursday", first=0).one_each().one_each().take(1, 2, 3, 4)
    assert game.to_move == 2
    game.play("quill 5", "write loud")
    assert game.to_move == 0
    assert all(words.startswith("dream 1 ") for words in game.legal())


@pytest.mark.rule("R14", "R6")
@BOTH
@EACH_COUNT
def test_the_phase_ends_when_all_have_passed(make_game: MakeGame, players: int) -> None:
    game = make_game(players=players).one_each()
    for left in range(players, 0, -1):
        assert "pass" in game.legal(), left
        game.play("pass")
    assert all(words.startswith("dream 1 ") for words in game.legal())
