"""What the stepper does, in plain Python: one game object for each row, no compiled loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dreamfactory_env.engine.rng import derive_seed, random_below, random_unit
from dreamfactory_env.engine.stepper import (
    CALLER,
    DRAWN,
    FIRST_FROZEN,
    NO_HINT,
    NOBODY,
    Settings,
    arrangement_of,
)
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies import ScriptedPolicy, view_of


class SlowRow:
    """A row of a batch; the names of its attributes are those of ``engine.tables.row_dtype``.

    Args:
        game: A game with the options of all.
        index: Which row it is.
        settings: How games are played.
        arrangements: Who sits where; one of them is drawn.
        shares: The chance of each player who may be drawn, in order; they sum to 1.
        hints: The hint policy of the caller and of each frozen player.
    """

    def __init__(
        self,
        game: Game,
        index: int,
        settings: Settings,
        arrangements: Sequence[Sequence[int]],
        shares: Mapping[int, float],
        hints: Sequence[int],
    ) -> None:
        self.template, self.index, self.settings = game, index, settings
        self.arrangements, self.shares, self.hints = arrangements, shares, hints
        self.players = game.players
        self.policies = [ScriptedPolicy(game, name) for name in game.scripted]
        self.episode = self.current_player = self.current_policy = self.hint = self.last_hint = 0
        self.last_lineup = [0] * self.players

    # ------------------------------------------------------------------ what a caller does

    def deal(self, seed: int = 0) -> None:
        self._new_game(self._series() if self.settings.deal_again else seed)
        self._begin_step(NOBODY)
        self._settle()

    def act(self, action: int, *, fresh: bool = True) -> None:
        if fresh:
            self._begin_step(self.current_player)
        self._play(action)
        self._settle()

    def end_illegally(self) -> None:
        self._begin_step(self.current_player)
        self.offender, self.done = self.current_player, True
        self.last_lineup = self.lineup
        self.returns = self.game.returns(self.settings.payoff, self.offender)
        self.reward = self.returns - self.potential

    # ------------------------------------------------------------------ what follows

    def _series(self) -> int:
        return int(derive_seed(derive_seed(self.settings.seed, self.index), self.episode))

    def _new_game(self, seed: int) -> None:
        self.seed, self.game = seed, self.template.deal(seed)
        self.actions: list[int] = []
        self.potential, self.decisions = np.zeros(self.players), [0] * self.players
        self.lineup = self._seats()

    def _seats(self) -> list[int]:
        chosen = 0
        if len(self.arrangements) > 1:
            chosen = arrangement_of(np.uint64(self.seed), len(self.arrangements))
        stream = derive_seed(np.uint64(self.seed), 2000)
        together = random_unit(stream, self.players + 1) < self.settings.together
        lineup = []
        for seat, who in enumerate(self.arrangements[chosen]):
            if who == DRAWN:
                chance = random_unit(stream, 1 if together else seat + 1)
                names, bounds = list(self.shares), np.cumsum(list(self.shares.values()))
                who = names[int((chance >= bounds[:-1]).sum())]
            lineup.append(who)
        return lineup

    def _begin_step(self, last_player: int) -> None:
        self.last_player, self.last_hint = last_player, self.hint
        self.done, self.offender = False, NOBODY
        self.reward = np.zeros(self.players)

    def _play(self, action: int) -> None:
        assert self.game.to_move is not None
        self.decisions[self.game.to_move] += 1
        self.actions.append(action)
        self.game.play(action)

    def _settle(self) -> None:
        self._play_scripted()
        while self.game.over:
            self._close()
            if not self.settings.deal_again:
                break
            self._new_game(self._series())
            self._play_scripted()
        if self.settings.payoff.shaping > 0 and self.last_player != NOBODY and not self.done:
            fresh = self.game.potentials(self.settings.payoff)
            self.reward += fresh - self.potential
            self.potential = fresh
        self._ask()

    def _play_scripted(self) -> None:
        while (seat := self.game.to_move) is not None:
            legal = list(self.game.legal_actions().values())
            if len(legal) == 1 and self.settings.skip_forced:
                self._play(legal[0])
            elif 0 <= self.lineup[seat] < FIRST_FROZEN:
                self._play(self._scripted(self.lineup[seat]))
            else:
                return

    def _scripted(self, code: int) -> int:
        """Returns what a scripted policy plays, which is shown only what its player may know."""
        return self.policies[code].act(view_of(self.game, seed=self.seed, moves=len(self.actions)))

    def _close(self) -> None:
        self.episode += 1
        if not self.done:
            self.done, self.last_lineup = True, self.lineup
            self.points, self.won = self.game.scores(), self.game.winners()
            self.returns = self.game.returns(self.settings.payoff)
            if self.last_player != NOBODY:
                self.reward += self.returns - self.potential

    def _ask(self) -> None:
        if self.game.to_move is None:
            if CALLER in self.lineup:
                self.current_player = self.lineup.index(CALLER)
            return
        self.current_player = self.game.to_move
        self.current_policy = self.lineup[self.current_player]
        hint = self.hints[max(self.current_policy - FIRST_FROZEN + 1, 0)]
        if hint != NO_HINT:
            self.hint = self._scripted(hint)

    # ------------------------------------------------------------------ comparing

    def assert_equal(self, batch: GameBatch) -> None:
        """Asserts that a row of a batch is the same, bit for bit."""
        row: Any = batch.rows[self.index]
        assert batch.states[self.index].tobytes() == self.game.states.tobytes()
        legal = list(self.game.legal_actions().values())
        assert np.flatnonzero(batch.masks[self.index]).tolist() == legal
        seen = self.game.observe(self.current_player)
        assert batch.observations[self.index].tobytes() == seen.tobytes()
        for name in (
            *("seed", "episode", "current_player", "last_player", "done", "offender", "hint"),
            *("last_hint", "current_policy"),
        ):
            assert int(row[name]) == int(getattr(self, name)), name
        assert int(row["moves"]) == len(self.actions)
        assert batch.actions[self.index, : len(self.actions)].tolist() == self.actions
        for name in ("lineup", "potential", "reward", "decisions"):
            assert row[name][: self.players].tolist() == list(getattr(self, name)), name
        if self.done:
            assert row["returns"][: self.players].tolist() == self.returns.tolist()
            assert row["last_lineup"][: self.players].tolist() == self.last_lineup
        if self.done and self.offender == NOBODY:
            assert row["points"][: self.players].tolist() == self.points
            assert np.flatnonzero(row["won"][: self.players]).tolist() == self.won


def some_action(mask: Array, seed: int, moves: int) -> int:
    """Returns a legal action that depends on the game and on nothing else."""
    legal = np.flatnonzero(mask)
    return int(legal[random_below(np.uint64(seed), 1000 + moves, len(legal))])
