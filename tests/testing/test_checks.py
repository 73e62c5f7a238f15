"""The conformance suite for games: ours passes, and broken ones are found out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
import pytest

from dreamfactory_env import DreamFactory, testing
from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.stats import Figures
from dreamfactory_env.testing.checks import check_game

EDITIONS = ["dream_factory", "traumfabrik"]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_dream_factory_passes(players: int, edition: str) -> None:
    hidden = ["rule", "never", "always"][players % 3]
    choose = players % 2 == 0
    check_game(
        DreamFactory,
        games=2,
        players=players,
        edition=edition,
        hidden_money=hidden,
        choose_studio=choose,
    )


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_faces_play_the_same_games(players: int, edition: str) -> None:
    testing.check_faces(DreamFactory, 256, 1, players=players, edition=edition)


class Leaky(DreamFactory):
    """Takes some of a player's own money for hidden."""

    def resample_hidden(self, player: int, seed: int) -> Self:
        other = super().resample_hidden(player, seed)
        other.state.money[player] += 1
        return other


class Shared(DreamFactory):
    """Its copies are no copies."""

    def copy(self) -> Self:
        return self


class Short(DreamFactory):
    """Thinks that its games are shorter than they are."""

    def longest_game(self) -> int:
        return 60


class Amnesiac(DreamFactory):
    """Loads another position than was saved."""

    @classmethod
    def load(cls, blob: bytes) -> Self:
        game = super().load(blob)
        game.state.pot += 1
        return game


class Forgetful(DreamFactory):
    """Does not tell all moves."""

    def legal_actions(self) -> dict[str, int]:
        return dict(list(super().legal_actions().items())[:-1])


class Generous(DreamFactory):
    """Counts a point too many for a seat."""

    def scores(self) -> list[int]:
        first, *others = super().scores()
        return [first + 1, *others]


class Wasteful(DreamFactory):
    """Forgets where some of its points come from."""

    def figures(self) -> Figures:
        right = super().figures()
        return replace(right, parts=right.parts[:-1])


class Unsure(DreamFactory):
    """Has no words for the last studio."""

    def figures(self) -> Figures:
        right = super().figures()
        turn, studio = right.roles
        return replace(right, roles=(turn, replace(studio, words=studio.words[:1])))


class Misplaced(DreamFactory):
    """Looks for a number where there is none."""

    def figures(self) -> Figures:
        right = super().figures()
        return replace(right, seats=(replace(right.seats[0], places=np.array(99)),))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Wasteful, r"seed 0: the parts add up to \[.*\], not to \["),
        (Unsure, "seed 0: a studio has no words"),
        (Misplaced, "the figure 'films finished' is not among the numbers"),
        (Leaky, "seed 0, move 0, player 0: 'money' of the observation tells what is hidden"),
        (Shared, "seed 0, move 0: playing a copy changes the game"),
        (Short, "seed 0: the game is longer than longest_game"),
        (Forgetful, "seed 0, move 0: mask and legal moves differ"),
        (Generous, "points must be equal at the start"),
        (Amnesiac, "game 0: a saved position is another one"),
    ],
)
def test_a_broken_game_is_found_out(
    kind: type[DreamFactory], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "dream_factory", kind)
    with pytest.raises(AssertionError, match=message):
        check_game(kind, games=1, players=3)


@pytest.mark.parametrize(
    "face", ["SingleAgentEnv", "RawEnv", "SelfPlayBatch", "SingleAgentVectorEnv"]
)
def test_a_face_that_plays_another_game_is_found_out(
    face: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = getattr(testing, face)

    def wrong(*args: Any, **options: Any) -> Any:
        return right(*args, **{**options, "edition": "traumfabrik"})

    monkeypatch.setattr(testing, face, wrong)
    with pytest.raises(AssertionError, match=r"seed \d+"):
        testing.check_faces(DreamFactory, 64, 0, players=3, edition="dream_factory")


@pytest.mark.parametrize("face", [RawEnv, SingleAgentEnv, SelfPlayBatch, SingleAgentVectorEnv])
def test_a_face_whose_clones_are_none_is_found_out(
    face: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(face, "restore_state", lambda env, clone: None)
    with pytest.raises(AssertionError, match=f"{face.__name__}: a clone has another future"):
        testing.check_copies(DreamFactory, 1, 0, players=3)


@pytest.mark.parametrize("face", [RawEnv, SingleAgentEnv, SingleAgentVectorEnv])
def test_a_face_that_forgets_to_pay_is_found_out(
    face: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = face.step

    def stingy(env: Any, action: Any) -> Any:
        if face is RawEnv:
            step(env, action)
            env._cumulative_rewards = dict.fromkeys(env._cumulative_rewards, 0.0)
            return None
        seen, reward, *rest = step(env, action)
        return seen, reward * 0, *rest

    monkeypatch.setattr(face, "step", stingy)
    with pytest.raises(AssertionError, match="paid"):
        testing.check_credit(DreamFactory, 1, 0, players=3)


def test_a_face_that_pays_differently_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = RawEnv

    def wrong(*args: Any, **options: Any) -> Any:
        return right(*args, **{**options, "reward": "rank"})

    monkeypatch.setattr(testing, "RawEnv", wrong)
    with pytest.raises(AssertionError, match="pays"):
        testing.check_faces(DreamFactory, 4, 0, players=3, reward="win")


def test_a_game_that_is_not_registered_is_refused() -> None:
    with pytest.raises(AssertionError, match="dream_factory is not in GAMES"):
        check_game(Leaky)
