"""Dream Factory for PettingZoo: ``env()`` and ``raw_env()``, see docs/environments.md."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Unpack

from dreamfactory_env.envs.aec import RawEnv, wrapped_env
from dreamfactory_env.envs.options import AECOptions
from dreamfactory_env.envs.ordering import OrderedEnv
from dreamfactory_env.games.dream_factory.components import Components
from dreamfactory_env.games.dream_factory.game import DreamFactory


class EnvOptions(AECOptions, total=False):
    """The options of the environment, see :func:`env`."""

    players: int
    edition: Literal["dream_factory", "traumfabrik"]
    hidden_money: Literal["rule", "never", "always"]
    choose_studio: bool
    components: Components | str | Path | None
    reward: Literal["win", "rank", "score"] | None


def env(**options: Unpack[EnvOptions]) -> OrderedEnv[RawEnv[DreamFactory]]:
    """Returns Dream Factory as a PettingZoo AEC environment, with the usual wrappers.

    >>> from dreamfactory_env import dream_factory_v0
    >>> env = dream_factory_v0.env(players=3, hidden_money="always")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     mask = observation["action_mask"]
    ...     env.step(None if termination else env.action_space(agent).sample(mask))
    >>> env.unwrapped.game.over
    True

    The agents are ``player_0`` to ``player_4``. What ``last`` and ``observe`` return:

    - ``observation["observation"]``: what the player sees, float32 (975,), in the blocks of
      docs/dream_factory/observation.md;
    - ``observation["action_mask"]``: 1 for each legal action, int8 (120,); all 0 for those who are
      not to move. It stands in ``info["action_mask"]``, too;
    - the reward, a float, paid when the game is over unless there is shaping; rewards sum to 0.

    An action is a whole number from 0 to 119, see docs/dream_factory/actions.md. ``state()`` is
    everything, float32 (n,). ``env.unwrapped.game`` is the game itself, a ``DreamFactory``.

    Args:
        **options: All may be left out.
            players: 2 to 5; 4 by default.
            edition: ``"dream_factory"`` (2009, the default) or ``"traumfabrik"`` (2000).
            hidden_money: Whether the others' money is hidden: ``"rule"`` (with three or more
                players, the default), ``"never"`` or ``"always"``.
            choose_studio: Whether the players choose their studios; False by default.
            components: Own components, or the path of their file; None for the standard ones.
            reward: What is paid at the end: ``"win"`` (the default), ``"rank"`` or ``"score"``.
            shaping: The weight by which points are paid as they come; 0.0 by default.
            illegal: What an illegal action does: ``"lose"`` (the default) ends the game, a loss for
                who played it; ``"raise"`` raises IllegalMove.
            render_mode: ``"ansi"`` (text), ``"rgb_array"`` (a picture, uint8 (height, width, 3)),
                ``"human"`` (a window) or None, the default.
            render_seat: Whose eyes see it: a seat, ``"all"`` for everything, or None, the default:
                the player to move.
            render_fps: How many pictures the window shows in a second; 2 by default.
            names: Who plays, one name for each seat, for pictures and records; None by default.

    Raises:
        GameError: An option is wrong.
    """
    return wrapped_env(DreamFactory, **options)


def raw_env(**options: Unpack[EnvOptions]) -> RawEnv[DreamFactory]:
    """Returns the environment without wrappers; its options are those of :func:`env`.

    Raises:
        GameError: An option is wrong.
    """
    return RawEnv(DreamFactory, **options)
