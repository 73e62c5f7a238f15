"""What all tests share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import gymnasium
import pytest

if TYPE_CHECKING:
    from tests.toy_game import SignalGame

# Tests run side by side: torch's threads would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would the processes
# that they start; some tests are about it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def toy() -> Iterator[type[SignalGame]]:
    """Gives a small cooperative game, which is in the registries for the test only."""
    from dreamfactory_env.envs.registration import env_id, register_env
    from dreamfactory_env.games import GAMES
    from tests.toy_game import SignalGame

    GAMES[SignalGame.spec.name] = SignalGame
    register_env(SignalGame)
    yield SignalGame
    del gymnasium.registry[env_id(SignalGame)]
    del GAMES[SignalGame.spec.name]
