"""The options of the PettingZoo environments, for editors and type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dreamfactory_env.envs.rendering import RenderOptions


class AECOptions(RenderOptions, total=False):
    """The options that the PettingZoo environments of all games have.

    The module of a game adds its ``reward`` and the options of the game. Tests compare them with
    what the environment takes.
    """

    shaping: float
    illegal: Literal["lose", "raise"]
    render_mode: Literal["ansi", "human", "rgb_array"] | None
    names: Sequence[str] | None
