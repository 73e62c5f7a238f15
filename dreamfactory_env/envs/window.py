"""A window that shows pictures, for the render mode ``human``."""

from __future__ import annotations

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.drawing import load_pygame


def show(picture: Array, title: str) -> None:
    """Shows a picture, uint8 (height, width, 3), in the window, which is opened if need be."""
    pygame = load_pygame()
    size = (picture.shape[1], picture.shape[0])
    pygame.display.init()
    screen = pygame.display.get_surface()
    if screen is None or screen.get_size() != size:
        screen = pygame.display.set_mode(size)
        pygame.display.set_caption(title)
    pygame.event.pump()
    screen.blit(pygame.surfarray.make_surface(picture.swapaxes(0, 1)), (0, 0))
    pygame.display.flip()


def close() -> None:
    """Closes the window, if it is open."""
    load_pygame().display.quit()
