"""Questions about positions, answered in a worker process: plain data in, plain data out.

A question is a dict that JSON can hold::

    {"ask": "move", "record": {…}, "frame": 12, "policy": "expert"}
    {"ask": "judge", "record": {…}, "frame": 12, "judge": "mcts:200"}

``record`` is a game so far and ``frame`` how many of its moves were played before the position, all
of them if it is not given. The answer to the first is ``{"seat", "action", "words"}``, that to the
second ``{"judge", "settings", "frame", "decision"}``, see ``judging``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from dreamfactory_env.games.game import Game
from dreamfactory_env.policies import Policy, View, policy_named, view_of
from dreamfactory_env.policies.memory import SeatMemory
from dreamfactory_env.policies.naming import SEARCH, CodeGuard
from dreamfactory_env.policies.network import SUFFIX
from dreamfactory_env.policies.search import parse_search
from dreamfactory_env.records.format import replay_moves, start_of
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int, check_word, shown
from dreamfactory_env.viewer.judging import DEALS, LEAST_DEALS, Judge, compile_judging

Question = dict[str, Any]
Answer = dict[str, Any]
#: What can be asked, and the key that names who answers.
ASKED = {"move": "policy", "judge": "judge"}
#: What is kept for the next question, and how many of it.
Kept = Policy | Judge | SeatMemory
KEPT = 32


def check_name(name: object, trusted: Iterable[str] = ()) -> str:
    """Returns the name of a policy that somebody far away has sent, if it opens and runs nothing.

    Args:
        name: What was sent.
        trusted: Names that the user has given: their files may be read, their modules run.

    Raises:
        OptionError: It is no name, or names a file or a module that the user has not named.
    """
    if not isinstance(name, str) or not 0 < len(name) <= 200:
        raise OptionError(f"the name of a policy is a short text, not {shown(name)}")
    if name in set(trusted):
        return name
    if name.endswith(SUFFIX):
        raise OptionError(f"{shown(name)} is a file that was not named on the command line")
    CodeGuard().check(name)
    kind, colon, rest = name.partition(":")
    if kind == SEARCH and colon:
        parse_search(rest)
    return name


def position_of(record: dict[str, Any], frame: int | None) -> Game:
    """Returns the position of a record after some of its moves.

    Raises:
        GameError: The record is none of a game, or has not so many moves.
    """
    moves: Any = record.get("moves")
    length = len(moves) if isinstance(moves, list) else 0
    number = length if frame is None else as_int(frame)
    if number is None or not 0 <= number <= length:
        raise OptionError(f"the game has {length} moves; there is no position {shown(frame)}")
    cut = record if number == length else {**record, "moves": moves[:number], "result": None}
    return replay_moves(cut)


class Desk:
    """Answers questions, one at a time.

    Args:
        trusted: Names of policies that the user has given, see :func:`check_name`.
    """

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._trusted = frozenset(trusted)
        self._kept: dict[str, Kept] = {}
        self._compiled: set[str] = set()

    def prepare(self, question: Question) -> Callable[[], Answer]:
        """Does what takes long only once, such as compiling; returns what answers the question.

        Raises:
            GameError: The question cannot be answered.
        """
        asked = question.get("ask")
        check_word("ask", asked, list(ASKED))
        name = check_name(question.get(ASKED[str(asked)]), self._trusted)
        record = question.get("record")
        if not isinstance(record, dict):
            raise OptionError(f"record must be an object, not {shown(record)}")
        game = position_of(record, question.get("frame"))
        frame = len(record["moves"]) if question.get("frame") is None else int(question["frame"])
        if game.over:
            raise OptionError("the game is over here: nobody has a decision to make")
        if game.spec.name not in self._compiled:
            compile_judging(game)
            self._compiled.add(game.spec.name)
        if asked == "move":
            policy = self._policy(game, name)
            seed, memory = record["seed"] or 0, self._memory(policy, name, game, record, frame)
            return lambda: _move(game, policy, view_of(game, seed=seed, moves=frame, memory=memory))
        judge = self._judge(game, name, question)
        played = record["moves"][frame][2] if frame < len(record["moves"]) else None
        return lambda: {
            "judge": name,
            "settings": judge.settings,
            "frame": frame,
            "decision": judge.decision(game, frame, played),
        }

    def _policy(self, game: Game, name: str) -> Policy:
        found = self._kept_or(game, ["move", name], lambda: policy_named(name, game))
        assert isinstance(found, Policy)
        return found

    def _memory(
        self, policy: Policy, name: str, game: Game, record: dict[str, Any], frame: int
    ) -> dict[Any, Any]:
        """Returns what a policy keeps in mind at the seat to move."""
        dealt = {key: value for key, value in record.items() if key not in ("moves", "result")}
        seat, start = game.to_move, start_of(record)
        assert seat is not None
        key = [dealt, name, seat]
        make = partial(SeatMemory, policy, start, seat, record["seed"] or 0)
        found = self._kept_or(game, ["memory", *key], make)
        assert isinstance(found, SeatMemory)
        return found.at([action for _, action, _ in record["moves"][:frame]])

    def _judge(self, game: Game, name: str, question: Question) -> Judge:
        seed, deals = question.get("seed", 0), question.get("deals", DEALS)
        most = 100 * DEALS
        if as_int(deals) is None or not LEAST_DEALS <= deals <= most:
            raise OptionError(f"deals must be from {LEAST_DEALS} to {most:,}, not {shown(deals)}")
        key = ["judge", name, seed, deals]
        found = self._kept_or(game, key, lambda: Judge(game, name, seed=seed, deals=deals))
        assert isinstance(found, Judge)
        return found

    def _kept_or(self, game: Game, key: list[Any], make: Callable[[], Kept]) -> Kept:
        """Returns what was made for games with these options before, or makes it."""
        text = json.dumps([game.spec.name, game.config(), *key], sort_keys=True)
        found = self._kept.pop(text, None) or make()
        self._kept[text] = found  # the last one now; what nobody asks for goes first
        if len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))
        return found


def _move(game: Game, policy: Policy, view: View) -> Answer:
    """Asks a policy for its move.

    Raises:
        IllegalMove: It has answered with something else.
    """
    action = int(policy.act(view))
    return {"seat": game.to_move, "action": action, "words": game.action_to_string(action)}
