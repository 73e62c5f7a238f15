"""What a game need not bring: the defaults, played by a game that brings as little as it can."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from dreamfactory_env.engine.contract import GameKernels
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.contract import NO_PARAMS
from dreamfactory_env.games.spec import GameSpec, Utility
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.testing.play import check_determinism
from tests.toy_game import SignalGame, rules
from tests.toy_game.game import sizes_of


class Bare(SignalGame):
    """Signals with the functions that a game must bring, and nothing else."""

    spec = GameSpec(
        name="bare",
        title="Bare",
        version="v0",
        min_players=2,
        max_players=3,
        utility=Utility.SHARED,
        sizes_of=sizes_of,
        options=SignalGame.spec.options,
    )
    kernels = GameKernels(
        reset=rules.reset,
        legal=rules.legal,
        apply=rules.apply,
        observe=rules.observe,
        outcome=rules.outcome,
        resample_hidden=rules.resample_hidden,
    )

    def key_to_string(self, key: int) -> str:
        """Returns the words of a move."""
        return f"action {key}"


def test_a_game_that_brings_no_more_than_it_must_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "bare", Bare)
    records = list(simulate(Bare(3), ["random"], 30, 1))
    assert len({tuple(record["setup"]["deck"]) for record in records}) == 30
    for record in records:
        assert all(words == f"action {action}" for _, action, words in record["moves"])
        assert replay(record).result() == replay({**record, "seed": None}).result()
    first = {record["moves"][0][1] for record in records}
    assert first == {*range(rules.STOP + 1)}  # random: every action is played


def test_what_is_not_declared_follows_from_what_is() -> None:
    spec = Bare.spec
    assert (spec.ladder, spec.rollout, spec.default_players) == (("random",), "random", 2)
    assert SignalGame.spec.rollout == "helper"
    assert replace(SignalGame.spec, rollout="random").rollout == "random"
    assert replace(SignalGame.spec, default_players=3).default_players == 3
    game = Bare(2, seed=1)
    assert (game.phase, game.result()) == ("turn", None)
    assert [game.action_to_string(action) for action in (0, rules.SIGNAL)] == [
        "action 0",
        f"action {rules.SIGNAL}",
    ]
    assert (Bare.kernels.owner, SignalGame.kernels.owner) == ("toy_game", "toy_game")


def test_the_spec_of_a_game_differs_from_that_of_its_class_in_sizes_only() -> None:
    own, declared = SignalGame(3, seed=1, goal=4).spec, SignalGame.spec
    assert all(getattr(own, f.name) is getattr(declared, f.name) for f in fields(GameSpec))
    assert (own.sizes.score_scale, declared.sizes.score_scale) == (4, 3)


def test_params_are_the_options_of_their_names() -> None:
    params = SignalGame(3, seed=1, goal=4, memory=True).params
    assert (params["goal"].tolist(), params["memory"].tolist()) == ([4], [1])

    class Other(SignalGame):
        params_dtype = NO_PARAMS

    other: Any = Other.__new__(Other)
    other.values = {"players": 2}
    other.configure()
    assert other.params.shape == (1,)
    Other.params_dtype = np.dtype([("goals", "i1")])
    with pytest.raises(TypeError, match="no option is called 'goals', a field of the params"):
        other.configure()


class ForgetsTheStart(SignalGame):
    """Its set-up does not say all that was drawn."""

    def load_setup(self, setup: Any) -> None:
        """Starts a game as if the first card had been somebody's."""
        super().load_setup(setup)
        self.states["spare"] = 1


def test_a_set_up_must_be_the_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", ForgetsTheStart)
    with pytest.raises(AssertionError, match="game 0: from its set-up it is another game"):
        check_determinism(ForgetsTheStart, 2, 0)
