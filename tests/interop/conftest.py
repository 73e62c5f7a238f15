"""What the tests of all consumers share."""

from __future__ import annotations

import pytest
import torch

from tests.interop.tally import Tally, count_moves


def pytest_configure(config: pytest.Config) -> None:
    """Leaves the warnings of other libraries what they are; our own stay errors."""
    config.addinivalue_line("filterwarnings", "default")
    config.addinivalue_line("filterwarnings", "error:::dreamfactory_env")
    torch.set_num_threads(1)


@pytest.fixture
def tally(monkeypatch: pytest.MonkeyPatch) -> Tally:
    """Counts the moves that are played during a test."""
    return count_moves(monkeypatch)
