"""Signals as a game of the package: what it declares, and its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dreamfactory_env.engine.contract import GameKernels
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.observation_spec import Block, ObservationSpec
from dreamfactory_env.games.saving import require
from dreamfactory_env.games.spec import GameSpec, Option, Sizes, Utility
from tests.toy_game import rules
from tests.toy_game.rules import COURSE, MAX_PLAYERS, MISTAKES, RANKS, SEAT, SIGNALS

TOLD = [None, "low", "high"]


def sizes_of(values: Mapping[str, Any]) -> Sizes:
    """Returns what depends on the options."""
    blocks = [
        Block("course", (COURSE,), 0, 1, "shares of points, mistakes and signals; over; my turn"),
        Block("seats", (MAX_PLAYERS, SEAT), 0, 1, "told nothing, low or high; rank of the card"),
    ]
    if values["memory"]:
        blocks.append(Block("unseen", (RANKS,), 0, 1, "share of the cards that I have not seen"))
    return Sizes(
        num_actions=rules.ACTIONS,
        observation=ObservationSpec(blocks),
        # One right guess less than wins, one wrong one less than loses, all signals, and one more.
        max_length=(values["goal"] - 1) + (MISTAKES - 1) + SIGNALS + 1,
        score_scale=values["goal"],
        score_range=(0.0, 1.0),
    )


class SignalGame(Game):
    """A game of Signals; its rules stand in ``rules``."""

    spec = GameSpec(
        name="toy",
        title="Signals",
        version="v0",
        min_players=2,
        max_players=MAX_PLAYERS,
        utility=Utility.SHARED,
        sizes_of=sizes_of,
        scripted={"random": np.zeros(0), "helper": np.zeros(0)},  # they have no constants
        options=(
            Option("goal", int, 3, "how many points win", values=(2, 3, 4)),
            Option("memory", bool, False, "whether observations count the unseen cards"),
        ),
    )
    kernels = GameKernels(
        reset=rules.reset,
        legal=rules.legal,
        apply=rules.apply,
        move_key=rules.move_key,
        observe=rules.observe,
        outcome=rules.outcome,
        decide=rules.decide,
        resample_hidden=rules.resample_hidden,
    )
    state_dtype = rules.STATE
    state_ranges = rules.RANGES
    params_dtype = rules.PARAMS
    drawn = ("deck",)

    def check_position(self) -> None:
        """Checks that points, mistakes, cards and hands of a saved position belong together."""
        s: Any = self.states[0]
        goal, hand = self.values["goal"], s.hand.tolist()
        done = int(s.points) == goal or int(s.mistakes) == rules.MISTAKES
        require(int(s.points) <= goal and (bool(s.over) or not done), "the game is over")
        require(int(s.drawn) == self.players + int(s.points) + int(s.mistakes), "cards are lost")
        held = set(hand[: self.players])
        fits = len(held) == self.players and max(held) < s.drawn
        require(fits and not any(hand[self.players :]), "a card is in two hands, or not drawn")
        require(sorted(s.deck.tolist()) == [c // rules.COPIES for c in range(rules.CARDS)], "deck")
        require(not any(s.told[self.players :].tolist()), "somebody was told who has no seat")

    def key_to_string(self, key: int) -> str:
        """Returns the words of a move."""
        if key == rules.STOP:
            return "stop"
        return f"guess {key}" if key < rules.SIGNAL else f"signal player {key - rules.ACTIONS}"

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Returns the table: a seat does not see its own card, nor the deck."""
        viewer = None if seat is None else self.check_seat(seat)
        s: Any = self.states[0]
        seats = range(self.players)
        hand, deck = s.hand[: self.players].tolist(), s.deck.tolist()
        view: dict[str, Any] = {
            "to_move": self.to_move,
            "points": self.scores()[0],
            "goal": self.values["goal"],
            "mistakes": int(s.mistakes),
            "signals": int(s.signals),
            "cards": [None if p == viewer else deck[hand[p]] for p in seats],
            "told": [TOLD[s.told[p]] for p in seats],
            "gone": [deck[card] for card in range(s.drawn) if card not in hand],
        }
        if viewer is None:
            view["deck"] = deck[s.drawn :]
        elif viewer == self.to_move:
            view["legal"] = self.legal()
        return view
