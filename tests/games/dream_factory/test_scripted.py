"""The scripted policies: legal, honest, the same in every mode, and wise in small situations."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.engine.position import apply_at
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.dream_factory.scripted.weights import FILE, LENGTH, read_weights
from dreamfactory_env.policies import ScriptedPolicy, view_of
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.utils.errors import OptionError
from tests.engine.test_compiled import run
from tests.games.dream_factory.deciding import POLICIES, answer, answers, fingerprint
from tests.games.dream_factory.staging import give, lay, stacked, tile
from tests.games.dream_factory.trace import OPTIONS

# ---------------------------------------------------------------------------- honest and legal


@pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: "-".join(map(str, options.values()))
)
def test_answers_are_legal_and_do_not_change_when_only_hidden_things_do(
    options: dict[str, object],
) -> None:
    """Games of random and of scripted moves, so that positions of all sorts are met."""
    rng = np.random.default_rng(3)
    positions = 0
    for seed in range(4):
        game = DreamFactory(seed=seed, **options)  # type: ignore[arg-type]
        moves = 0
        while not game.over:
            assert game.to_move is not None
            found = answers(game, moves)
            for _ in range(2):
                other = game.resample_hidden(game.to_move, int(rng.integers(2**53)))
                assert answers(other, moves) == found
            policy = POLICIES[(game.to_move + seed) % len(POLICIES)] if seed else "random"
            before = game.save()
            answers(game, moves)
            assert game.save() == before  # deciding changes nothing
            game.compiled(apply_at)(game.states, 0, game.params, found[policy])
            moves += 1
            positions += 1
    assert positions > 400


def test_compiled_and_uncompiled_policies_play_the_same() -> None:
    printed = run(
        "-m", "tests.games.dream_factory.deciding", environment={"NUMBA_DISABLE_JIT": "1"}
    )
    assert json.loads(printed) == fingerprint()


def test_a_batch_plays_what_the_policies_play_move_by_move() -> None:
    names = ["random", "expert", "greedy", "builder"]
    game = DreamFactory(4, seed=0)
    codes = [list(game.scripted).index(name) for name in names]
    batch = GameBatch(game, 12, Settings(game.spec.payoff()), arrangements=[], keep_moves=True)
    lineups = np.array([np.roll(codes, k) for k in range(12)])
    batch.rows["lineup"][:, :4] = lineups
    batch.deal(seeds=np.arange(12, dtype=np.uint64))
    for k, row in enumerate(batch.rows):
        one = DreamFactory(4, seed=k)
        policies = [ScriptedPolicy(one, list(game.scripted)[code]) for code in lineups[k]]
        moves = 0
        while one.to_move is not None:
            action = policies[one.to_move].act(view_of(one, seed=k, moves=moves))
            assert action == batch.actions[k, moves]
            one.play(action)
            moves += 1
        assert row["moves"] == moves
        assert one.scores() == row["points"][:4].tolist()
        assert one.winners() == np.flatnonzero(row["won"]).tolist()


def test_different_policies_meet_at_one_table() -> None:
    names = ["expert", "random", "builder", "greedy"]
    record = next(simulate(DreamFactory(4, seed=1), names, 1, 5))
    assert record["agents"] == names
    scores = record["result"]["scores"]
    assert min(scores[0], scores[2], scores[3]) > scores[1]


# ---------------------------------------------------------------------------- small situations

CLEVER = ["greedy", "builder", "expert"]


@pytest.mark.parametrize("policy", CLEVER)
def test_a_lot_that_nobody_can_use_gets_no_bid(policy: str) -> None:
    game = stacked(players=2, studios=[2, 3])
    for title in ("The Grapes of Wrath", "Gentlemen Prefer Blondes", "The King and I"):
        lay(game, title, director="director 4")
    for title in ("Casablanca", "Arsenic and Old Lace", "The Sea Hawk"):
        lay(game, title, director="director 4")
    assert game.lot == ["director 4"]
    assert answer(game, policy) == "pass"


@pytest.mark.parametrize("policy", CLEVER)
def test_a_lot_that_finishes_a_film_gets_a_bid(policy: str) -> None:
    game = stacked(players=2, studios=[3, 2])
    lay(game, "Arsenic and Old Lace", actor="actor 3", music="music 3")
    assert answer(game, policy).startswith("bid")


@pytest.mark.parametrize("policy", CLEVER)
def test_the_tile_that_finishes_a_film_is_placed_there(policy: str) -> None:
    game = stacked(players=3, studios=[3, 2, 1])
    lay(game, "Arsenic and Old Lace", director="director 2", music="music 3")
    give(game, 0, "actor 1")
    assert answer(game, policy) == "place actor 1 on Arsenic and Old Lace/actor"


@pytest.mark.parametrize("policy", ["builder", "expert"])
def test_a_guest_star_is_placed_before_the_tile_that_finishes_the_film(policy: str) -> None:
    game = stacked(players=3, studios=[3, 2, 1])
    lay(game, "Arsenic and Old Lace", director="director 2", music="music 3")
    for title in ("Casablanca", "The Sea Hawk"):
        lay(game, title, guest="guest 3")
    give(game, 0, "actor 1", "guest 3")
    assert answer(game, policy) == "place guest 3 on Arsenic and Old Lace/guest"


def test_greedy_takes_the_tile_with_most_stars_at_a_party() -> None:
    game = party("camera 1", "camera 3")
    assert answer(game, "greedy") == "pick camera 3"


@pytest.mark.parametrize("policy", ["builder", "expert"])
def test_at_a_party_a_tile_that_finishes_a_film_comes_before_stars(policy: str) -> None:
    game = party("actor 1", "camera 3")
    lay(game, "Arsenic and Old Lace", director="director 3", music="music 3")
    assert answer(game, policy) == "pick actor 1"


def party(*tiles: str) -> DreamFactory:
    """Returns a game in which player 0 chooses first at the first party."""
    game = stacked({(1, "Party 1"): list(tiles)}, players=2, studios=[3, 2], hidden_money="never")
    while game.phase != "party":
        legal = game.legal()
        game.play("pass" if "pass" in legal else legal[-1])
    game.state.party_order[:2] = [0, 1]
    game.state.to_move = 0
    assert tile(tiles[0]) in game.state.lot
    return game


def test_expert_finishes_the_film_that_wins_an_award() -> None:
    # The two films are equal but for the award for the first adventure, which is gone.
    game = stacked(players=2, studios=[1, 3])
    lay(game, "Vertigo", director="director 1", actor="actor 1", camera="camera 1")
    for first_drama in ("open", "gone"):
        give(game, 0, "music 1")
        game.state.awards[0] = -1 if first_drama == "open" else 19  # a drama of somebody's
        lay(game, "The Court Jester", director="director 2", actor="actor 3")
        game.state.awards[1] = 20 if first_drama == "open" else -1
        title = "Vertigo" if first_drama == "open" else "The Court Jester"
        assert answer(game, "expert") == f"place music 1 on {title}/music"


def test_expert_does_not_bid_more_than_its_money_or_less_than_the_high_bid() -> None:
    game = stacked(players=4, seed=2)
    game.state.money[:4] = [3, 12, 12, 21]
    lay(game, "The Court Jester", actor="actor 3", music="music 3")
    game.play("bid 1").play("pass").play("bid 2").play("pass")
    assert answer(game, "expert") in ("bid 3", "pass")


# ---------------------------------------------------------------------------- the constants


def test_every_policy_has_constants_of_one_length() -> None:
    assert list(DreamFactory.spec.scripted) == ["random", "greedy", "builder", "expert"]
    assert {weights.shape for weights in DreamFactory.spec.scripted.values()} == {(LENGTH,)}
    assert not DreamFactory.spec.scripted["random"].any()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "  star: ",
            "  stars: ",
            "greedy.star is missing\n  greedy.stars is unknown; did you mean",
        ),
        ("\nbuilder:", "\nbilder:", "bilder is unknown; did you mean 'builder'"),
        ("  keep: ", "  keep: much #", "builder.keep must be a number, not 'much'"),
        ("  keep: ", "  keep: true #", "builder.keep must be a number, not True"),
        ("  keep: ", "  keep: .nan #", "builder.keep must be a number, not nan"),
        ("  star: ", "  star: [", "not YAML"),
        ("  star: ", "  space: ", "greedy.space: stands twice"),
    ],
)
def test_mistakes_in_the_constants_are_named(old: str, new: str, message: str) -> None:
    text = FILE.read_text()
    assert old in text
    with pytest.raises(OptionError, match="mistakes") as raised:
        read_weights(text.replace(old, new, 1), "weights.yaml")
    assert message in str(raised.value)


@pytest.mark.parametrize("edition", ["dream_factory", "traumfabrik"])
@pytest.mark.parametrize(("below", "name"), list(pairwise(DreamFactory.spec.scripted)))
def test_every_step_of_the_ladder_is_clearly_stronger(below: str, name: str, edition: str) -> None:
    """``dreamfactory benchmark`` measures it with more games."""
    for players, least in [(2, 0.6), (4, 0.4)]:
        match = duel(name, [below], players=players, games=600, options={"edition": edition})
        found = evaluate(match, processes=1)
        assert found is not None
        assert found.win_rate - found.half_width > least
