"""The search: honest, repeatable, legal, and not blind."""

from __future__ import annotations

import _thread
import random
import threading
import time
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.policies import SearchPolicy, policy_named
from dreamfactory_env.policies.search import Analysis, Budget, Candidate, Search, parse_budget
from dreamfactory_env.policies.search.tree import NO_NODE, add_node, new_tree
from tests.engine.test_compiled import run
from tests.games.dream_factory.staging import give, lay, stacked
from tests.games.dream_factory.trace import OPTIONS


def some_positions(count: int, **options: Any) -> list[DreamFactory]:
    """Returns positions with a choice, from random games of all player counts and editions."""
    rng = random.Random(5)
    found: list[DreamFactory] = []
    while len(found) < count:
        chosen: dict[str, Any] = {**OPTIONS[len(found) % len(OPTIONS)], **options}
        game = DreamFactory(seed=len(found), **chosen)
        for _ in range(rng.randrange(150)):
            if not game.over:
                legal = game.legal()
                game.play(rng.choice(legal[:3]))  # low bids and placing keep the game alive
        if not game.over and len(game.legal()) > 1:
            found.append(game)
    return found


def seen(analysis: Analysis) -> Any:
    """Returns all of an analysis but the time it took."""
    return analysis.candidates, analysis.iterations, analysis.decisions


# ---------------------------------------------------------------------------- honest and repeatable


@pytest.mark.parametrize("rollout", ["random", "greedy"])
@pytest.mark.rule("D3", "D5", "D7")
def test_what_the_player_cannot_know_does_not_matter(rollout: str) -> None:
    search = Search(40, rollout=rollout, seed=3)
    redrawn = 0
    for number, game in enumerate(some_positions(64)):
        assert game.to_move is not None
        other = game.resample_hidden(game.to_move, number)
        redrawn += other.setup() != game.setup()
        assert seen(search.analyse(other, number)) == seen(search.analyse(game, number))
    assert redrawn > 50


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_seed_gives_the_same_analysis(threads: int) -> None:
    (game,) = some_positions(1)
    first = Search(500, threads=threads, rollout="greedy", seed=8).analyse(game, 1)
    again = Search(500, threads=threads, rollout="greedy", seed=8).analyse(game, 1)
    assert seen(first) == seen(again)
    assert first.iterations == 500
    for seed, seat_seed in [(9, 1), (8, 2)]:
        other = Search(500, threads=threads, rollout="greedy", seed=seed).analyse(game, seat_seed)
        assert seen(other) != seen(first)


def test_the_position_is_left_as_it_was() -> None:
    (game,) = some_positions(1)
    before = game.save()
    Search(50, rollout="greedy").analyse(game)
    assert game.save() == before


TINY = """
from dreamfactory_env import DreamFactory
from dreamfactory_env.policies.search import Search
game = DreamFactory(3, seed=4).play("bid 1")
print(Search(6, rollout="greedy").analyse(game))
"""


def test_uncompiled_code_finds_the_same() -> None:
    compiled = run("-c", TINY)
    assert "bid 2" in compiled
    assert run("-c", TINY, environment={"NUMBA_DISABLE_JIT": "1"}) == compiled


def test_bounds_are_kept() -> None:
    longer = TINY.replace("Search(6", "Search(600")
    assert run("-c", longer, environment={"NUMBA_BOUNDSCHECK": "1"}) == run("-c", longer)


# ---------------------------------------------------------------------------- legal


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_whole_games_are_played_legally(options: dict[str, Any]) -> None:
    game = DreamFactory(seed=1, **options)
    searches = [Search(8, rollout=name) for name in game.scripted]
    while not game.over:
        assert game.to_move is not None
        game.play(searches[game.to_move % len(searches)].choose(game))


def test_a_forced_move_is_answered_at_once() -> None:
    game = DreamFactory(2, seed=1).play("bid 12")
    game.state.money[game.to_move] = 12
    assert game.legal() == ["pass"]
    begin = time.perf_counter()
    assert Search(seconds=60).choose(game) == game.legal_actions()["pass"]
    assert time.perf_counter() - begin < 5


def test_there_is_nothing_to_search_when_a_game_is_over() -> None:
    game = DreamFactory(2, seed=1)
    while not game.over:
        game.play(game.legal()[0])
    for ask in (Search(10).choose, Search(10).analyse):
        with pytest.raises(OptionError, match="the game is over"):
            ask(game)


# ---------------------------------------------------------------------------- not blind


def last_city(game: DreamFactory) -> DreamFactory:
    """Moves a game to the last city of the last round."""
    game.state.round_number, game.state.location = 3, 6
    return game


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("rollout", ["random", "greedy"])
def test_a_film_that_can_be_finished_is_finished(players: int, rollout: str) -> None:
    game = stacked(players=players, studios=[3, 1, 2, 4, 5][:players])
    lay(game, "Casablanca", actor="actor 3", music="music 3", camera="camera 2", blank="actor 2")
    last_city(give(game, 0, "director 3"))
    assert len(game.legal()) > 3
    best = Search(300, rollout=rollout).analyse(game).best
    assert best.words == "place director 3 on Casablanca/director"
    assert best.visits > 150


def test_a_guest_star_is_placed_before_the_tile_that_finishes_the_film() -> None:
    game = stacked(players=2, studios=[3, 1])
    lay(game, "Casablanca", actor="actor 3", music="music 3", camera="camera 2", blank="actor 2")
    last_city(give(game, 0, "director 3", "guest 3"))
    found = Search(5000, rollout="greedy").analyse(game)
    assert found.best.words == "place guest 3 on Casablanca/guest"
    assert found.candidates[1].words == "place director 3 on Casablanca/director"
    # Three points more are three fiftieths between the two players.
    gained = found.best.utilities[0] - found.candidates[1].utilities[0]
    assert gained == pytest.approx(0.03, abs=0.01)


# ---------------------------------------------------------------------------- what is found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_utilities_sum_to_zero_and_visits_to_the_iterations(players: int) -> None:
    for game in some_positions(4, players=players):
        for threads in (1, 2):
            found = Search(101, threads=threads, rollout="greedy").analyse(game)
            assert sum(candidate.visits for candidate in found.candidates) == 101
            assert {c.words: c.action for c in found.candidates} == game.legal_actions()
            for candidate in found.candidates:
                assert len(candidate.utilities) == players
                assert sum(candidate.utilities) == pytest.approx(0, abs=1e-9)
            assert found.player == game.to_move
            assert found.decisions > 101
            visits = [candidate.visits for candidate in found.candidates]
            assert visits == sorted(visits, reverse=True)


def test_an_analysis_prints_as_a_table() -> None:
    game = DreamFactory(2, seed=1)
    lines = str(Search(50, rollout="random").analyse(game)).splitlines()
    assert lines[0].split() == ["move", "visits", "utility", "of", "each", "player"]
    assert len(lines) == 1 + len(game.legal())


def test_a_notebook_shows_an_analysis_as_a_table() -> None:
    moves = (Candidate(3, 'guess <b> & "c"', 1234, (0.5, -0.25)), Candidate(1, "stop", 6, (0, 0)))
    page = Analysis(1, moves, 1240, 9999, 0.125)._repr_html_()
    table = ElementTree.fromstring(page)  # every tag is closed, nothing is left unescaped
    rows = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
    assert rows == [
        ["move", "visits", "player 0", "player 1"],
        ['guess <b> & "c"', "1,234", "+0.500", "-0.250"],
        ["stop", "6", "+0.000", "+0.000"],
    ]
    assert table.findtext("caption", "").startswith("player 1 to move: 1,240 iterations in 0.12 s")
    assert len(list(table.iter("b"))) == 4  # the move to play


def test_a_full_tree_is_played_from_without_growing() -> None:
    tree = new_tree(DreamFactory(2, seed=1), 3)
    assert [add_node(tree, 0, key) for key in (5, 6, 7)] == [1, 2, NO_NODE]
    assert tree.nodes["key"].tolist() == [0, 5, 6]


# ---------------------------------------------------------------------------- budgets


@pytest.mark.parametrize("threads", [1, 2])
def test_a_time_is_kept(threads: int) -> None:
    game = DreamFactory(2, seed=1)
    Search(2, rollout="random").analyse(game)
    found = Search(seconds=0.3, threads=threads, rollout="random").analyse(game)
    assert 0.3 <= found.seconds < 1
    assert found.iterations > 100


@pytest.mark.parametrize("threads", [1, 2])
def test_it_can_be_interrupted(threads: int) -> None:
    game = DreamFactory(2, seed=1)
    Search(2, rollout="random").analyse(game)
    begin = time.perf_counter()
    threading.Timer(0.3, _thread.interrupt_main).start()  # as Ctrl-C does
    with pytest.raises(KeyboardInterrupt):
        Search(10**9, threads=threads, rollout="random").analyse(game)
    assert time.perf_counter() - begin < 3


def test_making_a_policy_that_searches_runs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "analyse", None)
    policy = policy_named("mcts:60s", DreamFactory(2))
    assert isinstance(policy, SearchPolicy)
    assert policy.search.seconds == 60


def test_budgets_are_read() -> None:
    assert parse_budget("500") == Budget(iterations=500)
    assert parse_budget("1s") == Budget(seconds=1.0)
    assert parse_budget("0.2s") == Budget(seconds=0.2)
    for wrong in ("", "s", "-1", "1.5", "1 s", "1ms", "1e3", "five"):
        with pytest.raises(OptionError, match="such as 500 or a time such as 1s"):
            parse_budget(wrong)
    for nothing in ("0", "0s"):
        with pytest.raises(OptionError, match=r"at least 1|above 0"):
            parse_budget(nothing)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "either iterations or seconds"),
        ({"iterations": 5, "seconds": 1.0}, "either iterations or seconds"),
        ({"iterations": 1.5}, "iterations must be at least 1"),
        ({"seconds": float("nan")}, "seconds must be above 0"),
        ({"iterations": 5, "threads": 0}, "threads must be at least 1"),
        ({"iterations": 5, "cutoff": 0}, "cutoff must be at least 1"),
        ({"iterations": 5, "trust": 1.1}, "trust must be from 0 to 1"),
        ({"iterations": 5, "reward": "winning"}, "reward must be one of win, rank, score"),
        ({"iterations": 5, "exploration": -1}, "exploration must be at least 0"),
        ({"iterations": 5, "seed": -1}, "seed must be"),
        ({"iterations": 5, "rollout": "greed"}, "did you mean 'greedy'"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Search(**options).analyse(DreamFactory(2, seed=1))


def test_a_cutoff_judges_by_the_points_so_far() -> None:
    game = DreamFactory(2, seed=1)
    game.state.money[:2] = [20, 4]
    found = Search(30, cutoff=1, rollout="random", reward="win").analyse(game)
    assert found.decisions <= 30 * 6
    assert found.best.utilities[0] == pytest.approx(1, abs=0.5)
    assert np.isclose(found.best.utilities[0], -found.best.utilities[1])
