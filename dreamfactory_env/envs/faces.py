"""What all faces of a game have in common: their options, their pictures, their errors."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from dreamfactory_env.envs import window
from dreamfactory_env.errors import IllegalMove, OptionError
from dreamfactory_env.games.game import Game, check_word
from dreamfactory_env.layout import Array

ILLEGAL = ["lose", "raise"]
RENDER_MODES = ["ansi", "human", "rgb_array"]


def check_face(illegal: object, render_mode: object) -> None:
    """Raises OptionError if one of the options that all faces have is wrong."""
    check_word("illegal", illegal, ILLEGAL)
    if render_mode is not None:
        check_word("render_mode", render_mode, RENDER_MODES)


def check_actions(actions: Any, num_envs: int) -> Array:
    """Returns the actions of a batch as an array.

    Raises:
        OptionError: They are of another shape than (num_envs,), or no whole numbers.
    """
    array = np.asarray(actions)
    if array.shape != (num_envs,) or array.dtype.kind not in "iu":
        found = f"{array.dtype} of shape {array.shape}"
        raise OptionError(f"actions must be whole numbers of shape ({num_envs},), not {found}")
    return array


def illegal_move(game: Game, action: object, where: str = "") -> IllegalMove:
    """Returns the error of an action that is not legal now; ``where`` stands before its message."""
    words = game.legal()
    return IllegalMove(where + game.why_illegal(action, words), action, game.phase, words)


def render(game: Game, seat: int, render_mode: str | None) -> Array | str | None:
    """Returns the table as a player sees it, as text or as a picture, or shows it in a window."""
    if render_mode is None:
        gymnasium.logger.warn("render() needs a render_mode: ansi, rgb_array or human")
        return None
    if render_mode == "ansi":
        return game.text(seat)
    picture = game.picture(seat)
    if render_mode == "rgb_array":
        return picture
    window.show(picture, game.title)
    return None
