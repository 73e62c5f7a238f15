"""The scripted policies: legal, honest, compiled as uncompiled, and each stronger than the last."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import numpy as np
import pytest

from dreamfactory_env import FabriqueAReves
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS
from dreamfactory_env.games.fabrique_a_reves.scripted.imagining import add_shared
from tests.engine.test_compiled import run
from tests.games.fabrique_a_reves.deciding import POLICIES, answer, answers, fingerprint
from tests.games.fabrique_a_reves.staging import SOME, fill, pass_all, play, staged
from tests.games.fabrique_a_reves.test_observation import allowed, row_of, sums_of

# ---------------------------------------------------------------------------- honest and legal


@pytest.mark.parametrize(("mode", "players"), SOME)
def test_answers_are_legal_and_do_not_change_when_only_hidden_things_do(
    mode: str, players: int
) -> None:
    """Games of random and of scripted moves, so that positions of all sorts are met."""
    rng = random.Random(3)
    labels = ("mind", "list")[players % 2]
    game = FabriqueAReves(players, seed=players, mode=mode, labels=labels)
    moves = 0
    while not game.over:
        assert game.to_move is not None
        before = game.save()
        found = answers(game, moves)
        assert game.save() == before  # deciding changes nothing
        other = game.resample_hidden(game.to_move, rng.randrange(2**53))
        assert answers(other, moves) == found
        game.play(found[rng.choice(POLICIES)])
        moves += 1


def test_compiled_and_uncompiled_policies_decide_the_same() -> None:
    module = "tests.games.fabrique_a_reves.deciding"
    printed = run("-m", module, environment={"NUMBA_DISABLE_JIT": "1"})
    assert json.loads(printed) == fingerprint()


def test_nearest_cannot_tell_what_is_shared_from_what_its_mind_adds() -> None:
    game = fill(FabriqueAReves(3, seed=5, noise=40), 2, 1)
    seat = game.to_move
    assert seat is not None
    other = game.copy()
    other.params = game.params.copy()
    theme, count = int(game.state.themes[0]), len(game.dreams())
    for thought, word in enumerate(game.options.lexicon.lexicon.thoughts):
        other.params["associations"][0, theme, thought, :count] = row_of(game, seat, word)
    other.state.noise = 0
    assert np.array_equal(sums_of(other, seat, 0), sums_of(game, seat, 0))
    assert answer(other, "nearest") == answer(game, "nearest")


@pytest.mark.parametrize("noise", [0, 24, 100])
def test_schelling_expects_of_others_what_follows_from_its_own_mind(noise: int) -> None:
    """A part of small associations, and of large ones all but what noise may have added."""
    game = FabriqueAReves(3, seed=5, noise=noise)
    seat = game.to_move
    assert seat is not None
    for thought in (3, 77, 500):
        own = row_of(game, seat, game.options.lexicon.lexicon.thoughts[thought])
        expected = np.maximum(own * 900 / (900 + noise**2), own - noise**2 / 30)
        found = np.zeros(MOST_DREAMS, np.int16)
        add_shared(game.states[0], game.params[0], thought, 30.0, found)
        assert found[: len(own)].tolist() == np.trunc(expected).astype(int).tolist()


# ---------------------------------------------------------------------------- small situations


def test_nearest_takes_where_the_best_dream_gains_most() -> None:
    for seed in range(5):
        game = fill(FabriqueAReves(3, seed=seed), 1, 2, 3)
        seat = game.to_move
        assert seat is not None
        tops = [view["top"]["word"] for view in game.view()["reservoirs"]]
        gains = {}
        for number, word in enumerate(tops, 1):
            free = allowed(game, seat, word)
            for vial in range(5):
                if len(game.vials()[vial]) < 3:
                    now = sums_of(game, seat, vial)
                    before = now[allowed(game, seat)].max() if game.vials()[vial] else 0
                    then = (now + row_of(game, seat, word))[free].max()
                    gains[f"take {number} into {vial + 1}"] = then - before
        assert gains[answer(game, "nearest")] == max(gains.values())


@pytest.mark.parametrize("labels", ["mind", "list"])
def test_nearest_dreams_what_is_closest_and_proposes_a_second(labels: str) -> None:
    game = fill(FabriqueAReves(2, seed=1, labels=labels), 3, 2, 1, 1, 1)
    pass_all(play(game, "doubt on 1"))
    seat = game.to_move
    assert seat is not None
    sums = sums_of(game, seat, 0)
    for _ in range(2):
        order = sorted(np.flatnonzero(allowed(game, seat)).tolist(), key=lambda k: (-sums[k], k))
        assert answer(game, "nearest") == f"dream 1 {game.dreams()[order[0]]}"
        play(game, answer(game, "nearest"))


def test_nearest_uses_no_tool_and_goes_on_till_vials_are_full() -> None:
    game = FabriqueAReves(3, seed=2, mode="sunday")
    while game.phase == "thoughts":
        move = answer(game, "nearest")
        assert move.startswith("take") or move == "pass"
        game.play(move)
    assert game.phase == "dreams"
    assert game.state.tools == game.state.in_play


def test_schelling_keeps_tools_till_vials_are_nearly_full_and_then_uses_them() -> None:
    used: list[int] = []
    for seed in range(6):
        game = FabriqueAReves(3, seed=seed, mode="base")
        while game.phase == "thoughts":
            move = answer(game, "schelling")
            if move.startswith(("doubt", "dust")):
                used.append(sum(map(len, game.vials())))
                assert game.vials()[int(move.split()[-1]) - 1]  # where a word lies
            game.play(move)
    assert len(used) == 12
    assert min(used) >= 15 - (3 + 3 + 1)


def test_schelling_dusts_what_is_clear() -> None:
    """All minds are the same: what has words will match, and dust goes where most words lie."""
    game = fill(staged(players=2, minds="same"), 3, 3, 3, 3, 1)
    assert answer(game, "schelling").startswith("dust on")
    play(game, "dust on 1")
    assert answer(game, "schelling").startswith("take")  # a match is certain: doubt adds nothing


def test_schelling_writes_a_word_for_the_vial_that_was_chosen() -> None:
    game = fill(FabriqueAReves(3, seed=2, mode="thursday"), 2, 3, 3, 3, 2)
    play(game, "quill 1")
    assert answer(game, "schelling").startswith("write ")


# ---------------------------------------------------------------------------- strength


def points_of(policy: str, games: int, players: int) -> Array:
    game = FabriqueAReves(players, seed=0)
    lineup = [[POLICIES.index(policy)] * players]
    settings = Settings(game.spec.payoff("score"), observing=False)
    batch = GameBatch(game, games, settings, arrangements=lineup)
    batch.deal(seeds=np.arange(games).astype(np.uint64))
    return batch.rows["points"][:, 0].astype(np.float64)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_each_policy_scores_more_than_the_one_before(players: int) -> None:
    points = {policy: points_of(policy, 300, players) for policy in POLICIES}
    for weaker, stronger in pairwise(POLICIES):
        gained = points[stronger] - points[weaker]
        error = gained.std(ddof=1) / np.sqrt(len(gained))
        assert gained.mean() > 2 * error
