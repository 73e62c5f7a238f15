"""Signals as a game of the package: what it declares, and its words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dreamfactory_env.engine.contract import GameKernels
from dreamfactory_env.engine.position import count_no_end, count_no_move
from dreamfactory_env.engine.structs import Records
from dreamfactory_env.games.game import NO_SEED, Game
from dreamfactory_env.games.observation_spec import Block, ObservationSpec
from dreamfactory_env.games.spec import GameSpec, Option, Utility
from dreamfactory_env.utils.errors import RecordError
from tests.toy_game import rules
from tests.toy_game.rules import COPIES, COURSE, MAX_PLAYERS, MISTAKES, RANKS, SEAT, SIGNALS

TOLD = [None, "low", "high"]
#: The scripted policies from weakest to strongest; they have no constants.
SCRIPTED = {name: np.zeros(0) for name in ("random", "helper")}


def observation_spec(memory: bool) -> ObservationSpec:
    """Returns what an observation is made of."""
    blocks = [
        Block("course", (COURSE,), 0, 1, "shares of points, mistakes and signals; over; my turn"),
        Block("seats", (MAX_PLAYERS, SEAT), 0, 1, "told nothing, low or high; rank of the card"),
    ]
    if memory:
        blocks.append(Block("unseen", (RANKS,), 0, 1, "share of the cards that I have not seen"))
    return ObservationSpec(blocks)


def max_length(goal: int) -> int:
    """Returns the most moves: one guess less than wins and loses, all signals, and one more."""
    return (goal - 1) + (MISTAKES - 1) + SIGNALS + 1


class SignalGame(Game):
    """A game of Signals; its rules stand in ``rules``."""

    spec = GameSpec(
        name="toy",
        title="Signals",
        version="v0",
        min_players=2,
        max_players=MAX_PLAYERS,
        default_players=2,
        utility=Utility.SHARED,
        score_scale=3.0,
        score_range=(0.0, 1.0),
        ladder=tuple(SCRIPTED),
        rollout="helper",
        num_actions=rules.ACTIONS,
        observation=observation_spec(False),
        max_length=max_length(3),
        options=(
            Option("goal", int, 3, "how many points win", values=(2, 3, 4)),
            Option("memory", bool, False, "whether observations count the unseen cards"),
        ),
    )
    kernels = GameKernels(
        owner="toy",
        reset=rules.reset,
        legal=rules.legal,
        apply=rules.apply,
        move_key=rules.move_key,
        observe=rules.observe,
        outcome=rules.outcome,
        decide=rules.decide,
        resample_hidden=rules.resample_hidden,
        count_move=count_no_move,
        count_end=count_no_end,
    )
    scripted = SCRIPTED

    def configure(self) -> None:
        """Makes the parameters, and the spec that is true for the options."""
        goal, memory = self.values["goal"], self.values["memory"]
        self.params = np.zeros(1, rules.PARAMS)
        self.params["goal"], self.params["memory"] = goal, memory
        self.spec = replace(
            type(self).spec,
            score_scale=float(goal),
            observation=observation_spec(memory),
            max_length=max_length(goal),
        )

    def blank(self) -> Records:
        """Returns a state before the deal."""
        states = np.zeros(1, rules.STATE)
        states["seed"], states["players"] = NO_SEED, self.players
        return states

    @property
    def phase(self) -> str:
        """``turn`` or ``over``."""
        return "over" if self.states["over"][0] else "turn"

    def key_to_string(self, key: int) -> str:
        """Returns the words of a move."""
        if key == rules.STOP:
            return "stop"
        return f"guess {key}" if key < rules.SIGNAL else f"signal player {key - rules.ACTIONS}"

    def setup(self) -> dict[str, Any]:
        """Returns the deck."""
        return {"deck": self.states["deck"][0].tolist()}

    def load_setup(self, setup: Any) -> None:
        """Starts a game with a given deck."""
        deck = setup.get("deck") if isinstance(setup, dict) and len(setup) == 1 else None
        full = [rank for rank in range(RANKS) for _ in range(COPIES)]
        if not isinstance(deck, list) or sorted(map(str, deck)) != sorted(map(str, full)):
            raise RecordError(f"setup must be a deck of {COPIES} cards of each rank, not {setup!r}")
        self.states = self.blank()
        self.states["deck"][0] = deck
        rules.begin(self.states, 0)

    def result(self) -> dict[str, Any] | None:
        """Returns the points, and whether they are enough."""
        if not self.over:
            return None
        return {"points": self.scores()[0], "won": bool(self.winners())}

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Returns the table: a seat does not see its own card, nor the deck."""
        viewer = None if seat is None else self.check_seat(seat)
        s: Any = self.states[0]
        seats = range(self.players)
        held = [int(card) for card in s.hand[: self.players]]
        deck = s.deck.tolist()
        view: dict[str, Any] = {
            "to_move": self.to_move,
            "points": self.scores()[0],
            "goal": self.values["goal"],
            "mistakes": int(s.mistakes),
            "signals": int(s.signals),
            "cards": [None if p == viewer else deck[held[p]] for p in seats],
            "told": [TOLD[s.told[p]] for p in seats],
            "gone": [deck[card] for card in range(s.drawn) if card not in held],
        }
        if viewer is None:
            view["deck"] = deck[int(s.drawn) :]
        elif viewer == self.to_move:
            view["legal"] = self.legal()
        return view
