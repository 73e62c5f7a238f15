"""A slow, plain referee of La Fabrique à rêves, written straight from the rules.

It shares no code with the engine, so that the two can check each other: it deals the same set-up,
says which words are legal and which action each of them is, plays them and scores the vials. The
numbers R1 to R20 and M1 to M4 in the comments are those of the rules page. The rules lie in the
modules beside this one: ``referee_words`` (the lexicon, and what minds make of it),
``referee_setup`` (modes and the deal), ``referee_position`` (what lies where, who sees it, the
score). From the command line it verifies files of records:

    python -m tests.games.fabrique_a_reves.referee games.jsonl
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any, NamedTuple

from tests.games.fabrique_a_reves.referee_position import NONE, Position
from tests.games.fabrique_a_reves.referee_setup import (
    MODES,
    Foul,
    check_config,
    check_setup,
    random_setup,
)
from tests.games.fabrique_a_reves.referee_words import Meanings, standard_meanings

__all__ = ["Foul", "Referee", "check_record", "longest", "random_playout"]

FORMAT, GAME, VERSION = "dreamfactory-record/1", "fabrique_a_reves", "v0"

#: The first action of each kind; a tool that lies on a vial has five, one for each vial.
BROOM, PASS, WORD, NO_DREAM = 40, 66, 67, 195
ON_VIAL = {"doubt": 41, "dust": 46, "dust+2": 51, "spill": 56, "quill": 61}


class Question(NamedTuple):
    """What is asked of whom."""

    seat: int
    phase: str  # thoughts, quill or dreams
    words: list[str]


#: A part of the game: it asks questions and gets words.
Course = Generator[Question, str, None]


def whole_game(p: Position) -> Course:
    """Plays a game: the thoughts, then the dreams."""
    yield from thoughts(p)
    yield from dreams(p)


def thoughts(p: Position) -> Course:
    """Plays phase 1, clockwise from the first player on (R6), to its end (R14)."""
    seat = p.first
    while not p.all_full() and not all(p.passed):
        if not p.passed[seat]:
            yield from turn(p, seat)
        seat = (seat + 1) % p.players


def turn(p: Position, seat: int) -> Course:
    """Plays a turn (R6)."""
    words = yield Question(seat, "thoughts", p.turn_words())
    match words.split():
        case ["take", reservoir, "into", vial]:
            p.take(int(reservoir), int(vial), seat)
        case ["broom"]:
            p.sweep()
        case ["pass"]:
            p.passed[seat] = True
        case [tool, "on", vial]:
            p.put_token(tool, int(vial))
        case ["spill", vial]:
            p.put_token("spill", int(vial))
        case ["quill", vial]:  # R12
            p.put_token("quill", int(vial))
            written = yield Question(seat, "quill", [f"write {word}" for word in p.box.quill])
            p.vials[int(vial)].put(written.removeprefix("write "), seat)


def dreams(p: Position) -> Course:
    """Plays phase 2: each fills a whole slate, vial after vial, two words at the flask (R15)."""
    allowed = p.allowed_dreams()
    for step in range(p.players):
        seat = (p.first + step) % p.players
        slate = p.slates[seat]
        for number, vial in p.vials.items():
            for proposal in range(2 if vial.token == "doubt" else 1):
                used = {word for words in slate.values() for word in words}
                legal = [word for word in allowed if word not in used]  # R16
                if proposal == 1 or not legal:
                    legal.append(NONE)
                start = f"dream {number} "
                words = yield Question(seat, "dreams", [start + word for word in legal])
                word = words.removeprefix(start)
                slate[number].append(None if word == NONE else word)


class Referee:
    """One game, from its set-up to its result."""

    def __init__(self, config: Any, setup: Any, meanings: Meanings | None = None) -> None:
        """Deals the cards and asks for the first decision.

        Args:
            config: As a record has it.
            setup: As a record has it.
            meanings: What the words mean; those of the package's lexicon if None.

        Raises:
            Foul: There is no such game.
        """
        self.meanings = meanings or standard_meanings()
        check_config(config, self.meanings.box)
        check_setup(config, setup, self.meanings.box)
        self.config = config
        self.position = Position(config, setup, self.meanings.box)
        self._course = whole_game(self.position)
        self._question: Question | None = next(self._course)
        self._orders: dict[tuple[int, int], dict[str, int]] = {}

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._question is None

    @property
    def to_move(self) -> int | None:
        """The seat that decides, None when the game is over."""
        return self._question.seat if self._question else None

    @property
    def phase(self) -> str:
        """What is decided: ``thoughts``, ``quill``, ``dreams``, or ``over``."""
        return self._question.phase if self._question else "over"

    def legal(self) -> list[str]:
        """Returns the words of every legal decision; none when the game is over."""
        return list(self._question.words) if self._question else []

    def play(self, words: str) -> None:
        """Plays a decision of the player to move.

        Raises:
            Foul: It is not legal; nothing has changed.
        """
        if self._question is None:
            raise Foul(f"{words!r} cannot be played: the game is over")
        if words not in self._question.words:
            raise Foul(
                f"{words!r} is not legal for seat {self.to_move}; legal: {', '.join(self.legal())}"
            )
        try:
            self._question = self._course.send(words)
        except StopIteration:
            self._question = None

    def action(self, words: str) -> int:
        """Returns the number of a legal decision in the action space (M4)."""
        match words.split():
            case ["take", reservoir, "into", vial]:
                return 5 * (int(reservoir) - 1) + int(vial) - 1
            case ["broom"]:
                return BROOM
            case ["pass"]:
                return PASS
            case [tool, "on", vial] if tool in ON_VIAL:
                return ON_VIAL[tool] + int(vial) - 1
            case [("spill" | "quill") as tool, vial]:
                return ON_VIAL[tool] + int(vial) - 1
            case ["write", _]:
                return WORD + self.meanings.box.quill.index(words.removeprefix("write "))
        vial, word = words.removeprefix("dream ").split(" ", 1)
        return NO_DREAM if word == NONE else WORD + self._places(int(vial))[word]

    def _places(self, number: int) -> dict[str, int]:
        """Returns for the writer of a slate the place of each dream at a vial (M4)."""
        p = self.position
        assert self._question is not None
        key = self._question.seat, number
        if key not in self._orders:
            order = [dream.word for dream in p.dreams]
            if self.config["labels"] == "mind":
                mind, words = p.minds[self._question.seat], p.vials[number].words
                order = self.meanings.order(mind, self.config["noise"], p.dreams, words)
            self._orders[key] = {word: place for place, word in enumerate(order)}
        return self._orders[key]

    def result(self) -> dict[str, Any]:
        """Returns the result as a record has it.

        Raises:
            Foul: The game is not over.
        """
        if not self.over:
            raise Foul("the game is not over")
        return self.position.result()

    def sees(self, seat: int) -> dict[str, Any]:
        """Returns what a seat sees now: all that is open, its own mind and its own slate.

        Hidden are the cards under the tops, and the minds and slates of others; when the game is
        over all is open.
        """
        shown = self.position.sees(seat, everything=self.over)
        return {**shown, "phase": self.phase, "to_move": self.to_move}


def longest(players: int, mode: str) -> int:
    """Returns the number of decisions that no game can have more of."""
    vials = MODES[mode].vials
    return 3 * vials + 10 + players + players * (vials + 1)


# ---------------------------------------------------------------------------- records


def check_record(record: dict[str, Any], meanings: Meanings | None = None) -> list[str]:
    """Plays a whole record again.

    Returns:
        Every difference between the record and the rules; nothing if it tells a game.
    """
    found: list[str] = []
    try:
        if (record["format"], record["game"], record["version"]) != (FORMAT, GAME, VERSION):
            found.append(f"not a record of {GAME} {VERSION} in the format {FORMAT}")
        referee = Referee(record["config"], record["setup"], meanings)
        if len(record["agents"]) != referee.position.players:
            found.append(f"{len(record['agents'])} agents for {referee.position.players} seats")
        for number, move in enumerate(record["moves"]):
            wrong, plays_on = _check_move(referee, move)
            found += [f"move {number}: {what}" for what in wrong]
            if not plays_on:
                return found
        if not referee.over:
            return [*found, f"the moves end after {len(record['moves'])}, the game does not"]
        return [*found, *_check_result(referee.result(), record["result"])]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        return [*found, f"malformed record: {error!r}"]


def _check_move(referee: Referee, move: Any) -> tuple[list[str], bool]:
    """Plays a move of a record; returns what is wrong, and whether the game can go on."""
    if type(move) is not list or [type(each) for each in move] != [int, int, str]:
        return [f"{move!r} is not [seat, action, words]"], False
    seat, action, words = move
    found = []
    if seat != referee.to_move:
        found.append(f"seat {seat} plays {words!r}, seat {referee.to_move} is to move")
    if words in referee.legal() and action != referee.action(words):
        found.append(f"{words!r} is action {referee.action(words)}, not {action}")
    try:
        referee.play(words)
    except Foul as foul:
        return [*found, str(foul)], False
    return found, True


def _check_result(ours: dict[str, Any], theirs: Any) -> list[str]:
    """Returns what is wrong with the result of a record."""
    found = []
    for key in sorted({*ours, *theirs}):  # compared as text, so that 1, 1.0 and true differ
        told, true = (
            json.dumps(each[key], sort_keys=True) if key in each else "missing"
            for each in (theirs, ours)
        )
        if told != true:
            found.append(f"result: {key} is {told}, not {true}")
    return found


# ---------------------------------------------------------------------------- games of its own


class Habit(NamedTuple):
    """How a player at random chooses; games of many kinds come from different habits."""

    weights: dict[str, float]  # how much less often words with such a start are chosen
    dreams: int  # from how many dreams at the head of the list they choose


HABITS = {
    "any": Habit({}, 128),
    "filler": Habit({"pass": 0.0, "broom": 0.2}, 3),
    "passer": Habit({"pass": 20.0}, 2),
    "user": Habit({"take": 0.05, "pass": 0.05}, 4),
    "spiller": Habit({"spill": 8.0, "quill": 4.0, "pass": 8.0}, 1),
}


def choose(words: list[str], habit: Habit, rng: random.Random) -> str:
    """Returns one of some legal words, which are in the order of the rules, at random."""
    if words[0].startswith("dream"):
        return rng.choice([*words[: habit.dreams], words[-1]])
    weights = []
    for each in words:
        known = [weight for start, weight in habit.weights.items() if each.startswith(start)]
        weights.append(known[0] if known else 1.0)
    return rng.choices(words, weights)[0] if any(weights) else rng.choice(words)


def random_playout(
    config: dict[str, Any],
    rng: random.Random,
    habit: str | None = None,
    meanings: Meanings | None = None,
) -> dict[str, Any]:
    """Plays a game at random, from a set-up of its own.

    Args:
        config: As in a record.
        rng: Where chance comes from.
        habit: One of ``HABITS``; drawn if None.
        meanings: What the words mean; those of the package's lexicon if None.

    Returns:
        A record of it.
    """
    setup = random_setup(config, (meanings or standard_meanings()).box, rng)
    referee = Referee(config, setup, meanings)
    habits = HABITS[habit or rng.choice(sorted(HABITS))]
    moves: list[list[Any]] = []
    while not referee.over:
        words = choose(referee.legal(), habits, rng)
        moves.append([referee.to_move, referee.action(words), words])
        referee.play(words)
    return {
        "format": FORMAT,
        "game": GAME,
        "version": VERSION,
        "config": config,
        "seed": None,
        "agents": ["random"] * config["players"],
        "setup": setup,
        "moves": moves,
        "result": referee.result(),
    }


def main(arguments: list[str]) -> int:
    """Verifies files of records; returns 1 if any of them is wrong."""
    if not arguments:
        print("usage: python -m tests.games.fabrique_a_reves.referee games.jsonl", file=sys.stderr)
        return 2
    verified = failed = 0
    for name in arguments:
        for number, line in enumerate(Path(name).read_text("utf-8").splitlines(), start=1):
            if wrong := check_record(json.loads(line)) if line.strip() else []:
                failed += 1
                print(*(f"{name}, line {number}: {what}" for what in wrong), sep="\n")
            verified += bool(line.strip()) and not wrong
    print(f"{verified} verified, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
