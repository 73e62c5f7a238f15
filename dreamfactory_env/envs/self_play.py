"""Many games at once, every seat played by the caller: the self-play batch.

One compiled call plays a step of every game, deals those anew that are over, and writes whose turn
it is, what that player sees and may do into arrays that are made once. A step allocates nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dreamfactory_env.engine.compiling import bind, warm_up
from dreamfactory_env.engine.returns import check_shaping, potentials, reward_named, utilities
from dreamfactory_env.engine.rng import Seed, derive_seed, next_seed
from dreamfactory_env.engine.structs import Array, Records, copy_records
from dreamfactory_env.envs.cloning import ClonedArrays, identity_of
from dreamfactory_env.envs.common import (
    ObservationSpecMixin,
    check_actions,
    check_count,
    illegal_move,
)
from dreamfactory_env.games import game_named, new_game
from dreamfactory_env.games.game import Game, check_seed

# The names that the templates call; bind() puts a game's functions in their place.
reset: Any = None
legal: Any = None
apply: Any = None
observe: Any = None
outcome: Any = None
ask: Any = None


def _ask(
    states: Records,
    index: int,
    tables: Records,
    buffer: Array,
    seats: Array,
    observations: Array,
    masks: Array,
) -> int:
    """Writes whose turn it is in a game, what that player sees and may do; counts the moves."""
    s, t = states[index], tables[0]
    count: int = legal(s, t, buffer)
    masks[index, :] = 0
    for k in range(count):
        masks[index, buffer[k]] = 1
    seats[index] = s.to_move
    observe(s, t, int(s.to_move), observations[index])
    return count


def _deal_all(
    states: Records,
    tables: Records,
    blank: Records,
    seed: Seed,
    buffer: Array,
    seats: Array,
    observations: Array,
    masks: Array,
) -> None:
    """Deals every game of a batch."""
    for index in range(len(states)):
        reset(states, index, tables, blank, derive_seed(derive_seed(seed, index), 0))
        ask(states, index, tables, buffer, seats, observations, masks)


def _advance(
    states: Records,
    tables: Records,
    blank: Records,
    seed: Seed,
    episodes: Array,
    actions: Array,
    reward: int,
    shaping: float,
    buffer: Array,
    won: Array,
    standing: Array,
    seats: Array,
    observations: Array,
    masks: Array,
    rewards: Array,
    done: Array,
    scores: Array,
) -> None:
    """Plays a legal action in every game, and deals those anew that are over."""
    for index in range(len(states)):
        standing[:] = 0
        if shaping > 0:
            outcome(states[index], tables[0], scores[index], won)
            potentials(shaping, scores[index], standing)
        apply(states[index], tables[0], actions[index])
        done[index] = 0
        rewards[index, :] = 0
        going_on = ask(states, index, tables, buffer, seats, observations, masks) > 0
        if shaping > 0 or not going_on:
            outcome(states[index], tables[0], scores[index], won)
        if shaping > 0 and going_on:
            potentials(shaping, scores[index], rewards[index])
        elif not going_on:
            utilities(reward, scores[index], won, rewards[index])
        for p in range(len(standing)):
            rewards[index, p] -= standing[p]
        if going_on:
            continue
        done[index] = 1
        episodes[index] += 1
        next_seed = derive_seed(derive_seed(seed, index), episodes[index])
        reset(states, index, tables, blank, next_seed)
        ask(states, index, tables, buffer, seats, observations, masks)


def _first_illegal(actions: Array, masks: Array) -> int:
    """Returns the first game whose action is not legal, -1 if all are."""
    for index in range(len(actions)):
        if not (0 <= actions[index] < masks.shape[1] and masks[index, actions[index]]):
            return index
    return -1


_LOOPS: dict[str, dict[str, Any]] = {}


def _loops_of(kind: type[Game]) -> dict[str, Any]:
    """Returns the loops above, compiled for a game."""
    if kind.name not in _LOOPS:
        rules = kind.rules
        asking = bind(_ask, kind.name, legal=rules.legal, observe=rules.observe)
        _LOOPS[kind.name] = {
            "deal_all": bind(_deal_all, kind.name, reset=rules.reset, ask=asking),
            "advance": bind(
                _advance,
                kind.name,
                reset=rules.reset,
                apply=rules.apply,
                outcome=rules.outcome,
                ask=asking,
            ),
            "first_illegal": bind(_first_illegal, kind.name),
        }
    return _LOOPS[kind.name]


class SelfPlayBatch(ObservationSpecMixin, ClonedArrays):
    """Many games of one kind, each step one action in every game.

    After :meth:`reset` and :meth:`step` the arrays below say how things stand; they are the same
    objects always, overwritten by each step. A game that is over has been paid and dealt anew:
    ``done`` marks it, ``rewards`` and ``scores`` are of the one that ended, all else of the new.

    Attributes:
        seats: Whose turn it is, int8 (num_envs,).
        observations: What that player sees, float32 (num_envs, layout.size).
        masks: What that player may do, int8 (num_envs, actions).
        rewards: What each seat is paid, float32 (num_envs, players); without shaping 0 before the
            end.
        done: 1 for games that have just ended, int8 (num_envs,).
        scores: The points of the games that have just ended, int32 (num_envs, players); not
            defined for the others.
        states: The games themselves.

    Args:
        game: The game, or its name.
        num_envs: How many games.
        reward: ``"win"``, ``"rank"`` or ``"score"``.
        shaping: The weight of the potential by which points are paid as they come, see
            docs/environments.md; 0 pays at the end only.
        **options: The options of the game.

    Raises:
        GameError: An option is wrong.
    """

    KEPT = (
        *("states", "episodes", "seats", "observations", "masks", "rewards", "done", "scores"),
        *("_seed", "_seeded", "_allowed"),
    )

    def __init__(
        self,
        game: str | type[Game],
        num_envs: int,
        *,
        reward: str = "win",
        shaping: float = 0.0,
        **options: Any,
    ) -> None:
        self.kind = kind = game_named(game)
        self.num_envs = count = check_count(num_envs)
        self.game = new_game(kind, options)
        self._reward = reward_named(reward)
        self._shaping = check_shaping(shaping)
        self._blank = self.game.blank()
        self.identity = identity_of(self, self.game, count, reward, self._shaping)
        self._seed = np.zeros(1, np.uint64)
        self._seeded = np.zeros(1, np.bool_)  # whether there is a series to go on with
        self._buffer = np.empty(kind.actions, np.int32)
        self._won = np.empty(self.game.players, np.int8)
        self._standing = np.empty(self.game.players, np.float64)
        self._actions = np.empty(count, np.int64)
        self.states = np.repeat(self._blank, count)
        self.episodes = np.zeros(count, np.int64)
        self.seats = np.zeros(count, np.int8)
        self.observations = np.zeros((count, kind.layout.size), np.float32)
        self.masks = np.zeros((count, kind.actions), np.int8)
        self._allowed = np.zeros_like(self.masks)  # masks are the caller's, who may write there
        self.rewards = np.zeros((count, self.game.players), np.float32)
        self.done = np.zeros(count, np.int8)
        self.scores = np.zeros((count, self.game.players), np.int32)
        warm_up(f"{kind.title}, batches", self._first_step)
        self.reset(0)
        self._seeded[0] = False

    def _first_step(self) -> None:
        """Plays a step, so that everything is compiled."""
        self.reset(0)
        self.step(self.masks.argmax(axis=1))

    def reset(self, seed: int | None = None) -> None:
        """Deals every game anew.

        Args:
            seed: Determines the seeds of all games, and of those after them. Without one, batches
                go on in a series that the last seed determines; a first one is drawn at random.

        Raises:
            OptionError: The seed is out of range; no game has changed.
        """
        if seed is None and self._seeded[0]:
            seed = int(next_seed(self._seed[0]))
        self._seed[0] = check_seed(seed)
        self._seeded[0] = True
        self.episodes[:] = 0
        self.rewards[:] = 0
        self.done[:] = 0
        deal_all = _loops_of(self.kind)["deal_all"]
        tables, seats = self.game.tables, self.seats
        deal_all(
            self.states,
            tables,
            self._blank,
            self._seed[0],
            self._buffer,
            seats,
            self.observations,
            self.masks,
        )
        self._allowed[:] = self.masks

    def step(self, actions: Array) -> None:
        """Plays one action in every game.

        Args:
            actions: Whole numbers, shape (num_envs,).

        Raises:
            OptionError: They are of another shape or no whole numbers.
            IllegalMove: One of them is not legal. In either case no game has changed.
        """
        actions = check_actions(actions, self.num_envs)
        loops = _loops_of(self.kind)
        self._actions[:] = actions
        index = loops["first_illegal"](self._actions, self._allowed)
        if index >= 0:
            raise illegal_move(self.game_at(index), int(self._actions[index]), f"game {index}: ")
        loops["advance"](
            self.states,
            self.game.tables,
            self._blank,
            self._seed[0],
            self.episodes,
            self._actions,
            int(self._reward),
            self._shaping,
            self._buffer,
            self._won,
            self._standing,
            self.seats,
            self.observations,
            self.masks,
            self.rewards,
            self.done,
            self.scores,
        )
        self._allowed[:] = self.masks

    def game_at(self, index: int) -> Game:
        """Returns a copy of one of the games, to read or to play on."""
        game = self.game.copy()
        game.states = copy_records(self.states[index : index + 1])
        return game
