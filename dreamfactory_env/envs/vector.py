"""The Gymnasium vector face: one agent in each of many games, opponents played inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from dreamfactory_env.engine.compiling import bind, jit, warm_up
from dreamfactory_env.engine.kernels import room_for_moves
from dreamfactory_env.engine.returns import potentials, utilities
from dreamfactory_env.engine.rng import next_seed
from dreamfactory_env.engine.structs import Array, Records, copy_records
from dreamfactory_env.envs.cloning import ClonedArrays, identity_of
from dreamfactory_env.envs.common import (
    ObservationSpecMixin,
    check_actions,
    check_count,
    check_reset_options,
    illegal_move,
)
from dreamfactory_env.envs.single_agent import SingleAgentEnv, all_seats, seat_of_seed
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int

# The names that the templates call; bind() puts a game's functions in their place.
reset: Any = None
legal: Any = None
apply: Any = None
observe: Any = None
outcome: Any = None
play: Any = None
wait_for_turn: Any = None
deal: Any = None


def _wait_for_turn(
    states: Records,
    index: int,
    tables: Records,
    seeds: Array,
    seats: Array,
    moves: Array,
    opponents: tuple[Array, Array],
    buffer: Array,
    notes: tuple[Array, Array, Array],
    observations: Array,
    masks: Array,
) -> int:
    """Lets the opponents move until it is the agent's turn; returns how many moves it has then.

    ``opponents`` are codes and constants of all seats, for each seat that the agent may have.
    """
    moves[index] = play(
        states,
        index,
        tables,
        opponents[0][seats[index]],
        opponents[1][seats[index]],
        seeds[index],
        buffer,
        notes[0],
        notes[1],
        notes[2],
        moves[index],
        seats[index],
    )
    count: int = legal(states[index], tables[0], buffer)
    masks[index, :] = 0
    for k in range(count):
        masks[index, buffer[k]] = 1
    observe(states[index], tables[0], int(seats[index]), observations[index])
    return count


def _deal(
    states: Records,
    index: int,
    tables: Records,
    blank: Records,
    fixed_seat: int,
    seeds: Array,
    seats: Array,
    moves: Array,
    opponents: tuple[Array, Array],
    buffer: Array,
    notes: tuple[Array, Array, Array],
    observations: Array,
    masks: Array,
) -> None:
    """Deals game ``index`` from its seed and lets the opponents begin."""
    reset(states, index, tables, blank, seeds[index])
    players = int(states[index].players)
    seats[index] = seat_of_seed(seeds[index], players) if fixed_seat < 0 else fixed_seat
    moves[index] = 0
    wait_for_turn(
        states, index, tables, seeds, seats, moves, opponents, buffer, notes, observations, masks
    )


def _deal_all(
    states: Records,
    tables: Records,
    blank: Records,
    fixed_seat: int,
    seeds: Array,
    seats: Array,
    moves: Array,
    opponents: tuple[Array, Array],
    buffer: Array,
    notes: tuple[Array, Array, Array],
    observations: Array,
    masks: Array,
    wanted: Array,
) -> None:
    """Deals the games that are wanted."""
    for index in range(len(states)):
        if wanted[index]:
            deal(
                states,
                index,
                tables,
                blank,
                fixed_seat,
                seeds,
                seats,
                moves,
                opponents,
                buffer,
                notes,
                observations,
                masks,
            )


def _advance(
    states: Records,
    tables: Records,
    actions: Array,
    skipped: Array,
    reward: int,
    shaping: float,
    seeds: Array,
    seats: Array,
    moves: Array,
    opponents: tuple[Array, Array],
    buffer: Array,
    notes: tuple[Array, Array, Array],
    observations: Array,
    masks: Array,
    scores: Array,
    won: Array,
    worth: Array,
    final_scores: Array,
    final_won: Array,
    standings: Array,
    rewards: Array,
    over: Array,
    fouls: Array,
) -> None:
    """Plays the agent's action in every game that is not skipped; an illegal one loses."""
    for index in range(len(states)):
        rewards[index] = 0
        over[index] = False
        fouls[index] = False
        if skipped[index]:
            continue
        rewards[index] -= standings[index]
        action = actions[index]
        if not (0 <= action < masks.shape[1] and masks[index, action]):
            rewards[index] -= 1
            over[index] = True
            fouls[index] = True
            continue
        apply(states[index], tables[0], action)
        moves[index] += 1
        left = wait_for_turn(
            states,
            index,
            tables,
            seeds,
            seats,
            moves,
            opponents,
            buffer,
            notes,
            observations,
            masks,
        )
        if left == 0:
            outcome(states[index], tables[0], final_scores[index], final_won[index])
            utilities(reward, final_scores[index], final_won[index], worth)
            rewards[index] += worth[seats[index]]
            over[index] = True
        elif shaping > 0:
            outcome(states[index], tables[0], scores, won)
            potentials(shaping, scores, worth)
            standings[index] = worth[seats[index]]
            rewards[index] += standings[index]


@jit
def _next_seeds(seeds: Array, wanted: Array) -> None:
    """Moves the seeds of the games that are wanted on to the next game of their series."""
    for index in range(len(seeds)):
        if wanted[index]:
            seeds[index] = next_seed(seeds[index])


_LOOPS: dict[str, dict[str, Any]] = {}


def _loops_of(kind: type[Game]) -> dict[str, Any]:
    """Returns the loops above, compiled for a game."""
    if kind.name not in _LOOPS:
        rules, name = kind.rules, f"{kind.name}.solo"
        waiting = bind(
            _wait_for_turn, name, legal=rules.legal, observe=rules.observe, play=kind.loops.play
        )
        dealing = bind(_deal, name, reset=rules.reset, wait_for_turn=waiting)
        _LOOPS[kind.name] = {
            "deal_all": bind(_deal_all, name, deal=dealing),
            "advance": bind(
                _advance, name, apply=rules.apply, outcome=rules.outcome, wait_for_turn=waiting
            ),
        }
    return _LOOPS[kind.name]


def _mode_named(mode: object) -> AutoresetMode:
    """Returns an autoreset mode by itself, by its name or by its value.

    Raises:
        OptionError: There is no such mode.
    """
    for known in AutoresetMode:
        if mode in (known, known.name, known.value):
            return known
    names = ", ".join(known.name for known in AutoresetMode)
    raise OptionError(f"autoreset_mode must be one of {names}, not {mode!r}")


class SingleAgentVectorEnv(
    ObservationSpecMixin, ClonedArrays, gymnasium.vector.VectorEnv[Array, Any, Array]
):
    """Many games, in each of them one agent against opponents: one compiled call a step.

    Game i plays the same games as ``SingleAgentEnv`` does after ``reset(seed=seed + i)``. When
    games are over, ``infos`` has ``scores`` and ``won`` of every seat, (num_envs, players);
    ``_scores`` and ``_won`` mark their rows.

    Args:
        num_envs: How many games.
        autoreset_mode: ``NEXT_STEP`` (after the end any action will do: a new game begins),
            ``SAME_STEP`` (a new game begins at once, the last observation stands in
            ``infos["final_obs"]``) or ``DISABLED`` (the caller resets with a ``reset_mask``).
        copy: Whether observations and rewards are handed out as copies. Without, the arrays that
            the next step overwrites are, which is faster.
        render_mode: None; a game is drawn by ``game_at(i).picture(seat)``.
        **options: Those of ``SingleAgentEnv``.

    Raises:
        GameError: An option is wrong.
    """

    KEPT = (
        *("states", "seeds", "seats", "_moves", "_observations", "_masks"),
        *("_standings", "_rewards", "_over", "_ended", "_dealt"),
    )

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        count = check_count(num_envs)
        if render_mode is not None:
            raise OptionError(
                f"a vector environment does not render; render_mode is {render_mode!r}"
            )
        self.num_envs = count
        self._mode = _mode_named(autoreset_mode)
        self._copy = copy
        self.metadata = {"autoreset_mode": self._mode, "render_modes": []}
        one = SingleAgentEnv(**options)
        self._one = one
        self.render_mode = None
        self.single_observation_space = one.observation_space
        self.single_action_space = one.action_space
        self.observation_space = batch_space(one.observation_space, count)
        self.action_space = batch_space(one.action_space, count)
        self.kind = kind = one.kind
        players = one.game.players
        settings = (count, self._mode.name, int(one.reward), one.shaping, *one.opponents)
        self.identity = identity_of(self, one.game, one.fixed_seat, *settings)
        self._loops = _loops_of(kind)
        self._blank = one.game.blank()
        self._fixed_seat = -1 if one.fixed_seat is None else one.fixed_seat
        self.states = np.repeat(self._blank, count)
        self.seeds = np.zeros(count, np.uint64)
        self.seats = np.zeros(count, np.int64)
        self._moves = np.zeros(count, np.int64)
        for name in one.opponents:
            if name not in kind.scripted:
                known = f"opponents are compiled here: one of {', '.join(kind.scripted)}"
                single = 'make_vec(..., vectorization_mode="sync") takes any policy'
                raise OptionError(f"{known}, not {name!r}; {single}")
        around = [
            kind.scripted_seats(all_seats(kind, one.opponents, seat)) for seat in range(players)
        ]
        self._opponents = (
            np.stack([row[0] for row in around]),
            np.stack([row[1] for row in around]),
        )
        self._buffer = np.empty(kind.actions, np.int32)
        self._notes = room_for_moves(one.game.longest_game())
        self._observations = np.zeros((count, kind.layout.size), np.float32)
        self._masks = np.zeros((count, kind.actions), np.int8)
        self._scores = np.zeros(players, np.int64)
        self._won = np.zeros(players, np.int8)
        self._worth = np.zeros(players, np.float64)
        self._final_scores = np.zeros((count, players), np.int64)
        self._final_won = np.zeros((count, players), np.int8)
        self._standings = np.zeros(count, np.float64)
        self._rewards = np.zeros(count, np.float64)
        self._actions = np.zeros(count, np.int64)
        self._over = np.zeros(count, np.bool_)
        self._fouls = np.zeros(count, np.bool_)
        self._ended = np.zeros(count, np.bool_)
        self._nobody = np.zeros(count, np.bool_)
        self._dealt = np.zeros(1, np.bool_)
        warm_up(f"{kind.title}, vector", self._first_step)

    def _first_step(self) -> None:
        """Plays a step, so that everything is compiled; forgets it."""
        before = self.clone_state()
        self.reset(seed=0)
        self.step(self._masks.argmax(axis=1))
        self.restore_state(before)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Deals all games, or those of ``options["reset_mask"]``.

        Args:
            seed: One for all (game i gets ``seed + i``) or one for each; without one each goes on
                with its own series.
            options: ``reset_mask``, bool (num_envs,).

        Returns:
            What the agents see, float32 (num_envs, layout.size), and infos with masks and seats.

        Raises:
            OptionError: A seed or an option is wrong; no game has changed.
        """
        wanted = self._wanted(check_reset_options(options, ["reset_mask"]))
        if seed is None and self._dealt[0]:
            _next_seeds(self.seeds, wanted)
        else:
            self.seeds[wanted] = self._check_seeds(seed)[wanted]
        self._deal(wanted)
        self._dealt[0] = True
        return self._told(self._observations), self._infos()

    def _wanted(self, options: dict[str, Any]) -> Array:
        """Returns which games a reset deals, bool (num_envs,)."""
        if "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        wanted = np.asarray(options["reset_mask"])
        if wanted.shape != (self.num_envs,) or wanted.dtype != np.bool_:
            found = f"{wanted.dtype} of shape {wanted.shape}"
            raise OptionError(f"reset_mask must be bool of shape ({self.num_envs},), not {found}")
        if not self._dealt[0] and not wanted.all():
            raise OptionError("the first reset() deals all games; reset_mask leaves some out")
        return wanted

    def _check_seeds(self, seed: Any) -> Array:
        """Returns a seed for each game, uint64 (num_envs,); draws them if there are none."""
        if seed is None:
            seed = check_seed(None) // 2
        if as_int(seed) is not None or not isinstance(seed, list | tuple | np.ndarray):
            first = check_seed(seed)
            seed = [first + index for index in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise OptionError(f"{len(seed)} seeds for {self.num_envs} games")
        return np.array([check_seed(number) for number in seed], np.uint64)

    def _told(self, array: Array) -> Array:
        """Returns an array as it is handed out."""
        return array.copy() if self._copy else array

    def _deal(self, wanted: Array) -> None:
        self._loops["deal_all"](
            self.states,
            self._one.game.tables,
            self._blank,
            self._fixed_seat,
            self.seeds,
            self.seats,
            self._moves,
            self._opponents,
            self._buffer,
            self._notes,
            self._observations,
            self._masks,
            wanted,
        )
        self._ended[wanted] = False
        self._standings[wanted] = 0  # at the deal all are equal

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Plays an action of the agent in every game, and the opponents' after it.

        Raises:
            OptionError: The actions are of another shape, no whole numbers, or for games that must
                be reset first.
            IllegalMove: With ``illegal="raise"``, one of them is not legal. Then, too, no game has
                changed.
        """
        if not self._dealt[0]:
            raise OptionError("nothing has been dealt: call reset() first")
        actions = check_actions(actions, self.num_envs)
        skipped = self._ended if self._mode == AutoresetMode.NEXT_STEP else self._nobody
        if self._mode == AutoresetMode.DISABLED and self._ended.any():
            index = int(np.flatnonzero(self._ended)[0])
            raise OptionError(f"game {index} is over: reset it first, with a reset_mask")
        self._actions[:] = actions
        if self._one.illegal == "raise":
            self._check_legal(skipped)
        self._loops["advance"](
            self.states,
            self._one.game.tables,
            self._actions,
            skipped,
            int(self._one.reward),
            self._one.shaping,
            self.seeds,
            self.seats,
            self._moves,
            self._opponents,
            self._buffer,
            self._notes,
            self._observations,
            self._masks,
            self._scores,
            self._won,
            self._worth,
            self._final_scores,
            self._final_won,
            self._standings,
            self._rewards,
            self._over,
            self._fouls,
        )
        extra: dict[str, Any] = {}
        if self._fouls.any():
            fouls = self._fouls.copy()
            extra = {"illegal_action": self._actions.copy(), "_illegal_action": fouls}
        played_out = self._over & ~self._fouls
        if played_out.any():
            for name, array in (("scores", self._final_scores), ("won", self._final_won)):
                extra[name], extra[f"_{name}"] = array.copy(), played_out
        if self._mode == AutoresetMode.NEXT_STEP:
            if self._ended.any():
                again = self._ended.copy()
                _next_seeds(self.seeds, again)
                self._deal(again)
            self._ended[:] = self._over
            self._masks[self._ended] = 1  # whatever is played next there, it begins a new game
        elif self._mode == AutoresetMode.SAME_STEP and self._over.any():
            extra["final_obs"] = np.zeros_like(self._observations)
            extra["final_obs"][self._over] = self._observations[self._over]
            extra["_final_obs"] = self._over.copy()
            extra["final_info"] = {"seat": self.seats.copy(), "_seat": self._over.copy()}
            _next_seeds(self.seeds, self._over)
            self._deal(self._over)
        else:
            self._ended[:] = self._over
            self._masks[self._ended] = 0
        infos = {**self._infos(), **extra}
        seen, rewards = self._told(self._observations), self._told(self._rewards)
        return seen, rewards, self._over.copy(), np.zeros_like(self._over), infos

    def _check_legal(self, skipped: Array) -> None:
        """Raises IllegalMove for the first action that is not legal."""
        for index in np.flatnonzero(~skipped):
            action = int(self._actions[index])
            if not (0 <= action < self._masks.shape[1] and self._masks[index, action]):
                raise illegal_move(self.game_at(int(index)), action, f"game {index}: ")

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._masks.copy(), "seat": self.seats.copy()}

    def action_masks(self) -> Array:
        """Returns what the agents may do: int8 (num_envs, actions), a copy."""
        return self._masks.copy()

    def game_at(self, index: int) -> Game:
        """Returns a copy of one of the games, to read or to play on."""
        game = self._one.game.copy()
        game.states = copy_records(self.states[index : index + 1])
        return game
