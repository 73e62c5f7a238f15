"""The window of an environment: its pace, its size, its end, and that there must be a screen."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pygame
import pytest

from dreamfactory_env import DreamFactory, OptionError, dream_factory_v0
from dreamfactory_env.envs import rendering, window
from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.window import FRAME
from tests.envs.test_rendering import move
from tests.toy_game import SignalGame

CLOSED = "the window was closed"


class Clock:
    """A clock that only waiting moves; it notes when pictures are shown."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.shown: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Has windows that need no screen, and whose time is the test's."""
    clock, flip = Clock(), pygame.display.flip

    def noted_flip() -> None:
        clock.shown.append(clock.now)
        flip()

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(window, "time", clock)
    monkeypatch.setattr(pygame.display, "flip", noted_flip)
    yield clock
    pygame.display.quit()


def watched(**options: Any) -> Any:
    """Returns an environment with a window, after a reset."""
    env = dream_factory_v0.raw_env(render_mode="human", **options)
    env.reset(seed=1)
    return env


def screen_size() -> tuple[int, int]:
    surface = pygame.display.get_surface()
    assert surface is not None
    return surface.get_size()


@pytest.mark.parametrize(("options", "fps"), [({}, 2), ({"render_fps": 10}, 10)])
def test_the_window_keeps_its_pace(clock: Clock, options: dict[str, Any], fps: float) -> None:
    env = watched(**options)
    assert env.metadata["render_fps"] == fps
    move(env, 6)
    assert np.diff(clock.shown) == pytest.approx([1 / fps] * 6)
    clock.now += 5  # a player who thinks for longer is not made to wait
    before = clock.now
    move(env)
    assert clock.now == before


def test_the_pace_can_be_changed_on_the_way(clock: Clock) -> None:
    env = watched()
    move(env)
    env.metadata["render_fps"] = 4
    move(env, 3)
    assert np.diff(clock.shown) == pytest.approx([0.5, 0.5, 0.25, 0.25])
    single = gymnasium.make("DreamFactory-v0", render_fps=5)
    single.metadata["render_fps"] = 7
    assert SingleAgentEnv("dream_factory").metadata["render_fps"] == 2


def test_the_last_picture_is_seen_for_its_time_before_the_window_closes(clock: Clock) -> None:
    env = watched()
    env.close()
    assert clock.now - clock.shown[-1] == pytest.approx(0.5)
    assert not pygame.display.get_init()
    env.close()
    assert clock.now - clock.shown[-1] == pytest.approx(0.5)


def test_events_are_taken_while_the_window_waits() -> None:
    env = watched()
    for _ in range(5):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a))
    move(env)
    assert not pygame.event.peek(pygame.KEYDOWN)


def test_a_window_that_is_closed_stays_closed_and_the_game_goes_on(clock: Clock) -> None:
    env = watched()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    with pytest.warns(UserWarning, match=CLOSED):
        move(env)
    assert not pygame.display.get_init()
    shown, before = len(clock.shown), clock.now
    move(env, 20)  # warnings are errors here
    env.reset(seed=2)
    env.render()
    env.close()
    assert (len(clock.shown), clock.now) == (shown, before)
    assert not pygame.display.get_init()
    assert env.game == DreamFactory(seed=2)
    watched()
    assert len(clock.shown) == shown + 1


def test_closing_ends_the_waiting(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    env = watched(render_fps=0.01)

    def sleep_and_close(seconds: float) -> None:
        clock.now += seconds
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    monkeypatch.setattr(clock, "sleep", sleep_and_close)
    with pytest.warns(UserWarning, match=CLOSED):
        move(env)
    assert clock.now - clock.shown[-1] < 0.1


@pytest.mark.parametrize("driver", ["offscreen", "dummy"])
def test_without_a_screen_it_says_so(monkeypatch: pytest.MonkeyPatch, driver: str) -> None:
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    monkeypatch.setenv("SDL_VIDEODRIVER", "")
    with pytest.raises(OptionError, match=r"needs a screen.*render_mode 'rgb_array'"):
        watched()
    with pytest.raises(OptionError, match=r"needs a screen.*render_mode 'rgb_array'"):
        gymnasium.make("DreamFactory-v0", render_mode="human").reset(seed=1)


def test_a_driver_that_does_not_start_is_no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonsense")
    with pytest.raises(OptionError, match="needs a screen"):
        watched()


def test_the_window_fits_the_screen_and_the_picture_the_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(3000, 2000)])
    env = watched()
    whole = screen_size()
    assert whole == (1280, 832)
    env.close()
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(3000, FRAME + 416)])
    env.reset(seed=1)
    assert screen_size() == (640, 416)
    screen = pygame.display.set_mode((640, 1000), pygame.RESIZABLE)  # as if the user had dragged it
    move(env)
    assert screen_size() == (640, 1000)
    drawn: Any = pygame.surfarray.array3d(screen).any(axis=2)
    assert not drawn[:, :292].any()
    assert drawn[:, 292:708].all()
    assert not drawn[:, 708:].any()


@pytest.mark.parametrize("how", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_have_windows_of_their_own_only_when_they_show_something(how: Any) -> None:
    env = watched()
    other = how(env)
    other.close()
    assert pygame.display.get_surface() is not None
    move(other)
    assert other.game != env.game
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    with pytest.warns(UserWarning, match=CLOSED):
        move(env)
    move(how(env))
    assert not pygame.display.get_init()


def test_a_picture_of_another_size_gets_another_window(toy: type[SignalGame]) -> None:
    env = RawEnv(toy, render_mode="human")
    env.reset(seed=1)
    before = screen_size()
    game = env.game
    game.states["told"] = 2  # "high" instead of null, and so on
    env.render()
    height, width, _ = rendering.with_caption(game.picture(0), 0, None, []).shape
    assert screen_size() == (width, height) != before


def test_a_wrong_pace_in_the_metadata_is_refused() -> None:
    env = watched()
    env.metadata["render_fps"] = 0
    with pytest.raises(OptionError, match="render_fps must be a number above 0"):
        move(env)
