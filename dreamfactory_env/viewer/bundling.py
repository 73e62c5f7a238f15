"""JavaScript modules as one script: browsers ask for modules one by one, and a file has only one.

Only what our own modules use is understood: imports of names, or of all as one name, at the top;
and exports of functions, classes and constants, or of a list of names. Anything else is refused.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

STATIC = Path(__file__).parent / "static"
#: The addresses of the page's own files and of a game's, as modules import them.
OUR, GAME = "/static/", "/game/"
#: The module that draws a game.
DRAWING = f"{GAME}table.js"

IMPORT = re.compile(
    r'^import\s+(\*\s+as\s+(?P<all>\w+)|\{(?P<names>[^}]*)\})\s+from\s+"(?P<path>[^"]+)";\n', re.M
)
DECLARED = re.compile(
    r"^export\s+(?=(?:async\s+)?function\*?\s+(\w+)|class\s+(\w+)|const\s+(\w+))", re.M
)
LISTED = re.compile(r"^export\s+\{([^}]*)\};\n", re.M)
LEFT = re.compile(r"^(?:import|export)\b.*", re.M)


def source_of(folder: Path | None) -> Callable[[str], str]:
    """Returns what reads the modules of the page, and those of a game.

    Args:
        folder: The drawing of the game; without one its modules are empty.
    """

    def read(address: str) -> str:
        if not address.startswith(GAME):
            return (STATIC / address.removeprefix(OUR)).read_text("utf-8")
        return (folder / address.removeprefix(GAME)).read_text("utf-8") if folder else ""

    return read


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """Returns one script that does what a module and all that it imports do.

    Args:
        entry: The address of the module, such as ``/static/exported.js``.
        read: Returns the source of the module at an address.

    Raises:
        ValueError: A module has something that is not understood, or modules import each other in a
            circle.
    """
    order: list[str] = []
    pieces: dict[str, str] = {}

    def add(address: str, above: tuple[str, ...]) -> None:
        if address in above:
            raise ValueError(f"modules in a circle: {' -> '.join([*above, address])}")
        if address in pieces:
            return
        source, imported = _wrapped(address, read(address))
        for other in imported:
            add(other, (*above, address))
        pieces[address] = source
        order.append(address)

    add(entry, ())
    return "\n".join(['"use strict";', "const $modules = {};", *(pieces[each] for each in order)])


def _wrapped(address: str, source: str) -> tuple[str, list[str]]:
    """Returns a module as a function that is called at once, and the modules that it imports."""
    imported: list[str] = []
    exported: dict[str, str] = {}

    def importing(found: re.Match[str]) -> str:
        other = posixpath.normpath(posixpath.join(posixpath.dirname(address), found["path"]))
        imported.append(other)
        names = found["all"] or "{ " + re.sub(r"\s+as\s+", ": ", found["names"].strip()) + " }"
        return f'const {names} = $modules["{other}"];\n'

    def listing(found: re.Match[str]) -> str:
        for each in filter(None, (name.strip() for name in found[1].split(","))):
            inside, _, outside = each.partition(" as ")
            exported[(outside or inside).strip()] = inside.strip()
        return ""

    def declaring(found: re.Match[str]) -> str:
        name = next(filter(None, found.groups()))
        exported[name] = name
        return ""

    body = DECLARED.sub(declaring, LISTED.sub(listing, IMPORT.sub(importing, source)))
    if strange := LEFT.search(body):
        raise ValueError(f"{address}: not understood: {strange[0][:80]}")
    given = ", ".join(f"{outside}: {inside}" for outside, inside in exported.items())
    return f'$modules["{address}"] = (() => {{\n{body}\nreturn {{ {given} }};\n}})();', imported
