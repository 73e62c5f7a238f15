"""The Gymnasium vector environment: one agent in each of many games, the others played inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.cloning import check_clone, identity_of
from dreamfactory_env.envs.common import (
    ObservationSpecMixin,
    check_actions,
    check_count,
    check_illegal,
    check_reset_options,
    others_of,
)
from dreamfactory_env.envs.learner import LearnerGames
from dreamfactory_env.games import new_game
from dreamfactory_env.games.batch import as_bytes
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int


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


class SingleAgentVectorEnv(ObservationSpecMixin, gymnasium.vector.VectorEnv[Array, Any, Array]):
    """Many games, in each of them one agent at a table of policies.

    Where all policies are scripted, a step is one compiled call; others are asked for all their
    games at once. Game i plays the same games as ``SingleAgentEnv`` does after
    ``reset(seed=seed + i)``. When games are over, ``infos`` has ``scores`` and ``won`` of every
    seat, (num_envs, players); ``_scores`` and ``_won`` mark their rows.

    Args:
        num_envs: How many games.
        autoreset_mode: ``NEXT_STEP`` (after the end any action will do: a new game begins),
            ``SAME_STEP`` (a new game begins at once, the last observation stands in
            ``infos["final_obs"]``) or ``DISABLED`` (the caller resets with a ``reset_mask``).
        copy: Whether observations and rewards are handed out as copies. Without, the arrays that
            the next step overwrites are, which is faster.
        game: The game, or its name.
        seat: Where the agent sits, or ``"random"``.
        render_mode: None; a game is drawn by ``game_at(i).picture(seat)``.
        **options: The other options of ``SingleAgentEnv``.

    Raises:
        GameError: An option is wrong.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str | type[Game],
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        seat: str | int = "random",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.num_envs = count = check_count(num_envs)
        if render_mode is not None:
            raise OptionError(
                f"a vector environment does not render; render_mode is {render_mode!r}"
            )
        self.render_mode = None
        self._mode = _mode_named(autoreset_mode)
        self._copy = copy
        self.metadata = {"autoreset_mode": self._mode, "render_modes": []}
        others, options = others_of(game, options)
        paying = {name: options.pop(name) for name in ("reward", "shaping") if name in options}
        self.illegal = options.pop("illegal", "lose")
        check_illegal(self.illegal)
        self.game = template = new_game(game, options)
        self.payoff = template.spec.payoff(**paying)
        self._games = LearnerGames(template, count, self.payoff, others, seat)
        self._batch = self._games.batch
        settings = (count, self._mode.name, self.payoff, *self._games.others)
        self.identity = identity_of(self, template, self._games.fixed_seat, *settings)
        self.single_observation_space = self.observation_box()
        self.single_action_space = gymnasium.spaces.Discrete(template.spec.num_actions)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self.seats = np.zeros(count, np.int64)
        self._masks = np.zeros_like(self._batch.masks)
        self._rewards = np.zeros(count, np.float64)
        self._scores = np.zeros((count, template.players), np.int64)
        self._won = np.zeros((count, template.players), np.int8)
        self._ended = np.zeros(count, np.bool_)
        self._dealt = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Deals all games, or those of ``options["reset_mask"]``.

        Args:
            seed: One for all (game i gets ``seed + i``) or one for each; without one each
                continues its own series.
            options: ``reset_mask``, bool (num_envs,).

        Returns:
            What the agents see, float32 (num_envs, size), and infos with masks and seats.

        Raises:
            OptionError: A seed or an option is wrong; no game has changed.
        """
        which = np.flatnonzero(self._reset_mask(check_reset_options(options, ["reset_mask"])))
        if seed is None and self._dealt:
            self._games.advance_seeds(which)
        else:
            self._batch.rows["seed"][which] = self._check_seeds(seed)[which]
        self._deal(which)
        self._dealt = True
        return self._handed_out(self._batch.observations), self._infos()

    def _reset_mask(self, options: dict[str, Any]) -> Array:
        """Returns which games a reset deals, bool (num_envs,)."""
        if "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            found = f"{mask.dtype} of shape {mask.shape}"
            raise OptionError(f"reset_mask must be bool of shape ({self.num_envs},), not {found}")
        if not self._dealt and not mask.all():
            raise OptionError("the first reset() deals all games; reset_mask leaves some out")
        return mask

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

    def _handed_out(self, array: Array) -> Array:
        return array.copy() if self._copy else array

    def _deal(self, which: Array) -> None:
        self._games.deal(which)
        self._ended[which] = False
        self._look(which)

    def _look(self, which: Array) -> None:
        """Takes over how some games stand."""
        self._masks[which] = self._batch.masks[which]
        self.seats[which] = self._games.seats[which]

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Plays an action of the agent in every game, and the others' after it.

        Raises:
            OptionError: The actions are of another shape, no whole numbers, or for games that must
                be reset first.
            IllegalMove: With ``illegal="raise"``, one of them is not legal. Then, too, no game has
                changed.
        """
        if not self._dealt:
            raise OptionError("nothing has been dealt: call reset() first")
        numbers = check_actions(actions, self.num_envs).astype(np.int64)
        if self._mode == AutoresetMode.DISABLED and self._ended.any():
            index = int(np.flatnonzero(self._ended)[0])
            raise OptionError(f"game {index} is over: reset it first, with a reset_mask")
        again = np.flatnonzero(self._ended)  # in NEXT_STEP: whatever was played, a game begins
        illegal = self._illegal(numbers)
        if len(illegal) and self.illegal == "raise":
            index = int(illegal[0])
            game = self.game_at(index)
            raise game.illegal_move(int(numbers[index]), where=f"game {index}: ")
        over = self._play(numbers, illegal, again)
        infos = self._step_infos(numbers, illegal, over)
        self._begin_games(again, over, infos)
        seen, rewards = (self._handed_out(a) for a in (self._batch.observations, self._rewards))
        return seen, rewards, over, np.zeros_like(over), {**self._infos(), **infos}

    def _illegal(self, actions: Array) -> Array:
        """Returns the games with an illegal action, int64 (k,)."""
        inside = (actions >= 0) & (actions < self._masks.shape[1])
        legal = self._masks[self._batch.every, np.where(inside, actions, 0)] > 0
        return np.flatnonzero(~(inside & legal) & ~self._ended)

    def _play(self, actions: Array, illegal: Array, skipped: Array) -> Array:
        """Plays the actions but for those of games that are skipped; returns which are over."""
        playing = np.ones(self.num_envs, np.bool_)
        playing[skipped] = False
        self._batch.end_illegally(illegal)
        playing[illegal] = False
        which = np.flatnonzero(playing)
        self._games.step(which, actions[which])
        self._look(which)
        rows = self._batch.rows
        self._rewards[:] = rows["reward"][self._batch.every, self.seats]
        self._rewards[skipped] = 0
        over: Array = rows["done"] > 0
        over[skipped] = False
        return over

    def _step_infos(self, actions: Array, illegal: Array, over: Array) -> dict[str, Any]:
        """Returns what the infos say of illegal actions and of games that are over."""
        infos: dict[str, Any] = {}
        fouls = np.zeros(self.num_envs, np.bool_)
        fouls[illegal] = True
        if len(illegal):
            infos |= {"illegal_action": actions, "_illegal_action": fouls}
        played_out = over & ~fouls
        if played_out.any():
            ended, players = self._batch.rows[played_out], self.game.players
            self._scores[played_out] = ended["points"][:, :players]
            self._won[played_out] = ended["won"][:, :players]
            for name, array in (("scores", self._scores), ("won", self._won)):
                infos[name], infos[f"_{name}"] = array.copy(), played_out
        return infos

    def _begin_games(self, again: Array, over: Array, infos: dict[str, Any]) -> None:
        """Deals new games as the mode says; adds what the ended ones leave to the infos."""
        ended = np.flatnonzero(over)
        if self._mode == AutoresetMode.SAME_STEP:
            if len(ended):
                infos["final_obs"] = np.zeros_like(self._batch.observations)
                infos["final_obs"][ended] = self._batch.observations[ended]
                infos["_final_obs"] = over.copy()
                infos["final_info"] = {"seat": self.seats.copy(), "_seat": over.copy()}
                self._games.advance_seeds(ended)
                self._deal(ended)
            return
        if len(again):
            self._games.advance_seeds(again)
            self._deal(again)
        self._ended[:] = over
        # In NEXT_STEP whatever is played next begins a new game.
        self._masks[ended] = self._mode == AutoresetMode.NEXT_STEP

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._masks.copy(), "seat": self.seats.copy()}

    def action_masks(self) -> Array:
        """Returns what the agents may do: int8 (num_envs, actions), a copy."""
        return self._masks.copy()

    def game_at(self, index: int) -> Game:
        """Returns a copy of one of the games, to read or to play on."""
        return self._batch.game_at(index)

    # ------------------------------------------------------------------ copies

    _CLONED = ("seats", "_masks", "_rewards", "_scores", "_won", "_ended")

    def clone_state(self) -> tuple[Any, ...]:
        """Returns everything as it stands, for :meth:`restore_state`."""
        own = {name: getattr(self, name).tobytes() for name in self._CLONED}
        return self.identity, self._batch.save(), own, self._dealt

    def restore_state(self, clone: tuple[Any, ...]) -> None:
        """Goes back to where :meth:`clone_state` was called; a clone can be used again.

        Raises:
            SavedStateError: It is a clone of another environment; nothing has changed.
        """
        check_clone(clone, self.identity, 4)
        _, arrays, own, self._dealt = clone
        self._batch.restore(arrays)
        for name, data in own.items():
            as_bytes(getattr(self, name))[:] = np.frombuffer(data, np.uint8)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._batch = self._games.batch
