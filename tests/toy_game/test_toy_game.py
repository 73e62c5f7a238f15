"""Signals: its rules, what it shows, and that it is a game like any other to the commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dreamfactory_env import OptionError
from dreamfactory_env.cli.main import app
from tests.paths import ROOT
from tests.toy_game import SignalGame
from tests.toy_game.rules import COPIES, MISTAKES, RANKS, SIGNALS

PLAYERS = pytest.mark.parametrize("players", [2, 3])


def with_deck(*cards: int, players: int = 2, **options: Any) -> SignalGame:
    """Returns a game whose deck begins with some cards."""
    left = Counter(dict.fromkeys(range(RANKS), COPIES)) - Counter(cards)
    config = {"players": players, "goal": 3, "memory": False, **options}
    return SignalGame.from_setup(config, {"deck": [*cards, *sorted(left.elements())]})


def test_right_guesses_are_points_and_the_goal_wins() -> None:
    game = with_deck(0, 1, 2, 3)
    for guess, points in ((0, 1), (1, 2)):
        game.play(f"guess {guess}")
        assert game.scores() == [points] * 2
        assert (game.over, game.winners()) == (False, [])
    game.play("guess 2")
    assert (game.over, game.winners(), game.phase) == (True, [0, 1], "over")
    assert game.result() == {"scores": [3, 3], "winners": [0, 1]}


def test_the_third_mistake_loses_all_points() -> None:
    game = with_deck(0, 1, 2, 3)
    for move in ("guess 0", "guess 0", "guess 0"):
        game.play(move)
    assert game.scores() == [1, 1]
    game.play("guess 0")
    assert (game.over, game.scores(), game.winners()) == (True, [0, 0], [])


def test_who_stops_the_game_keeps_its_points() -> None:
    game = with_deck(0, 1).play("guess 0").play("stop")
    assert game.result() == {"scores": [1, 1], "winners": []}


@PLAYERS
def test_a_signal_says_low_or_high_to_one_player_who_was_told_nothing(players: int) -> None:
    game = with_deck(0, 1, 3, players=players)
    signals = [words for words in game.legal() if words.startswith("signal")]
    assert signals == [f"signal player {seat}" for seat in range(1, players)]
    game.play("signal player 1")
    assert game.view(0)["told"][:2] == [None, "low"]
    assert game.view(0)["signals"] == SIGNALS - 1
    game.play("signal player 0")
    assert "signal player 1" not in game.legal()
    game = with_deck(2, 1, players=2).play("guess 2").play("signal player 0").play("guess 0")
    assert game.view(1)["told"] == [None, None]  # a new card: nobody was told anything about it


def test_signals_run_out() -> None:
    game = with_deck(0, 1, 2, 3, 0, goal=4)
    game.play("signal player 1")
    for card in (0, 2, 3):
        game.play("signal player 0").play(f"guess {card}")
    assert game.view(1)["told"] == [None, "low"]
    assert (game.view(1)["signals"], game.scores()) == (0, [3, 3])
    assert not any(words.startswith("signal") for words in game.legal())


@PLAYERS
@pytest.mark.parametrize("goal", [2, 3, 4])
def test_the_longest_game_is_as_long_as_declared(goal: int, players: int) -> None:
    game = SignalGame(players, seed=1, goal=goal)
    points = mistakes = moves = 0
    while not game.over:
        rank = int(game.states["deck"][0, game.states["hand"][0, game.to_move]])
        signals = [words for words in game.legal() if words.startswith("signal")]
        if signals:
            game.play(signals[0])
        elif points < goal - 1:
            game.play(f"guess {rank}")
            points += 1
        else:
            game.play(f"guess {(rank + 1) % RANKS}")
            mistakes += 1
        moves += 1
    assert (moves, mistakes) == (game.spec.max_length, MISTAKES)


@pytest.mark.parametrize("told", [False, True])
def test_the_own_card_is_redrawn_evenly_from_all_that_it_can_be(told: bool) -> None:
    game = with_deck(0, 1, 2, 3, 3, 3, 3)
    for move in ("guess 3", "signal player 0") if told else ("signal player 1", "guess 3"):
        game.play(move)
    seat = 0
    own = Counter(
        int(other.states["deck"][0, other.states["hand"][0, seat]])
        for other in (game.resample_hidden(seat, seed) for seed in range(4000))
    )
    unseen = Counter(game.setup()["deck"])
    view = game.view(seat)
    unseen -= Counter([*view["gone"], *(card for card in view["cards"] if card is not None)])
    fits = {
        rank: count
        for rank, count in unseen.items()
        if view["told"][seat] in (None, "high" if rank >= RANKS // 2 else "low")
    }
    assert len(fits) == (RANKS // 2 if told else RANKS)
    for rank, count in fits.items():
        assert own[rank] / 4000 == pytest.approx(count / sum(fits.values()), abs=0.03)
    assert sum(own[rank] for rank in fits) == 4000


def test_the_order_of_the_cards_to_come_is_redrawn_evenly() -> None:
    game = with_deck(0, 1, 2).play("signal player 1")
    nexts = Counter(
        int(other.states["deck"][0, 2])
        for other in (game.resample_hidden(1, seed) for seed in range(4000))
    )
    # Seat 1 knows that its card is low, and sees one of rank 0.
    total = {0: 3 - 3 / 7, 1: 4 - 4 / 7, 2: 4, 3: 4}
    for rank, expected in total.items():
        assert nexts[rank] / 4000 == pytest.approx(expected / 14, abs=0.03)


def test_a_seat_sees_all_cards_but_its_own_and_the_deck() -> None:
    game = with_deck(0, 1, 2, 3, players=3)
    assert game.view(1)["cards"] == [0, None, 2]
    assert "deck" not in game.view(1)
    assert game.view()["cards"] == [0, 1, 2]
    assert game.view()["deck"][0] == 3
    game.play("guess 0")
    assert game.view(0)["gone"] == [0]
    assert (game.view(1)["legal"], "legal" in game.view(0)) == (game.legal(), False)
    with pytest.raises(OptionError, match="there are players 0 to 2, not 3"):
        game.view(3)


def test_observations_count_from_the_player_on_and_remember_if_asked_to() -> None:
    game = with_deck(0, 1, 3, players=3, memory=True).play("signal player 2")
    spec = game.spec.observation
    seats = spec.block(game.observe(1), "seats")
    assert seats.tolist() == [
        [1, 0, 0, 0, 0, 0, 0],  # the own card: told nothing
        [0, 0, 1, 0, 0, 0, 1],  # the next one was told that it is high, and it is 3
        [1, 0, 0, 1, 0, 0, 0],
    ]
    assert spec.block(game.observe(1), "course").tolist() == [0, 0, 0.75, 0, 1]
    assert spec.block(game.observe(1), "unseen").tolist() == [0.75, 1, 1, 0.75]
    assert game.observation_to_string(game.observe(1)).splitlines()[0] == "course: [2] 0.75, [4] 1"


def test_the_default_text_has_a_line_for_each_thing_in_the_view() -> None:
    game = with_deck(0, 1, players=2)
    lines = game.text(0).splitlines()
    assert [line.partition(":")[0] for line in lines] == list(game.view(0))
    assert "cards: [null, 1]" in lines


TRACE = """
import hashlib, random
from tests.toy_game import SignalGame
found = hashlib.blake2b(digest_size=16)
for seed in range(12):
    game = SignalGame(2 + seed % 2, seed=seed, goal=2 + seed % 3, memory=True)
    rng = random.Random(seed)
    while not game.over:
        for seat in range(game.players):
            found.update(game.observe(seat).tobytes())
            found.update(game.resample_hidden(seat, seed).states.tobytes())
        found.update(repr(game.legal_actions()).encode())
        game.play(rng.choice(game.legal()))
    found.update(repr(game.result()).encode())
print(found.hexdigest())
"""


def test_uncompiled_and_bounds_checked_runs_play_the_same() -> None:
    hashes = {
        subprocess.run(
            [sys.executable, "-c", TRACE],
            cwd=ROOT,
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for more in ({}, {"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"})
    }
    assert len(hashes) == 1


# ---------------------------------------------------------------------------- commands


def run(*words: str | Path) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, (result.output, result.exception)
    return str(result.output)


def test_games_are_simulated_replayed_and_shown(toy: type[SignalGame], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    options = ["-o", "memory=true", "-o", "goal=2", "--players", "3"]
    told = run(
        *("simulate", "--game", "toy", "--games", "20", "--policies", "helper", "--out", path),
        *options,
    )
    assert "games won" in told
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [record["config"] for record in records] == [
        {"players": 3, "goal": 2, "memory": True}
    ] * 20
    assert len({tuple(record["setup"]["deck"]) for record in records}) == 20
    assert "20 games verified, 0 wrong" in run("replay", path)
    shown = run("show", path, "-n", "1")
    assert "player 0 (helper): signal player 1" in shown
    shown = shown.replace(" (helper)", "")
    words = [words for _, _, words in records[0]["moves"]]
    places = [shown.index(f": {word}") for word in words[:2]]
    assert all(first < second for first, second in pairwise(places))


def test_a_wrong_record_is_named(toy: type[SignalGame], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    run("simulate", "--game", "toy", "--games", "3", "--out", path)
    lines = path.read_text("utf-8").splitlines()
    wrong = json.loads(lines[1])
    wrong["result"]["scores"][0] += 1
    path.write_text("\n".join([lines[0], json.dumps(wrong), lines[2]]) + "\n", "utf-8")
    result = CliRunner().invoke(app, ["replay", str(path)])
    assert result.exit_code == 1
    assert "2 games verified, 1 wrong" in result.output


def test_the_game_is_listed_and_so_are_its_options(toy: type[SignalGame]) -> None:
    listed = run("games", "toy")
    for words in ("Signals", "shared", "goal", "memory", "helper"):
        assert words in listed
    assert all(name in run("games") for name in ("toy", "dream_factory"))
