"""What must always hold, over random games of every kind and against the referee."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory import components
from dreamfactory_env.games.dream_factory.state import NO_TILE
from dreamfactory_env.records.format import make_record, replay
from tests.games.dream_factory.referee import Referee
from tests.games.dream_factory.styles import STYLES

COMPONENTS: dict[str, Any] = yaml.safe_load(
    Path(components.__file__).with_name("components.yaml").read_text("utf-8")
)

OPTIONS = st.fixed_dictionaries(
    {
        "players": st.integers(2, 5),
        "edition": st.sampled_from(["dream_factory", "traumfabrik"]),
        "hidden_money": st.sampled_from(["rule", "never", "always"]),
        "choose_studio": st.booleans(),
    }
)
SEEDS = st.integers(0, 2**63 - 1)
QUICK = settings(max_examples=40, deadline=None)


def referee_of(game: DreamFactory) -> Referee:
    return Referee(COMPONENTS, game.config(), game.setup())


def assert_agree(game: DreamFactory, referee: Referee) -> None:
    """Asserts that the engine and the referee see the same position."""
    s = game.state
    assert game.over == referee.over
    assert game.to_move == referee.to_move
    assert game.phase == referee.phase
    assert set(game.legal()) == referee.legal()
    assert game.money == referee.money
    assert s.pot == referee.pot
    assert game.hand == [str(tile) for tile in referee.hand]
    assert s.first_player == referee.first_player
    assert game.scores() == [referee.score(seat) for seat in range(game.players)]
    tokens = game.options.components.tokens
    free = [word for k, word in enumerate(tokens) if int(s.free_tokens) >> k & 1]
    assert free == referee.free_tokens
    for seat in range(game.players):
        assert s.red[seat] == referee.reds(seat)
        ours = {film.title: (film.spaces, film.finished) for film in game.films(seat)}
        theirs = {
            film.title: (
                {space.name: str(space.stack[-1]) if space.stack else "-" for space in film.spaces},
                film.finished,
            )
            for film in referee.films[seat]
        }
        assert ours == theirs


def count_tiles(game: DreamFactory) -> int:
    """Counts the tiles of the game over all the places where the state keeps them."""
    s, t = game.state, game.params[0]
    per_round = int(t.round_size[game.players])
    drawn = per_round * int(s.round_number)
    legendary = int(s.round_number)
    if game.phase != "studio" and not game.over:
        drawn += sum(int(t.lot_size[game.players, k]) for k in range(int(s.location) + 1))
        legendary += 1
    waiting = int(t.deck_size) - drawn + 4 - legendary
    lying = sum(int((where != NO_TILE).sum()) for where in (s.lot, s.hand, s.tiles))
    return waiting + lying + int(s.covered) + int(s.discarded)


@QUICK
@given(options=OPTIONS, seed=SEEDS, style=st.sampled_from(list(STYLES)), luck=st.integers(0, 99))
def test_engine_and_referee_agree_on_every_position(
    options: dict[str, Any], seed: int, style: str, luck: int
) -> None:
    game = DreamFactory(seed=seed, **options)
    referee = referee_of(game)
    rng = random.Random(luck)
    while True:
        assert_agree(game, referee)
        if game.over:
            break
        move = STYLES[style](game.legal(), rng)
        assert game.to_move is not None
        referee.play(game.to_move, move)
        game.play(move)
    assert game.result() == referee.result()


@QUICK
@given(options=OPTIONS, seed=SEEDS, style=st.sampled_from(list(STYLES)), luck=st.integers(0, 99))
@pytest.mark.rule("D2", "D4", "D12", "D16", "D20", "D22", "D23")
def test_nothing_is_lost_and_nothing_finished_changes(
    options: dict[str, Any], seed: int, style: str, luck: int
) -> None:
    game = DreamFactory(seed=seed, **options)
    money = sum(game.money)
    tiles = count_tiles(game)
    deck = Counter(game.setup()["deck"])
    finished: dict[int, bytes] = {}
    rng = random.Random(luck)
    start = game.copy()
    moves: list[list[Any]] = []
    while not game.over:
        legal = game.legal_actions()
        assert legal
        assert sorted(legal.values()) == list(legal.values())
        words = STYLES[style](list(legal), rng)
        moves.append([game.to_move, legal[words], words])
        game.play(words)
        s = game.state
        assert sum(game.money) + int(s.pot) == money
        assert min(game.money) >= 0
        assert count_tiles(game) == tiles
        for film in game.finished():
            now = s.tiles[film].tobytes() + s.rank[film].tobytes() + s.owner[film].tobytes()
            assert finished.setdefault(film, now) == now
        tokens = [int(s.rank[film]) for film in game.finished()]
        assert len(set(tokens)) == len(tokens)  # each token is used at most once
        taken = sum(1 << token for token in tokens if token >= 0)
        assert int(s.free_tokens) == 2**30 - 1 - taken
        assert len(moves) <= game.spec.max_length
    assert Counter(game.setup()["deck"]) == deck
    # A record re-plays to the same result.
    record = make_record(start, [action for _, action, _ in moves], ["test"] * game.players)
    assert record["moves"] == moves
    assert replay(record) == game


@QUICK
@given(options=OPTIONS, seed=SEEDS)
@pytest.mark.rule("D9")
def test_no_game_is_longer_than_the_proven_bound(options: dict[str, Any], seed: int) -> None:
    """Bids that rise by one as long as anybody can pay make the longest auctions."""
    game = DreamFactory(seed=seed, **options)
    moves = 0
    while not game.over:
        legal = game.legal()
        game.play(legal[1] if len(legal) > 1 and legal[0] == "pass" else legal[0])
        moves += 1
    assert moves <= game.spec.max_length


@settings(max_examples=200, deadline=None)
@given(options=OPTIONS, seed=SEEDS, moves=st.integers(0, 300), action=st.integers(-5, 200))
def test_an_action_that_is_not_listed_is_refused_and_changes_nothing(
    options: dict[str, Any], seed: int, moves: int, action: int
) -> None:
    game = DreamFactory(seed=seed, **options)
    rng = random.Random(moves)
    for _ in range(moves):
        if not game.over:
            game.play(rng.choice(list(game.legal_actions().values())))
    before = game.states.tobytes()
    if action in game.legal_actions().values():
        assert game.play(action).states.tobytes() != before
    else:
        with pytest.raises(ValueError, match=r"cannot be played|is not legal"):
            game.play(action)
        assert game.states.tobytes() == before


def test_random_play_reaches_every_kind_of_position() -> None:
    """The properties above would be worth little if random games were all alike."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        game = DreamFactory(2 + seed % 4, seed=seed, edition="traumfabrik")
        rng = random.Random(seed)
        while not game.over:
            for words in game.legal():
                seen[words.split()[0]] += 1
            game.play(STYLES["thrifty"](game.legal(), rng))
        seen["films"] += int(game.state.finished_count)
        seen["empty pile"] += int(game.state.pile_taken == 7)
        seen["covered"] += int(game.state.covered)
        seen["best director"] += int(game.state.best_director >= 0)
        seen["no best director"] += int(game.state.best_director < 0)
        seen["plain double"] += int(np.isin(game.state.rank, [8, 10, 12, 14, 16, 18, 20]).any())
    for what in ["pass", "bid", "pick", "decline", "place", "discard", "films", "covered"]:
        assert seen[what] > 100, what
    for what in ["empty pile", "best director", "no best director", "plain double"]:
        assert seen[what] > 3, what
