"""Frames put together again, as a page does it."""

from __future__ import annotations

from typing import Any

from dreamfactory_env.viewer.difference import changed


def unfolded(frames: list[dict[str, Any]]) -> list[Any]:
    """Returns the view of each frame."""
    views: list[Any] = []
    for frame in frames:
        views.append(changed(views[-1], frame["set"]) if "set" in frame else frame["view"])
    return views
