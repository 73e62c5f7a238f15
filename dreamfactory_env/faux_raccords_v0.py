"""Faux Raccords for PettingZoo: ``env()`` and ``raw_env()``, see docs/environments.md."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Unpack

from dreamfactory_env.envs.aec import RawEnv, wrapped_env
from dreamfactory_env.envs.options import AECOptions
from dreamfactory_env.envs.ordering import OrderedEnv
from dreamfactory_env.games.faux_raccords.components import Components
from dreamfactory_env.games.faux_raccords.game import FauxRaccords


class EnvOptions(AECOptions, total=False):
    """The options of the environment, see :func:`env`."""

    players: int
    mode: Literal["tutorial", "feature", "shorts", "series", "arcs", "studio"]
    memory: Literal["none", "perfect"]
    components: Components | str | Path | None
    reward: Literal["win", "score"] | None


def env(**options: Unpack[EnvOptions]) -> OrderedEnv[RawEnv[FauxRaccords]]:
    """Returns Faux Raccords as a PettingZoo AEC environment, with the usual wrappers.

    >>> from dreamfactory_env import faux_raccords_v0
    >>> env = faux_raccords_v0.env(players=3, mode="series")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     mask = observation["action_mask"]
    ...     env.step(None if termination else env.action_space(agent).sample(mask))
    >>> env.unwrapped.game.over
    True

    The game is cooperative: all agents, ``player_0`` to ``player_3``, win or lose together. What
    ``last`` and ``observe`` return:

    - ``observation["observation"]``: what the player sees, with the default options
      float32 (793,), in the blocks of ``env.unwrapped.game.spec.observation``. Its size
      depends on ``mode`` and ``memory``;
    - ``observation["action_mask"]``: 1 for each legal action, int8 (202,); all 0 for those who are
      not to move. It stands in ``info["action_mask"]``, too;
    - the reward, a float, paid when the game is over unless there is shaping; the same for all.

    An action is a whole number from 0 to 201. ``state()`` is everything, float32 (n,).
    ``env.unwrapped.game`` is the game itself, a ``FauxRaccords``.

    Args:
        **options: All may be left out.
            players: 2 to 4; 2 by default.
            mode: What is made: ``"tutorial"``, ``"feature"`` (the default), ``"shorts"``,
                ``"series"``, ``"arcs"`` or ``"studio"``.
            memory: What observations tell of cards that were seen before: ``"none"`` (nothing, the
                default) or ``"perfect"`` (those that could be followed since).
            components: Own components, or the path of their file; None for the standard ones.
            reward: What is paid at the end: ``"win"`` (1 or 0, the default) or ``"score"`` (0 to 1,
                by how near the Film is to a win).
            shaping: The weight by which points are paid as they come; 0.0 by default.
            illegal: What an illegal action does: ``"lose"`` (the default) ends the game, a loss for
                all; ``"raise"`` raises IllegalMove.
            render_mode: ``"ansi"`` (text), ``"rgb_array"`` (a picture, uint8 (height, width, 3)),
                ``"human"`` (a window) or None, the default.
            render_seat: Whose eyes see it: a seat, ``"all"`` for everything, or None, the default:
                the player to move.
            render_fps: How many pictures the window shows in a second; 2 by default.
            names: Who plays, one name for each seat, for pictures and records; None by default.

    Raises:
        GameError: An option is wrong.
    """
    return wrapped_env(FauxRaccords, **options)


def raw_env(**options: Unpack[EnvOptions]) -> RawEnv[FauxRaccords]:
    """Returns the environment without wrappers; its options are those of :func:`env`.

    Raises:
        GameError: An option is wrong.
    """
    return RawEnv(FauxRaccords, **options)
