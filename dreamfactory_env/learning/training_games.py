"""The games that a learner trains on: with itself, with scripted policies, with frozen networks.

Games of several player counts run side by side, a row each. Every row waits for a decision of the
learner, whichever seats it has there; all other moves are played on the way.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np

from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.stepper import CALLER, DRAWN, FIRST_FROZEN, NO_HINT, Settings
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import new_game
from dreamfactory_env.games.batch import GameBatch, Saved
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.network import with_hints
from dreamfactory_env.utils.errors import OptionError

#: Chooses for a frozen player: observations and masks in, actions out.
Choose = Callable[[Array, Array], Array]


class StepResult(NamedTuple):
    """What a step has brought, from one decision of the learner in each row to its next one.

    Attributes:
        observations: What the learner sees now, float32 (rows, size).
        last_player: Who has decided, int8 (rows,).
        hints: What the hint policy would have played there, int64 (rows,); 0 without one.
        rewards: What every seat was paid since, float32 (rows, max_players).
        dones: Whether a game has ended since, bool (rows,).
        lineups: Who had each seat in the games that are done, int64 (rows, max_players).
        returns: What those games were worth to each seat, float64 (rows, max_players).
        seconds: How long the games took, without the networks of frozen players.
    """

    observations: Array
    last_player: Array
    hints: Array
    rewards: Array
    dones: Array
    lineups: Array
    returns: Array
    seconds: float


class TrainingGames:
    """Many games side by side, of several player counts: a step is a decision of the learner.

    The learner has one seat of each game; who has the others is drawn at every deal, the learner
    itself among them. Moves without a choice are played without asking. An illegal action raises.

    Attributes:
        num_envs: How many games, a row each.
        game: A game with the options of all, with the fewest players; to read.
        players: How many play in each row, int8 (rows,).
        observes_hint: Whether the learner sees what the hint policy would play.

    Args:
        game: Which game: its name, or its class.
        n_envs: How many games of each player count, such as ``{2: 64, 4: 128}``; one of these for
            each shard, see :func:`split`, if there are several.
        options: The options of the game, the number of players apart.
        reward: One of the game's rewards; its default if None.
        shaping: The weight of shaping.
        hint: A scripted policy that says what it would play in the learner's place; none if empty.
        observes_hint: Whether the learner sees that, as
            :func:`~dreamfactory_env.policies.network.with_hints` has it.
        seed: Where all games come from.

    Raises:
        GameError: One of them is wrong.
    """

    def __init__(
        self,
        game: object,
        n_envs: Mapping[int, int] | Sequence[Mapping[int, int]],
        options: Mapping[str, Any] | None = None,
        *,
        reward: str | None = None,
        shaping: float = 0.0,
        hint: str = "",
        observes_hint: bool = False,
        seed: int = 0,
    ) -> None:
        if observes_hint and not hint:
            raise OptionError("hints cannot be observed without a hint policy")
        self.observes_hint = observes_hint
        self._frozen: dict[int, Choose] = {}
        self._batches: list[GameBatch] = []
        shards = [n_envs] if isinstance(n_envs, Mapping) else n_envs
        self._num_shards = len(shards)
        total = 0
        for players, count in (item for shard in shards for item in sorted(shard.items())):
            template = new_game(game, {**(options or {}), "players": players})
            settings = Settings(
                payoff=template.spec.payoff(reward, shaping),
                seed=np.uint64(derive_seed(np.uint64(seed), total)),
                deal_again=True,
                skip_forced=True,
            )
            seats = np.where(np.eye(players, dtype=np.bool_), CALLER, DRAWN)
            self._batches.append(
                GameBatch(template, count, settings, arrangements=list(map(list, seats)))
            )
            total += count
        self.game = self._batches[0].game
        self._count_rows()
        self._check_specs()
        self._hints = [self._code(hint)]
        self._set_hints()

    def _count_rows(self) -> None:
        """Finds out which rows there are, and which batch they are in."""
        self.players = np.concatenate(
            [np.full(len(batch), batch.game.players, np.int8) for batch in self._batches]
        )
        self.num_envs = len(self.players)
        self._starts = [0, *np.cumsum([len(batch) for batch in self._batches[:-1]]).tolist()]

    def shards(self) -> list[TrainingGames]:
        """Returns the games of each shard, in the order of rows: the same ones, not copies."""
        shards = []
        for batches in np.array_split(np.arange(len(self._batches)), self._num_shards):
            shard = copy.copy(self)
            shard._num_shards = 1
            shard._batches = [self._batches[place] for place in batches]
            shard._count_rows()
            shards.append(shard)
        return shards

    @property
    def max_players(self) -> int:
        """The most players of any row."""
        return int(self.players.max())

    @property
    def _num_actions(self) -> int:
        return self.game.spec.num_actions

    def _check_specs(self) -> None:
        """Raises OptionError if the games of some player counts need another network."""
        layouts = {
            (batch.game.spec.observation.fingerprint(), batch.game.spec.num_actions)
            for batch in self._batches
        }
        if len(layouts) > 1:
            raise OptionError(
                f"observations or actions of {self.game.spec.title} depend on the number of "
                "players: train one number at a time"
            )

    def observation_box(self) -> gymnasium.spaces.Box:
        """Returns the space of what the learner sees, float32 (size,)."""
        observation = self.game.spec.observation
        more = self._num_actions if self.observes_hint else 0
        low = np.pad(observation.low(), (0, more), constant_values=0)
        high = np.pad(observation.high(), (0, more), constant_values=1)
        return gymnasium.spaces.Box(low, high, dtype=np.float32)

    # ------------------------------------------------------------------ who has which seat

    def _code(self, hint: str) -> int:
        return list(self.game.scripted).index(hint) if hint else NO_HINT

    def _set_hints(self) -> None:
        for batch in self._batches:
            batch.set_hints(self._hints)

    def set_frozen(self, slot: int, choose: Choose, hint: str = "") -> None:
        """Says who plays for a frozen player, from now on.

        Args:
            slot: Which one, from 0; in a mix it is ``FIRST_FROZEN + slot``.
            choose: Gets what the player sees, float32 (n, size), and masks, int8 (n, actions).
            hint: A scripted policy whose hints the player sees, too; none if empty.
        """
        missing = slot + 2 - len(self._hints)
        self._hints += [NO_HINT] * missing
        self._hints[slot + 1] = self._code(hint)
        self._set_hints()
        self._frozen[FIRST_FROZEN + slot] = choose

    def set_mix(
        self, shares: Mapping[int, float], *, players: int = 0, together: float = 0.0
    ) -> None:
        """Says who has the seats beside the learner's own, from the next deals on.

        Args:
            shares: The chance of each player: ``CALLER`` for the learner itself, the codes of
                scripted policies, ``FIRST_FROZEN + slot``; they need not sum to 1.
            players: In games of how many players; in all of them if 0.
            together: The chance that all drawn players of a game are the same.

        Raises:
            OptionError: One of them is a frozen player that nobody has set.
        """
        for who in shares:
            if who >= FIRST_FROZEN and who not in self._frozen:
                raise OptionError(f"there is no frozen player in slot {who - FIRST_FROZEN}")
        for batch in self._batches:
            if players in (0, batch.game.players):
                batch.set_mix(shares)
                batch.configure(together=together)

    # ------------------------------------------------------------------ playing

    def reset(self) -> Array:
        """Deals all games; returns what the learner sees, float32 (rows, size)."""
        for batch in self._batches:
            batch.rows["episode"] = 0
            batch.deal()
        self._ask_frozen()
        for batch in self._batches:
            # Nothing is paid before the learner's first decision, not even to frozen players.
            batch.rows["potential"] = 0
        return self.observe()

    def observe(self) -> Array:
        """Returns what the learner sees now, with hints if it sees them: float32 (rows, size)."""
        observations = self._all("observations")
        if self.observes_hint:
            return with_hints(observations, self.column("hint"), self._num_actions)
        return observations

    def play(self, actions: Array) -> StepResult:
        """Plays the learner's action in every row, and all moves up to its next decisions.

        Args:
            actions: Whole numbers, shape (rows,).

        Raises:
            IllegalMove: One of them is not legal; no game has changed.
        """
        begun = time.perf_counter()
        chosen = np.ascontiguousarray(actions, np.int64)
        every = np.arange(self.num_envs)
        allowed = self.action_masks()[every, chosen]
        if not allowed.all():
            row = int(np.flatnonzero(allowed == 0)[0])
            raise self.game_at(row).illegal_move(int(chosen[row]), where=f"row {row}: ")
        for batch, start in zip(self._batches, self._starts, strict=True):
            batch.advance(batch.every, chosen[start : start + len(batch)])
        waited = self._ask_frozen()
        seats = self.max_players
        return StepResult(
            observations=self.observe(),
            last_player=self.column("last_player"),
            hints=self.column("last_hint"),
            rewards=self.column("reward")[:, :seats].astype(np.float32),
            dones=self.column("done").astype(np.bool_),
            lineups=self.column("last_lineup")[:, :seats],
            returns=self.column("returns")[:, :seats],
            seconds=time.perf_counter() - begun - waited,
        )

    def _ask_frozen(self) -> float:
        """Lets frozen players move until every row waits for the learner.

        Returns:
            How many seconds the frozen players took to choose.
        """
        seconds = 0.0
        actions = np.zeros(self.num_envs, np.int64)
        while len(waiting := np.flatnonzero((asked := self.column("current_policy")) != CALLER)):
            for who in np.unique(asked[waiting]).tolist():
                rows = waiting[asked[waiting] == who]
                seen, masks = self._take("observations", rows), self._take("masks", rows)
                if self._hints[who - FIRST_FROZEN + 1] != NO_HINT:
                    seen = with_hints(seen, self.column("hint")[rows], self._num_actions)
                begun = time.perf_counter()
                actions[rows] = self._frozen[who](seen, masks)
                seconds += time.perf_counter() - begun
            for batch, start, mine in self._split(waiting):
                batch.advance(mine, actions[start + mine], fresh=False)
        return seconds

    # ------------------------------------------------------------------ reading

    def _split(self, rows: Array) -> Iterator[tuple[GameBatch, int, Array]]:
        """Gives the batches that some rows are in, where each begins, and the rows within it."""
        for batch, start in zip(self._batches, self._starts, strict=True):
            mine = rows[(rows >= start) & (rows < start + len(batch))] - start
            if len(mine):
                yield batch, start, mine

    def action_masks(self) -> Array:
        """Returns what the learner may do: int8 (rows, actions), a copy."""
        return self._all("masks")

    def _take(self, name: str, rows: Array) -> Array:
        """Returns some rows, in rising order, of an array that every batch has."""
        return np.concatenate([getattr(batch, name)[mine] for batch, _, mine in self._split(rows)])

    def _all(self, name: str) -> Array:
        """Returns an array that every batch has, of all rows: a copy."""
        return np.concatenate([getattr(batch, name) for batch in self._batches])

    def column(self, name: str) -> Array:
        """Returns a field of ``engine.stepper.row_dtype`` for all rows: a copy."""
        return np.concatenate([batch.rows[name] for batch in self._batches])

    def game_at(self, index: int) -> Game:
        """Returns a copy of the game of a row, to read or to play on.

        Raises:
            OptionError: There is no such row.
        """
        for batch, _, (place,) in self._split(np.array([index])):
            return batch.game_at(int(place))
        raise OptionError(f"there are rows 0 to {self.num_envs - 1}, not {index}")

    # ------------------------------------------------------------------ copying

    def clone_state(self) -> tuple[Saved, ...]:
        """Returns all that changes, for :meth:`restore_state`; a mix is set, and not part of it."""
        return tuple(batch.save() for batch in self._batches)

    def restore_state(self, clone: tuple[Saved, ...]) -> None:
        """Goes back to what :meth:`clone_state` returned."""
        for batch, saved in zip(self._batches, clone, strict=True):
            batch.restore(saved)


def split(n_envs: Mapping[int, int], shards: int) -> list[dict[int, int]]:
    """Returns how many games of each player count each shard has, as evenly as can be.

    Raises:
        OptionError: There are fewer games of a player count than shards.
    """
    fewest = min(n_envs.values())
    if shards > fewest:
        raise OptionError(f"{shards} shards need as many games of each player count, not {fewest}")
    return [
        {players: count // shards + (shard < count % shards) for players, count in n_envs.items()}
        for shard in range(shards)
    ]
