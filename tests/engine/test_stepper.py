"""The stepper plays, pays and deals as a loop in plain Python does, bit for bit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.stepper import (
    CALLER,
    DRAWN,
    FIRST_FROZEN,
    NO_HINT,
    NOBODY,
    Settings,
)
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.game import Game
from tests.engine.slow_loop import SlowRow, some_action
from tests.toy_game import SignalGame

FROZEN, OTHER_FROZEN = FIRST_FROZEN, FIRST_FROZEN + 1
ROWS = 5


class Case(NamedTuple):
    """Who plays, and how."""

    game: Game
    arrangements: list[list[int]]
    settings: dict[str, Any] = {}  # noqa: RUF012  (nobody writes there)
    payoff: dict[str, Any] = {}  # noqa: RUF012
    shares: dict[int, float] = {CALLER: 1.0}  # noqa: RUF012
    hints: tuple[int, ...] = (NO_HINT,) * 3


SHAPED = {"reward": "score", "shaping": 0.5}
MIXED = {CALLER: 0.25, 0: 0.25, 1: 0.25, FROZEN: 0.25}
TOY, TOY_3 = SignalGame(2, seed=0, memory=True), SignalGame(3, seed=0, goal=4)
FACTORY = DreamFactory(3, seed=0, choose_studio=True)
CASES = {
    "self-play": Case(TOY, [[CALLER] * 2]),
    "self-play, shaped": Case(FACTORY, [[CALLER] * 3], payoff=SHAPED),
    "scripted others": Case(TOY, [[CALLER, 1], [1, CALLER]]),
    "random others, who may stop at once": Case(TOY_3, [[0, 0, CALLER]], payoff=SHAPED),
    "frozen others": Case(TOY_3, [[FROZEN, OTHER_FROZEN, CALLER]], payoff=SHAPED),
    "frozen others, in another game": Case(FACTORY, [[FROZEN, CALLER, 3]], payoff=SHAPED),
    "drawn others": Case(TOY_3, [[CALLER, DRAWN, DRAWN], [DRAWN, DRAWN, CALLER]], shares=MIXED),
    "drawn others, often together": Case(
        TOY_3, [[CALLER, DRAWN, DRAWN]], {"together": 0.5}, SHAPED, MIXED
    ),
    "forced moves skipped": Case(FACTORY, [[CALLER, 0, FROZEN]], {"skip_forced": True}, SHAPED),
    "hints": Case(TOY_3, [[CALLER, FROZEN, OTHER_FROZEN]], hints=(1, NO_HINT, 0)),
    "hints, in another game": Case(FACTORY, [[CALLER, FROZEN, 0]], hints=(3, 2, NO_HINT)),
}


def batch_and_rows(case: Case, *, deal_again: bool) -> tuple[GameBatch, list[SlowRow]]:
    """Returns a batch, and the rows that play the same slowly."""
    game = case.game
    payoff = game.spec.payoff(**case.payoff)
    settings = Settings(payoff, seed=np.uint64(9), deal_again=deal_again, **case.settings)
    batch = GameBatch(game, ROWS, settings, arrangements=case.arrangements, keep_moves=True)
    batch.set_mix(case.shares)
    batch.set_hints(case.hints)
    given = (settings, case.arrangements, case.shares, case.hints)
    return batch, [SlowRow(game, index, *given) for index in range(ROWS)]


def play_frozen(batch: GameBatch, rows: list[SlowRow] | None = None) -> None:
    """Lets the frozen players move until every row waits for the caller or is over."""
    while True:
        frozen = (batch.rows["current_policy"] >= FIRST_FROZEN) & batch.masks.any(axis=1)
        if not frozen.any():
            return
        play(batch, rows, np.flatnonzero(frozen), fresh=False)


def play(batch: GameBatch, rows: list[SlowRow] | None, which: Any, *, fresh: bool) -> None:
    """Plays some action in some rows, and in the slow rows if there are any; compares them."""
    actions = np.array([action_of(batch, index) for index in which], np.int64)
    batch.advance(which, actions, fresh=fresh)
    for index, action in zip(which.tolist(), actions.tolist(), strict=True):
        if rows is None:
            continue
        rows[index].act(action, fresh=fresh)
        rows[index].assert_equal(batch)


def action_of(batch: GameBatch, index: int) -> int:
    row: Any = batch.rows[index]
    return some_action(batch.masks[index], int(row["seed"]), int(row["moves"]))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_games_that_are_dealt_anew_at_once(case: Case) -> None:
    batch, rows = batch_and_rows(case, deal_again=True)
    batch.deal()
    for row in rows:
        row.deal()
        row.assert_equal(batch)
    for _ in range(60 if case.game is not FACTORY else 350):
        play_frozen(batch, rows)
        play(batch, rows, batch.every, fresh=True)
    assert batch.rows["episode"].min() >= 1


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_games_that_end_and_are_dealt_by_the_caller(case: Case) -> None:
    batch, rows = batch_and_rows(case, deal_again=False)
    illegal = 0
    for start in range(3):
        seeds = 100 * start + np.arange(ROWS)
        batch.deal(seeds=seeds.astype(np.uint64))
        for row, seed in zip(rows, seeds.tolist(), strict=True):
            row.deal(seed)
            row.assert_equal(batch)
        play_frozen(batch, rows)
        ended = np.zeros(ROWS, np.bool_)
        while True:
            waiting = batch.masks.any(axis=1) & ~ended
            if not waiting.any():
                break
            which = np.flatnonzero(waiting)
            paid_before = batch.rows["potential"][which[0]].any() or case.game is not FACTORY
            if illegal < start and (paid_before or not case.payoff):
                batch.end_illegally(which[:1])
                rows[which[0]].end_illegally()
                ended[which[0]] = True
                rows[which[0]].assert_equal(batch)
                illegal += 1
                continue
            play(batch, rows, which, fresh=True)
            play_frozen(batch, rows)
        assert batch.rows["done"].all()
    assert illegal == 2


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("shaping", [0.0, 0.5])
@pytest.mark.parametrize("others", [0, 1, FROZEN])
def test_a_game_pays_the_caller_what_it_is_worth_and_nothing_without_a_decision(
    others: int, shaping: float, reward: str
) -> None:
    case = Case(TOY_3, [[others, others, CALLER]], payoff={"reward": reward, "shaping": shaping})
    batch, _ = batch_and_rows(case, deal_again=True)
    paid, games = np.zeros(ROWS), 0
    batch.deal()
    assert not batch.rows["reward"].any()
    missed = int(batch.rows["episode"].sum())  # games without a decision of the caller
    for _ in range(150):
        play_frozen(batch)
        before = batch.rows["episode"].copy()
        play(batch, None, batch.every, fresh=True)
        play_frozen(batch)
        paid += batch.rows["reward"][:, 2]
        for index in np.flatnonzero(batch.rows["done"]).tolist():
            worth = batch.rows["returns"][index, 2]
            assert paid[index] == pytest.approx(worth)
            assert worth in (0, 1) or reward == "score"
            paid[index] = 0
            games += 1
            missed += int(batch.rows["episode"][index] - before[index]) - 1
    assert games > ROWS
    assert (missed > 0) == (others != 1)  # only the helper never stops


def test_a_game_that_ends_before_the_callers_first_decision_pays_nobody() -> None:
    payoff = {"reward": "score", "shaping": 0.5}
    batch, _ = batch_and_rows(Case(TOY, [[0, CALLER]], payoff=payoff), deal_again=False)
    for start in range(0, 100, ROWS):
        batch.deal(seeds=np.arange(start, start + ROWS, dtype=np.uint64))
        stopped = ~batch.masks.any(axis=1)
        assert batch.rows["done"].tolist() == stopped.tolist()
        assert (batch.rows["last_player"] == NOBODY).all()
        assert not batch.rows["reward"].any()
        if stopped.any():
            return
    pytest.fail("no partner has stopped")
