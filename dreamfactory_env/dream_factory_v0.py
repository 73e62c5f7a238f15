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
``choose_studio``, ``components``) and of ``RawEnv`` (``reward``, ``shaping``, ``illegal``,
``render_mode``).
"""

from __future__ import annotations

from functools import partial

from dreamfactory_env.envs.aec import RawEnv, wrapped_env

#: Returns the environment without wrappers.
raw_env = partial(RawEnv, "dream_factory")
#: Returns the environment with the usual wrappers.
env = partial(wrapped_env, "dream_factory")
