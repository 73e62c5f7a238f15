"""The scripted policies: legal, honest, compiled as uncompiled, and each stronger than the last."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import numpy as np
import pytest

from dreamfactory_env import FauxRaccords
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.faux_raccords.scripted.weights import (
    BY_MODE,
    FILE,
    LENGTH,
    Weight,
    read_weights,
)
from dreamfactory_env.games.faux_raccords.state import Mode
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.utils.errors import OptionError
from tests.engine.test_compiled import run
from tests.games.faux_raccords.deciding import POLICIES, answer, answers, fingerprint
from tests.games.faux_raccords.staging import OPTIONS, play, staged

# ---------------------------------------------------------------------------- honest and legal


@pytest.mark.parametrize("memory", ["none", "perfect"])
@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_answers_are_legal_and_do_not_change_when_only_hidden_things_do(
    mode: str, players: int, memory: str
) -> None:
    """Games of random and of scripted moves, so that positions of all sorts are met."""
    rng = random.Random(3)
    positions = 0
    for seed in range(3):
        game = FauxRaccords(players, seed=seed, mode=mode, memory=memory)
        moves = 0
        while not game.over:
            assert game.to_move is not None
            found = answers(game, moves)
            other = game.resample_hidden(game.to_move, rng.randrange(2**53))
            assert answers(other, moves) == found
            before = game.save()
            answers(game, moves)
            assert game.save() == before  # deciding changes nothing
            policy = POLICIES[rng.randrange(len(POLICIES))]
            words = {action: word for word, action in game.legal_actions().items()}
            legal = [word for word in words.values() if word != "end"]
            word = words[found[policy]]
            game.play(rng.choice(legal) if policy == "random" and legal else word)
            moves += 1
            positions += 1
    assert positions > 60


def test_compiled_and_uncompiled_policies_decide_the_same() -> None:
    printed = run(
        "-m", "tests.games.faux_raccords.deciding", environment={"NUMBA_DISABLE_JIT": "1"}
    )
    assert json.loads(printed) == fingerprint()


# ---------------------------------------------------------------------------- small situations

CLEVER = ["careful", "convention"]
ROW = ["1", "3", "5", "7", "9", "11", "13", "15", "17", "19", "21", "23"]


def shown(*cards: str, **others: list[list[str]]) -> FauxRaccords:
    """Returns a tutorial whose Film has these cards, all face up."""
    game = staged("tutorial", film=cards[:4], **others)  # type: ignore[arg-type]
    names = {name: number for number, name in enumerate([*map(str, range(1, 29))])}
    for slot, card in enumerate(cards):
        game.state.film[slot] = names[card]
    game.state.occupied = game.state.face_up = (1 << len(cards)) - 1
    return game


@pytest.mark.parametrize("policy", CLEVER)
def test_a_film_that_is_known_to_win_is_ended(policy: str) -> None:
    assert answer(shown(*ROW, hands=[["2", "4", "6"]]), policy) == "end"


@pytest.mark.parametrize("policy", CLEVER)
def test_a_film_that_is_one_card_short_gets_the_card_that_fits(policy: str) -> None:
    game = shown(*ROW[:-1], hands=[["25", "26", "27"]])
    assert answer(game, policy).startswith("place")
    game.play("place 25")
    assert answer(game, policy) == "at 12"


@pytest.mark.parametrize("policy", CLEVER)
def test_an_editor_moves_the_card_that_is_out_of_order(policy: str) -> None:
    game = play(shown(*ROW[1:], "2", hands=[["24", "26", "27"]]), "call 24")
    assert answer(game, policy) == "take 12"
    play(game, "take 12")
    assert answer(game, policy) == "enough"
    play(game, "enough")
    assert answer(game, policy) == "put at 1"


# ---------------------------------------------------------------------------- the ladder


def scores(game: FauxRaccords, weights: Array, code: int, games: int) -> Array:
    """Returns the graded scores of a table of one policy."""
    settings = Settings(game.spec.payoff(), observing=False)
    seats = [[0] * game.players]
    scripted = np.array([code]), weights[None, :]
    batch = GameBatch(game, games, settings, arrangements=seats, scripted=scripted)
    batch.deal(seeds=np.arange(games, dtype=np.uint64))
    found: Array = batch.rows["points"][:, 0].astype(float)
    return found


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_every_step_of_the_ladder_has_a_better_score(mode: str, players: int) -> None:
    game = FauxRaccords(players, seed=0, mode=mode, memory="perfect")
    found = [scores(game, game.spec.scripted[name], k, 150) for k, name in enumerate(POLICIES)]
    for below, above in pairwise(found):
        assert above.mean() > below.mean()
    assert (found[1] - found[0]).mean() > 15.0


# ---------------------------------------------------------------------------- the constants


def test_every_policy_has_constants_of_one_length() -> None:
    scripted = FauxRaccords.spec.scripted
    assert list(scripted) == ["random", "careful", "convention"]
    assert {weights.shape for weights in scripted.values()} == {(LENGTH,)}
    assert not scripted["random"].any()
    for mode in range(6):
        assert not scripted["careful"][BY_MODE * mode + Weight.OWN : BY_MODE * (mode + 1)].any()


def test_what_rests_on_a_policy_stays_valid_when_another_mode_is_tuned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fingerprints() -> list[str]:
        games = [FauxRaccords(2, seed=0, mode=mode) for mode in ("tutorial", "studio")]
        return [ScriptedPolicy(game, "convention").fingerprint() for game in games]

    before = fingerprints()
    tuned = FauxRaccords.spec.scripted["convention"].copy()
    tuned[BY_MODE * Mode.STUDIO + Weight.MISFIT] += 1.0
    monkeypatch.setitem(FauxRaccords.spec.scripted, "convention", tuned)
    assert [a == b for a, b in zip(before, fingerprints(), strict=True)] == [True, False]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "  order: ",
            "  orders: ",
            "careful.order is missing\n  careful.orders is unknown; did you mean",
        ),
        ("\nconvention:", "\nconvent:", "convent is unknown; did you mean 'convention'"),
        ("  keep: ", "  keep: much #", "careful.keep must be 6 numbers, one for each mode"),
        ("  keep: ", "  keep: [1, 2] #", "careful.keep must be 6 numbers, one for each mode"),
        ("  keep: ", "  keep: [1, 2, 3, 4, 5, .nan] #", "careful.keep must be 6 numbers"),
        ("  order: ", "  size: ", "careful.size: stands twice"),
    ],
)
def test_mistakes_in_the_constants_are_named(old: str, new: str, message: str) -> None:
    text = FILE.read_text()
    assert old in text
    with pytest.raises(OptionError, match="mistakes") as raised:
        read_weights(text.replace(old, new, 1), "weights.yaml")
    assert message in str(raised.value)
