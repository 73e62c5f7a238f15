"""The batch of games around the stepper: lineups, moves and counts kept, copies."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.stepper import CALLER, DRAWN, FIRST_FROZEN, NO_HINT, Settings
from dreamfactory_env.games.batch import GameBatch, Saved, all_scripted, take_rows
from dreamfactory_env.games.game import Game
from dreamfactory_env.records.format import make_record
from dreamfactory_env.records.simulation import seed_of_game, simulate
from tests.engine.slow_loop import some_action
from tests.toy_game import SignalGame

GAMES = [SignalGame(3, seed=0, memory=True), DreamFactory(3, seed=0)]
EACH_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)


def batch_of(game: Game, count: int = 4, *, deal_again: bool = True, **given: Any) -> GameBatch:
    settings = Settings(game.spec.payoff("score", 0.5), np.uint64(3), deal_again)
    return GameBatch(game, count, settings, **given)


def step(batch: GameBatch) -> None:
    rows = batch.rows
    actions = [
        some_action(batch.masks[k], int(rows["seed"][k]), int(rows["moves"][k]))
        for k in range(len(batch))
    ]
    batch.advance(batch.every, np.array(actions))


def future(batch: GameBatch) -> list[Saved]:
    found = []
    for _ in range(40):
        step(batch)
        found.append(batch.save())
    return found


@EACH_GAME
def test_a_batch_of_scripted_seats_plays_every_game_to_its_end_at_once(game: Game) -> None:
    names = list(game.scripted)
    lineup = [names.index(names[k % len(names)]) for k in range(3)]
    batch = batch_of(game, 5, deal_again=False, arrangements=[lineup], keep_moves=True)
    seeds = [seed_of_game(8, number) for number in range(5)]
    batch.deal(seeds=np.array(seeds, np.uint64))
    assert not batch.masks.any()
    players = [names[code] for code in lineup]
    records = simulate(game, players, 5, 8)
    for index, record in enumerate(records):
        row: Any = batch.rows[index]
        moves = batch.actions[index, : row["moves"]]
        assert make_record(game.deal(seeds[index]), moves, players) == record
        ended = batch.game_at(index)
        assert ended.over
        assert row["points"][:3].tolist() == ended.scores()
        assert np.flatnonzero(row["won"]).tolist() == ended.winners()
        assert row["decisions"][:3].sum() == row["moves"] == len(record["moves"])
        assert row["returns"][:3].tolist() == ended.returns(batch.table.settings.payoff).tolist()


@EACH_GAME
def test_a_row_has_the_same_game_alone_as_among_others(game: Game) -> None:
    seeds = np.arange(6, dtype=np.uint64) + 50
    together = batch_of(game, 6, deal_again=False, arrangements=[[CALLER, 0, 0]])
    together.deal(seeds=seeds)
    for index in range(6):
        alone = batch_of(game, 1, deal_again=False, arrangements=[[CALLER, 0, 0]])
        alone.deal(seeds=seeds[index : index + 1])
        assert alone.states.tobytes() == together.states[index].tobytes()
        assert alone.observations.tobytes() == together.observations[index].tobytes()


@EACH_GAME
@pytest.mark.parametrize("how", ["deepcopy", "pickle", "restore"])
def test_copies_have_the_same_future_and_share_nothing(game: Game, how: str) -> None:
    arrangements = [[CALLER, DRAWN, DRAWN]]
    batch = batch_of(game, arrangements=arrangements, keep_moves=True, counting=True)
    batch.set_mix({CALLER: 0.5, 0: 0.5})
    batch.set_hints([0])
    batch.deal()
    for _ in range(10):
        step(batch)
    saved = batch.save()
    copies = {"deepcopy": copy.deepcopy(batch), "pickle": pickle.loads(pickle.dumps(batch))}
    expected = future(batch)
    other = copies.get(how, batch)
    if how == "restore":
        batch.restore(saved)
    assert other.save() == saved
    assert future(other) == expected


def test_the_arrays_of_a_batch_lie_apart_and_are_saved_whole() -> None:
    batch = batch_of(GAMES[1], 5, keep_moves=True, counting=True)
    names = ("states", "rows", "observations", "masks", "actions", "table_stats", "seat_stats")
    arrays = [getattr(batch, name) for name in names]
    for index, array in enumerate(arrays):
        array.reshape(-1).view(np.uint8)[:] = index + 1
    for index, array in enumerate(arrays):
        assert set(array.tobytes()) == {index + 1}
        assert array.ctypes.data % array.dtype.alignment == 0
        assert array.flags.c_contiguous
    saved = batch.save()
    for array in arrays:
        array.reshape(-1).view(np.uint8)[:] = 0
    batch.restore(saved)
    assert [array.tobytes()[0] for array in arrays] == [1, 2, 3, 4, 5, 6, 7]


@EACH_GAME
def test_one_of_the_games_can_be_read_and_played_on(game: Game) -> None:
    batch = batch_of(game)
    batch.deal()
    read = batch.game_at(2)
    assert read.states.tobytes() == batch.states[2].tobytes()
    assert read.seed == batch.rows["seed"][2]
    before = batch.save()
    read.play(read.legal()[0])
    assert batch.save() == before


@EACH_GAME
def test_some_rows_can_be_dealt_and_played_while_others_wait(game: Game) -> None:
    batch = batch_of(game, deal_again=False)
    batch.deal(seeds=np.arange(4, dtype=np.uint64))
    before = batch.rows[[0, 3]].tobytes()
    which = np.array([1, 2])
    batch.deal(which, np.array([9, 10], np.uint64))
    assert batch.rows["seed"].tolist() == [0, 9, 10, 3]
    batch.advance(which, batch.masks[which].argmax(axis=1))
    assert batch.rows["moves"].tolist() == [0, 1, 1, 0]
    assert batch.rows[[0, 3]].tobytes() == before


def test_the_caller_may_write_who_sits_where() -> None:
    game = GAMES[0]
    batch = batch_of(game, 3, deal_again=False, arrangements=[])
    batch.rows["lineup"][:, :3] = [[CALLER, 0, 0], [1, CALLER, 1], [1, 1, 1]]
    batch.deal(seeds=np.arange(3, dtype=np.uint64))
    assert batch.rows["lineup"][:, :3].tolist() == [[CALLER, 0, 0], [1, CALLER, 1], [1, 1, 1]]
    assert batch.rows["current_player"][:2].tolist() == [0, 1]
    assert batch.rows["done"].tolist() == [0, 0, 1]


def test_who_is_drawn_follows_the_shares_and_the_seeds() -> None:
    game = GAMES[0]
    batch = batch_of(game, 2000, deal_again=False, arrangements=[[CALLER, DRAWN, DRAWN]])
    batch.set_mix({1: 3.0, FIRST_FROZEN: 1.0})
    batch.deal(seeds=np.arange(2000, dtype=np.uint64))
    drawn = batch.rows["lineup"][:, 1:3].copy()
    assert (batch.rows["lineup"][:, 0] == CALLER).all()
    assert {*np.unique(drawn).tolist()} == {1, FIRST_FROZEN}
    assert (drawn == 1).mean() == pytest.approx(0.75, abs=0.03)
    assert (drawn[:, 0] == drawn[:, 1]).mean() == pytest.approx(0.625, abs=0.04)
    batch.configure(together=1.0)
    batch.deal(seeds=np.arange(2000, dtype=np.uint64))
    alike = batch.rows["lineup"][:, 1:3]
    assert (alike[:, 0] == alike[:, 1]).all()
    assert (alike == 1).mean() == pytest.approx(0.75, abs=0.04)


def test_arrangements_are_drawn_evenly() -> None:
    game = GAMES[0]
    batch = batch_of(game, 900, deal_again=False)
    batch.set_arrangements([[CALLER, 1, 1], [1, CALLER, 1], [1, 1, CALLER]])
    batch.deal(seeds=np.arange(900, dtype=np.uint64))
    seats = (batch.rows["lineup"][:, :3] == CALLER).argmax(axis=1)
    assert np.bincount(seats) == pytest.approx([300] * 3, abs=50)


def test_scripted_policies_may_be_others_than_those_of_the_game() -> None:
    game = DreamFactory(2, seed=0)
    codes, weights = all_scripted(game)
    assert codes.tolist() == list(range(len(game.scripted)))
    assert weights.shape == (len(codes), len(next(iter(game.scripted.values()))))
    places = [3, 0]  # of the strongest and of the weakest
    given = {"arrangements": [[0, 1]], "scripted": (codes[places], weights[places])}
    ours = batch_of(game, 3, deal_again=False, **given)
    plain = batch_of(game, 3, deal_again=False, arrangements=[places])
    for batch in (ours, plain):
        batch.deal(seeds=np.arange(3, dtype=np.uint64))
    assert ours.states.tobytes() == plain.states.tobytes()


def test_hints_are_what_the_policy_would_play() -> None:
    game = GAMES[0]
    hinted, played = (batch_of(game, deal_again=False) for _ in range(2))
    hinted.set_hints([1])
    hinted.deal(seeds=np.arange(4, dtype=np.uint64))
    played.set_arrangements([[1, CALLER, CALLER]])
    played.deal(seeds=np.arange(4, dtype=np.uint64))
    hinted.advance(hinted.every, hinted.rows["hint"])
    assert hinted.states.tobytes() == played.states.tobytes()
    assert (hinted.rows["last_hint"] >= 0).all()
    hinted.set_hints([NO_HINT])
    assert not hinted.table.settings.hinting


def test_nothing_is_observed_where_nobody_looks() -> None:
    game = GAMES[0]
    batch = GameBatch(game, 3, Settings(game.spec.payoff(), observing=False))
    batch.deal(seeds=np.arange(3, dtype=np.uint64))
    assert batch.observations.shape == (3, 0)
    assert batch.masks.any(axis=1).all()


def test_rows_are_taken_as_copies() -> None:
    batch = batch_of(GAMES[0])
    batch.deal()
    taken = take_rows(batch.states, np.array([2, 0]))
    assert taken[0].tobytes() == batch.states[2].tobytes()
    assert taken[1].tobytes() == batch.states[0].tobytes()
    taken["points"] = 1
    assert not batch.states["points"].any()
