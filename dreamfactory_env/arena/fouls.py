"""Asking a policy, whatever it does: what it answers, or how it has fouled.

A policy that answers with an illegal action, raises an exception or takes too long loses that game
and nothing else happens.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.policies import Policy, ScriptedPolicy, Views
from dreamfactory_env.utils.validation import as_int

KINDS = ILLEGAL, ERROR, SLOW = "illegal", "error", "slow"
#: No action at all.
NO_ACTION = -1
LONGEST_MESSAGE = 200


class Foul(NamedTuple):
    """What a policy has done: ``illegal``, ``error`` or ``slow``, and a message."""

    kind: str
    message: str


class _OutOfTime(BaseException):
    """The time is up; no policy catches this by accident."""


def ask(policy: Policy, views: Views, limit: float | None) -> tuple[Array, dict[int, Foul]]:
    """Asks a policy for an action in each of some games.

    Policies with an ``act_batch`` of their own answer for all at once; if that goes wrong in any
    way they are asked for one game at a time, so that only the games are lost that are to blame.

    Args:
        policy: Who is asked.
        views: What it may know.
        limit: Seconds for each decision, None for no limit; scripted policies have none.

    Returns:
        The actions, int64 (n,), all legal but for NO_ACTION in games with a foul; and the fouls
        by game.
    """
    if isinstance(policy, ScriptedPolicy):
        limit = None  # the first call may have to compile
    allowed = views.masks.copy()  # what it gets a policy may write into
    if policy.batched and len(views) > 1:
        kept = deepcopy(views.memories) if any(views.memories) else [{} for _ in views.memories]
        answers, foul = _answers(policy, views, limit)
        if foul is None and _all_legal(answers, allowed):
            return answers, {}
        for memory, before in zip(views.memories, kept, strict=True):  # as if it had not been asked
            memory.clear()
            memory.update(before)
    actions = np.full(len(views), NO_ACTION, np.int64)
    fouls = {}
    for k in range(len(views)):
        answers, foul = _answers(policy, views.part(np.array([k])), limit)
        action = as_int(answers[0]) if foul is None else None
        if action is not None and 0 <= action < views.spec.num_actions and allowed[k, action]:
            actions[k] = action
        else:
            fouls[k] = foul or _illegal(views, k, answers[0])
    return actions, fouls


def _answers(policy: Policy, views: Views, limit: float | None) -> tuple[Any, Foul | None]:
    """Returns what a policy answers for some games, or its foul."""
    allowed = None if limit is None else limit * len(views)
    begin = time.perf_counter()
    try:
        with _deadline(allowed):
            if not policy.batched:
                return [policy.act(views[0])], _late(begin, allowed)
            answers: Any = np.asarray(policy.act_batch(views))
    except _OutOfTime:
        return None, _slow(allowed)
    except KeyboardInterrupt:
        raise  # the user's
    except BaseException as error:  # whatever a policy, or a library of its, may raise
        return None, Foul(ERROR, _in_words(error))
    if answers.shape != (len(views),) or answers.dtype.kind not in "iu":
        found = f"{answers.dtype} of shape {answers.shape}"
        expected = f"whole numbers of shape ({len(views)},)"
        return None, Foul(ERROR, f"act_batch answers {found}, not {expected}")
    return answers.astype(np.int64), _late(begin, allowed)


def _late(begin: float, allowed: float | None) -> Foul | None:
    """Returns the foul of whoever has taken too long."""
    if allowed is None or time.perf_counter() - begin <= allowed:
        return None
    return _slow(allowed)


def _slow(allowed: float | None) -> Foul:
    return Foul(SLOW, f"more than {allowed:g} s for a decision")


def _in_words(error: BaseException) -> str:
    """Returns an exception in a line, even one that cannot say what it is."""
    name = type(error).__name__
    try:
        return (f"{name}: {error}".splitlines() or [name])[0][:LONGEST_MESSAGE]
    except Exception:
        return name


@contextmanager
def _deadline(seconds: float | None) -> Iterator[None]:
    """Ends what runs within when the time is up, where the system can; else the clock tells."""
    main = threading.current_thread() is threading.main_thread()
    if seconds is None or not main or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _all_legal(actions: Array, allowed: Array) -> bool:
    inside = (actions >= 0) & (actions < allowed.shape[1])
    return bool(inside.all() and allowed[np.arange(len(actions)), actions].all())


def _illegal(views: Views, index: int, answer: object) -> Foul:
    game = views.game_at(index)
    try:
        return Foul(ILLEGAL, game.why_illegal(answer, game.legal())[:LONGEST_MESSAGE])
    except Exception:  # an answer that cannot even be shown
        return Foul(ILLEGAL, f"a {type(answer).__name__} is no action")
