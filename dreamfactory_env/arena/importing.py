"""Whether other processes can play a tournament: they import its policies anew.

A new process begins with nothing. It runs the script that was started once more, under another
name, and then finds classes by the names of their modules. What was defined in a notebook, or typed
in, is nowhere to be found, and a script without ``if __name__ == "__main__"`` would start it all
again.
"""

from __future__ import annotations

import ast
import pickle
import pickletools
import sys
from pathlib import Path
from types import FrameType

from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.policies import Policy

MAIN = "__main__"
GUARD = 'if __name__ == "__main__":'


def why_not_elsewhere(tournament: Tournament) -> str:
    """Returns why other processes cannot play a tournament that this one can; empty if they can."""
    script = _main_file()
    if script is not None and not script.is_file():
        return (
            "the program was read from standard input, where other processes cannot read it again"
        )
    if script is not None and _runs_unguarded(script):
        return (
            f"{script.name} calls this outside of {GUARD!r}, so other processes, which import the "
            "script, would start it again"
        )
    return why_not_sent(_needed(tournament), runs_main=script is not None)


def why_not_on_cluster(tournament: Tournament) -> str:
    """Returns why processes of a cluster cannot play a tournament; empty if they can."""
    return why_not_sent(_needed(tournament))


def why_not_sent(content: object, *, runs_main: bool = False) -> str:
    """Returns why other processes cannot get something that policies are in; empty if they can.

    Args:
        content: What they are to get.
        runs_main: Whether they run the script that this process was started with.
    """
    try:
        strings = _strings_in(pickle.dumps(content))
    except Exception as error:  # whatever objects raise that cannot be pickled
        return f"a policy cannot be pickled for other processes ({error})"
    if MAIN in strings and not runs_main:
        return (
            "a policy is defined where other processes cannot import it, such as in a notebook; "
            "in a module of its own they can"
        )
    return ""


def _needed(tournament: Tournament) -> tuple[dict[str, Policy], list[str]]:
    """Returns the policies that are objects, and the modules of those that are names."""
    return dict(tournament.custom), [name.partition(":")[0] for name in tournament.policies]


def _main_file() -> Path | None:
    """Returns the script, or module, that was started, and that other processes begin with.

    None if there is none, as in a notebook, and for the ``__main__`` of a package, which they skip.
    """
    main = sys.modules[MAIN]
    spec, name = getattr(main, "__spec__", None), getattr(main, "__file__", None)
    skipped = spec is not None and spec.name.rpartition(".")[2] == MAIN
    return Path(name) if name and not skipped else None


def _strings_in(pickled: bytes) -> set[str]:
    """Returns all texts in a pickle, the names of modules among them."""
    return {given for _, given, _ in pickletools.genops(pickled) if isinstance(given, str)}


def _runs_unguarded(script: Path) -> bool:
    """Tells whether the script is at a statement now that an import of it would execute, too."""
    line = _line_of(script)
    if line is None:
        return False
    return not any(
        isinstance(node, ast.If) and node.lineno <= line <= (node.end_lineno or 0) and _asks(node)
        for node in ast.walk(ast.parse(script.read_bytes()))
    )


def _line_of(script: Path) -> int | None:
    """Returns the line where the script itself stands now; None if it is not what runs here."""
    line = None
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        mine = frame.f_globals is vars(sys.modules[MAIN]) and frame.f_code.co_name == "<module>"
        if mine and Path(frame.f_code.co_filename).name == script.name:
            line = frame.f_lineno
        frame = frame.f_back
    return line


def _asks(condition: ast.If) -> bool:
    """Tells whether a condition asks for the name under which the script runs."""
    return any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(condition.test)
    )
