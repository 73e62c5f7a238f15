"""The engine's observations against the referee's, number by number."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.games.fabrique_a_reves.referee import HABITS, Referee, choose
from tests.games.fabrique_a_reves.referee_observation import Observer
from tests.games.fabrique_a_reves.rule_staging import (
    ENGINE,
    EVERY_COUNT,
    EVERY_MODE,
    make_config,
)
from tests.games.fabrique_a_reves.small_lexicons import (
    engine_config,
    random_document,
    read_meanings,
    write_lexicon,
)
from tests.games.fabrique_a_reves.test_referee import side_by_side

pytestmark = pytest.mark.skipif(ENGINE is None, reason="there is no engine yet")


def assert_observes_the_same(game: Any, referee: Referee, seat: int) -> None:
    """Asserts that a seat observes what the referee says, every number of every block."""
    found, spec = game.observe(seat), game.spec.observation
    expected = Observer(referee, seat).observation()
    assert list(expected) == list(spec.blocks)
    for name, block in expected.items():
        np.testing.assert_array_equal(
            spec.block(found, name), np.array(block, np.float32), err_msg=name, strict=True
        )


@pytest.mark.rule("M1", "M2", "M4", "R16")
@pytest.mark.parametrize("mode", EVERY_MODE)
def test_engine_and_referee_observe_the_same(mode: str) -> None:
    players = EVERY_COUNT[EVERY_MODE.index(mode) % len(EVERY_COUNT)]
    phases: set[str] = set()
    for number, (game, referee) in enumerate(side_by_side(mode, players, 6)):
        if number % 6 == 0 or referee.phase not in {"thoughts", "dreams", *phases}:
            seat = number % players if referee.to_move is None else referee.to_move
            assert_observes_the_same(game, referee, seat)
            assert_observes_the_same(game, referee, (seat + 1) % players)
            phases.add(referee.phase)
    assert phases >= {"thoughts", "dreams", "over"}


@pytest.mark.rule("M1", "M2", "M4", "R16")
@pytest.mark.parametrize("seed", range(3))
def test_engine_and_referee_observe_the_same_where_everything_is_scarce(
    seed: int, tmp_path: Path
) -> None:
    path = write_lexicon(tmp_path, random_document(seed))
    meanings, rng = read_meanings(path), random.Random(seed)
    for mode in EVERY_MODE:
        players, noise = rng.choice(EVERY_COUNT), rng.choice([0, 24, 255])
        config = make_config(mode, players, lexicon=meanings.box.name, noise=noise)
        game = ENGINE.from_config(engine_config(config, path), seed=seed)
        referee = Referee(config, game.setup(), meanings)
        habit = HABITS[rng.choice(list(HABITS))]
        while not referee.over:
            if referee.phase == "quill" or rng.random() < 0.2:
                assert_observes_the_same(game, referee, rng.randrange(players))
            words = choose(referee.legal(), habit, rng)
            game.play(words)
            referee.play(words)
        assert_observes_the_same(game, referee, 0)
