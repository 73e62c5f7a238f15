"""Checkpoints that survive a crash: written aside, checked when read, the last few kept.

They are pickles, for the machine that made them: a run reads only its own. What is meant for others
is exported as safetensors.
"""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import torch

from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.files import ASIDE, atomic_write

KEPT = 3
_DIGEST = 32


def write_checkpoint(folder: Path, steps: int, content: dict[str, Any]) -> None:
    """Writes a checkpoint; at any moment the folder has only whole ones under their names.

    Args:
        folder: Where checkpoints are.
        steps: How far the run has come; names the file.
        content: What to keep.

    Raises:
        OSError: It cannot be written, on a full disk say; those before it are untouched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    torch.save(content, buffer)
    payload = buffer.getvalue()
    digest = hashlib.blake2b(payload, digest_size=_DIGEST).digest()
    atomic_write(folder / f"{steps:012d}.checkpoint", digest + payload)
    for old in [*_newest_first(folder)[KEPT:], *folder.glob(f"*{ASIDE}")]:
        old.unlink()


def read_newest(folder: Path) -> tuple[dict[str, Any] | None, list[str]]:
    """Reads the newest checkpoint that is whole.

    Returns:
        Its content, None if there are no checkpoints; and what was wrong with newer ones.

    Raises:
        OptionError: There are some, and not one is whole.
    """
    problems = []
    for path in _newest_first(folder):
        try:
            data = path.read_bytes()
        except OSError as error:
            problems.append(f"{path.name} cannot be read: {error.strerror or error}")
            continue
        digest, payload = data[:_DIGEST], data[_DIGEST:]
        if hashlib.blake2b(payload, digest_size=_DIGEST).digest() != digest:
            problems.append(f"{path.name} is damaged")
            continue
        content: dict[str, Any] = torch.load(io.BytesIO(payload), weights_only=False)
        return content, problems
    if problems:
        raise OptionError(f"no checkpoint in {folder} is whole: {', '.join(problems)}")
    return None, []


def _newest_first(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.checkpoint"), reverse=True)
