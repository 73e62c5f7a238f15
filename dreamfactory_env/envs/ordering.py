"""The wrapper of PettingZoo that sees to the order of calls, made faster."""

from __future__ import annotations

import operator
from typing import Any, Generic, TypeVar, cast

from pettingzoo.utils import OrderEnforcingWrapper
from pettingzoo.utils.env_logger import EnvLogger

EnvT = TypeVar("EnvT")


def _direct(name: str) -> property:
    """Returns a property of a wrapper that stands for one of the environment itself.

    Before a reset there is no ``raw``: PettingZoo's ``__getattr__``, which comes next, says so.
    """
    return property(operator.attrgetter(f"raw.{name}"))


class OrderedEnv(OrderEnforcingWrapper, Generic[EnvT]):  # type: ignore[misc]
    """PettingZoo's order-enforcing wrapper, which reaches the environment in one step.

    Through the wrappers as they are, looking up what ``last`` returns costs more than the game.
    """

    agents = _direct("agents")
    agent_selection = _direct("agent_selection")
    rewards = _direct("rewards")
    terminations = _direct("terminations")
    truncations = _direct("truncations")
    infos = _direct("infos")
    raw: Any  # the environment itself, a RawEnv; from the first reset on

    @property
    def unwrapped(self) -> EnvT:
        """The environment itself."""
        return cast(EnvT, self.env.unwrapped)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new game, see ``RawEnv.reset``."""
        self.raw = self.env.unwrapped
        super().reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        """Plays an action; what is out of order or out of bounds goes through the wrappers."""
        if type(action) is int and self._has_reset:
            raw = self.raw
            if raw.agents and 0 <= action < raw.game.spec.num_actions:
                self._has_updated = True
                raw.step(action)
                return
        super().step(action)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Returns observation, reward, termination, truncation and info of the agent to move."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        result: tuple[Any, float, bool, bool, dict[str, Any]] = self.raw.last(observe)
        return result
