"""Policies: the interface, the names, and that nobody can peek."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.policies import Policy, Views, policy_named, view_of
from tests.paths import DOCS
from tests.players import Batcher, Sitter

#: Every policy that ships; those that search, with little time.
SHIPPED = [*DreamFactory.spec.scripted, *DreamFactory.agents, "mcts:20"]


def positions(players: int, seed: int, every: int) -> Iterator[tuple[DreamFactory, int]]:
    """Gives positions of a game played by all scripted policies, with the number of the move."""
    game = DreamFactory(players, seed=seed)
    rng = random.Random(seed)
    names = list(DreamFactory.spec.scripted)
    moves = 0
    while not game.over:
        if moves % every == 0:
            yield game.copy(), moves
        game.play(policy_named(rng.choice(names), game).act(view_of(game, moves=moves)))
        moves += 1


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("players", [2, 4, 5])
def test_a_policy_decides_the_same_when_only_hidden_things_differ(name: str, players: int) -> None:
    policy = policy_named(name, DreamFactory(players))
    tried = 0
    for game, moves in positions(players, 3, 7):
        seat = game.to_move
        assert seat is not None
        chosen = policy.act(view_of(game, seed=5, moves=moves))
        assert chosen in game.legal_actions().values()
        for seed in range(3):
            other = game.resample_hidden(seat, seed)
            assert policy.act(view_of(other, seed=5, moves=moves)) == chosen
            tried += 1
    assert tried > 50


def test_a_view_is_the_same_when_only_hidden_things_differ() -> None:
    for game, moves in positions(4, 4, 5):
        seat = game.to_move
        assert seat is not None
        view = view_of(game, seed=9, moves=moves)
        other = view_of(game.resample_hidden(seat, 77), seed=9, moves=moves)
        assert view.game == other.game
        assert view.game.seed is None
        assert (view.observation == other.observation).all()
        assert (view.observation == game.observe(seat)).all()
        assert view.legal == other.legal == game.legal_actions()
        assert np.flatnonzero(view.mask).tolist() == list(game.legal_actions().values())
        assert view.rng.integers(2**40) == other.rng.integers(2**40)
        assert (view.seat, view.players) == (seat, 4)


def test_a_view_holds_no_reference_to_the_true_game() -> None:
    game = DreamFactory(4, seed=1).play("bid 3")
    before = game.save()
    view = view_of(game)
    view.game.play("pass")
    assert game.save() == before
    assert view.game.seed is None
    assert view.game.setup()["deck"] != game.setup()["deck"]


def test_chance_depends_on_seed_seat_and_move() -> None:
    game = DreamFactory(3, seed=1)
    drawn = {
        view_of(position, seed=seed, moves=moves).rng.integers(2**60)
        for position in (game, game.copy().play("pass"))
        for seed in (1, 2)
        for moves in (0, 1)
    }
    assert len(drawn) == 8


@pytest.mark.parametrize("name", DreamFactory.spec.scripted)
def test_a_scripted_policy_plays_as_the_stepper_does(name: str) -> None:
    game = DreamFactory(3, seed=8)
    lineup = [list(game.scripted).index(name)] * 3
    settings = Settings(game.spec.payoff())
    batch = GameBatch(game, 1, settings, arrangements=[lineup], keep_moves=True)
    batch.deal(seeds=np.array([8], np.uint64))
    policy = policy_named(name, game)
    for moves, action in enumerate(batch.actions[0, : batch.rows["moves"][0]].tolist()):
        assert policy.act(view_of(game, seed=8, moves=moves)) == action
        game.play(action)
    assert game.over
    assert game == batch.game_at(0)


def test_one_method_is_enough_and_the_other_agrees() -> None:
    games = [game for game, _ in positions(4, 6, 9)]
    states = np.concatenate([game.states for game in games])
    seats = np.array([game.to_move for game in games])
    seeds, moves = np.arange(len(games), dtype=np.uint64), np.arange(len(games))
    views = Views(games[0], states, seats, seeds, moves)
    assert len(views) == len(games)
    for policy in (Sitter(), Batcher()):
        together = policy.act_batch(views)
        assert together.tolist() == [policy.act(views[k]) for k in range(len(views))]
    part = views.part(np.array([2, 0]))
    assert (part.observations == views.observations[[2, 0]]).all()
    assert part[0].legal == views[2].legal
    with pytest.raises(IndexError):
        views[len(views)]
    with pytest.raises(TypeError, match="Neither needs a method act or act_batch"):
        type("Neither", (Policy,), {})


def test_nobody_is_to_move_when_the_game_is_over() -> None:
    game = DreamFactory(2, seed=1)
    while not game.over:
        game.play(game.legal()[0])
    with pytest.raises(OptionError, match="the game is over"):
        view_of(game)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("randon", "unknown policy 'randon'; known are random, .*; did you mean 'random'"),
        ("", "unknown policy ''; known are random, "),
        ("mcts", "unknown policy 'mcts'; known are .*; did you mean 'mcts:1s'"),
        ("mcts:many", "the budget of a search is a number of iterations such as 500 .*'many'"),
        (":", "unknown policy ':'"),
        ("tests.nowhere:X", "tests.nowhere cannot be imported: ModuleNotFoundError: No module"),
        ("tests.players:Siter", "tests.players has no 'Siter'; did you mean 'Sitter'"),
        ("tests.players:Unmakeable", "cannot be made: ValueError: no model here"),
        ("tests.players:NoPolicy", "is the class NoPolicy, not a subclass of Policy"),
        ("os:getcwd", "is a builtin_function_or_method, not a subclass of Policy"),
        ("sys:exit", "is a builtin_function_or_method, not a subclass of Policy"),
    ],
)
def test_a_name_that_is_none_says_why(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        policy_named(name, DreamFactory())


def test_a_module_in_the_working_directory_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "from tests.players import Batcher\nclass Mine(Batcher): pass\n"
    (tmp_path / "bots_of_mine.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/", *__import__("sys").path])
    assert type(policy_named("bots_of_mine:Mine", DreamFactory())).__name__ == "Mine"


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goes to a folder with the models that the examples of the docs load."""
    monkeypatch.chdir(tmp_path)
    torch.set_num_threads(1)
    env = gymnasium.make("DreamFactory-v0", players=2)
    MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, seed=1).save("model.zip")
    module = torch.nn.Linear(DreamFactory.spec.observation.size, DreamFactory.spec.num_actions)
    torch.save(module.state_dict(), "module.pt")


def test_the_examples_of_the_docs_play(trained: None) -> None:
    text = (DOCS / "own_policies.md").read_text("utf-8")
    found: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(code, "own_policies.md", "exec"), found)
    for name in ("Thrifty", "Trained", "Network", "Patient"):
        duel_of = duel(found[name](), ["random"], players=2, games=4)
        told = evaluate(duel_of, processes=1)
        assert told is not None
        assert told.report["games"] >= 4
        assert told.report["fouls"] == []
