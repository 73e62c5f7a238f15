"""The Gymnasium environment: one agent at the table, the other seats played by named policies."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import gymnasium
import numpy as np

from dreamfactory_env.engine.rng import next_seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.cloning import check_clone, identity_of
from dreamfactory_env.envs.common import (
    GameT,
    ObservationSpecMixin,
    check_illegal,
    check_reset_options,
    others_of,
)
from dreamfactory_env.envs.learner import LearnerGames
from dreamfactory_env.envs.rendering import (
    RENDER_FPS,
    RENDER_MODES,
    Renderer,
    take_render_options,
)
from dreamfactory_env.games import new_game
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.records.format import make_record
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int


class Beginning(NamedTuple):
    """How a game of the environment began, which does not change before the next one.

    Attributes:
        start: The game before its first move.
        seat: Where the agent sits.
        others: The policies of the other seats.
        recorded: Whether all moves from ``start`` on are known.
    """

    start: Game
    seat: int
    others: list[str]
    recorded: bool


class SingleAgentEnv(ObservationSpecMixin[GameT], gymnasium.Env[Array, Any]):
    """One agent at a table of policies, who move within ``step`` and ``reset``.

    The observation is the game's own, float32; the mask of legal actions comes from
    :meth:`action_masks` and stands in every info as ``"action_mask"``. The reward is paid when the
    game is over, unless there is shaping, and the agent is asked only when it is its turn.

    Args:
        game: The game, or its name.
        seat: Where the agent sits, or ``"random"``: drawn anew for each game.
        reward: One of the game's rewards; its default if None.
        shaping: The weight of the potential by which points are paid as they come, see
            docs/environments.md; 0 pays at the end only.
        illegal: What an illegal action does: ``"lose"`` ends the game with -1 and
            ``info["illegal_action"]``; ``"raise"`` raises IllegalMove and changes nothing.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
        **options: The options of the game; how it is shown, see ``RenderOptions``; and who plays
            the other seats: ``opponents`` in a zero-sum game, ``partners`` in a shared one; the
            name of one policy for all, or a list with one for each, in the order of the seats; see
            ``policy_named``.

    Raises:
        GameError: An option is wrong.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012  (Gymnasium's)

    def __init__(
        self,
        game: str | type[GameT],
        *,
        seat: str | int = "random",
        reward: str | None = None,
        shaping: float = 0.0,
        illegal: str = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        rendering, options = take_render_options(options)
        others, options = others_of(game, options)
        template = cast(GameT, new_game(game, options))
        self.payoff = template.spec.payoff(reward, shaping)
        check_illegal(illegal)
        self.illegal = illegal
        self.render_mode = render_mode
        self._renderer = Renderer(template, render_mode, rendering)
        self.metadata = {**self.metadata, "render_fps": self._renderer.fps}
        self._games = LearnerGames(template, 1, self.payoff, others, seat, keep_moves=True)
        self._game: GameT | None = template  # as it stands, None until somebody asks for it
        self.identity = identity_of(self, template, self.payoff)
        self.observation_space = self.observation_box()
        self.action_space = gymnasium.spaces.Discrete(template.spec.num_actions)
        self.seat = self._games.fixed_seat or 0
        self._next_seed: int | None = None
        self._began = Beginning(template, self.seat, self._games.others, recorded=True)
        self._over = True  # until reset() deals a game

    @property
    def game(self) -> GameT:  # type: ignore[override]
        """The game as it stands, a copy: to play it changes nothing here."""
        if self._game is None:
            self._game = cast(GameT, self._games.batch.game_at(0))
        return self._game

    @property
    def others(self) -> list[str]:
        """The policies of the other seats, unless a reset says otherwise."""
        return self._games.others

    # ------------------------------------------------------------------ the Gymnasium interface

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Deals a new game and lets the others move until it is the agent's turn.

        Args:
            seed: Where this game and those after it come from.
            options: For this game only: ``seat``, ``opponents`` or ``partners``, and where the
                game starts: ``setup`` (of a record) or ``state`` (of ``game.save()``).

        Returns:
            What the agent sees, float32 (size,), and an info with its mask.

        Raises:
            GameError: An option is wrong; the environment is as it was.
        """
        games, word = self._games, self.game.spec.others
        options = check_reset_options(options, ["seat", word, "setup", "state"])
        names = games.check_others(options[word]) if word in options else games.others
        chosen = games.check_seat(options["seat"]) if "seat" in options else games.fixed_seat
        number = check_seed(self._next_seed if seed is None else seed)
        given = self._given_game(options)
        before = games.batch.save()
        games.sit_down(names, chosen)
        if given is None:
            number = self._deal(number)
        else:
            saved = given.potentials(self.payoff) if "state" in options else None
            if not games.start(given, number, saved):
                games.batch.restore(before)
                seat = chosen if chosen is not None else "the agent"
                raise OptionError(f"the saved game is over before seat {seat} has a turn")
        super().reset(seed=seed)
        self._next_seed = int(next_seed(np.uint64(number)))
        start = games.game.deal(number) if given is None else given
        self.seat = int(games.seats[0])
        self._began = Beginning(start, self.seat, names, "state" not in options)
        self._look()
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def _given_game(self, options: dict[str, Any]) -> GameT | None:
        """Returns the game that the options of a reset start from, None to deal one."""
        if "setup" in options and "state" in options:
            raise OptionError("setup and state both say where the game starts: give only one")
        if "setup" in options:
            return type(self.game).from_setup(self.game.config(), options["setup"])
        if "state" not in options:
            return None
        game = type(self.game).load(options["state"])
        if game.config() != self.game.config():
            raise OptionError("the saved state is of a game with other options")
        return game

    def _deal(self, seed: int) -> int:
        """Deals the game of a seed, or the first after it in which the agent has a turn."""
        rows = self._games.batch.rows
        rows["seed"] = seed
        self._games.deal(self._games.batch.every)
        return int(rows["seed"][0])

    def _look(self) -> None:
        """Takes over how the game stands."""
        self._game = None
        self._over = bool(self._games.batch.rows["done"][0])

    def _observation(self) -> Array:
        seen: Array = self._games.batch.observations[0].copy()
        return seen

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Plays an action of the agent, and the others' until it is the agent's turn again."""
        if self._over:
            raise OptionError("the game is over: call reset()")
        number = as_int(action)
        games = self._games
        mask = games.batch.masks[0]
        legal = number is not None and 0 <= number < len(mask) and mask[number] > 0
        if legal:
            games.step(games.batch.every, np.array([number]))
            self._look()
        elif self.illegal == "raise":
            raise self.game.illegal_move(action)
        else:
            games.batch.end_illegally(games.batch.every)
            self._over = True
        reward = float(games.batch.rows["reward"][0, self.seat])
        info = self._info()
        if not legal:
            info["illegal_action"] = action
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, self._over, False, info

    def action_masks(self) -> Array:
        """Returns what the agent may do: int8 (actions,); all zero when the game is over."""
        mask: Array = self._games.batch.masks[0]
        return np.zeros_like(mask) if self._over else mask.copy()

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks(), "seat": self.seat}
        if self._over and self.game.over:
            info["scores"] = self.game.scores()
            info["winners"] = self.game.winners()
        return info

    def render(self) -> Any:
        """Returns the table as text or as a picture, or shows it in a window."""
        return self._renderer.render(
            self.game,
            self.seat,
            self.metadata["render_fps"],
            start=self._began.start,
            actions=self._played(),
            names=self._seated("agent"),
        )

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._renderer.close()

    # ------------------------------------------------------------------ records and copies

    def record(self, name: str = "agent") -> dict[str, Any]:
        """Returns the record of the game so far; the agent is called ``name`` in it.

        Raises:
            OptionError: The game was started from a saved state: nobody knows its first moves.
        """
        if not self._began.recorded:
            raise OptionError("a game that went on from a saved state has no record")
        return make_record(self._began.start, self._played(), self._seated(name))

    def _played(self) -> Array:
        """Returns the actions since the start, int32 (n,)."""
        batch = self._games.batch
        actions: Array = batch.actions[0, : int(batch.rows["moves"][0])]
        return actions

    def _seated(self, name: str) -> list[str]:
        """Returns who plays at each seat; the agent is called ``name``."""
        _, seat, names, _ = self._began
        return [*names[:seat], name, *names[seat:]]

    def clone_state(self) -> tuple[Any, ...]:
        """Returns the environment as it stands, for :meth:`restore_state`."""
        return self.identity, self._games.batch.save(), self._began, self._over, self._next_seed

    def restore_state(self, clone: tuple[Any, ...]) -> None:
        """Goes back to where :meth:`clone_state` was called; a clone can be used again.

        Raises:
            SavedStateError: It is a clone of another environment; nothing has changed.
        """
        check_clone(clone, self.identity, 5)
        _, saved, began, self._over, self._next_seed = clone
        self._games.batch.restore(saved)
        if began is not self._began:  # another game, maybe of an environment with other codes
            self._began = Beginning(*began)
            self.seat = began.seat
            self._games.write_lineup(began.others, began.seat)
        self._game = None
