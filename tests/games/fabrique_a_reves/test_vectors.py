"""The vectors of words: near words are near, and those of other words are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from dreamfactory_env import ComponentsError
from dreamfactory_env.games.fabrique_a_reves.embed import ORIGIN, compress, vectors_data
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import STANDARD, standard_lexicon
from dreamfactory_env.games.fabrique_a_reves.minilm import Model
from dreamfactory_env.games.fabrique_a_reves.vectors import (
    COMMAND,
    load_vectors,
    standard_vectors,
    vectors_file,
)
from tests.games.fabrique_a_reves.lexicons import TINY, changed, lexicon_of

NEAR_AND_FAR = [
    ("king", "queen", "spoon"),
    ("guitar", "violin", "cow"),
    ("dog", "cat", "church"),
    ("snow", "ice", "money"),
    ("sea", "beach", "pencil"),
    ("train", "railway station", "onion"),
    ("doctor", "hospital", "guitar"),
    ("bread", "cheese", "moon"),
    ("moon", "planet", "sock"),
    ("thief", "bank robbery", "tulip"),
    ("pen", "paper", "elephant"),
    ("anger", "rage", "table"),
    ("wedding", "bride", "volcano"),
    ("pirate", "treasure", "yoghurt"),
]


@pytest.mark.parametrize(("word", "near", "far"), NEAR_AND_FAR)
def test_near_words_are_near(word: str, near: str, far: str) -> None:
    rows = standard_lexicon().rows
    vectors = standard_vectors().astype(np.int64)
    products = vectors @ vectors[rows[word]]
    assert products[rows[near]] > 0
    assert products[rows[near]] > 3 * products[rows[far]]
    # Of all words at most thirty are nearer.
    assert (products > products[rows[near]]).sum() <= 31


def test_the_shipped_vectors_are_small_whole_numbers_that_cannot_be_changed() -> None:
    vectors = standard_vectors()
    assert vectors.dtype == np.int8
    assert vectors.shape == (len(standard_lexicon().words), 128)
    assert np.abs(vectors.astype(int)).max() == 127
    assert np.abs(vectors.mean(axis=0)).max() < 0.5
    spread = vectors.astype(float).std(axis=0)
    assert (np.diff(spread) < 0.1).all()  # main axes first
    with pytest.raises(ValueError, match="read-only"):
        vectors[0, 0] = 1


def test_the_header_of_the_shipped_vectors_says_where_they_come_from() -> None:
    with safe_open(vectors_file(STANDARD), framework="numpy") as file:
        facts = file.metadata()
    assert {*facts} == {*ORIGIN, "weights_sha256", "words_sha256"}
    assert facts["model"] == "sentence-transformers/all-MiniLM-L6-v2"
    assert facts["model_licence"].startswith("Apache-2.0")
    assert facts["words_sha256"] == standard_lexicon().fingerprint


# ---------------------------------------------------------------------------- own lexicons


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(TINY, "utf-8")
    lexicon = lexicon_of(TINY)
    vectors = np.arange(len(lexicon.words) * 128).reshape(-1, 128).astype(np.int8)
    vectors_file(path).write_bytes(vectors_data(lexicon, vectors, "00"))
    return path


def test_vectors_that_were_written_are_read(own_file: Path) -> None:
    vectors = load_vectors(own_file, lexicon_of(TINY))
    assert vectors.ravel().tolist() == np.arange(12 * 128).astype(np.int8).tolist()


def test_a_lexicon_without_vectors_says_how_to_make_them(own_file: Path) -> None:
    vectors_file(own_file).unlink()
    with pytest.raises(ComponentsError) as caught:
        load_vectors(own_file, lexicon_of(TINY))
    (problem,) = caught.value.problems
    assert problem.startswith(f"the lexicon has no vectors; make them with: {COMMAND} {own_file} ")


@pytest.mark.parametrize(
    "change",
    [("  king: ", "  emperor: "), ("  apple: {fr: pomme}\n  avocado: ", "  avocado: ")],
)
def test_vectors_of_other_words_are_refused(own_file: Path, change: tuple[str, str]) -> None:
    text = (
        changed(change).replace(" king]", " emperor]")
        if "king" in change[0]
        else changed(change, ("coin, apple", "coin, bread"), ("[bread, apple, ", "[bread, "))
    )
    with pytest.raises(ComponentsError, match="the vectors of other words, or of the same in ano"):
        load_vectors(own_file, lexicon_of(text))


def test_what_are_no_vectors_is_refused(own_file: Path) -> None:
    vectors_file(own_file).write_bytes(b"nothing")
    with pytest.raises(ComponentsError, match=f"cannot be read as vectors.*{COMMAND}"):
        load_vectors(own_file, lexicon_of(TINY))
    facts = {"words_sha256": lexicon_of(TINY).fingerprint}
    save_file({"vectors": np.zeros((12, 64), np.int8)}, vectors_file(own_file), facts)
    with pytest.raises(ComponentsError, match=r"must be int8 \(12, 128\), not int8 \(12, 64\)"):
        load_vectors(own_file, lexicon_of(TINY))


# ---------------------------------------------------------------------------- making them


def test_main_axes_are_the_same_whatever_their_sign() -> None:
    full = np.random.default_rng(0).normal(size=(200, 160)) * np.linspace(3, 0.1, 160)
    vectors = compress(full)
    assert vectors.dtype == np.int8
    assert vectors.shape == (200, 128)
    assert np.abs(vectors.astype(int)).max() == 127
    before, after = ((v - v.mean(axis=0)) @ (v - v.mean(axis=0)).T for v in (full, vectors * 1.0))
    assert np.corrcoef(before.ravel(), after.ravel())[0, 1] > 0.99
    assert (compress(full + 5) == vectors).mean() > 0.999  # centred


def test_texts_are_cut_into_the_longest_pieces() -> None:
    pieces = ["[UNK]", "[CLS]", "[SEP]", "play", "##ing", "##i", "card", "-", "deja", "'"]
    model = Model({}, {piece: number for number, piece in enumerate(pieces)})
    assert model.tokens("Playing card") == [1, 3, 4, 6, 2]
    assert model.tokens("déjà-card's") == [1, 8, 7, 6, 9, 0, 2]
    assert model.tokens("playi zzz") == [1, 3, 5, 0, 2]


def test_the_header_stands_in_order() -> None:
    lexicon = lexicon_of(TINY)
    data = vectors_data(lexicon, np.zeros((12, 128), np.int8), "00")
    header = data[8 : 8 + int.from_bytes(data[:8], "little")]
    assert len(data) == 8 + len(header) + 12 * 128
    assert header.strip() == json.dumps(json.loads(header), sort_keys=True).encode()
