"""The Gymnasium face: one agent at the table, the other seats played by named opponents."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from dreamfactory_env.checking import as_int, did_you_mean
from dreamfactory_env.compiling import jit
from dreamfactory_env.envs import window
from dreamfactory_env.envs.faces import RENDER_MODES, check_face, illegal_move, render
from dreamfactory_env.envs.rewards import payment, reward_named
from dreamfactory_env.errors import OptionError
from dreamfactory_env.games import game_named
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.layout import Array
from dreamfactory_env.loops import room_for_moves
from dreamfactory_env.randomness import Seed, derive_seed, next_seed, random_below
from dreamfactory_env.records import make_record
from dreamfactory_env.simulation import check_policies

RESET_OPTIONS = ["seat", "opponents", "setup", "state"]


#: The label under which a seed gives the agent's seat.
SEAT = 1000


@jit
def seat_of_seed(seed: Seed, players: int) -> int:
    """Returns the seat that the agent has in the game of a seed, if it is drawn."""
    return random_below(derive_seed(seed, SEAT), 0, players)


def seated_around(kind: type[Game], opponents: list[str], seat: int) -> tuple[Array, Array]:
    """Returns codes and constants of the opponents around the agent's seat, for ``loops.play``.

    At the seat itself stands a policy that is never asked.
    """
    nobody = next(iter(kind.scripted))
    return kind.scripted_seats([*opponents[:seat], nobody, *opponents[seat:]])


class SoloEnv(gymnasium.Env[Array, Any]):
    """One agent against opponents, who move within ``step`` and ``reset``.

    The observation is the game's own, float32; the mask of legal actions comes from
    :meth:`action_masks` and stands in every info as ``"action_mask"``. The reward is paid when the
    game is over, and the agent is asked only when it is its turn.

    Args:
        game: The name of the game.
        opponents: Who plays the other seats: one policy for all, or a list with one for each.
        seat: Where the agent sits, or ``"random"``: drawn anew for each game.
        reward: ``"win"``, ``"rank"`` or ``"score"``.
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
        game: str = "dream_factory",
        *,
        opponents: str | list[str] = "random",
        seat: str | int = "random",
        reward: str = "win",
        illegal: str = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        kind = game_named(game)
        self._kind = kind
        self._options = options
        self.game: Game = kind(seed=0, **options)  # type: ignore[call-arg]
        self.reward = reward_named(reward)
        check_face(illegal, render_mode)
        self.illegal = illegal
        self.render_mode = render_mode
        self.opponents = self._check_opponents(opponents)
        self.fixed_seat = self._check_seat(seat)
        self._next_seed: int | None = None
        layout = kind.layout
        self.observation_space = gymnasium.spaces.Box(layout.low(), layout.high(), dtype=np.float32)
        self.action_space = gymnasium.spaces.Discrete(kind.actions)
        self._buffer = np.empty(kind.actions, np.int32)
        self._room = room_for_moves(self.game.longest_game())
        self._over = True

    def _check_opponents(self, opponents: Any) -> list[str]:
        names = [opponents] if isinstance(opponents, str) else list(opponents)
        return check_policies(self._kind, names, self.game.players - 1)

    def _check_seat(self, seat: Any) -> int | None:
        return None if seat == "random" else self.game.check_seat(seat)

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
        super().reset(seed=seed)
        options = options or {}
        for key in options:
            if key not in RESET_OPTIONS:
                hint = did_you_mean(key, RESET_OPTIONS)
                known = ", ".join(RESET_OPTIONS)
                raise OptionError(f"unknown option {key!r} of reset; known are {known}{hint}")
        names = self._check_opponents(options.get("opponents", self.opponents))
        chosen = self._check_seat(options["seat"]) if "seat" in options else self.fixed_seat
        number = check_seed(self._next_seed if seed is None else seed)
        game = self._start_game(number, options)
        self._next_seed = int(next_seed(np.uint64(number)))
        self.game, self._start = game, game.copy()
        self.seat = seat_of_seed(np.uint64(number), game.players) if chosen is None else chosen
        self._stream = np.uint64(number)
        self._names = names
        self._seated = seated_around(self._kind, names, self.seat)
        self._moves = 0
        self._wait_for_turn()
        return self.game.observe(self.seat), self._info()

    def _start_game(self, seed: int, options: dict[str, Any]) -> Game:
        """Returns the game that a reset asks for."""
        if "setup" in options and "state" in options:
            raise OptionError("setup and state both say where the game starts: give only one")
        if "setup" in options:
            return self._kind.from_setup(self.game.config(), options["setup"])
        if "state" in options:
            game = self._kind.load(options["state"])
            if game.config() != self.game.config():
                raise OptionError("the saved state is of a game with other options")
            return game
        return self._kind(seed=seed, **self._options)  # type: ignore[call-arg]

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
        reward = 0.0
        if self._over:
            offender = None if legal else self.seat
            reward = float(payment(self.reward, self.game, offender)[self.seat])
        info = self._info()
        if not legal:
            info["illegal_action"] = action
        if self.render_mode == "human":
            self.render()
        return self.game.observe(self.seat), reward, self._over, False, info

    def _play(self, action: int) -> None:
        """Plays the agent's action, and notes it as the loops note the opponents'."""
        seats, actions, meanings = self._room
        here = slice(self._moves, self._moves + 1)
        seats[here], actions[here] = self.seat, action
        loops, game = self.game.loops, self.game
        loops.meanings_at(game.states, 0, game.tables, actions[here], 1, meanings[here])
        loops.apply_at(game.states, 0, game.tables, action)
        self._moves += 1

    def _wait_for_turn(self) -> None:
        """Lets the opponents move, and looks up what the agent may do then."""
        loops, game = self.game.loops, self.game
        self._moves = loops.play(
            game.states,
            0,
            game.tables,
            *self._seated,
            self._stream,
            self._buffer,
            *self._room,
            self._moves,
            self.seat,
        )
        count = loops.legal_at(game.states, 0, game.tables, self._buffer)
        self._mask = np.zeros(self._kind.actions, np.int8)
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
        """Returns the record of the game so far; the agent is called ``name`` in it."""
        noted = zip(*(column[: self._moves].tolist() for column in self._room), strict=True)
        moves = [[seat, action, self.game.words(code)] for seat, action, code in noted]
        agents = [*self._names[: self.seat], name, *self._names[self.seat :]]
        return make_record(self._start, self.game, self._start.seed, agents, moves)

    def clone_state(self) -> tuple[Any, ...]:
        """Returns the environment as it stands, for :meth:`restore_state`."""
        noted = tuple(column[: self._moves].copy() for column in self._room)
        kept = (self._start, self.seat, self._stream, self._names, self._moves, self._over)
        return self.game.states.tobytes(), self._mask, self._next_seed, noted, *kept

    def restore_state(self, clone: tuple[Any, ...]) -> None:
        """Goes back to where :meth:`clone_state` was called; a clone can be used again."""
        states, self._mask, self._next_seed, noted, *kept = clone
        self._start, self.seat, self._stream, self._names, self._moves, self._over = kept
        self._seated = seated_around(self._kind, self._names, self.seat)
        self.game = self._start.copy()
        self.game.states = np.frombuffer(bytearray(states), self.game.states.dtype)
        for column, kept_column in zip(self._room, noted, strict=True):
            column[: self._moves] = kept_column
