"""What environments show: whose eyes, who plays, what was played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

from dreamfactory_env import DreamFactory, OptionError, dream_factory_v0
from dreamfactory_env.envs import rendering
from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.games.game import Line
from tests.toy_game import SignalGame


def move(env: Any, moves: int = 1) -> None:
    """Plays some random legal actions."""
    rng = random.Random(moves)
    for _ in range(moves):
        env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))


# ---------------------------------------------------------------------------- whose eyes


def table(env: Any, lines: int) -> Any:
    """Returns the picture of an environment without the lines below."""
    picture = env.render()
    assert picture.dtype == np.uint8
    return picture[: -rendering.LINE * lines]


@pytest.mark.parametrize("render_seat", [None, 0, 2, np.int64(1), "all"])
def test_the_table_is_seen_by_the_seat_that_was_asked_for(render_seat: Any) -> None:
    env = dream_factory_v0.raw_env(players=3, render_mode="rgb_array", render_seat=render_seat)
    text = dream_factory_v0.raw_env(players=3, render_mode="ansi", render_seat=render_seat)
    for each in (env, text):
        each.reset(seed=5)
    movers = set()
    for _ in range(12):
        mover = env.game.to_move
        movers.add(mover)
        eyes = {None: mover, "all": None}.get(render_seat, render_seat)
        assert np.array_equal(table(env, 1), env.game.picture(eyes))
        assert text.render() == env.game.text(eyes)
        move(env)
        text.step(env._actions[-1])
    assert len(movers) == 3


@pytest.mark.parametrize(("render_seat", "eyes"), [(None, 1), (2, 2), ("all", None)])
def test_a_single_agent_sees_its_own_seat_unless_asked_for_another(
    render_seat: Any, eyes: int | None
) -> None:
    options: dict[str, Any] = {"players": 3, "seat": 1, "render_seat": render_seat}
    env = SingleAgentEnv("dream_factory", render_mode="rgb_array", **options)
    env.reset(seed=1)
    assert np.array_equal(table(env, 2), env.game.picture(eyes))


def test_everything_is_more_than_any_seat_sees() -> None:
    game = DreamFactory(3, seed=1)
    for seat in range(3):
        assert not np.array_equal(game.picture(), game.picture(seat))
    assert "money hidden" in game.text(0)
    assert "money hidden" not in game.text()


# ---------------------------------------------------------------------------- names and moves


def test_pictures_tell_the_last_moves_the_newest_first() -> None:
    env: Any = dream_factory_v0.raw_env(players=4, render_mode="rgb_array")
    env.reset(seed=3)
    shapes, expected = {env.render().shape}, []
    assert rendering.last_moves(env._start, env._actions, 0) == []
    while not env.terminations["player_0"]:
        seat, before = env.game.to_move, env.game.copy()
        move(env)
        expected.append(f"player {seat}: {before.action_to_string(env._actions[-1])}")
        if len(expected) in (1, 3, rendering.TOLD, 6) or len(expected) % 20 == 0 or env.game.over:
            told = rendering.last_moves(env._start, env._actions, 0)
            assert told == expected[-1 : -rendering.TOLD - 1 : -1]
            shapes.add(env.render().shape)
    assert shapes == {(832, 1280, 3)}


def test_a_move_that_the_narration_keeps_to_itself_is_not_told() -> None:
    class Secretive(DreamFactory):
        def narrate(self, moves: Iterator[int], viewer: int | None = None) -> Iterator[Line]:
            for action in moves:
                if viewer in (None, self.to_move):
                    yield Line(self.action_to_string(action))
                self.play(action)

    game = Secretive(3, seed=1)
    start, first = game.copy(), game.to_move
    actions = [game.legal_actions()[words] for words in ("bid 1", "bid 2", "bid 3")]
    assert first is not None
    assert rendering.last_moves(start, actions, None) == ["bid 3", "bid 2", "bid 1"]
    assert rendering.last_moves(start, actions, first) == ["bid 1"]


def captions(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Returns a list that gets the viewer, names and moves of every picture."""
    found: list[Any] = []
    draw = rendering.with_caption

    def noted(picture: Any, *args: Any) -> Any:
        found.append(args)
        return draw(picture, *args)

    monkeypatch.setattr(rendering, "with_caption", noted)
    return found


def test_a_clone_remembers_its_last_move(monkeypatch: pytest.MonkeyPatch) -> None:
    found = captions(monkeypatch)
    env: Any = dream_factory_v0.raw_env(players=3, render_mode="rgb_array", names=["a", "b", "c"])
    env.reset(seed=3)
    move(env, 7)
    clone, before = env.clone_state(), env.render()
    move(env, 3)
    env.restore_state(clone)
    assert np.array_equal(env.render(), before)
    assert found[0] == found[1]
    assert found[0][1] == ["a", "b", "c"]
    assert env.record()["agents"] == ["a", "b", "c"]
    assert env.record(["d", "e", "f"])["agents"] == ["d", "e", "f"]


def test_a_single_agent_is_shown_with_those_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = captions(monkeypatch)
    others = ["greedy", "random"]
    env = gymnasium.make(
        "DreamFactory-v0", players=3, seat=1, opponents=others, render_mode="rgb_array"
    )
    _, info = env.reset(seed=3)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    env.render()
    viewer, names, told = found[-1]
    moves = env.unwrapped.record()["moves"]  # type: ignore[attr-defined]
    assert (viewer, names) == (1, ["greedy", "agent", "random"])
    expected = [f"player {seat}: {words}" for seat, _, words in moves[: -rendering.TOLD - 1 : -1]]
    assert told == expected
    env.reset(seed=3, options={"opponents": "random", "seat": 0})
    env.render()
    assert found[-1][1] == ["agent", "random", "random"]


def test_what_stands_below_a_picture_is_read_from_it_alone() -> None:
    picture = np.zeros((16, 1280, 3), np.uint8)
    given: list[tuple[Any, ...]] = [
        (0, None, []),
        (1, None, []),
        (None, None, []),
        (0, None, ["player 0: pass"]),
        (0, None, ["player 0: pass", "player 1: pass"]),
        (0, ["a", "b"], []),
        (0, ["a", "c"], []),
        (0, ["a", "c" * 70], ["m" * 90]),
        (0, ["a", "c" * 70], ["m" * 90, "n"]),
    ]
    drawn = [rendering.with_caption(picture, *each) for each in given]
    assert [each.shape[0] for each in drawn] == [48] * 5 + [80] * 4
    assert all(not each[:16].any() for each in drawn)
    assert len({each.tobytes() for each in drawn}) == len(given) - 1  # there is no room for "n"
    for each in drawn:  # nothing runs into the margin
        assert (each[16:, : rendering.MARGIN] == rendering.GROUND).all()
        assert (each[16:, -rendering.MARGIN :] == rendering.GROUND).all()


def test_narrow_pictures_of_any_game_have_their_lines(toy: type[SignalGame]) -> None:
    env = RawEnv(toy, render_mode="rgb_array", names=["helper", "a friend with a long name"])
    env.reset(seed=1)
    move(env)
    picture: Any = env.render()
    table = env.game.picture(env._seats[env.agent_selection])
    assert np.array_equal(picture[: len(table)], table)
    assert len(picture) == len(table) + 2 * rendering.LINE


# ---------------------------------------------------------------------------- wrong use


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"render_seat": 3}, "render_seat must be a seat from 0 to 2, 'all' or None, not 3"),
        ({"render_seat": "mover"}, "render_seat must be .* not 'mover'"),
        ({"render_seat": True}, "render_seat must be .* not True"),
        ({"render_fps": 0}, "render_fps must be a number above 0, not 0"),
        ({"render_fps": float("nan")}, "render_fps must be a number above 0, not nan"),
        ({"render_fps": "fast"}, "render_fps must be a number above 0, not 'fast'"),
        ({"render_mode": "text"}, "render_mode must be one of ansi, human, rgb_array"),
        ({"render_sead": 1}, "unknown option 'render_sead'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    for make in (RawEnv, SingleAgentEnv):
        with pytest.raises(OptionError, match=message):
            make("dream_factory", players=3, **options)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b"], "2 names for 3 players"),
        ("abc", "names must be a list with one name for each seat, not 'abc'"),
        ([1, 2, 3], "names must be a list"),
    ],
)
def test_wrong_names_are_refused(names: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        dream_factory_v0.raw_env(players=3, names=names)


def test_rendering_without_a_mode_is_warned_of() -> None:
    env = dream_factory_v0.raw_env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
