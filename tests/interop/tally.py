"""Counts what arrives at the environments, whoever is playing them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.single_agent import SingleAgentEnv


@dataclass
class Tally:
    """The moves that were played, the illegal ones among them, and the games that ended."""

    moves: int = 0
    illegal: int = 0
    games: int = 0

    def note(self, info: dict[str, Any], over: bool) -> None:
        """Counts a move by what the environment said of it."""
        self.moves += 1
        self.illegal += "illegal_action" in info
        self.games += over


def count_moves(monkeypatch: pytest.MonkeyPatch) -> Tally:
    """Returns a tally of all moves that are played in this process while a test runs."""
    tally = Tally()
    aec_step, solo_step = RawEnv.step, SingleAgentEnv.step

    def counted_aec_step(env: RawEnv, action: Any) -> None:
        agent, alive = env.agent_selection, not env.terminations[env.agent_selection]
        aec_step(env, action)
        if alive:
            tally.note(env.infos[agent], env.terminations[agent])

    def counted_solo_step(env: SingleAgentEnv, action: Any) -> Any:
        told = solo_step(env, action)
        tally.note(told[4], told[2])
        return told

    monkeypatch.setattr(RawEnv, "step", counted_aec_step)
    monkeypatch.setattr(SingleAgentEnv, "step", counted_solo_step)
    return tally
