"""What holds in every game of Faux Raccords, in all modes and with any moves."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dreamfactory_env import FauxRaccords
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.faux_raccords import geometry
from dreamfactory_env.games.faux_raccords.setup import CARDS_OF_MODE
from dreamfactory_env.games.faux_raccords.state import CLAPS, CUT_LIMIT, MAX_CUT, Phase
from dreamfactory_env.records.format import make_record, replay
from tests.games.faux_raccords.staging import OPTIONS, all_cards, between_turns, random_moves

EVERY = pytest.mark.parametrize(("mode", "players"), OPTIONS)


@EVERY
def test_cards_claps_and_hints_are_conserved_and_the_film_is_whole(mode: str, players: int) -> None:
    for seed in range(4):
        game = FauxRaccords(players, mode=mode, seed=seed)
        every = list(range(CARDS_OF_MODE[game.mode]))
        for _ in random_moves(game, random.Random(seed)):
            assert_consistent(game, every)
        assert_consistent(game, every)


def assert_consistent(game: FauxRaccords, every: list[int]) -> None:
    s = game.state
    assert all_cards(game) == every
    lying = [slot for slot, card in enumerate(s.film.tolist()) if card >= 0]
    assert sum(1 << slot for slot in lying) == s.occupied
    assert not int(s.face_up) & ~int(s.occupied)
    for p in range(game.players):
        claps = int(s.claps[p])
        assert not claps & (int(s.face_up) | ~int(s.occupied))
        taken = sum(int(seats) >> p & 1 for seats in s.taken_claps)
        assert claps.bit_count() + taken <= CLAPS
        assert s.hint_slot[p] in (*lying, -1, 64, 65)
        assert s.hint_slot[p] < 64 or s.taken[s.hint_slot[p] - 64] >= 0
    assert s.cut_size <= (CUT_LIMIT if between_turns(game) else MAX_CUT)
    if between_turns(game):
        assert geometry.is_whole(game.mode, int(s.occupied))
        assert s.taken.tolist() == [-1, -1]
        chosen = (s.pending, s.chosen, s.swapped, s.hazard, *s.passing)
        assert s.phase == Phase.OVER or set(map(int, chosen)) == {-1}


@EVERY
def test_no_game_is_longer_than_the_rules_allow(mode: str, players: int) -> None:
    game = FauxRaccords(players, mode=mode, seed=0)
    batch = GameBatch(game, 300, Settings(game.spec.payoff()), arrangements=[[0] * players])
    batch.deal(seeds=np.arange(300, dtype=np.uint64))
    assert batch.rows["done"].all()
    assert 0 < batch.rows["moves"].max() <= game.spec.max_length


@EVERY
def test_records_are_verified_and_their_results_are_whole(mode: str, players: int) -> None:
    start = FauxRaccords(players, mode=mode, seed=3)
    game = start.copy()
    moves = list(random_moves(game, random.Random(3)))
    actions, again = [], start.copy()
    for move in moves:
        actions.append(again.legal_actions()[move])
        again.play(move)
    record = make_record(start, actions, ["random"] * players)
    assert [words for _, _, words in record["moves"]] == moves
    assert record["config"] == {"players": players, "mode": mode}
    assert replay(record) == game
    assert replay({**record, "seed": None}).result() == game.result()
    result = record["result"]
    keys = "scores winners ending player conditions genre film score"
    assert list(result) == keys.split()
    assert result["scores"] == [int(result["score"] == 100)] * players


def test_the_longest_game_of_the_spec_is_that_of_the_rules() -> None:
    longest = [FauxRaccords(p, mode=mode, seed=0).spec.max_length for mode, p in OPTIONS]
    assert max(longest) == 357
    assert FauxRaccords.spec.num_actions == 202


@pytest.mark.parametrize("seed", range(3))
def test_the_same_shuffles_do_not_depend_on_memory(seed: int) -> None:
    plain = FauxRaccords(3, mode="arcs", seed=seed)
    perfect = FauxRaccords(3, mode="arcs", seed=seed, memory="perfect")
    for move in random_moves(plain, random.Random(seed)):
        assert plain.legal() == perfect.legal()
        perfect.play(move)
    assert plain.result() == perfect.result()
