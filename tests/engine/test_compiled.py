"""Compiled, uncompiled and bounds-checked runs agree everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
import pytest

from benchmarks.random_play import play_at_random
from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import derive_seed, random_below, random_bits, shuffle
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.engine.structs import copy_records, record_dtype
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.dream_factory.state import STATE
from tests.games.dream_factory.trace import OPTIONS, trace
from tests.paths import ROOT

GOLDEN = ROOT / "tests/games/dream_factory/golden/hashes.json"


def run(*arguments: str, cwd: Path = ROOT, environment: dict[str, str] | None = None) -> str:
    """Runs Python in a process of its own and returns what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_same_seed_is_the_same_game_on_every_machine() -> None:
    # `make golden` writes them anew, for a change that is meant to change games.
    golden = json.loads(GOLDEN.read_text())
    assert {json.dumps(options): trace(options, 2, 0) for options in OPTIONS} == golden


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "2", "NUMBA_DISABLE_JIT": "1"},
        {"NUMBA_BOUNDSCHECK": "1"},
    ],
    ids=["another process", "uncompiled", "bounds checked"],
)
def test_every_process_plays_the_same_bit_for_bit(environment: dict[str, str]) -> None:
    golden = json.loads(GOLDEN.read_text())
    assert (
        json.loads(run("-m", "tests.games.dream_factory.trace", "2", "0", environment=environment))
        == golden
    )


BOUNDS = """
import numpy as np
from dreamfactory_env.games.dream_factory.legal import is_first_of_its_like
try:
    is_first_of_its_like(np.zeros(3, np.int8), 7)
except IndexError:
    print("caught")
"""


def test_the_bounds_checked_run_does_check_bounds() -> None:
    assert run("-c", BOUNDS, environment={"NUMBA_BOUNDSCHECK": "1"}) == "caught\n"


MANY_GAMES = """
import numpy as np
from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from tests.games.dream_factory.trace import OPTIONS
played = 0
for options in OPTIONS:
    game = DreamFactory(seed=0, **options)
    for lineup in ([0] * 5, [1] * 5, [0, 1, 2, 3, 0]):
        seats = [lineup[:game.players]]
        batch = GameBatch(game, 67, Settings(game.spec.payoff()), arrangements=seats, counting=True)
        batch.deal(seeds=np.arange(67, dtype=np.uint64))
        played += int(batch.rows["done"].sum())
print(played)
"""


def test_thousands_of_games_stay_within_bounds() -> None:
    assert run("-c", MANY_GAMES, environment={"NUMBA_BOUNDSCHECK": "1"}) == "3216\n"


def batch(size: int) -> np.ndarray:
    return np.concatenate([DreamFactory(seed=seed).states for seed in range(size)])


def decide(states: np.ndarray, first: int, decisions: int, *, threads: int = 1) -> np.ndarray:
    """Makes random decisions in a copy of a batch."""
    states = copy_records(states)
    play_at_random(DreamFactory(seed=0), states, first, decisions, threads)
    return states


@jit
def doubled(value: int) -> int:
    return value * 2


def test_a_function_is_compiled_once_for_all_integers_of_compiled_callers() -> None:
    types, inner = cast(Any, numba.types), cast(Any, doubled)
    for given in (
        types.literal(3),
        types.int8,
        types.literal(True),
        types.int32,
        types.literal(-1),
    ):
        inner.get_call_template((given,), {})  # what the compiler asks for when it meets a call
    assert [str(argument) for (argument,) in inner.overloads] == ["int64", "bool"]


def test_threads_play_the_same_games_as_a_plain_loop() -> None:
    serial, parallel = decide(batch(64), 0, 2000), decide(batch(64), 0, 2000, threads=2)
    assert serial.tobytes() == parallel.tobytes()
    assert len({state.tobytes() for state in serial}) == 64


def test_decisions_can_be_made_in_pieces() -> None:
    whole = decide(batch(4), 0, 2000)
    assert decide(decide(batch(4), 0, 700), 700, 1300).tobytes() == whole.tobytes()


def test_equal_positions_of_a_batch_go_different_ways() -> None:
    game = DreamFactory(seed=3)
    redrawn = np.concatenate([game.resample_hidden(0, 1).states for _ in range(50)])
    assert len({state.tobytes() for state in decide(redrawn, 0, 2000)}) == 50


def test_a_game_dealt_anew_in_a_batch_is_the_game_of_its_seed() -> None:
    states = batch(1)
    seeds = set()
    for first in range(3000):
        before, states = states, decide(states, first, 1)
        if states[0].seed != before[0].seed:
            seed = int(states[0].seed)
            seeds.add(seed)
            assert DreamFactory(seed=seed).state.deck.tolist() == states[0].deck.tolist()
    assert len(seeds) > 5


def test_a_state_is_at_most_a_kilobyte_and_copies_apart() -> None:
    assert STATE.itemsize <= 1024
    states = batch(3)
    copied = copy_records(states)
    assert copied.tobytes() == states.tobytes()
    copied[1].money[0] = 99
    assert states[1].money[0] == 12


def test_no_game_is_longer_than_the_spec_says() -> None:
    game = DreamFactory(2, seed=1)
    batch = GameBatch(game, 500, Settings(game.spec.payoff()), arrangements=[[0, 0]])
    batch.deal(seeds=np.arange(500, dtype=np.uint64))
    assert batch.rows["done"].all()
    assert 0 < batch.rows["moves"].max() <= game.spec.max_length


# ---------------------------------------------------------------------------- random numbers


def test_the_stream_is_splitmix64() -> None:
    # The first numbers of the published generator for the seed 1234567.
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [int(random_bits(np.uint64(1234567), k)) for k in range(3)] == expected


def test_numbers_below_a_bound_are_even() -> None:
    drawn = np.bincount([random_below(np.uint64(5), k, 7) for k in range(7000)])
    assert len(drawn) == 7
    assert drawn.min() > 850  # 1,000 to be expected, sd 29
    assert drawn.max() < 1150


def test_a_shuffle_reaches_every_order_evenly() -> None:
    orders: dict[tuple[int, ...], int] = {}
    for seed in range(6000):
        items = np.arange(3, dtype=np.int8)
        assert shuffle(items, 3, np.uint64(seed), 0) == 2
        order = tuple(int(item) for item in items)
        orders[order] = orders.get(order, 0) + 1
    assert len(orders) == 6
    assert min(orders.values()) > 850
    assert max(orders.values()) < 1150


def test_derived_seeds_differ_and_stay_exact_in_json() -> None:
    seeds = {int(derive_seed(np.uint64(a), b)) for a in range(100) for b in range(100)}
    assert len(seeds) == 10_000
    assert max(seeds) < 2**53


def test_a_field_that_numpy_would_hide_is_refused() -> None:
    with pytest.raises(TypeError, match="round would be hidden"):
        record_dtype(type("Bad", (), {"__annotations__": {"round": int}}))
