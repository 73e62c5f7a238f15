"""The Gymnasium face: one agent at the table, the other seats played by named opponents."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.kernels import room_for_moves
from dreamfactory_env.engine.returns import check_shaping, payment, reward_named, standing
from dreamfactory_env.engine.rng import Seed, derive_seed, next_seed, random_below
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs import window
from dreamfactory_env.envs.cloning import check_clone, identity_of
from dreamfactory_env.envs.common import (
    RENDER_MODES,
    ObservationSpecMixin,
    check_env_options,
    check_reset_options,
    illegal_move,
    render,
)
from dreamfactory_env.games import game_named, new_game
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.policies import Policy
from dreamfactory_env.records.format import make_record
from dreamfactory_env.records.simulation import Seated, check_policies, note_move
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int

RESET_OPTIONS = ["seat", "opponents", "setup", "state"]


#: The label under which a seed gives the agent's seat.
SEAT = 1000


@jit
def seat_of_seed(seed: Seed, players: int) -> int:
    """Returns the seat that the agent has in the game of a seed, if it is drawn."""
    return random_below(derive_seed(seed, SEAT), 0, players)


def all_seats(kind: type[Game], opponents: list[str], seat: int) -> list[str]:
    """Returns a policy for every seat: the opponents, and one at the agent's that is not asked."""
    nobody = next(iter(kind.scripted))
    return [*opponents[:seat], nobody, *opponents[seat:]]


class SingleAgentEnv(ObservationSpecMixin, gymnasium.Env[Array, Any]):
    """One agent against opponents, who move within ``step`` and ``reset``.

    The observation is the game's own, float32; the mask of legal actions comes from
    :meth:`action_masks` and stands in every info as ``"action_mask"``. The reward is paid when the
    game is over, unless there is shaping, and the agent is asked only when it is its turn.

    Args:
        game: The game, or its name.
        opponents: Who plays the other seats: the name of one policy for all, or a list with one
            for each, in the order of the seats; see :func:`policy_named`.
        seat: Where the agent sits, or ``"random"``: drawn anew for each game.
        reward: ``"win"``, ``"rank"`` or ``"score"``.
        shaping: The weight of the potential by which points are paid as they come, see
            docs/environments.md; 0 pays at the end only.
        illegal: What an illegal action does: ``"lose"`` ends the game with -1 and
            ``info["illegal_action"]``; ``"raise"`` raises IllegalMove and changes nothing.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
        **options: The options of the game.

    Raises:
        GameError: An option is wrong.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012  (as Gymnasium has it)

    def __init__(
        self,
        game: str | type[Game],
        *,
        opponents: str | list[str] = "random",
        seat: str | int = "random",
        reward: str = "win",
        shaping: float = 0.0,
        illegal: str = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        kind = game_named(game)
        self.kind = kind
        self.game = new_game(kind, options)
        self.reward = reward_named(reward)
        self.shaping = check_shaping(shaping)
        check_env_options(illegal, render_mode)
        self.illegal = illegal
        self.render_mode = render_mode
        self._made: dict[str, Policy] = {}  # opponents that are not scripted, made once
        self.opponents = self._check_opponents(opponents)
        self.fixed_seat = self._check_seat(seat)
        self._next_seed: int | None = None
        self.identity = identity_of(self, self.game, reward, self.shaping)
        self.observation_space = self.observation_box()
        self.action_space = gymnasium.spaces.Discrete(kind.actions)
        self._buffer = np.empty(kind.actions, np.int32)
        self._room = room_for_moves(self.game.longest_game())
        self._sit_down(self.game, 0, self.opponents, self.fixed_seat or 0)
        self._over = True  # until reset() deals a game

    def _check_opponents(self, opponents: Any) -> list[str]:
        names = [opponents] if isinstance(opponents, str) else opponents
        texts = isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
        if not texts:
            raise OptionError(f"opponents must be a policy's name or a list of them: {opponents!r}")
        others = self.game.players - 1
        if len(names) not in (1, others):
            raise OptionError(f"{len(names)} opponents for {others} other seats")
        return check_policies(self.kind, names, self.game.players - 1)

    def _check_seat(self, seat: Any) -> int | None:
        drawn = isinstance(seat, str) and seat == "random"
        return None if drawn else self.game.check_seat(seat)

    # ------------------------------------------------------------------ the Gymnasium interface

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Deals a new game and lets the opponents move until it is the agent's turn.

        Args:
            seed: Where this game and those after it come from.
            options: For this game only: ``seat``, ``opponents``, and where the game starts:
                ``setup`` (of a record) or ``state`` (of ``game.save()``).

        Returns:
            What the agent sees, float32 (layout.size,), and an info with its mask.

        Raises:
            GameError: An option is wrong; the environment is as it was.
        """
        options = check_reset_options(options, RESET_OPTIONS)
        names = self.opponents
        if "opponents" in options:
            names = self._check_opponents(options["opponents"])
        chosen = self._check_seat(options["seat"]) if "seat" in options else self.fixed_seat
        number = check_seed(self._next_seed if seed is None else seed)
        game = self._start_game(number, options)
        seat = seat_of_seed(np.uint64(number), game.players) if chosen is None else chosen
        if "state" in options:
            self._check_turn_comes(game, number, names, seat)
        super().reset(seed=seed)
        self._next_seed = int(next_seed(np.uint64(number)))
        self._sit_down(game, number, names, seat)
        self._recorded = "state" not in options
        self._wait_for_turn()
        if self.render_mode == "human":
            self.render()
        return self.game.observe(self.seat), self._info()

    def _sit_down(self, game: Game, seed: int, names: list[str], seat: int) -> None:
        """Takes a seat at a game."""
        self.game, self._start = game, game.copy()
        self.seat = seat
        self._seed = seed
        self._names = names
        self._seated = self._others(names, seat)
        self._moves = 0
        self._standing = self._potential()
        self._mask = np.zeros(self.kind.actions, np.int8)
        self._recorded = True

    def _others(self, names: list[str], seat: int) -> Seated:
        """Returns the opponents around the agent's seat."""
        return Seated(self.kind, all_seats(self.kind, names, seat), self._made)

    def _check_turn_comes(self, game: Game, seed: int, names: list[str], seat: int) -> None:
        """Raises OptionError if a game that was saved ends before the agent's turn."""
        trial = game.copy()
        room = room_for_moves(game.longest_game())
        self._others(names, seat).play(trial, seed, room, 0, seat)
        if trial.over:
            raise OptionError(f"the saved game is over before seat {seat} has a turn")

    def _start_game(self, seed: int, options: dict[str, Any]) -> Game:
        """Returns the game that a reset asks for."""
        if "setup" in options and "state" in options:
            raise OptionError("setup and state both say where the game starts: give only one")
        if "setup" in options:
            return self.kind.from_setup(self.game.config(), options["setup"])
        if "state" in options:
            game = self.kind.load(options["state"])
            if game.config() != self.game.config():
                raise OptionError("the saved state is of a game with other options")
            return game
        return self.game.deal(seed)

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Plays an action of the agent, and the opponents' until it is the agent's turn again."""
        if self._over:
            raise OptionError("the game is over: call reset()")
        number = as_int(action)
        legal = number is not None and 0 <= number < len(self._mask) and bool(self._mask[number])
        if legal and number is not None:
            self._play(number)
            self._wait_for_turn()
        elif self.illegal == "raise":
            raise illegal_move(self.game, action)
        else:
            self._over = True
        before, self._standing = self._standing, 0.0 if self._over else self._potential()
        reward = self._standing - before
        if self._over:
            offender = None if legal else self.seat
            reward += float(payment(self.reward, self.game, offender)[self.seat])
        info = self._info()
        if not legal:
            info["illegal_action"] = action
        if self.render_mode == "human":
            self.render()
        return self.game.observe(self.seat), reward, self._over, False, info

    def _potential(self) -> float:
        """Returns what the position is worth to the agent on the way; 0 without shaping."""
        return float(standing(self.shaping, self.game)[self.seat]) if self.shaping else 0.0

    def _play(self, action: int) -> None:
        """Plays the agent's action, and notes it as the opponents' are noted."""
        note_move(self.game, self.seat, action, self._room, self._moves)
        self._moves += 1

    def _wait_for_turn(self) -> None:
        """Lets the opponents move, and looks up what the agent may do then."""
        game = self.game
        self._moves = self._seated.play(game, self._seed, self._room, self._moves, self.seat)
        count = game.loops.legal_at(game.states, 0, game.tables, self._buffer)
        self._mask = np.zeros(self.kind.actions, np.int8)
        self._mask[self._buffer[:count]] = 1
        self._over = count == 0

    def action_masks(self) -> Array:
        """Returns what the agent may do: int8 (actions,); all zero when the game is over."""
        return self._mask.copy() if not self._over else np.zeros_like(self._mask)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks(), "seat": self.seat}
        if self._over and self.game.over:
            info["scores"] = self.game.scores()
            info["winners"] = self.game.winners()
        return info

    def render(self) -> Any:
        """Returns the table as text or as a picture, or shows it in a window."""
        return render(self.game, self.seat, self.render_mode)

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self.render_mode == "human":
            window.close()

    # ------------------------------------------------------------------ records and copies

    def record(self, name: str = "agent") -> dict[str, Any]:
        """Returns the record of the game so far; the agent is called ``name`` in it.

        Raises:
            OptionError: The game went on from a saved state: nobody knows its first moves.
        """
        if not self._recorded:
            raise OptionError("a game that went on from a saved state has no record")
        noted = zip(*(column[: self._moves].tolist() for column in self._room), strict=True)
        moves = [[seat, action, self.game.words(code)] for seat, action, code in noted]
        agents = [*self._names[: self.seat], name, *self._names[self.seat :]]
        return make_record(self._start, self.game, self._start.seed, agents, moves)

    def clone_state(self) -> tuple[Any, ...]:
        """Returns the environment as it stands, for :meth:`restore_state`."""
        noted = tuple(column[: self._moves].copy() for column in self._room)
        start = (self._start, self.seat, self._seed, self._names, self._recorded)
        now = (self._moves, self._over, self._mask, self._standing, self._next_seed)
        return self.identity, self.game.states.tobytes(), noted, *start, *now

    def restore_state(self, clone: tuple[Any, ...]) -> None:
        """Goes back to where :meth:`clone_state` was called; a clone can be used again.

        Raises:
            SavedStateError: It is a clone of another environment; nothing has changed.
        """
        check_clone(clone, self.identity, 13)
        _, states, noted, *start_and_now = clone
        self._start, self.seat, self._seed, self._names, self._recorded, *now = start_and_now
        self._moves, self._over, self._mask, self._standing, self._next_seed = now
        self._seated = self._others(self._names, self.seat)
        self.game.states.view(np.uint8)[:] = np.frombuffer(states, np.uint8)
        for column, kept_column in zip(self._room, noted, strict=True):
            column[: self._moves] = kept_column
