"""The vectors of a lexicon's words, from which minds associate (M1).

They lie beside the lexicon, in a safetensors file of the same name: one row of 128 small whole
numbers for each word, in the order of the words. :mod:`embed` makes them; the header of the file
says from what.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.lexicon import Lexicon
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import STANDARD, standard_lexicon
from dreamfactory_env.utils.errors import ComponentsError

AXES = 128
LARGEST = 127
SUFFIX = ".safetensors"
#: The names of the tensor, and of the fact in the header that says which words it is for.
TENSOR, FINGERPRINT = "vectors", "words_sha256"
COMMAND = "python -m dreamfactory_env.games.fabrique_a_reves.embed"


def vectors_file(lexicon_file: str | Path) -> Path:
    """Returns where the vectors of a lexicon lie."""
    return Path(lexicon_file).with_suffix(SUFFIX)


@cache
def standard_vectors() -> Array:
    """Returns the vectors of the lexicon that comes with the package."""
    return load_vectors(STANDARD, standard_lexicon())


def load_vectors(lexicon_file: str | Path, lexicon: Lexicon) -> Array:
    """Reads the vectors that lie beside a lexicon.

    Args:
        lexicon_file: The lexicon's file.
        lexicon: What it says.

    Returns:
        Whole numbers of 8 bits, (words, 128), that cannot be changed.

    Raises:
        ComponentsError: There are none, or they are not those of this lexicon's words; the message
            has the command that makes them.
    """
    path = vectors_file(lexicon_file)
    make = f"make them with: {COMMAND} {lexicon_file} --wheel WHEEL (see its --help)"
    if not path.exists():
        raise ComponentsError(str(path), [f"the lexicon has no vectors; {make}"])
    try:
        with safe_open(path, framework="numpy") as file:
            facts = file.metadata() or {}
            vectors: Array = file.get_tensor(TENSOR)
    except (OSError, SafetensorError) as error:
        problem = f"cannot be read as vectors: {error}; {make}"
        raise ComponentsError(str(path), [problem]) from error
    if facts.get(FINGERPRINT) != lexicon.fingerprint:
        problem = "these are the vectors of other words, or of the same in another order"
        raise ComponentsError(str(path), [f"{problem}; {make}"])
    if vectors.shape != (len(lexicon.words), AXES) or vectors.dtype != np.int8:
        right = f"must be int8 ({len(lexicon.words)}, {AXES})"
        problem = f"{right}, not {vectors.dtype} {vectors.shape}; {make}"
        raise ComponentsError(str(path), [problem])
    vectors.setflags(write=False)
    return vectors
