"""Shapes and texts for pictures, drawn with pygame and without a window."""

from __future__ import annotations

import os
from functools import lru_cache
from io import BytesIO
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dreamfactory_env.utils.errors import OptionError

if TYPE_CHECKING:
    from pygame import Surface

Colour = tuple[int, int, int]
Point = tuple[int, int]
SHARP = 4  # shapes are drawn this many times larger, then scaled down
RADIUS = 5


def load_pygame() -> ModuleType:
    """Returns the module pygame, without its greeting.

    Raises:
        OptionError: It is not installed.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError as error:
        remedy = "pip install 'dreamfactory-env[render]'"
        raise OptionError(f"pictures need pygame, which is not installed: {remedy}") from error
    return pygame


def can_draw() -> bool:
    """Tells whether pygame is installed."""
    try:
        load_pygame()
    except OptionError:
        return False
    return True


class Area(NamedTuple):
    """A rectangle of the picture."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The x of the first column behind it."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The y of the first row below it."""
        return self.y + self.h

    @property
    def middle(self) -> Point:
        """The point in its middle."""
        return self.x + self.w // 2, self.y + self.h // 2

    def columns(self, count: int, gap: int) -> list[Area]:
        """Returns equal parts, side by side, that fill the rectangle."""
        edges = [self.x + (self.w + gap) * k // count for k in range(count + 1)]
        return [Area(a, self.y, edges[k + 1] - gap - a, self.h) for k, a in enumerate(edges[:-1])]


class Canvas:
    """A picture that is being drawn.

    Args:
        width: Its width.
        height: Its height.
        ground: The colour with which it is filled first.

    Raises:
        OptionError: pygame is not installed.
    """

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self._surface: Surface = load_pygame().Surface((width, height), 0, 32)
        self._surface.fill(ground)

    def pixels(self) -> NDArray[np.uint8]:
        """Returns what has been drawn, uint8 (height, width, 3)."""
        width, height = self._surface.get_size()
        pixels = bytearray(load_pygame().image.tobytes(self._surface, "RGB"))
        return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)

    def text(self, words: str, size: int, ink: Colour, at: Point, side: str = "midleft") -> int:
        """Writes a text with one of its sides at a point; returns its width."""
        image = text(words, size, ink)
        self._surface.blit(image, image.get_rect(**{side: at}))
        return image.get_width()

    def box(self, area: Area, fill: Colour, edge: Colour | None = None, thick: int = 1) -> None:
        """Draws a box with round corners."""
        self._surface.blit(box(area.w, area.h, fill, edge or fill, thick), area[:2])

    def icon(self, shapes: str, size: int, ink: Colour, middle: Point) -> None:
        """Draws an icon around a point."""
        at = (middle[0] - size // 2, middle[1] - size // 2)
        self._surface.blit(icon(shapes, size, ink), at)

    def label(self, words: str, area: Area, fill: Colour, ink: Colour, size: int) -> None:
        """Draws a box with a text in its middle."""
        self.box(area, fill)
        self.text(words, size, ink, area.middle, "center")


def picture_of_text(words: str) -> NDArray[np.uint8]:
    """Returns lines of text as a picture, uint8 (height, width, 3).

    Raises:
        OptionError: pygame is not installed.
    """
    load_pygame()
    size, margin, ink, ground = 20, 12, (32, 32, 32), (248, 246, 240)
    lines = words.split("\n")
    width = max(text(line, size, ink).get_width() for line in lines)
    canvas = Canvas(width + 2 * margin, size * len(lines) + 2 * margin, ground)
    for number, line in enumerate(lines):
        canvas.text(line, size, ink, (margin, margin + size * number), "topleft")
    return canvas.pixels()


def to_surface(picture: NDArray[np.uint8]) -> Surface:
    """Returns a picture, uint8 (height, width, 3), as pygame has it."""
    surface: Surface = load_pygame().surfarray.make_surface(picture.swapaxes(0, 1))
    return surface


def encode_png(picture: NDArray[np.uint8]) -> bytes:
    """Returns a picture, uint8 (height, width, 3), as a PNG file."""
    file = BytesIO()
    load_pygame().image.save(to_surface(picture), file, "picture.png")
    return file.getvalue()


def palette(described: str) -> dict[str, Colour]:
    """Returns colours by name, from a text such as ``"drama 7874dc adventure e0883e"``."""
    words = described.split()
    codes = [bytes.fromhex(code) for code in words[1::2]]
    return {name: (c[0], c[1], c[2]) for name, c in zip(words[::2], codes, strict=True)}


# These are kept: most of a picture is the same in the next one. Fonts are not kept, for they
# would not survive that somebody else shuts pygame down.


@lru_cache(maxsize=4096)
def text(words: str, size: int, colour: Colour) -> Surface:
    """Returns words on a transparent ground."""
    import pygame

    if not pygame.font.get_init():
        pygame.font.init()
    large = pygame.font.Font(None, 2 * size).render(words, True, colour)
    return pygame.transform.smoothscale(large, (large.get_width() // 2, large.get_height() // 2))


@lru_cache(maxsize=1024)
def shortened(words: str, size: int, width: int) -> str:
    """Returns a text, its end replaced by an ellipsis if it is wider than the room for it."""
    shown, length = words, len(words)
    while length and text(shown, size, (255, 255, 255)).get_width() > width:
        length -= 1
        shown = words[:length].rstrip() + "…"
    return shown


@lru_cache(maxsize=1024)
def box(w: int, h: int, fill: Colour, edge: Colour, thick: int) -> Surface:
    """Returns a box with round corners and an edge of that thickness."""
    import pygame

    large = pygame.Surface((w * SHARP, h * SHARP), pygame.SRCALPHA, 32)
    large.fill((*edge, 0))
    outer = large.get_rect()
    pygame.draw.rect(large, edge, outer, border_radius=RADIUS * SHARP)
    inner = outer.inflate(-2 * thick * SHARP, -2 * thick * SHARP)
    pygame.draw.rect(large, fill, inner, border_radius=(RADIUS - thick) * SHARP)
    return pygame.transform.smoothscale(large, (w, h))


@lru_cache(maxsize=512)
def icon(shapes: str, size: int, colour: Colour) -> Surface:
    """Returns an icon drawn on a grid of 16 by 16.

    Args:
        shapes: Circles (x, y, radius) and polygons (x, y, x, y, …), with ``|`` between them.
        size: Its width and height in the picture.
        colour: Its colour.
    """
    import pygame

    large = pygame.Surface((size * SHARP, size * SHARP), pygame.SRCALPHA, 32)
    large.fill((*colour, 0))
    for shape in shapes.split("|"):
        numbers = [float(number) * size * SHARP / 16 for number in shape.split()]
        if len(numbers) == 3:
            pygame.draw.circle(large, colour, numbers[:2], numbers[2])
        else:
            points = list(zip(numbers[::2], numbers[1::2], strict=True))
            pygame.draw.polygon(large, colour, points)
    return pygame.transform.smoothscale(large, (size, size))


def mix(colour: Colour, other: Colour, share: float) -> Colour:
    """Returns ``share`` of a colour and the rest of another."""
    r, g, b = (round(x * share + y * (1 - share)) for x, y in zip(colour, other, strict=True))
    return r, g, b
