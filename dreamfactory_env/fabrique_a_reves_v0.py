"""La Fabrique à rêves for PettingZoo: ``env()`` and ``raw_env()``, see docs/environments.md."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Unpack

from dreamfactory_env.envs.aec import RawEnv, wrapped_env
from dreamfactory_env.envs.options import AECOptions
from dreamfactory_env.envs.ordering import OrderedEnv
from dreamfactory_env.games.fabrique_a_reves.game import FabriqueAReves
from dreamfactory_env.games.fabrique_a_reves.vocabulary import Vocabulary


class EnvOptions(AECOptions, total=False):
    """The options of the environment, see :func:`env`."""

    players: int
    mode: Literal[
        "base",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "variant",
    ]
    level: int | None
    tools: list[str] | str | None
    minds: Literal["noisy", "same"]
    noise: int
    labels: Literal["mind", "list"]
    lexicon: Vocabulary | str | Path | None
    language: Literal["en", "fr"]
    reward: Literal["win", "score"] | None


def env(**options: Unpack[EnvOptions]) -> OrderedEnv[RawEnv[FabriqueAReves]]:
    """Returns La Fabrique à rêves as a PettingZoo AEC environment, with the usual wrappers.

    >>> from dreamfactory_env import fabrique_a_reves_v0
    >>> env = fabrique_a_reves_v0.env(players=3, mode="monday")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     mask = observation["action_mask"]
    ...     env.step(None if termination else env.action_space(agent).sample(mask))
    >>> env.unwrapped.game.over
    True

    The game is cooperative: all agents, ``player_0`` to ``player_4``, win or lose together. What
    ``last`` and ``observe`` return:

    - ``observation["observation"]``: what the player sees through its own mind, float32 (1581,), in
      the blocks of ``env.unwrapped.game.spec.observation``;
    - ``observation["action_mask"]``: 1 for each legal action, int8 (196,); all 0 for those who are
      not to move. It stands in ``info["action_mask"]``, too;
    - the reward, a float, paid when the game is over; the same for all.

    An action is a whole number from 0 to 195. ``state()`` is everything, float32 (n,).
    ``env.unwrapped.game`` is the game itself, a ``FabriqueAReves``.

    Args:
        **options: All may be left out.
            players: 2 to 5; 3 by default.
            mode: What is played: ``"base"`` (the default), one of the seven challenges
                ``"monday"``, ``"tuesday"``, ``"wednesday"``, ``"thursday"``, ``"friday"``,
                ``"saturday"`` and ``"sunday"``, or ``"variant"``.
            level: The level of the theme in ``base`` and ``variant``, 0 to 3; None, the default,
                is 1.
            tools: The tools of ``variant``: three of broom, doubt, dust, dust+2, spill and quill,
                or ``"drawn"``; None, the default, is ``"drawn"``.
            minds: Whether minds differ: ``"noisy"`` (the default) or ``"same"``.
            noise: How much noisy minds differ, 0 to 255; 24 by default.
            labels: What action numbers of dreams mean: places in the order of the writer's mind
                (``"mind"``, the default) or in the list of dreams (``"list"``).
            lexicon: Own words, or the path of their file; None for the standard ones.
            language: In which language words are shown, ``"en"`` (the default) or ``"fr"``.
            reward: What is paid at the end: ``"win"`` (1 or 0, the default) or ``"score"`` (the
                points / 20).
            shaping: 0.0: the game offers none, for nobody knows points before the end.
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
    return wrapped_env(FabriqueAReves, **options)


def raw_env(**options: Unpack[EnvOptions]) -> RawEnv[FabriqueAReves]:
    """Returns the environment without wrappers; its options are those of :func:`env`.

    Raises:
        GameError: An option is wrong.
    """
    return RawEnv(FabriqueAReves, **options)
