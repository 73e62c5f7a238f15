"""The Gymnasium vector face: one agent in each of many games, opponents played inside."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from dreamfactory_env.checking import as_int
from dreamfactory_env.compiling import bind, jit, warm_up
from dreamfactory_env.envs.cloning import ClonedArrays
from dreamfactory_env.envs.faces import RENDER_MODES, check_actions, illegal_move
from dreamfactory_env.envs.rewards import utilities
from dreamfactory_env.envs.solo import SoloEnv, seat_of_seed, seated_around
from dreamfactory_env.errors import OptionError
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.layout import Array, Records, copy_records
from dreamfactory_env.loops import room_for_moves
from dreamfactory_env.randomness import next_seed

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
    rewards: Array,
    over: Array,
) -> None:
    """Plays the agent's action in every game that is not skipped; an illegal one loses."""
    for index in range(len(states)):
        rewards[index] = 0
        over[index] = False
        if skipped[index]:
            continue
        action = actions[index]
        if not (0 <= action < masks.shape[1] and masks[index, action]):
            rewards[index] = -1
            over[index] = True
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
            outcome(states[index], tables[0], scores, won)
            utilities(reward, scores, won, worth)
            rewards[index] = worth[seats[index]]
            over[index] = True


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


class SoloVectorEnv(ClonedArrays, gymnasium.vector.VectorEnv[Array, Any, Array]):
    """Many games, in each of them one agent against opponents: one compiled call a step.

    Game i plays the same games as ``DreamFactory-v0`` does after ``reset(seed=seed + i)``.
    Observations, rewards and masks are arrays that the next step overwrites.

    Args:
        num_envs: How many games.
        autoreset_mode: ``NEXT_STEP`` (the action after the end is not played, a new game begins),
            ``SAME_STEP`` (a new game begins at once, the last observation stands in
            ``infos["final_obs"]``) or ``DISABLED`` (the caller resets with a ``reset_mask``).
        render_mode: None; a game is drawn by ``game_at(i).picture(seat)``.
        **options: Those of ``DreamFactory-v0``.

    Raises:
        GameError: An option is wrong.
    """

    KEPT = (
        *("states", "seeds", "seats", "_moves", "_observations", "_masks"),
        *("_rewards", "_over", "_ended"),
    )

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        count = as_int(num_envs)
        if count is None or count < 1:
            raise OptionError(f"num_envs must be at least 1, not {num_envs!r}")
        if render_mode is not None:
            raise OptionError(
                f"a vector environment does not render; render_mode is {render_mode!r}"
            )
        self.num_envs = count
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode, "render_modes": RENDER_MODES}
        one = SoloEnv(**options)
        self._one = one
        self.render_mode = None
        self.single_observation_space = one.observation_space
        self.single_action_space = one.action_space
        self.observation_space = batch_space(one.observation_space, count)
        self.action_space = batch_space(one.action_space, count)
        kind, players = type(one.game), one.game.players
        self._loops = _loops_of(kind)
        self._blank = one.game.blank()
        self._fixed_seat = -1 if one.fixed_seat is None else one.fixed_seat
        self.states = np.repeat(self._blank, count)
        self.seeds = np.zeros(count, np.uint64)
        self.seats = np.zeros(count, np.int64)
        self._moves = np.zeros(count, np.int64)
        around = [seated_around(kind, one.opponents, seat) for seat in range(players)]
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
        self._rewards = np.zeros(count, np.float64)
        self._actions = np.zeros(count, np.int64)
        self._over = np.zeros(count, np.bool_)
        self._ended = np.zeros(count, np.bool_)
        self._nobody = np.zeros(count, np.bool_)
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
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Deals all games, or those of ``options["reset_mask"]``.

        Args:
            seed: One for all (game i gets ``seed + i``) or one for each; without one each goes on
                with its own series.
            options: ``reset_mask``, bool (num_envs,).

        Returns:
            What the agents see, float32 (num_envs, layout.size), and infos with masks and seats.
        """
        wanted = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            wanted = np.asarray(options["reset_mask"], np.bool_)
            if wanted.shape != (self.num_envs,):
                raise OptionError(f"reset_mask must have the shape ({self.num_envs},)")
        if seed is None and not self.seeds.any():
            seed = int(check_seed(None)) // 2
        if seed is None:
            _next_seeds(self.seeds, wanted)
        else:
            given = seed if isinstance(seed, list) else [seed + i for i in range(self.num_envs)]
            if len(given) != self.num_envs:
                raise OptionError(f"{len(given)} seeds for {self.num_envs} games")
            numbers = np.array([check_seed(number) for number in given], np.uint64)
            self.seeds[wanted] = numbers[wanted]
        self._deal(wanted)
        return self._observations, self._infos()

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

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Plays an action of the agent in every game, and the opponents' after it.

        Raises:
            OptionError: The actions are of another shape, no whole numbers, or for games that are
                over and must be reset first.
            IllegalMove: With ``illegal="raise"``, one of them is not legal. Then, too, no game has
                changed.
        """
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
            self._rewards,
            self._over,
        )
        extra: dict[str, Any] = {}
        if self._mode == AutoresetMode.NEXT_STEP:
            if self._ended.any():
                again = self._ended.copy()
                _next_seeds(self.seeds, again)
                self._deal(again)
            self._ended[:] = self._over
            self._masks[self._ended] = 0
        elif self._mode == AutoresetMode.SAME_STEP and self._over.any():
            extra = {"final_obs": self._observations.copy(), "_final_obs": self._over.copy()}
            _next_seeds(self.seeds, self._over)
            self._deal(self._over)
        else:
            self._ended[:] = self._over
            self._masks[self._ended] = 0
        infos = {**self._infos(), **extra}
        return self._observations, self._rewards, self._over, self._nobody, infos

    def _check_legal(self, skipped: Array) -> None:
        """Raises IllegalMove for the first action that is not legal."""
        for index in np.flatnonzero(~skipped):
            action = int(self._actions[index])
            if not (0 <= action < self._masks.shape[1] and self._masks[index, action]):
                raise illegal_move(self.game_at(int(index)), action, f"game {index}: ")

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._masks, "seat": self.seats}

    def action_masks(self) -> Array:
        """Returns what the agents may do: int8 (num_envs, actions)."""
        return self._masks

    def game_at(self, index: int) -> Game:
        """Returns a copy of one of the games, to read or to play on."""
        game = self._one.game.copy()
        game.states = copy_records(self.states[index : index + 1])
        return game
