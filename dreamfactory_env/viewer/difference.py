"""What has changed between two views, as short data; ``static/difference.js`` puts it back.

A change is a pair of a path, which is a list of keys and indices, and the value that stands there
now. Lists of another length and dicts with other keys, or with the same ones in another order, are
replaced as a whole.
"""

from __future__ import annotations

from typing import Any

Change = tuple[list[str | int], Any]


def difference(old: Any, new: Any) -> list[Change]:
    """Returns the changes that make one view of another; both are plain data, and are shared."""
    changes: list[Change] = []
    _compare(old, new, [], changes)
    return changes


def _compare(old: Any, new: Any, path: list[str | int], changes: list[Change]) -> None:
    if isinstance(new, dict) and isinstance(old, dict) and list(old) == list(new):
        for key, value in new.items():
            _compare(old[key], value, [*path, key], changes)
    elif isinstance(new, list) and isinstance(old, list) and len(old) == len(new):
        for index, value in enumerate(new):
            _compare(old[index], value, [*path, index], changes)
    elif type(old) is not type(new) or old != new:  # for 1 and True are equal
        changes.append((path, new))


def changed(view: Any, changes: list[Change]) -> Any:
    """Returns a view with changes; what has not changed is shared with the one given."""
    for path, value in changes:
        view = _put(view, path, value)
    return view


def _put(view: Any, path: list[str | int], value: Any) -> Any:
    if not path:
        return value
    key, *rest = path
    other = dict(view) if isinstance(view, dict) else list(view)
    other[key] = _put(view[key], rest, value)  # type: ignore[index]
    return other
