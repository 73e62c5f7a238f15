"""The referee by itself: what must hold in every game, whoever plays it; small lexicons."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.games.fabrique_a_reves.lexicons import TINY
from tests.games.fabrique_a_reves.referee import (
    HABITS,
    Referee,
    check_record,
    longest,
    main,
    random_playout,
)
from tests.games.fabrique_a_reves.referee_setup import MODES, random_setup
from tests.games.fabrique_a_reves.referee_words import Meanings, read_box
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


# ---------------------------------------------------------------------------- small lexicons

#: Two cards and four dreams, so that reservoirs and dreams run out.
SMALL = f"""{TINY[: TINY.index("cards:")]}
cards: [[string, king], [coin, apple]]
themes:
  - {{id: few, level: 1, dreams: [toaster, electric car, bitcoin, lawyer]}}
free: [car]
quill: [loud, bread]
scoring: {{2: {{2: [0, 7, 8, 9]}}}}
"""


def small_game(mode: str, players: int = 2, **options: Any) -> Referee:
    """Returns a game with two cards, string and coin on top of reservoirs 1 and 2."""
    document = yaml.safe_load(SMALL)
    rng = random.Random(1)
    vectors = {word: tuple(rng.randrange(-9, 9) for _ in range(4)) for word in document["words"]}
    meanings = Meanings(read_box(document, vectors))
    config = make_config(mode, players, lexicon="tiny", **options)
    setup = random_setup(config, meanings.box, rng)
    setup["reservoirs"][:2] = [["string/king"], ["coin/apple"]]
    setup["first_player"] = 0
    return Referee(config, setup, meanings)


def play(referee: Referee, *words: str) -> set[str]:
    """Plays words and returns what is legal then."""
    for each in words:
        referee.play(each)
    return set(referee.legal())


@pytest.mark.rule("R7", "R9")
def test_an_empty_reservoir_stays_empty() -> None:
    legal = play(small_game("base"), "take 2 into 3")
    assert {words for words in legal if words.startswith("take")} == {
        f"take 1 into {vial}" for vial in range(1, 6)
    }
    assert "broom" in legal
    legal = play(small_game("base"), "take 2 into 3", "take 1 into 3")
    assert legal == {f"{tool} on {vial}" for tool in ("doubt", "dust") for vial in range(1, 6)}
    game = small_game("base")
    assert play(game, "broom") == legal


@pytest.mark.rule("R13")
def test_who_can_do_nothing_else_passes() -> None:
    game = small_game("base")
    assert play(game, "broom", "doubt on 1", "dust on 2") == {"pass"}
    assert play(game, "pass") == {"pass"}
    assert {words.split()[0] for words in play(game, "pass")} == {"dream"}


@pytest.mark.rule("R13", "R11")
def test_who_could_still_use_a_tool_does_not_pass_while_a_vial_is_empty() -> None:
    game = small_game("variant", tools=["broom", "doubt", "spill"])
    legal = play(game, "take 1 into 1", "take 2 into 2", "doubt on 3")
    assert legal == {"spill 1", "spill 2"}
    assert play(game, "spill 1") == {"pass"}


@pytest.mark.rule("R15", "R16")
def test_if_no_word_is_legal_none_is() -> None:
    game = small_game("variant", tools=["broom", "doubt", "quill"])
    # bread forbids the toaster; at the flask both questions are asked.
    play(game, "quill 1", "write bread", "doubt on 4", "take 1 into 2", "broom", "pass", "pass")
    assert play(game) == {"dream 1 electric car", "dream 1 bitcoin", "dream 1 lawyer"}
    assert play(game, "dream 1 bitcoin", "dream 2 lawyer") == {"dream 3 electric car"}
    assert play(game, "dream 3 electric car") == {"dream 4 none"}
    assert play(game, "dream 4 none") == {"dream 4 none"}
    assert play(game, "dream 4 none") == {"dream 5 none"}
    assert play(game, "dream 5 none") > {"dream 1 bitcoin"}
    play(game, "dream 1 lawyer", "dream 2 bitcoin", "dream 3 electric car")
    play(game, "dream 4 none", "dream 4 none", "dream 5 none")
    assert game.over
    vials = game.result()["vials"]
    assert [vial["group"] for vial in vials] == [1, 1, 2, 0, 0]


@pytest.mark.rule("R18", "R19")
def test_a_lexicon_may_score_otherwise() -> None:
    game = small_game("variant", tools=["doubt", "dust", "dust+2"])
    play(game, "take 1 into 1", "take 2 into 1", "dust on 2", "dust+2 on 1", "doubt on 5")
    play(game, "pass", "pass")
    for _ in range(2):
        play(game, "dream 1 bitcoin", "dream 2 lawyer", "dream 3 toaster", "dream 4 electric car")
        play(game, "dream 5 none", "dream 5 none")
    assert [vial["points"] for vial in game.result()["vials"]] == [8 + 2, 0, 0, 0, 0]
    assert [vial["dream"] for vial in game.result()["vials"]] == ["bitcoin", *[None] * 4]
    three = small_game("variant", 3, tools=["broom", "doubt", "dust"])
    assert [three.position.points(group, 0) for group in range(4)] == [0, 0, 1, 1]  # R18


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
