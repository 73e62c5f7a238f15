"""What is installed on a machine, so that two can be compared.

This module is sent to the nodes of a cluster as it is here, and is run where the package may be
another one, or missing: it imports nothing but Python's own library.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

PACKAGE, MODULE = "dreamfactory-env", "dreamfactory_env"
#: What the numbers of a game or a training depend on besides the package.
LIBRARIES = ("numpy", "numba", "torch")
#: Files that change what is played: code, constants and networks.
SUFFIXES = (".py", ".yaml", ".txt", ".safetensors")
#: What is found elsewhere in an installation from a folder of sources.
ELSEWHERE = "configs"


def installation() -> dict[str, str]:
    """Returns the versions of the package and its libraries; those that are missing are not in it.

    The version of the package comes with a hash of its files, which tells changes that have no
    version of their own.
    """
    found = {}
    spec = find_spec(MODULE)
    if spec is not None and spec.origin is not None:
        found[PACKAGE] = f"{_version(PACKAGE)} ({fingerprint(Path(spec.origin).parent)})"
    return found | {name: _version(name) for name in LIBRARIES if find_spec(name) is not None}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "of an unknown version"


def fingerprint(folder: Path) -> str:
    """Returns a hash of the files of a package, 12 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.suffix in SUFFIXES and name.parts[0] != ELSEWHERE:
            digest.update(f"{name.as_posix()}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
