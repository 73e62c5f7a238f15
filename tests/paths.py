"""Where the parts of the project are that tests read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
CONFIGS = ROOT / "configs"
