"""Damaged records: each mistake, and what the referee says about it."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from tests.games.fabrique_a_reves.referee import Foul, Referee, check_record
from tests.games.fabrique_a_reves.referee_setup import random_setup
from tests.games.fabrique_a_reves.referee_words import standard_box
from tests.games.fabrique_a_reves.rule_staging import (
    EVERY_COUNT,
    EVERY_MODE,
    make_config,
    make_setup,
)


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A game of the electric night with three tools, nine points and so lost."""
    config = make_config("variant", 3, tools=["doubt", "dust", "quill"])
    piles = {1: "string coin bag wagon cheese meat oil", 2: "water fire"}
    setup = make_setup(config, piles=piles, first=1)
    referee = Referee(config, setup)
    thoughts = [f"take 1 into {vial}" for vial in (1, 2, 3, 4, 5, 1)]
    thoughts += ["doubt on 2", "dust on 1", "quill 4", "write loud", "pass", "pass", "pass"]
    slate = ["1 lamp", "2 robot", "2 none", "3 siren", "4 drone", "5 drill"]
    last = ["1 radio", "2 kettle", "2 none", "3 siren", "4 drone", "5 tablet"]
    moves: list[list[Any]] = []
    for words in [*thoughts, *(f"dream {each}" for each in [*slate, *slate, *last])]:
        moves.append([referee.to_move, referee.action(words), words])
        referee.play(words)
    return {
        "format": "dreamfactory-record/1",
        "game": "fabrique_a_reves",
        "version": "v0",
        "config": config,
        "seed": None,
        "agents": ["somebody"] * 3,
        "setup": setup,
        "moves": moves,
        "result": referee.result(),
    }


def told(record: dict[str, Any], value: Any, *path: Any) -> str:
    """Returns what is found if a part of the record has another value."""
    wrong = part = copy.deepcopy(record)
    for key in path[:-1]:
        part = part[key]
    assert part[path[-1]] != value or type(part[path[-1]]) is not type(value)
    part[path[-1]] = value
    return "; ".join(check_record(wrong))


def test_the_record_itself_is_right(record: dict[str, Any]) -> None:
    assert check_record(record) == []
    assert record["result"]["points"] == (1 + 1) + 1 + 2 + 3 + 1
    assert record["result"]["winners"] == []


MISTAKES = [
    # the whole
    ("dreamfactory-record/2", ["format"], "not a record of fabrique_a_reves"),
    ("faux_raccords", ["game"], "not a record of fabrique_a_reves"),
    ("v1", ["version"], "not a record of fabrique_a_reves"),
    (["somebody"] * 2, ["agents"], "2 agents for 3 seats"),
    # config
    (4, ["config", "players"], "one mind for each seat"),
    (6, ["config", "players"], "6 players"),
    ("base", ["config", "mode"], "base has its own"),
    ("holiday", ["config", "mode"], "unknown mode"),
    (2, ["config", "level"], "not of level 2"),
    (None, ["config", "level"], "level None"),
    (["doubt", "dust", "spill"], ["config", "tools"], "were chosen"),
    (["dust", "doubt", "quill"], ["config", "tools"], "in the order"),
    ("same", ["config", "minds"], "the same minds have none"),
    (256, ["config", "noise"], "noise 256"),
    (25, ["config", "noise"], "is action"),
    ("list", ["config", "labels"], "is action"),
    ("other", ["config", "labels"], "labels 'other'"),
    ("mine", ["config", "lexicon"], "lexicon 'mine'"),
    # the deal
    (2, ["setup", "first_player"], "seat 1 plays 'take 1 into 1', seat 2 is to move"),
    (3, ["setup", "first_player"], "first player 3"),
    (["vehicles"], ["setup", "themes"], "'dream 1 lamp' is not legal"),
    (["animals"], ["setup", "themes"], "not of level 1"),
    (["electric", "vehicles"], ["setup", "themes"], "1 themes"),
    (["nowhere"], ["setup", "themes"], "unknown theme"),
    (["doubt", "dust", "dust+2"], ["setup", "tools"], "were chosen"),
    ("king/string", ["setup", "reservoirs", 0, 0], "is action"),
    ("coin/fall", ["setup", "reservoirs", 0, 0], "exactly the cards"),
    ("string/fall", ["setup", "reservoirs", 0, 0], "exactly the cards"),
    ([], ["setup", "reservoirs", 3], "reservoirs of"),
    ([], ["setup", "reservoirs"], "8 reservoirs"),
    (9, ["setup", "minds", 1], "is action"),
    (2**53, ["setup", "minds", 0], "below 2**53"),
    ([1, 2], ["setup", "minds"], "one mind for each seat"),
    # moves
    (2, ["moves", 0, 0], "seat 2 plays 'take 1 into 1', seat 1 is to move"),
    (1, ["moves", 0, 1], "'take 1 into 1' is action 0, not 1"),
    ("take 1 into 6", ["moves", 0, 2], "'take 1 into 6' is not legal for seat 1"),
    ("pass", ["moves", 0, 2], "'pass' is not legal"),
    ("spill 1", ["moves", 6, 2], "'spill 1' is not legal"),
    ("write string", ["moves", 9, 2], "'write string' is not legal"),
    ("pass", ["moves", 9, 2], "'pass' is not legal"),
    ("dream 1 bread", ["moves", 13, 2], "'dream 1 bread' is not legal"),
    ("dream 1 lampe", ["moves", 13, 2], "'dream 1 lampe' is not legal"),
    ("dream 2 lamp", ["moves", 13, 2], "'dream 2 lamp' is not legal"),
    ("dream 1 none", ["moves", 13, 2], "'dream 1 none' is not legal"),
    ("dream 2 lamp", ["moves", 14, 2], "'dream 2 lamp' is not legal"),  # stands at vial 1
    ("dream 1 guitar", ["moves", 13, 2], "is action"),
    (7, ["moves", 0], "7 is not [seat, action, words]"),
    (True, ["moves", 0, 0], "is not [seat, action, words]"),
    # result
    (10, ["result", "points"], "result: points is 10, not 9"),
    ([9, 9, 10], ["result", "scores"], "result: scores is"),
    ([0, 1, 2], ["result", "winners"], "result: winners is [0, 1, 2], not []"),
    (3, ["result", "scale"], "result: scale is 3, not 2"),
    (9, ["result", "aim"], "result: aim is 9, not 10"),
    (9.0, ["result", "points"], "result: points is 9.0, not 9"),
    (3, ["result", "vials", 0, "points"], "result: vials is"),
    (2, ["result", "vials", 1, "cards"], "result: vials is"),
    ("dust", ["result", "vials", 1, "token"], "result: vials is"),
    (3, ["result", "vials", 0, "group"], "result: vials is"),
    ("radio", ["result", "vials", 0, "dream"], "result: vials is"),
    ({}, ["result"], "result: aim is missing, not 10"),
    (None, ["result"], "malformed record"),
    (None, ["setup"], "setup must be an object"),
    (None, ["moves"], "malformed record"),
]


@pytest.mark.parametrize(("value", "path", "found"), MISTAKES)
def test_a_damaged_record_is_refused(
    record: dict[str, Any], value: Any, path: list[Any], found: str
) -> None:
    assert found in told(record, value, *path)


def test_missing_and_added_parts_are_found(record: dict[str, Any]) -> None:
    moves = record["moves"]
    assert told(record, moves[:-1], "moves") == "the moves end after 30, the game does not"
    assert "the game is over" in told(record, [*moves, [0, 66, "pass"]], "moves")
    assert "is to move" in told(record, moves[:5] + moves[6:], "moves")
    more = {**record["result"], "bonus": 1}
    assert told(record, more, "result") == "result: bonus is 1, not missing"
    for key in ("config", "setup", "moves", "result", "agents"):
        wrong = {each: value for each, value in record.items() if each != key}
        assert check_record(wrong), key
    for key in record["setup"]:
        setup = {each: value for each, value in record["setup"].items() if each != key}
        assert "setup must have" in told(record, setup, "setup")
    for key in record["config"]:
        config = {each: value for each, value in record["config"].items() if each != key}
        assert "config must have" in told(record, config, "config")


def test_two_cards_that_changed_places_are_found(record: dict[str, Any]) -> None:
    """The words that were taken are others, so the minds' order of dreams is."""
    reservoirs = copy.deepcopy(record["setup"]["reservoirs"])
    reservoirs[0][0], reservoirs[1][0] = reservoirs[1][0], reservoirs[0][0]
    assert "is action" in told(record, reservoirs, "setup", "reservoirs")


@pytest.mark.parametrize("mode", EVERY_MODE)
@pytest.mark.parametrize("players", EVERY_COUNT)
def test_set_ups_that_nobody_can_have_dealt_are_refused(mode: str, players: int) -> None:
    config = make_config(mode, players)
    good = random_setup(config, standard_box(), random.Random(mode))
    Referee(config, good)
    for key, value in [
        ("first_player", players),
        ("themes", [*good["themes"], "crime"]),
        ("tools", good["tools"][1:]),
        ("reservoirs", good["reservoirs"][1:]),
        ("reservoirs", [*good["reservoirs"][:-1], good["reservoirs"][0]]),
        ("minds", good["minds"][1:]),
    ]:
        with pytest.raises(Foul):
            Referee(config, {**good, key: value})
    if mode == "monday":  # the larger reservoirs come first (R3)
        with pytest.raises(Foul):
            Referee(config, {**good, "reservoirs": good["reservoirs"][::-1]})
    same = make_config(mode, players, minds="same")
    Referee(same, {**good, "minds": [0] * players})
    with pytest.raises(Foul):
        Referee(same, good)
