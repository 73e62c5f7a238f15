"""The referee by itself: what must hold in every game, whoever plays it."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.fabrique_a_reves.referee import (
    HABITS,
    Referee,
    check_record,
    longest,
    main,
    random_playout,
)
from tests.games.fabrique_a_reves.referee_setup import MODES
from tests.games.fabrique_a_reves.rule_staging import EVERY_COUNT, EVERY_MODE, make_config

EACH_GAME = pytest.mark.parametrize(
    ("mode", "players"), [(mode, players) for mode in EVERY_MODE for players in EVERY_COUNT]
)


def record_of(mode: str, players: int, number: int, habit: str | None = None) -> dict[str, Any]:
    """Returns a record of a game at random; with labels by the list, which are cheap to check."""
    rng = random.Random(f"{mode} {players} {number} {habit}")
    return random_playout(make_config(mode, players, labels="list"), rng, habit)


def positions(record: dict[str, Any]) -> Iterator[Referee]:
    """Yields the referee before each move of a record, and at the end."""
    referee = Referee(record["config"], record["setup"])
    yield referee
    for _, _, words in record["moves"]:
        referee.play(words)
        yield referee


def assert_sound(referee: Referee) -> None:
    """Asserts what must hold in every position."""
    p = referee.position
    legal = referee.legal()
    assert len(set(legal)) == len(legal)
    assert bool(legal) == (not referee.over)
    actions = [referee.action(words) for words in legal]
    assert len(set(actions)) == len(actions)
    assert all(0 <= action < 196 for action in actions)
    tokens = Counter(vial.token for vial in p.vials.values() if vial.token)
    assert not set(tokens) & set(p.tools)
    assert all(count == 1 for count in tokens.values())
    assert all(len(vial.words) == len(vial.by) <= 3 for vial in p.vials.values())
    for slate in p.slates:
        written = [word for words in slate.values() for word in words if word is not None]
        assert len(set(written)) == len(written)


@EACH_GAME
def test_every_game_is_sound_and_ends_in_time(mode: str, players: int) -> None:
    for habit in HABITS:
        record = record_of(mode, players, 1, habit)
        for referee in positions(record):
            assert_sound(referee)
        assert referee.over
        assert check_record(record) == []
        assert len(record["moves"]) <= longest(players, mode) <= 60
        result = record["result"]
        assert result["points"] == sum(vial["points"] for vial in result["vials"])
        assert result["points"] <= 4 * len(result["vials"]) + 3


@EACH_GAME
def test_nobody_sees_what_is_hidden(mode: str, players: int) -> None:
    """Everything that a seat cannot know is drawn anew, and it sees the same until the end."""
    record = record_of(mode, players, 2)
    rng = random.Random(f"{mode} {players}")
    for referee in positions(record):
        if referee.over:
            break
        for seat in range(players):
            other = copy.copy(referee.position)
            other.minds = [
                mind if each == seat else rng.randrange(2**53)
                for each, mind in enumerate(referee.position.minds)
            ]
            other.reservoirs = {
                number: cards[:1] + rng.sample(cards[1:], len(cards[1:]))
                for number, cards in referee.position.reservoirs.items()
            }
            other.slates = [
                slate if each == seat else {number: ["lamp"] for number in slate}
                for each, slate in enumerate(referee.position.slates)
            ]
            assert other.sees(seat) == referee.position.sees(seat)
    assert None not in referee.sees(0)["slates"]
    assert None not in referee.sees(0)["minds"]


def test_random_games_meet_everything() -> None:
    """The tests above would be worth little if random games were all alike."""
    verbs: Counter[str] = Counter()
    groups: Counter[int] = Counter()
    tokens: Counter[str | None] = Counter()
    won: Counter[bool] = Counter()
    for mode in EVERY_MODE:
        for players in EVERY_COUNT:
            for habit in HABITS:
                record = record_of(mode, players, 1, habit)
                for _, _, words in record["moves"]:
                    verb = words.split()[0]
                    verbs["none" if words.endswith(" none") else verb] += 1
                groups.update(vial["group"] for vial in record["result"]["vials"])
                tokens.update(vial["token"] for vial in record["result"]["vials"])
                won[bool(record["result"]["winners"])] += 1
    tools = ["broom", "doubt", "dust", "dust+2", "spill", "quill"]
    assert set(verbs) == {*tools, "take", "write", "pass", "dream", "none"}
    assert min(verbs.values()) > 20
    assert set(groups) == {1, 2, 3, 4, 5}
    assert set(tokens) == {None, *tools} - {"broom"}
    assert set(won) == {True, False}


def test_modes_are_those_of_the_week() -> None:
    days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    assert list(MODES) == ["base", *days, "variant"]


def test_a_file_of_records_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = record_of("friday", 2, 1)
    file = tmp_path / "games.jsonl"
    file.write_text(f"{json.dumps(record)}\n\n{json.dumps(record)}\n")
    assert main([str(file)]) == 0
    assert capsys.readouterr().out == "2 verified, 0 failed\n"
    record["moves"].pop()
    file.write_text(json.dumps(record))
    assert main([str(file)]) == 1
    assert "line 1: the moves end after" in capsys.readouterr().out
    assert main([]) == 2
