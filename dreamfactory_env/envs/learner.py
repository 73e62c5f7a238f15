"""Games with one learner at the table: the core of the single-agent environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dreamfactory_env.engine.returns import Payoff
from dreamfactory_env.engine.rng import next_seed
from dreamfactory_env.engine.stepper import CALLER, Settings, arrangement_of
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.seating import SeatedPolicies
from dreamfactory_env.utils.errors import OptionError


class LearnerGames:
    """Games side by side, in each of them a learner on one seat and policies on all others.

    The learner is asked only when it is its turn. A game that ends before its first turn is not
    handed out: the next one of the same series is dealt instead.

    Attributes:
        batch: The games.
        others: The names of the policies beside the learner, in the order of their seats.
        fixed_seat: Where the learner sits, None if that is drawn for each game.

    Args:
        game: A game with the options of all.
        count: How many games.
        payoff: What they pay.
        others: One policy for all other seats, or one for each.
        seat: A seat, or ``"random"``.
        keep_moves: Whether the moves of games are kept.

    Raises:
        OptionError: A policy or the seat is wrong.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        payoff: Payoff,
        others: str | Sequence[str],
        seat: str | int,
        *,
        keep_moves: bool = False,
    ) -> None:
        self.game = game
        self.seated = SeatedPolicies(game)
        self.others = self.check_others(others)
        self.fixed_seat = self.check_seat(seat)
        settings = Settings(payoff)
        self.batch = GameBatch(game, count, settings, keep_moves=keep_moves)
        self.sit_down(self.others, self.fixed_seat)

    def check_others(self, names: Any) -> list[str]:
        """Returns a policy name for each of the other seats.

        Raises:
            OptionError: They are no names, unknown, or not as many as seats.
        """
        word, seats = self.game.spec.others, self.game.players - 1
        listed = [names] if isinstance(names, str) else names
        if not isinstance(listed, list | tuple) or not all(isinstance(n, str) for n in listed):
            raise OptionError(f"{word} must be a policy's name or a list of them: {names!r}")
        if len(listed) not in (1, seats):
            raise OptionError(f"{len(listed)} {word} for {seats} other seats")
        self.seated.codes(listed, seats)
        return list(listed) * (seats if len(listed) == 1 else 1)

    def check_seat(self, seat: Any) -> int | None:
        """Returns a seat, None if it is to be drawn.

        Raises:
            OptionError: There is no such seat.
        """
        drawn = isinstance(seat, str) and seat == "random"
        return None if drawn else self.game.check_seat(seat)

    def sit_down(self, others: list[str], seat: int | None) -> None:
        """Says who sits where from the next deals on."""
        codes = self.seated.codes(others, len(others))
        seats = range(self.game.players) if seat is None else [seat]
        self.batch.set_arrangements([[*codes[:at], CALLER, *codes[at:]] for at in seats])

    def write_lineup(self, others: list[str], seat: int) -> None:
        """Says who sits in the game of row 0, which is being played."""
        codes = self.seated.codes(others, len(others))
        lineup = [*codes[:seat], CALLER, *codes[seat:]]
        self.batch.rows["lineup"][0, : len(lineup)] = lineup

    @property
    def seats(self) -> Array:
        """The learner's seat in each game, int64 (n,)."""
        lineups = self.batch.rows["lineup"][:, : self.game.players]
        seats: Array = (lineups == CALLER).argmax(axis=1)
        return seats

    # ------------------------------------------------------------------ playing

    def deal(self, which: Array) -> None:
        """Deals some games from the seeds in their rows, up to the learner's first turn."""
        while len(which):
            self.batch.deal(which)
            self.seated.play(self.batch)
            which = which[~self.batch.masks[which].any(axis=1)]
            self.advance_seeds(which)

    def advance_seeds(self, which: Array) -> None:
        """Moves the seeds of some rows on to the next game of their series."""
        seeds = self.batch.rows["seed"]
        for index in which.tolist():
            seeds[index] = next_seed(seeds[index])

    def start(self, game: Game, seed: int, potentials: Array | None = None) -> bool:
        """Puts a game into row 0 and plays up to the learner's turn.

        Args:
            game: The game.
            seed: Where the random numbers of the policies, and a drawn seat, come from.
            potentials: What the position is worth to each seat, if it is none just dealt.

        Returns:
            Whether the learner's turn has come before the end.
        """
        batch, row = self.batch, self.batch.rows[0]
        batch.states[:1] = game.states
        arrangements = batch.table.arrangements
        chosen = 0
        if len(arrangements) > 1:
            chosen = arrangement_of(np.uint64(seed), len(arrangements))
        row["seed"], row["moves"], row["decisions"] = seed, 0, 0
        row["lineup"][: game.players] = arrangements[chosen]
        row["potential"][: game.players] = 0 if potentials is None else potentials
        batch.resume(batch.every[:1])
        self.seated.play(batch)
        return bool(batch.masks[0].any())

    def step(self, which: Array, actions: Array) -> None:
        """Plays legal actions of the learner, and all that follows up to its next turns."""
        self.batch.advance(which, actions)
        self.seated.play(self.batch)
