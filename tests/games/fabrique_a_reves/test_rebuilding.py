"""Vectors that are made anew are those that are shipped; ``make words`` has the model for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dreamfactory_env.games.fabrique_a_reves.embed import main
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import STANDARD
from dreamfactory_env.games.fabrique_a_reves.vectors import vectors_file

WHEEL = os.environ.get("MODEL_WHEEL")


@pytest.mark.skipif(not WHEEL, reason="no MODEL_WHEEL; `make words` sets it")
def test_vectors_that_are_made_anew_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lexicon = tmp_path / STANDARD.name
    lexicon.write_bytes(STANDARD.read_bytes())
    monkeypatch.setattr(sys, "argv", ["embed", str(lexicon), "--wheel", str(WHEEL)])
    main()
    assert vectors_file(lexicon).read_bytes() == vectors_file(STANDARD).read_bytes()
    assert "same closest dream: 0." in capsys.readouterr().out
