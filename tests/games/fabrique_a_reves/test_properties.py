"""What holds in every game of La Fabrique à rêves, in all modes and with any moves."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from dreamfactory_env import FabriqueAReves
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.fabrique_a_reves.state import TOOL_WORDS
from dreamfactory_env.records.format import make_record, replay
from tests.games.fabrique_a_reves.staging import OPTIONS, random_moves

EVERY = pytest.mark.parametrize(("mode", "players"), OPTIONS)


@EVERY
def test_cards_and_tools_are_conserved_and_vials_are_whole(mode: str, players: int) -> None:
    for seed in range(2):
        game = FabriqueAReves(players, mode=mode, seed=seed)
        discarded = 0
        for move in random_moves(game, random.Random(seed)):
            assert_consistent(game, discarded)
            if move == "broom":
                discarded += sum(view["left"] > 0 for view in game.view()["reservoirs"])
            elif move.startswith("spill"):
                discarded += len(game.vials()[int(move.split()[1]) - 1])
        assert_consistent(game, discarded)


def assert_consistent(game: FabriqueAReves, discarded: int) -> None:
    s, lexicon = game.state, game.options.lexicon.lexicon
    placed = [word for word in s.words.ravel().tolist() if word >= 0]
    assert len(set(placed)) == len(placed)
    from_cards = [word for word in placed if word < 2 * len(lexicon.cards)]
    assert len(from_cards) + discarded == s.taken.sum()
    assert len(placed) - len(from_cards) == (
        "quill" in game.view()["used"] and game.phase != "quill"
    )
    left = sum(view["left"] for view in game.view()["reservoirs"])
    assert left + len(from_cards) + discarded == len(lexicon.cards)
    for vial in range(5):
        filled = int(s.filled[vial])
        assert (s.words[vial, :filled] >= 0).all()
        assert (s.words[vial, filled:] == -1).all()
        assert (s.placed_by[vial, :filled] >= 0).all()
        assert (s.placed_by[vial, filled:] == -1).all()
    used = {TOOL_WORDS[tool] for tool in s.tokens.tolist() if tool >= 0}
    assert used == {*game.view()["used"]} - {"broom"}
    allowed = [
        not any(lexicon.one_family(name, lexicon.thoughts[word]) for word in placed)
        for name in game.dreams()
    ]
    assert s.allowed[: len(allowed)].tolist() == allowed


@EVERY
def test_games_end_within_their_bound_and_records_give_them_back(mode: str, players: int) -> None:
    game = FabriqueAReves(players, mode=mode, seed=0)
    bound = 3 * game.options.vials + 10 + players + players * (game.options.vials + 1)
    assert game.spec.max_length == bound <= 60
    for seed in range(2):
        game = FabriqueAReves(players, mode=mode, seed=seed)
        actions = []
        for move in random_moves(game, random.Random(seed), passing=0.0):
            actions.append(game.legal_actions()[move])
        assert len(actions) <= bound
        record = make_record(game.deal(seed), actions, ["random"] * players)
        assert replay(record) == game
        assert replay({**record, "seed": None}).result() == game.result()


def test_the_longest_game_is_as_long_as_its_bound_but_one() -> None:
    """Every tool, a full vial spilled and filled anew, everybody passing, two proposals."""
    game = FabriqueAReves(5, mode="sunday", seed=1)
    count = 0

    def play(start: str) -> None:
        nonlocal count
        game.play(next(words for words in game.legal() if words.startswith(start)))
        count += 1

    for tool in ("broom", "doubt on 1", "dust on 2", "dust+2 on 3"):
        play(tool)
    for vial in range(1, 6):
        for _ in range(3 - (vial == 4)):
            play(f"take {vial} into {vial}")
    for move in ("spill 5", "take 1 into 5", "take 1 into 5", "quill 4", "write"):
        play(move)
    for _ in range(4):
        play("pass")
    play("take 1 into 5")
    while not game.over:
        play("dream")
    assert count == game.spec.max_length - 2 == 58


@EVERY
def test_a_batch_and_single_games_play_the_same(mode: str, players: int) -> None:
    game = FabriqueAReves(players, mode=mode, seed=0)
    seats = [[0] * players]
    settings = Settings(game.spec.payoff("score"), observing=False)
    batch = GameBatch(game, 4, settings, arrangements=seats, keep_moves=True)
    batch.deal(seeds=np.arange(4).astype(np.uint64))
    for index in range(4):
        single = game.deal(index)
        for action in batch.actions[index, : batch.rows["moves"][index]].tolist():
            single.play(action)
        assert single.over
        assert single.scores() == batch.rows["points"][index, :players].tolist()
        assert np.allclose(batch.rows["returns"][index, :players], single.scores()[0] / 20)


def test_what_is_drawn_does_not_depend_on_other_options() -> None:
    """Minds and labels change no card, and the number of players no theme."""
    base = FabriqueAReves(3, seed=9).setup()
    for options in ({"labels": "list"}, {"noise": 90}, {"language": "fr"}):
        assert FabriqueAReves(3, seed=9, **options).setup() == base
    same = FabriqueAReves(3, seed=9, minds="same").setup()
    assert same | {"minds": base["minds"]} == base
    five = FabriqueAReves(5, seed=9).setup()
    assert (five["themes"], five["reservoirs"]) == (base["themes"], base["reservoirs"])
    assert five["minds"][:3] == base["minds"]


def test_every_theme_is_drawn_about_as_often() -> None:
    drawn = Counter(FabriqueAReves(seed=seed).setup()["themes"][0] for seed in range(600))
    assert len(drawn) == 20
    assert 10 < min(drawn.values()) <= max(drawn.values()) < 60
