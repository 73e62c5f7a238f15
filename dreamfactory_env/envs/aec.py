"""The PettingZoo environment: one game whose players are asked in turn."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, ClassVar, cast

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import AssertOutOfBoundsWrapper

from dreamfactory_env.engine.position import observe_cached_at, play_at, restore_at, turn_at
from dreamfactory_env.engine.rng import next_seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.engine.tables import NOBODY
from dreamfactory_env.engine.templates import entry_point
from dreamfactory_env.envs.cloning import check_clone, identity_of
from dreamfactory_env.envs.common import GameT, ObservationSpecMixin, check_illegal, check_names
from dreamfactory_env.envs.ordering import OrderedEnv
from dreamfactory_env.envs.rendering import RENDER_MODES, Renderer, take_render_options
from dreamfactory_env.games import new_game
from dreamfactory_env.games.game import SEED_BYTES, check_seed
from dreamfactory_env.games.saving import LiveBytes, read_state
from dreamfactory_env.records.format import make_record
from dreamfactory_env.utils.validation import as_int


class RawEnv(ObservationSpecMixin[GameT], AECEnv):  # type: ignore[misc]
    """A game as an AEC environment, without wrappers.

    The order of the agents is the game's own. Rewards come at the end, to all at once, unless there
    is shaping, and all agents terminate together. The mask of legal actions stands in the
    observation and in the infos of the agent to move; for the others it is zero.

    Args:
        game: The game, or its name.
        reward: One of the game's rewards, see ``engine.returns``; its default if None.
        shaping: The weight of the potential by which points are paid as they come, see
            docs/environments.md; 0 pays at the end only.
        illegal: What an illegal action does: ``"lose"`` ends the game, -1 for the offender, the
            others sharing +1 (in a shared game -1 for all), and ``infos[agent]["illegal_action"]``
            says what it was and whose; ``"raise"`` raises IllegalMove and changes nothing.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
        names: Who plays, one name for each seat; pictures and records show them.
        **options: The options of the game, and how it is shown, see ``RenderOptions``.

    Raises:
        GameError: An option is wrong.
    """

    metadata: ClassVar[dict[str, Any]]

    def __init__(
        self,
        game: str | type[GameT],
        *,
        reward: str | None = None,
        shaping: float = 0.0,
        illegal: str = "lose",
        render_mode: str | None = None,
        names: Sequence[str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        check_illegal(illegal)
        rendering, options = take_render_options(options)
        self.game = cast(GameT, new_game(game, options))
        spec = self.game.spec
        self.payoff = spec.payoff(reward, shaping)
        self._renderer = Renderer(self.game, render_mode, rendering)
        self.metadata = {  # type: ignore[misc]
            "name": f"{spec.name}_{spec.version}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": self._renderer.fps,
        }
        self.render_mode = render_mode
        self.names = None if names is None else check_names(names, self.game.players)
        self._illegal = illegal
        self.identity = identity_of(self, self.game, self.payoff)
        self._next_seed: int | None = None
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        masks = gymnasium.spaces.Box(0, 1, (spec.num_actions,), np.int8)
        spaces: dict[str, gymnasium.spaces.Space[Any]] = {
            "observation": self.observation_box(),
            "action_mask": masks,
        }
        self._observation_spaces = {
            agent: gymnasium.spaces.Dict(spaces) for agent in self.possible_agents
        }
        self._action_spaces = {
            agent: gymnasium.spaces.Discrete(spec.num_actions) for agent in self.possible_agents
        }
        seen = spec.observation
        self._size = seen.size
        low, high = self._spread_state(seen.low(), -1.0), self._spread_state(seen.high(), 1.0)
        self.state_space = gymnasium.spaces.Box(low, high, dtype=np.float32)
        self._buffer = np.empty(spec.num_actions, np.int32)
        self._mask = np.zeros(spec.num_actions, np.int8)
        self._nothing = np.zeros(spec.num_actions, np.int8)
        self._nothing.flags.writeable = False
        self._link()
        self._begin(self.game)
        self.agents: list[str] = []  # until reset() nobody plays

    def _link(self) -> None:
        """Looks up what is compiled for the game, once: that takes longer than a call."""
        game, seat, action, out = self.game, 0, 0, np.empty(self._size, np.float32)
        self._observed = np.zeros(1, game.kernels.cache_dtype)
        there, room = (game.states, 0, game.params), (self._buffer, self._mask)
        saved = np.frombuffer(game.states.tobytes(), game.states.dtype)

        def compiled(function: Any, *given: Any) -> Any:
            return entry_point(function, game.kernels, *there, *given)

        self._turn_at = compiled(turn_at, *room)
        self._play_at = compiled(play_at, action, *room)
        self._restore_at = compiled(restore_at, saved, *room)
        self._observe_at = compiled(observe_cached_at, seat, self._observed, out)

    # ------------------------------------------------------------------ the AEC interface

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the observation space of an agent, the same object each time."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the action space of an agent, the same object each time."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new game.

        Args:
            seed: Where the shuffles come from. Without one, the games go on in a series that the
                last seed determines; a first game without one is drawn at random.
            options: Not used; the interface has it.
        """
        number = check_seed(self._next_seed if seed is None else seed)
        self._next_seed = int(next_seed(np.uint64(number)))
        self._begin(self.game.deal(number))
        if self.render_mode == "human":
            self.render()

    def _begin(self, game: GameT) -> None:
        """Sits everybody down at a game that has just been dealt."""
        self.game, self._start = game, game.copy()
        self._actions = array("i")  # copied faster than a list
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._idle() for agent in self.agents}
        self._skip_agent_selection: str | None = None  # PettingZoo's, while agents leave
        self._offence: tuple[str, Any] | None = None  # whose illegal action has ended the game
        self._ask(self._turn_at(game.states, 0, game.params, self._buffer, self._mask))

    def _idle(self) -> dict[str, Any]:
        """Returns the info of an agent who is not to move."""
        return {"action_mask": self._nothing.copy()}

    def _ask(self, seat: int) -> None:
        """Says whose turn it is, and what that player may do."""
        self.agent_selection = agent = self.possible_agents[seat]
        self.infos[agent] = {"action_mask": self._mask.copy()}

    def observe(self, agent: str) -> dict[str, Array]:
        """Returns what an agent sees, and its mask: float32 (size,) and int8 (actions,)."""
        mine = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = self._mask.copy() if mine else self._nothing.copy()
        return {"observation": self._observation(self._seats[agent]), "action_mask": mask}

    def _observation(self, seat: int) -> Array:
        """Returns what a seat sees, float32 (size,)."""
        game, out = self.game, np.empty(self._size, np.float32)
        self._observe_at(game.states, 0, game.params, seat, self._observed, out)
        return out

    def state(self) -> Array:
        """Returns everything, hidden things included: float32, as ``state_spec`` describes it."""
        game, size = self.game, self.game.spec.observation.size
        out = np.empty(self.state_space.shape, np.float32)
        for seat in range(game.players):
            out[seat * size : (seat + 1) * size] = self._observation(seat)
        out[game.players * size :] = game.states.view(np.int8)[SEED_BYTES:] / np.float32(128)
        return out

    def state_spec(self) -> dict[str, slice]:
        """Returns where the parts of ``state()`` stand.

        First what each agent sees, under its name, as ``observation_spec`` describes it. Then all
        fields of the game's record except the seed, each byte divided by 128: what nobody sees,
        such as the order of the tiles to come, is there.
        """
        size = self.game.spec.observation.size
        parts = {agent: slice(k * size, (k + 1) * size) for agent, k in self._seats.items()}
        start = self.game.players * size - SEED_BYTES
        fields = dict(self.game.states.dtype.fields or {})
        for name, (dtype, offset, *_) in fields.items():
            if name != "seed":
                parts[name] = slice(start + offset, start + offset + dtype.itemsize)
        return parts

    def _spread_state(self, of_observation: Array, of_byte: float) -> Array:
        """Returns a bound for each number of ``state()``."""
        bytes_ = np.full(self.game.states.nbytes - SEED_BYTES, of_byte, np.float32)
        return np.concatenate([of_observation] * self.game.players + [bytes_])

    def step(self, action: Any) -> None:
        """Plays an action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = as_int(action)
        if number is not None and 0 <= number < len(self._mask) and self._mask[number]:
            self._play(agent, number)
        elif self._illegal == "raise":
            raise self.game.illegal_move(action)
        else:
            returns = self.game.returns(self.payoff, self._seats[agent])
            self._end(agent, returns - self._potentials())
            self._offence = agent, action
            self.infos[agent]["illegal_action"] = action
        if self.render_mode == "human":
            self.render()

    def _play(self, agent: str, action: int) -> None:
        """Plays a legal action, pays, and asks the next player."""
        game, shaped = self.game, self.payoff.shaping > 0
        before = self._potentials() if shaped else 0.0
        seat = self._play_at(game.states, 0, game.params, action, self._buffer, self._mask)
        self._actions.append(action)
        if seat == NOBODY:
            self._end(agent, game.returns(self.payoff) - before)
            return
        if shaped:
            self._pay(agent, game.potentials(self.payoff) - before)
        self.infos[agent] = self._idle()
        self._ask(seat)

    def _potentials(self) -> Array | float:
        """Returns what the position is worth to each seat on the way; 0 without shaping."""
        return self.game.potentials(self.payoff) if self.payoff.shaping > 0 else 0.0

    def _end(self, mover: str, amounts: Array) -> None:
        """Pays every agent, and ends the game."""
        self._pay(mover, amounts)
        for agent in self.agents:
            self.terminations[agent] = True
            self.infos[agent] = self._idle()

    def _pay(self, mover: str, amounts: Array) -> None:
        """Pays every agent, after the mover has been told what it was paid before."""
        self._cumulative_rewards[mover] = 0.0
        for agent in self.agents:
            self.rewards[agent] = float(amounts[self._seats[agent]])
        self._accumulate_rewards()

    # ------------------------------------------------------------------ for people

    def action_to_string(self, action: int) -> str:
        """Returns the words of an action that is legal now.

        Raises:
            IllegalMove: It is not.
        """
        return self.game.action_to_string(action)

    def record(self, agents: list[str] | None = None) -> dict[str, Any]:
        """Returns the record of the game so far, as docs/records.md describes it.

        Args:
            agents: Who plays, one name for each seat; if not given, the ``names`` of the
                environment, or else the agents' own.

        Raises:
            OptionError: There are not as many names as players.
        """
        names = check_names(agents or self.names or self.possible_agents, self.game.players)
        return make_record(self._start, self._actions.tolist(), names)

    def render(self) -> Array | str | None:
        """Returns the table as text or as a picture, or shows it in a window."""
        return self._renderer.render(
            self.game,
            self._seats[self.agent_selection],
            self.metadata["render_fps"],
            start=self._start,
            actions=self._actions,
            names=self.names,
        )

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._renderer.close()

    # ------------------------------------------------------------------ copies

    def clone_state(self) -> tuple[Any, ...]:
        """Returns the position as it is now, for :meth:`restore_state`."""
        where = (self.agent_selection, self._skip_agent_selection, self._offence)
        lists = (self._actions[:], self.agents[:])
        paid = (self.rewards.copy(), self._cumulative_rewards.copy())
        ended = (self.terminations.copy(), self.truncations.copy())
        series = (self._start, self._next_seed)
        saved = LiveBytes(self.game.states.tobytes())
        return self.identity, saved, where, lists, paid, ended, series

    def restore_state(self, clone: tuple[Any, ...]) -> None:
        """Goes back to a position that :meth:`clone_state` returned; it can be used again.

        Raises:
            SavedStateError: It is a clone of another environment, or comes from another process and
                cannot be one; nothing has changed.
        """
        check_clone(clone, self.identity, 7)
        _, states, where, (actions, agents), (rewards, cumulative), ended, series = clone
        if not isinstance(states, LiveBytes):
            read_state(self.game, states)
        self.agent_selection, self._skip_agent_selection, self._offence = where
        self._start, self._next_seed = series
        game, mask, idle = self.game, self._mask, self._nothing.copy
        saved = np.frombuffer(states, game.states.dtype)
        self._restore_at(game.states, 0, game.params, saved, self._buffer, mask)
        self._actions, self.agents = actions[:], agents[:]
        self.rewards, self._cumulative_rewards = rewards.copy(), cumulative.copy()
        self.terminations, self.truncations = ended[0].copy(), ended[1].copy()
        self.infos = {agent: {"action_mask": idle()} for agent in self.terminations}
        if not self.terminations.get(self.agent_selection, True):
            self.infos[self.agent_selection]["action_mask"] = mask.copy()
        elif self._offence is not None and self._offence[0] in self.infos:
            self.infos[self._offence[0]]["illegal_action"] = self._offence[1]

    def __getstate__(self) -> dict[str, Any]:
        linked = ("_turn_at", "_play_at", "_restore_at", "_observe_at", "_observed")
        return {name: value for name, value in vars(self).items() if name not in linked}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._link()


def wrapped_env(game: str | type[GameT], **options: Any) -> OrderedEnv[RawEnv[GameT]]:
    """Returns a game as an AEC environment with the usual wrappers.

    An action that is no number of the action space fails an assertion, and so does what is out of
    order; an illegal action loses the game, which the environment itself sees to.

    Args:
        game: The game, or its name.
        **options: Those of :class:`RawEnv`.
    """
    return OrderedEnv(AssertOutOfBoundsWrapper(RawEnv(game, **options)))
