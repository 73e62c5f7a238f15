"""A window that shows pictures, for the render mode ``human``."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

import gymnasium

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.drawing import load_pygame, to_surface
from dreamfactory_env.utils.errors import OptionError

#: What SDL draws on if it finds no screen.
NO_SCREEN = ("dummy", "offscreen")
#: While it waits, the window is looked after this often.
PUMP_SECONDS = 0.02
#: The height that a desktop takes for the frame of a window and for itself.
FRAME = 80


@dataclass
class Window:
    """The window of an environment.

    pygame has one window for a process: environments that are shown at the same time take turns in
    it. A copy of an environment has no window before it shows something.

    Attributes:
        title: What stands above it.
        closed: Whether the user has closed it; it then stays closed.
    """

    title: str
    closed: bool = False
    _due: float = 0.0  # when the next picture may be shown, on the monotonic clock
    _shape: tuple[int, ...] = ()  # of the picture that it was opened for

    def show(self, picture: Array, fps: float) -> None:
        """Shows a picture once the one before has been seen for its time; opens the window.

        If the user has closed it, that is told once, and from then on nothing is shown.

        Args:
            picture: uint8 (height, width, 3).
            fps: How many pictures to show in a second, at most.

        Raises:
            OptionError: There is no screen.
        """
        self._wait()
        if self.closed:
            return
        pygame = load_pygame()
        screen = pygame.display.get_surface()
        if screen is None or self._shape != picture.shape:
            screen = self._open(picture.shape)
        shown = to_surface(picture)
        if shown.get_size() != screen.get_size():
            size = _fitting(shown.get_size(), screen.get_size())
            shown = pygame.transform.smoothscale(shown, size)
        screen.fill(0)
        screen.blit(shown, shown.get_rect(center=screen.get_rect().center))
        pygame.display.flip()
        self._due = time.monotonic() + 1 / fps
        self._handle_events()

    def close(self) -> None:
        """Closes the window, if it is open, once its last picture has been seen for its time."""
        if self._shape:
            self._wait()
            load_pygame().display.quit()
            self._shape = ()

    def _open(self, shape: tuple[int, ...]) -> Any:
        """Returns the surface of a window as large as a picture, smaller if the screen is.

        Raises:
            OptionError: There is no screen.
        """
        pygame = load_pygame()
        try:
            pygame.display.init()
            driver = pygame.display.get_driver()
        except pygame.error:
            driver = NO_SCREEN[0]
        # Without a screen SDL draws nowhere and says nothing; that may be asked for, by name.
        if driver in NO_SCREEN and os.environ.get("SDL_VIDEODRIVER") != driver:
            pygame.display.quit()
            raise OptionError(
                "render_mode 'human' needs a screen, and there is none here; "
                "render_mode 'rgb_array' returns pictures without one"
            )
        wide, high = pygame.display.get_desktop_sizes()[0]
        room = (min(shape[1], wide), min(shape[0], high - FRAME))
        size = _fitting((shape[1], shape[0]), room)
        surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.display.set_caption(self.title)
        self._shape = shape
        return surface

    def __reduce__(self) -> tuple[Any, ...]:
        return Window, (self.title, self.closed)  # a copy opens one when it has something to show

    def _wait(self) -> None:
        """Waits until the next picture is due, and answers the user meanwhile."""
        self._handle_events()
        while not self.closed and (left := self._due - time.monotonic()) > 0:
            time.sleep(min(left, PUMP_SECONDS))
            self._handle_events()

    def _handle_events(self) -> None:
        """Answers the user: notices that the window was closed."""
        pygame = load_pygame()
        if self.closed or not self._shape or not pygame.display.get_init():
            return
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            pygame.display.quit()
            self.closed, self._shape = True, ()
            gymnasium.logger.warn(
                "the window was closed: the environment goes on without it; "
                "make another one to watch again"
            )


def _fitting(size: tuple[int, int], room: tuple[int, int]) -> tuple[int, int]:
    """Returns the largest size with the same proportions that fits into a room."""
    scale = min(room[0] / size[0], room[1] / size[1])
    return max(round(size[0] * scale), 1), max(round(size[1] * scale), 1)
