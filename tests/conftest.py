"""What all tests share."""

from __future__ import annotations

import os

# Tests run side by side: torch's threads would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")
