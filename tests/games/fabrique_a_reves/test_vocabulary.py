"""A lexicon of one's own: played with, recorded, found again; and small ones."""

from __future__ import annotations

import os
import pickle
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from dreamfactory_env import ComponentsError, FabriqueAReves, OptionError
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import STANDARD, load_lexicon
from dreamfactory_env.games.fabrique_a_reves.options import MODES
from dreamfactory_env.games.fabrique_a_reves.vectors import (
    FINGERPRINT,
    TENSOR,
    standard_vectors,
    vectors_file,
)
from dreamfactory_env.games.fabrique_a_reves.vocabulary import (
    Vocabulary,
    load_vocabulary,
    standard_vocabulary,
)
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from tests.games.fabrique_a_reves.lexicons import TINY, changed
from tests.games.fabrique_a_reves.staging import random_moves

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a lexicon, and vectors of chance beside it."""

    def write_lexicon(text: str = TINY, seed: int = 0) -> Path:
        path = tmp_path / "mine.yaml"
        path.write_text(text, "utf-8")
        lexicon = load_lexicon(path)
        drawn = np.random.default_rng(seed).integers(-99, 100, (len(lexicon.words), 128))
        facts = {FINGERPRINT: lexicon.fingerprint}
        save_file({TENSOR: drawn.astype(np.int8)}, vectors_file(path), facts)
        return path

    return write_lexicon


def test_a_lexicon_of_ones_own_is_played_recorded_and_found_again(write: Write) -> None:
    path = write()
    game = FabriqueAReves(2, lexicon=path, seed=3)
    assert game.config()["lexicon"] == {
        "name": "tiny",
        "file": str(path),
        "sha256": game.options.lexicon.sha256,
    }
    assert game.dreams() == ["toaster", "electric car", "bitcoin"]
    assert pickle.loads(pickle.dumps(game)) == game
    for record in simulate(game, ["random"], 5, 1):
        assert replay(record).result() == record["result"]


def test_a_file_that_has_changed_is_not_the_lexicon_of_the_record(write: Write) -> None:
    config = FabriqueAReves(2, lexicon=write(), seed=3).config()
    write(seed=1)  # other vectors
    with pytest.raises(OptionError, match="has changed: it is not the lexicon 'tiny'"):
        FabriqueAReves.from_config(config, seed=1)


def test_a_record_makes_nobody_open_what_is_no_lexicon(tmp_path: Path) -> None:
    config = FabriqueAReves(2, seed=3).config()
    secret = tmp_path / "secret"
    secret.write_text("the words of the secret")
    vectors_file(secret).write_bytes(b"no vectors")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # whoever opens it waits for ever
    for file in (secret, pipe, Path("/dev/zero"), tmp_path, tmp_path / "none", Path("a\0b")):
        named = {"name": "mine", "file": str(file), "sha256": "0" * 64}
        with pytest.raises(OptionError, match="is not there, or has changed") as refused:
            FabriqueAReves.from_config(config | {"lexicon": named}, seed=1)
        assert "the words" not in str(refused.value)
    for wrong in ({"name": 1, "file": 2, "sha256": 3}, {"name": "x", "file": "y"}):
        with pytest.raises(OptionError, match="lexicon must be 'fabrique', or an object"):
            FabriqueAReves.from_config(config | {"lexicon": wrong}, seed=1)


def test_a_record_that_names_no_lexicon_is_refused() -> None:
    game = FabriqueAReves(2, seed=3)
    with pytest.raises(OptionError, match="lexicon must be 'fabrique', or an object with name"):
        FabriqueAReves.from_config(game.config() | {"lexicon": "mine"}, seed=1)


def test_wrong_lexicons_are_refused(write: Write, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="lexicon must be a Vocabulary or the path of a file"):
        FabriqueAReves(lexicon=7)  # type: ignore[arg-type]
    with pytest.raises(ComponentsError, match="cannot be read"):
        FabriqueAReves(lexicon=tmp_path / "none.yaml")
    path = write()
    vectors_file(path).unlink()
    with pytest.raises(ComponentsError, match="the lexicon has no vectors; make them with"):
        FabriqueAReves(lexicon=path)


def test_a_small_lexicon_may_lack_themes_for_a_mode(write: Write) -> None:
    path = write()
    for mode in ("wednesday", "saturday"):
        with pytest.raises(OptionError, match="'tiny' has 0 themes of level"):
            FabriqueAReves(lexicon=path, mode=mode)
    with pytest.raises(OptionError, match="has 1 themes of level 1; friday needs 2"):
        FabriqueAReves(lexicon=path, mode="friday")


@pytest.mark.rule("R13", "R16")
@pytest.mark.parametrize("mode", ["base", "monday", "tuesday", "sunday", "variant"])
def test_games_with_two_cards_end_by_the_rules(mode: str, write: Write) -> None:
    """Cards run out, so players pass with empty vials, and dreams run out, so they write none."""
    path = write()
    nones = 0
    for seed in range(20):
        game = FabriqueAReves(3, lexicon=path, mode=mode, seed=seed)
        for move in random_moves(game, random.Random(seed), passing=0.5):
            nones += move.endswith("none")
            assert len(game.observe(0)) == 1581
            other = game.resample_hidden(0, seed)
            assert np.array_equal(other.observe(0), game.observe(0))
        assert game.result() is not None
    assert nones > 0


@pytest.mark.rule("R18")
def test_a_lexicon_may_set_other_points(write: Write) -> None:
    path = write(changed(("{2: [1, 2, 3, 5]}", "{2: [0, 7, 3, 5]}")))
    scored = set()
    for seed in range(30):
        game = FabriqueAReves(2, lexicon=path, level=0, seed=seed)
        assert game.spec.score_range == (0.0, (5 * 7 + 3) / 20)
        for _ in random_moves(game, random.Random(seed), passing=0.5):
            pass
        result = game.result()
        assert result is not None
        for vial in result["vials"]:
            expected = [0, 7, 3, 5][vial["cards"]] if vial["group"] == 2 else 0
            dust = 1 if vial["token"] == "dust" and expected else 0
            assert vial["points"] == expected + dust
            scored.add(expected)
    assert scored >= {0, 7}


def test_equal_files_are_one_vocabulary(write: Write) -> None:
    path = write()
    first, second = load_vocabulary(path), load_vocabulary(path)
    assert first is second
    assert first != standard_vocabulary()
    assert standard_vocabulary().standard
    assert not first.standard


def test_the_packaged_files_given_by_path_are_the_standard_ones() -> None:
    game = FabriqueAReves(2, lexicon=STANDARD, seed=1)
    assert game == FabriqueAReves(2, seed=1)
    assert game.config()["lexicon"] == "fabrique"


def test_the_tables_have_all_words_of_the_lexicon() -> None:
    vocabulary: Vocabulary = standard_vocabulary()
    params = vocabulary.params[0]
    lexicon = vocabulary.lexicon
    assert (int(params.cards), int(params.quill)) == (200, 128)
    for row, theme in enumerate(lexicon.themes):
        assert int(params.sizes[row]) == len(theme.dreams)
        words = [lexicon.words[k].name for k in params.dream_words[row] if k >= 0]
        assert words == list(theme.dreams)
    assert params.level_sizes.tolist() == [5, 20, 15, 10]
    assert (params.forbids_some == params.forbids.any(axis=2)).all()
    assert len(standard_vectors()) == len(lexicon.words)
    assert len(MODES) == 9
