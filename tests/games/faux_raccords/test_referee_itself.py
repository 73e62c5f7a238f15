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

from tests.games.faux_raccords.referee import (
    HABITS,
    Foul,
    Referee,
    check_record,
    longest,
    main,
    random_playout,
)
from tests.games.faux_raccords.referee_cards import (
    HAZARDS,
    MEMBERS,
    MODES,
    MOODS,
    RECONSTRUCTION,
    SYMBOLS,
    cards_of,
    check_config,
    random_setup,
    start_size,
)

EVERY_GAME = [(mode, players) for mode in MODES for players in (2, 3, 4)]
EACH_GAME = pytest.mark.parametrize(("mode", "players"), EVERY_GAME)


def record_of(mode: str, players: int, number: int, habit: str | None = None) -> dict[str, Any]:
    rng = random.Random(f"{mode} {players} {number} {habit}")
    return random_playout({"players": players, "mode": mode}, rng, habit)


def positions(record: dict[str, Any]) -> Iterator[Referee]:
    """Yields the referee before each move of a record, and at the end."""
    referee = Referee(record["config"], record["setup"])
    yield referee
    for _, _, words in record["moves"]:
        referee.play(words)
        yield referee


def where_cards_are(referee: Referee) -> Counter[str]:
    p = referee.position
    hands = [card for hand in p.hands for card in hand]
    return Counter([*hands, *(laid.card for laid in p.laid()), *p.pile, *p.cut, *p.bin])


def cards_named_by(words: str) -> set[str]:
    verb, _, name = words.rpartition(" ")
    cards = ("place", "call", "view with", "reuse", "swap", "show", "pass", "bin")
    return {name} if verb in cards else set()


def test_the_printed_cards_have_the_printed_totals() -> None:
    cards = RECONSTRUCTION.cards
    assert len(cards) == 32
    assert Counter(card.value for card in cards.values()) == Counter([*range(1, 29), 1, 10, 19, 28])
    symbols = Counter(card.symbol for card in cards.values())
    assert symbols == Counter(dict.fromkeys(SYMBOLS, 4))
    members = Counter(card.member for card in cards.values())
    assert members == Counter(dict(zip(MEMBERS, (6, 7, 6, 6, 7), strict=True)))
    for symbol in SYMBOLS:
        assert len({card.member for card in cards.values() if card.symbol == symbol}) == 4
    names = list(cards)
    for quarter in range(4):
        eight = names[8 * quarter : 8 * quarter + 8]
        assert {cards[name].symbol for name in eight} == set(SYMBOLS)
    assert len(set(HAZARDS)) == 10
    assert len(set(MOODS)) == 6


def assert_sound(referee: Referee, expected: Counter[str]) -> None:
    """Asserts what must hold in every position."""
    p = referee.position
    assert where_cards_are(referee) == expected
    assert p.taken or p.film.whole()
    assert all(0 <= p.reserve(seat) <= 3 for seat in range(p.players))
    assert not any(laid.face_up and laid.claps for laid in p.laid())
    assert sum(len(laid.hints) for laid in p.laid()) <= p.players - sum(p.hint_left)
    legal = referee.legal()
    assert len(set(legal)) == len(legal)
    assert bool(legal) == (not referee.over)


@EACH_GAME
@pytest.mark.parametrize("habit", list(HABITS))
def test_in_every_game_nothing_is_lost_and_the_film_stays_whole(
    mode: str, players: int, habit: str
) -> None:
    for number in range(2):
        record = record_of(mode, players, number, habit)
        expected = Counter(cards_of(mode)) - Counter(record["setup"]["removed"])
        cards = 24 if mode == "tutorial" else 32
        assert expected.total() == cards
        for referee in positions(record):
            assert_sound(referee, expected)
        assert referee.over
        assert check_record(record) == []
        # F27, step by step.
        words = Counter(move[2].split()[0] for move in record["moves"])
        assert words["call"] + words["view"] <= cards
        assert words["place"] + words["view"] <= cards - start_size(players, mode)
        assert len(record["moves"]) <= longest(players, mode) <= 357


@EACH_GAME
def test_nobody_is_asked_about_a_card_they_do_not_see(mode: str, players: int) -> None:
    for number in range(3):
        for referee in positions(record_of(mode, players, number)):
            if referee.to_move is None:
                continue
            seen = referee.sees(referee.to_move)
            for words in referee.legal():
                assert cards_named_by(words) <= {*seen["hand"], *seen["cut"]}


@EACH_GAME
def test_a_perfect_memory_holds_all_that_is_seen(mode: str, players: int) -> None:
    for number in range(3):
        for referee in positions(record_of(mode, players, number)):
            for seat in range(players):
                seen, sure = referee.sees(seat), referee.sure_of(seat)
                for card in seen["hand"]:
                    assert sure[card] == f"hand {seat}"
                for place, card in seen["film"].items():
                    if card is not None:
                        assert sure[card] == f"film {place}"
                assert not set(sure) & set(seen["cut"])


def exchanged(words: str, one: str, other: str) -> str:
    """Returns words in which two cards have changed their names."""
    verb, _, name = words.rpartition(" ")
    names = {one: other, other: one}
    return f"{verb} {names.get(name, name)}" if cards_named_by(words) else words


def shown_to(referee: Referee, seat: int) -> dict[str, Any]:
    """Returns what a seat sees, and which words are spoken to it if it is asked."""
    legal = referee.legal() if referee.to_move == seat else []
    return {**referee.sees(seat), "legal": legal}


@EACH_GAME
def test_nobody_is_sure_of_what_could_be_otherwise(mode: str, players: int) -> None:
    """Plays games again in which one secret was another card; who cannot tell is sure of the same.

    From the secret on the two cards have changed their roles. As long as a seat has been shown the
    same in both games it must be sure of the same.
    """
    compared = 0
    rng = random.Random(f"{mode} {players}")
    for number in range(3):
        record = record_of(mode, players, number, rng.choice(["long", "viewer", "giver"]))
        moves = record["moves"]
        secrets = [
            k
            for k, (_, _, words) in enumerate(moves)
            if words.startswith(("place", "view", "bin", "pass"))
        ]
        for index in rng.sample(secrets, min(6, len(secrets))):
            speaker, _, words = moves[index]
            verb, _, card = words.rpartition(" ")
            true, other = (Referee(record["config"], record["setup"]) for _ in range(2))
            for _, _, before in moves[:index]:
                true.play(before)
                other.play(before)
            alike = [
                legal.rpartition(" ")[2]
                for legal in true.legal()
                if legal.startswith(f"{verb} ") and legal != words
            ]
            if not alike:
                continue
            lie = rng.choice(alike)
            fooled = set(range(players)) - {speaker}
            for _, _, after in moves[index:]:
                true.play(after)
                try:
                    other.play(exchanged(after, card, lie))
                except Foul:
                    break
                fooled = {seat for seat in fooled if shown_to(true, seat) == shown_to(other, seat)}
                for seat in fooled:
                    assert true.sure_of(seat) == other.sure_of(seat)
                    compared += len(true.sure_of(seat))
    assert compared > 100


def test_random_games_meet_everything() -> None:
    """The tests above would be worth little if random games were all alike."""
    verbs: Counter[str] = Counter()
    hazards: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    for mode, players in EVERY_GAME:
        for number in range(8):
            record = record_of(mode, players, number)
            for _, _, words in record["moves"]:
                known = [word for word in words.split() if word.isalpha()]
                verbs[" ".join(known)] += 1
            *_, referee = positions(record)
            hazards.update(filter(None, referee.sees(0)["hazards"]))
            endings[record["result"]["ending"]] += 1
    assert set(hazards) == set(HAZARDS)
    assert set(endings) == {"end", "empty hand"}
    assert len(verbs) == 29  # every word of the rules
    assert min(verbs.values()) > 5


def test_a_record_with_a_mistake_is_found_out() -> None:
    record = record_of("feature", 3, 1, "long")
    assert check_record(record) == []
    seat, _, words = record["moves"][0]

    def told(value: Any, *path: Any) -> list[str]:
        """Returns what is found if a part of the record has another value."""
        wrong = part = copy.deepcopy(record)
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value
        return check_record(wrong)

    other = (seat + 1) % 3
    assert told(other, "moves", 0, 0) == [
        f"move 0: seat {other} plays {words!r}, seat {seat} is to move"
    ]
    assert told(202, "moves", 0, 1) == ["move 0: there is no action 202"]
    assert "move 0: 'jump' is not legal" in told("jump", "moves", 0, 2)[0]
    assert "move 0: 7 is not [seat, action, words]" in told(7, "moves", 0)
    assert "the game is over" in told([*record["moves"], [0, 0, "end"]], "moves")[1]
    assert "the game does not" in told(record["moves"][:-1], "moves")[0]
    assert told("strike", "result", "ending")[0].startswith("result: ending is")
    assert told({}, "result", "film")[0].startswith("result: film is {}, not")
    assert told(1, "result", "conditions", "size")[0].startswith("result: conditions")
    assert told(100, "result", "score") == [
        "result: score is 100, and 100 means that the game is won"
    ]
    assert told(101, "result", "score") == ["result: score is 101, no number from 0 to 100"]
    assert told(1, "result", "more") == []
    assert "not exactly the cards" in told(record["setup"]["film"][1], "setup", "film", 0)[0]
    assert "malformed" in told(None, "setup")[0]
    assert told("dream_factory", "game")[0].startswith("not a record of faux_raccords")


def test_set_ups_that_nobody_can_have_dealt_are_refused() -> None:
    rng = random.Random(1)
    for mode, players in EVERY_GAME:
        good = random_setup(players, mode, rng)
        config = {"players": players, "mode": mode}
        Referee(config, good)
        for key, value in [
            ("first_player", players),
            ("hands", good["hands"][1:]),
            ("film", good["film"][1:]),
            ("deck", good["deck"][1:]),
            ("removed", good["deck"][:1]),
            ("hazards", [*good["hazards"], "strike"]),
            ("moods", [*good["moods"], ["love", "neutral"]]),
        ]:
            with pytest.raises(Foul):
                Referee(config, {**good, key: value})
    for wrong in ({"players": 5, "mode": "arcs"}, {"players": 2, "mode": "short"}, {"players": 2}):
        with pytest.raises(Foul):
            check_config(wrong)


def test_a_file_of_records_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = record_of("arcs", 2, 1)
    file = tmp_path / "games.jsonl"
    file.write_text(f"{json.dumps(record)}\n\n{json.dumps(record)}\n")
    assert main([str(file)]) == 0
    assert capsys.readouterr().out == "2 verified, 0 failed\n"
    record["moves"].pop()
    file.write_text(json.dumps(record))
    assert main([str(file)]) == 1
    assert "line 1: the moves end after" in capsys.readouterr().out
    assert main([]) == 2
