"""Policies for tests, found by name: ``tests.players:Thrower`` and so on."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.policies import Policy, View, Views


class Sitter(Policy):
    """Plays a random legal move; the environment can make it slow."""

    def act(self, view: View) -> int:
        time.sleep(float(os.environ.get("SITTER_SECONDS", "0")))
        return int(view.rng.choice(np.flatnonzero(view.mask)))


class Batcher(Policy):
    """Plays the highest legal action, for many games at once."""

    def act_batch(self, views: Views) -> Array:
        ranked: Array = np.where(views.masks, np.arange(views.spec.num_actions), -1)
        return np.asarray(ranked.argmax(axis=1))


class Single(Batcher):
    """Fouls unless its process was begun with the wish for one thread."""

    def act_batch(self, views: Views) -> Array:
        begun_with = Path("/proc/self/environ").read_bytes().split(b"\0")
        if b"OMP_NUM_THREADS=1" not in begun_with:
            raise RuntimeError("more threads than one")
        return super().act_batch(views)


class _Fouling(Policy):
    """Plays the first legal move, and fouls in its third decision on seat 1."""

    def act(self, view: View) -> int:
        if view.seat == 1 and view.game.states["round_number"][0] >= 1:
            return int(self.foul(view))
        return int(view.mask.argmax())

    def foul(self, view: View) -> Any:
        raise NotImplementedError


class Cheater(_Fouling):
    """Answers with an illegal action."""

    def foul(self, view: View) -> Any:
        return int(view.mask.argmin())


class Thrower(_Fouling):
    """Raises."""

    def foul(self, view: View) -> Any:
        raise RuntimeError("no idea\nwhat to do")


class Quitter(_Fouling):
    """Ends Python, or tries to."""

    def foul(self, view: View) -> Any:
        raise SystemExit(3)


class Sleeper(_Fouling):
    """Never answers, and lets nobody interrupt it by an ordinary exception."""

    def foul(self, view: View) -> Any:
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue


class Mumbler(_Fouling):
    """Answers with something that is no action."""

    def act(self, view: View) -> Any:
        if view.seat == 1 and view.game.states["round_number"][0] >= 1:
            return None
        return int(view.mask.argmax())


class BadBatch(Policy):
    """Raises for a whole batch if any row of it is on seat 1 in the second round."""

    def act_batch(self, views: Views) -> Array:
        if ((views.seats == 1) & (views.states["round_number"] >= 1)).any():
            raise ValueError("one of these is bad")
        return np.asarray(views.masks.argmax(axis=1))


class Forger(Policy):
    """Writes into its mask what it would like to be legal."""

    def act_batch(self, views: Views) -> Array:
        actions = views.masks.argmax(axis=1)
        bad = (views.seats == 1) & (views.states["round_number"] >= 1)
        views.masks[bad] = 1
        return np.where(bad, views.spec.num_actions - 1, actions)


class Panic(BaseException):
    """What some compiled libraries raise."""


class Panicker(_Fouling):
    """Raises what is no ordinary exception."""

    def foul(self, view: View) -> Any:
        raise Panic("of the engine room")


class Unspeakable(Exception):
    """Cannot even say what it is."""

    def __str__(self) -> str:
        raise ValueError


class Mute(_Fouling):
    """Raises something that has no words."""

    def foul(self, view: View) -> Any:
        raise Unspeakable


class Invisible:
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise ValueError


class Ghost(_Fouling):
    """Answers with something that cannot be shown."""

    def act(self, view: View) -> Any:
        if view.seat == 1 and view.game.states["round_number"][0] >= 1:
            return Invisible()
        return int(view.mask.argmax())


class WrongShape(Policy):
    """Answers with one number too many."""

    def act_batch(self, views: Views) -> Array:
        return np.zeros(len(views) + 1, np.int64)


class Killer(_Fouling):
    """Takes its process down."""

    def foul(self, view: View) -> Any:
        os._exit(9)


class Casualty(Policy):
    """Kills its process once, where a file is that says so, which it takes away."""

    def act(self, view: View) -> int:
        file = Path(os.environ["DEADLY"])
        if file.exists():
            file.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return int(view.mask.argmax())


class Unmakeable(Policy):
    """Cannot be made."""

    def __init__(self) -> None:
        raise ValueError("no model here")

    def act(self, view: View) -> int:
        return 0


class NoPolicy:
    """Is no policy."""


class Rememberer(Policy):
    """Plays its k-th move in a game by k, which it keeps in mind: legal move k, counted round."""

    def act(self, view: View) -> int:
        k = view.memory["moves"] = view.memory.get("moves", -1) + 1
        legal = np.flatnonzero(view.mask)
        return int(legal[k % len(legal)])


class BatchRememberer(Rememberer):
    """The same, for many games at once."""

    def act_batch(self, views: Views) -> Array:
        return np.array([Rememberer.act(self, views[k]) for k in range(len(views))])
