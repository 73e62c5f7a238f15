"""Checkpoints that survive anything: written aside, checked when read, the last few kept.

They are pickles, for the machine that made them: a run reads only its own. What is meant for others
is exported as safetensors.
"""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from typing import Any

import torch

KEPT = 3
_DIGEST = 32


def write_checkpoint(folder: Path, steps: int, content: dict[str, Any]) -> Path:
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
    path = folder / f"{steps:012d}.checkpoint"
    aside = path.with_suffix(".part")
    try:
        with aside.open("wb") as file:
            file.write(hashlib.blake2b(payload, digest_size=_DIGEST).digest() + payload)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    for old in sorted(folder.glob("*.checkpoint"))[:-KEPT]:
        old.unlink()
    return path


def read_newest(folder: Path) -> tuple[dict[str, Any] | None, list[str]]:
    """Reads the newest checkpoint that is whole.

    Returns:
        What it keeps, None if there is none; and what was wrong with newer ones.
    """
    troubles = []
    for path in sorted(folder.glob("*.checkpoint"), reverse=True):
        data = path.read_bytes()
        digest, payload = data[:_DIGEST], data[_DIGEST:]
        if hashlib.blake2b(payload, digest_size=_DIGEST).digest() != digest:
            troubles.append(f"{path.name} is damaged; the one before it is used")
            continue
        content: dict[str, Any] = torch.load(io.BytesIO(payload), weights_only=False)
        return content, troubles
    return None, troubles
