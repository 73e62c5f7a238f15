"""Going back in time for environments that keep everything in arrays."""

from __future__ import annotations

from typing import ClassVar

import numpy as np


class ClonedArrays:
    """Gives an environment ``clone_state`` and ``restore_state``.

    Its arrays named in ``KEPT`` are all that changes after it was made; they are filled, never
    replaced.
    """

    KEPT: ClassVar[tuple[str, ...]]

    def clone_state(self) -> tuple[bytes, ...]:
        """Returns everything as it stands, for :meth:`restore_state`."""
        return tuple(getattr(self, name).tobytes() for name in self.KEPT)

    def restore_state(self, clone: tuple[bytes, ...]) -> None:
        """Goes back to where :meth:`clone_state` was called; a clone can be used again."""
        for name, data in zip(self.KEPT, clone, strict=True):
            array = getattr(self, name)
            array.view(np.uint8).reshape(-1)[:] = np.frombuffer(data, np.uint8)
