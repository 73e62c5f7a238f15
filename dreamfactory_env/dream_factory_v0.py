"""Dream Factory for PettingZoo.

    from dreamfactory_env import dream_factory_v0

    env = dream_factory_v0.env(players=4)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None
        if not termination:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

The options are those of ``DreamFactory`` (``players``, ``edition``, ``hidden_money``,
``choose_studio``, ``components``) and of ``RawEnv`` (``reward``, ``illegal``, ``render_mode``).
"""

from __future__ import annotations

from typing import Any

from pettingzoo.utils import AssertOutOfBoundsWrapper

from dreamfactory_env.envs.aec import OrderedEnv, RawEnv
from dreamfactory_env.games.dream_factory.game import DreamFactory


def raw_env(**options: Any) -> RawEnv:
    """Returns the environment without wrappers."""
    return RawEnv(DreamFactory, **options)


def env(**options: Any) -> OrderedEnv:
    """Returns the environment with the usual wrappers.

    An action that is no number of the action space fails an assertion, and so does what is out of
    order; an illegal action loses the game, which the environment itself sees to.
    """
    return OrderedEnv(AssertOutOfBoundsWrapper(raw_env(**options)))
