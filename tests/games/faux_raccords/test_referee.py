"""The engine and the referee play the same games, side by side."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from dreamfactory_env.records.format import make_record, replay
from tests.games.faux_raccords import views
from tests.games.faux_raccords.referee import HABITS, Referee, check_record, choose, longest

MODES = ["tutorial", "feature", "shorts", "series", "arcs", "studio"]
EACH_GAME = pytest.mark.parametrize(
    ("mode", "players"), [(mode, players) for mode in MODES for players in (2, 3, 4)]
)
EACH_HABIT = pytest.mark.parametrize("habit", list(HABITS))


def assert_agree(game: Any, referee: Referee) -> None:
    """Asserts that the same player has the same choice."""
    assert game.over == referee.over
    assert game.to_move == referee.to_move
    legal, expected = game.legal(), referee.legal()
    assert len(set(legal)) == len(legal)
    assert set(legal) == set(expected), (
        f"only the engine: {sorted(set(legal) - set(expected))}, "
        f"only the referee: {sorted(set(expected) - set(legal))}; said: {referee.said}"
    )


def assert_same_result(game: Any, referee: Referee) -> None:
    """Asserts that the engine's result is the referee's, with a score that fits."""
    found, expected = game.result(), referee.result()
    # Compared as text, so that 1, 1.0 and True differ.
    told = json.dumps({key: found.get(key) for key in expected}, sort_keys=True)
    assert told == json.dumps(expected, sort_keys=True)
    assert 0 <= found["score"] <= 100
    assert (found["score"] == 100) == bool(expected["winners"])
    assert game.winners() == expected["winners"]


@EACH_GAME
@EACH_HABIT
def test_engine_and_referee_agree_on_every_position(
    engine: Any, mode: str, players: int, habit: str
) -> None:
    for seed in range(6):
        game = engine(players=players, mode=mode, seed=seed)
        referee = Referee(game.config(), game.setup())
        rng = random.Random(f"{habit} {seed}")
        moves = 0
        while True:
            assert_agree(game, referee)
            if game.over:
                break
            words = choose(sorted(referee.legal()), HABITS[habit], rng)
            game.play(words)
            referee.play(words)
            moves += 1
        assert moves <= min(longest(players, mode), game.spec.max_length)
        assert_same_result(game, referee)


@EACH_GAME
@EACH_HABIT
def test_the_referee_confirms_the_records_of_the_engine(
    engine: Any, mode: str, players: int, habit: str
) -> None:
    start = engine(players=players, mode=mode, seed=9)
    game, rng = start.copy(), random.Random(habit)
    actions = []
    while not game.over:
        legal = game.legal_actions()
        words = choose(sorted(legal), HABITS[habit], rng)
        actions.append(legal[words])
        game.play(words)
    record = make_record(start, actions, ["random"] * players)
    assert check_record(record) == []
    assert replay(record) == game


@EACH_GAME
@EACH_HABIT
def test_engine_and_referee_show_every_seat_the_same(
    engine: Any, mode: str, players: int, habit: str
) -> None:
    game = engine(players=players, mode=mode, memory="perfect", seed=4)
    referee = Referee(game.config(), game.setup())
    rng = random.Random(habit)
    while not game.over:
        for seat in range(players):
            shown, expected = views.engine_sees(game, seat), referee.sees(seat)
            assert shown == {key: expected[key] for key in shown}
            assert views.engine_sure_of(game, seat) == referee.sure_of(seat)
        words = choose(sorted(referee.legal()), HABITS[habit], rng)
        game.play(words)
        referee.play(words)
