"""A slow, plain referee of Faux Raccords, written straight from the rules.

It shares no code with the engine, so that the two can check each other: it deals the same set-up,
says which words are legal, plays them and judges the Film. The numbers F1 to F28 in the comments
are those of the rules page. The rules lie in the modules beside this one, in the order of the page:
``referee_cards`` (the box and the deal), ``referee_film`` (the shapes of the Film),
``referee_turns`` (turns, members, hazards) and ``referee_position`` (who sees what, the end). From
the command line it verifies a file of records:

    python -m tests.games.faux_raccords.referee games.jsonl
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from tests.games.faux_raccords.referee_cards import (
    RECONSTRUCTION,
    Components,
    Foul,
    check_config,
    check_setup,
    random_setup,
    start_size,
)
from tests.games.faux_raccords.referee_position import Position
from tests.games.faux_raccords.referee_turns import Question, whole_game

__all__ = ["Foul", "Referee", "check_record", "longest", "random_playout"]

ACTIONS = 202  # F27
GAME, FORMAT = "faux_raccords", "dreamfactory-record/1"
SECRET = ("place", "view with", "pass", "bin")  # F25: what is followed by a card
CARDS = 32  # F1


class Referee:
    """One game, from its set-up to its result."""

    def __init__(self, config: Any, setup: Any, components: Components = RECONSTRUCTION) -> None:
        """Deals the cards and asks for the first decision.

        Args:
            config: ``players`` and ``mode``; other keys do not matter here.
            setup: As a record has it (F28).
            components: What is printed.

        Raises:
            Foul: There is no such game.
        """
        self.players, self.mode = check_config(config)
        check_setup(self.players, self.mode, setup, components)
        self.position = Position(self.players, self.mode, setup, components)
        self.said: list[tuple[int, str]] = []  # in this turn: who, and which words
        self._course = whole_game(self.position)
        self._question: Question | None = None
        self._go_on(None)

    def _go_on(self, answer: str | None) -> None:
        """Sends the answer to a question, and keeps the next question."""
        turn = self.position.turn
        try:
            self._question = next(self._course) if answer is None else self._course.send(answer)
        except StopIteration:
            self._question = None
        if turn != self.position.turn:
            self.said.clear()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._question is None

    @property
    def to_move(self) -> int | None:
        """The seat that decides, None when the game is over."""
        return self._question.seat if self._question else None

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
        self.said.append((self._question.seat, words))
        self._go_on(words)

    def result(self) -> dict[str, Any]:
        """Returns the result as a record has it, without ``score``, whose grading is the engine's.

        Raises:
            Foul: The game is not over.
        """
        if not self.over:
            raise Foul("the game is not over")
        return self.position.result()

    def sees(self, seat: int) -> dict[str, Any]:
        """Returns what a seat sees now (F24, F25).

        Its hand; the Film, each place with the name of the card or None; which cards are face up;
        the places of each seat's Claps, and how many are in reserve; the hints on each place;
        who has a hint left; the cards in the editor's hand; the Cut; the sizes of hands, pile and
        bin; the moods; the hazards in their order, None while face down; whose turn it is; who
        decides; and what was said in this turn, without the secrets of others.
        """
        said = [(each, self._heard(seat, each, words)) for each, words in self.said]
        return {**self.position.sees(seat), "to_move": self.to_move, "said": said}

    @staticmethod
    def _heard(seat: int, speaker: int, words: str) -> str:
        """Returns what a seat hears of the words of another."""
        verb, _, _ = words.rpartition(" ")
        return verb if speaker != seat and verb in SECRET else words

    def sure_of(self, seat: int) -> dict[str, str]:
        """Returns the cards that a seat with a perfect memory is sure of, and where they are (F26).

        Where is ``film POS``, ``hand SEAT``, ``bin``, or ``taken`` while an editor holds it. The
        cards of the Cut are open and not among them.
        """
        return self.position.sure_of(seat)


def longest(players: int, mode: str) -> int:
    """Returns the number of decisions that no game can have more of (F27)."""
    cards = 24 if mode == "tutorial" else CARDS
    start = start_size(players, mode)
    return 4 * (cards - start) + 7 * cards + 5 * players + 1


# ---------------------------------------------------------------------------- records


def check_record(record: dict[str, Any], components: Components = RECONSTRUCTION) -> list[str]:
    """Plays a whole record again.

    Returns:
        Every difference between the record and the rules; nothing if it tells a game.
    """
    found: list[str] = []
    try:
        if (record["format"], record["game"]) != (FORMAT, GAME):
            found.append(f"not a record of {GAME} in the format {FORMAT}")
        referee = Referee(record["config"], record["setup"], components)
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
    if action not in range(ACTIONS):
        found.append(f"there is no action {action}")
    try:
        referee.play(words)
    except Foul as foul:
        return [*found, str(foul)], False
    return found, True


def _check_result(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Returns what is wrong with the result of a record; it may have more keys (F28)."""
    found = []
    for key, value in ours.items():  # compared as text, so that 1, 1.0 and true differ
        told, true = (json.dumps(each, sort_keys=True) for each in (theirs.get(key), value))
        if key not in theirs or told != true:
            found.append(f"result: {key} is {told if key in theirs else 'missing'}, not {true}")
    score = theirs.get("score")
    if not isinstance(score, int | float) or isinstance(score, bool) or not 0 <= score <= 100:
        found.append(f"result: score is {score!r}, no number from 0 to 100")
    elif (score == 100) != bool(ours["winners"]):
        found.append(f"result: score is {score!r}, and 100 means that the game is won")
    return found


# ---------------------------------------------------------------------------- games of its own

#: How much less often than others such words are chosen in random games; games of many kinds come
#: from different habits.
HABITS: dict[str, dict[str, float]] = {
    "any": {},
    "long": {"end": 0.01},
    "builder": {"end": 0.0, "call": 0.05, "view": 0.2, "no hint": 1.0},
    "caller": {"end": 0.0, "place": 0.05, "view": 0.05, "no effect": 0.1},
    "viewer": {"end": 0.0, "place": 0.4, "call": 0.2},
    "giver": {"end": 0.0, "place": 0.02, "view": 0.1, "no effect": 0.02, "enough": 0.3},
}


def choose(words: list[str], habit: dict[str, float], rng: random.Random) -> str:
    """Returns one of some words at random."""
    weights = []
    for each in words:
        known = [habit[start] for start in habit if f"{each} ".startswith(f"{start} ")]
        weights.append(known[0] if known else 1.0)
    return rng.choices(words, weights)[0] if any(weights) else rng.choice(words)


def random_playout(
    config: dict[str, Any],
    rng: random.Random,
    habit: str | None = None,
    components: Components = RECONSTRUCTION,
) -> dict[str, Any]:
    """Plays a game at random, from a set-up of its own.

    Args:
        config: ``players`` and ``mode``.
        rng: Where chance comes from.
        habit: One of ``HABITS``; drawn if None.
        components: What is printed.

    Returns:
        A record of it. Its action numbers are 0, and its score 100 or 0.
    """
    players, mode = check_config(config)
    setup = random_setup(players, mode, rng, components)
    referee = Referee(config, setup, components)
    habits = HABITS[habit or rng.choice(sorted(HABITS))]
    moves: list[list[Any]] = []
    while not referee.over:
        words = choose(referee.legal(), habits, rng)
        moves.append([referee.to_move, 0, words])
        referee.play(words)
    result = referee.result()
    return {
        "format": FORMAT,
        "game": GAME,
        "version": "v0",
        "config": {"players": players, "mode": mode},
        "seed": None,
        "agents": ["random"] * players,
        "setup": setup,
        "moves": moves,
        "result": {**result, "score": 100 * min(result["scores"])},
    }


def main(arguments: list[str]) -> int:
    """Verifies a file of records; returns 1 if any of them is wrong."""
    if len(arguments) != 1:
        print("usage: python -m tests.games.faux_raccords.referee games.jsonl", file=sys.stderr)
        return 2
    verified = failed = 0
    for number, line in enumerate(Path(arguments[0]).read_text("utf-8").splitlines(), start=1):
        if wrong := check_record(json.loads(line)) if line.strip() else []:
            failed += 1
            print(*(f"line {number}: {what}" for what in wrong), sep="\n")
        verified += bool(line.strip()) and not wrong
    print(f"{verified} verified, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
