"""Simulations: the same games however they are played, side by side or one by one."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory, IllegalMove, OptionError, RecordError
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.records import simulation
from dreamfactory_env.records.format import make_record, replay, replay_moves
from dreamfactory_env.records.simulation import (
    Simulation,
    check_continues,
    seed_of_game,
    simulate,
)
from tests.toy_game import SignalGame

LINEUPS: list[tuple[Game, list[str]]] = [
    (SignalGame(3, memory=True), ["helper"]),
    (SignalGame(2), ["helper", "mcts:3"]),
    (SignalGame(2), ["tests.players:Sitter", "tests.players:Batcher"]),
    (DreamFactory(2), ["expert", "pretrained-small"]),
    (DreamFactory(3, edition="traumfabrik"), ["tests.players:Batcher", "random", "greedy"]),
]


@pytest.fixture(autouse=True)
def _registered(toy: type[SignalGame]) -> None:
    """Has the game in the registry for every test: records name it."""


def played_slowly(game: Game, policies: list[str], seed: int) -> dict[str, Any]:
    """Plays a game move by move, each policy asked for one game."""
    start = game.deal(seed)
    names = policies * (game.players // len(policies))
    made = {name: policy_named(name, game) for name in names}
    now = start.copy()
    actions: list[int] = []
    while now.to_move is not None:
        view = view_of(now, seed=seed, moves=len(actions))
        actions.append(int(made[names[now.to_move]].act(view)))
        now.play(actions[-1])
    return make_record(start, actions, names)


@pytest.mark.parametrize(
    ("game", "policies"), LINEUPS, ids=[f"{g.spec.name} {names}" for g, names in LINEUPS]
)
def test_games_are_those_that_are_played_move_by_move(game: Game, policies: list[str]) -> None:
    records = list(simulate(game, policies, 4, 5))
    for number, record in enumerate(records):
        assert record["seed"] == seed_of_game(5, number)
        assert record == played_slowly(game, policies, record["seed"])
        assert replay(record).result() == record["result"]
        assert json.loads(json.dumps(record)) == record


def test_games_do_not_depend_on_how_many_are_played_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, policies = DreamFactory(2), ["expert", "pretrained-small"]
    expected = list(simulate(game, policies, 5, 5))
    monkeypatch.setattr(simulation, "SIDE_BY_SIDE", 2)
    assert list(simulate(game, policies, 5, 5)) == expected
    assert list(simulate(game, policies, 5, 5, start=3)) == expected[3:]


def test_networks_play_many_games_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    right = NetworkPolicy.act_batch

    def act_batch(policy: NetworkPolicy, views: Any) -> Any:
        sizes.append(len(views))
        return right(policy, views)

    monkeypatch.setattr(NetworkPolicy, "act_batch", act_batch)
    assert len(list(simulate(DreamFactory(2), ["pretrained-small", "random"], 40, 1))) == 40
    assert max(sizes) > 20


def test_policies_are_made_once_and_wrong_names_refused_before_any_game() -> None:
    made = Simulation(SignalGame(3), ["mcts:2"], 1)
    assert made.agents == ["mcts:2"] * 3
    for policies, message in (
        (["helper", "random"], "2 policies for 3 players; give 1 or 3"),
        (["helpr"], "unknown policy 'helpr'; .*did you mean 'helper'"),
    ):
        with pytest.raises(OptionError, match=message):
            simulate(SignalGame(3), policies, 3, 1)
    with pytest.raises(OptionError, match="games must be at least 1, not 0"):
        simulate(SignalGame(3), ["random"], 0, 1)
    with pytest.raises(OptionError, match="seed must be a whole number"):
        simulate(SignalGame(3), ["random"], 1, -1)


def test_a_policy_that_plays_illegally_is_named() -> None:
    with pytest.raises(IllegalMove, match="is not legal for player 1"):
        list(simulate(DreamFactory(2), ["random", "tests.players:Cheater"], 5, 1))


def test_two_simulations_in_one_process_share_nothing() -> None:
    first, second = (
        simulate(SignalGame(2), ["mcts:3", name], 3, 1) for name in ("helper", "mcts:3")
    )
    mixed = [next(first), next(second), next(first), next(second)]
    assert mixed[::2] == list(simulate(SignalGame(2), ["mcts:3", "helper"], 2, 1))
    assert mixed[1::2] == list(simulate(SignalGame(2), ["mcts:3", "mcts:3"], 2, 1))


def test_a_record_of_another_simulation_is_not_continued() -> None:
    game = SignalGame(2)
    record = list(simulate(game, ["helper"], 2, 4))[1]
    check_continues(record, 1, game, ["helper"], 4)
    for given, key in (
        ((0, game, ["helper"], 4), "seed"),
        ((1, game, ["random"], 4), "agents"),
        ((1, SignalGame(2, goal=2), ["helper"], 4), "config"),
        ((1, DreamFactory(2), ["helper"], 4), "game"),
    ):
        with pytest.raises(RecordError, match=f"of this simulation: its {key} is"):
            check_continues(record, *given)


# ---------------------------------------------------------------------------- a shared game


def test_records_of_a_shared_game_hold_scores_and_who_has_won() -> None:
    records = list(simulate(SignalGame(3, goal=2), ["helper"], 40, 1))
    assert {tuple(record["result"]["winners"]) for record in records} == {(), (0, 1, 2)}
    for record in records:
        assert record["config"] == {"players": 3, "goal": 2, "memory": False}
        end = replay(record)
        assert record["result"] == {"scores": end.scores(), "winners": end.winners()}
        given = replay({**record, "seed": None})
        assert np.array_equal(given.states["deck"], end.states["deck"])


def test_wrong_records_of_a_shared_game_are_refused() -> None:
    record = next(iter(simulate(SignalGame(2), ["helper"], 1, 1)))
    deck = record["setup"]["deck"]
    for key, value, message in (
        ("result", {**record["result"], "winners": 1}, "result: winners is 1, but must be"),
        (
            "setup",
            {"deck": deck[1:]},
            r"setup: deck must be \[0, 0, 0, 0, 1, .*\] in any order, not",
        ),
        ("setup", {"deck": [0] * 16}, "setup: deck must be"),
        ("setup", {"deck": [float(card) for card in deck]}, "setup: deck must be"),
        ("setup", {"deck": None}, "setup: deck must be"),
        ("setup", {"deck": deck, "pile": []}, "setup must have deck, not"),
        ("setup", None, "setup must have deck, not None"),
        ("setup", {"deck": deck[::-1]}, "not the one that seed"),
        ("config", {**record["config"], "goal": 7}, "goal must be one of 2, 3, 4"),
        ("agents", ["helper"], "agents must be 2 names"),
    ):
        with pytest.raises((RecordError, OptionError), match=message):
            replay({**record, key: value})
    unfinished = {**record, "moves": record["moves"][:2], "result": None}
    assert replay_moves(unfinished).to_move == 0


def test_a_shared_game_is_narrated_and_saved() -> None:
    record = next(iter(simulate(SignalGame(2), ["helper"], 1, 1)))
    game = SignalGame(2, seed=record["seed"])
    lines = [line.text for line in game.narrate(move[1] for move in record["moves"])]
    assert lines[0] == "player 0: signal player 1"
    assert json.loads(lines[-1]) == record["result"]
    assert len(lines) == len(record["moves"]) + 1
    assert SignalGame.load(game.save()) == game == replay(record)
