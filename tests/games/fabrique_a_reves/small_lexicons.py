"""Small lexicons with made-up words, in which cards, dreams and turns run out."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from dreamfactory_env.games.fabrique_a_reves.embed import vectors_data
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import load_lexicon
from dreamfactory_env.games.fabrique_a_reves.vectors import AXES, vectors_file
from tests.games.fabrique_a_reves.referee_words import Meanings, read_box, read_vectors
from tests.games.fabrique_a_reves.rule_staging import ENGINE

#: The words of a lexicon that is written out below.
THOUGHTS = ["string", "king", "coin", "apple"]
DREAMS = ["toaster", "electric car", "bitcoin", "lawyer"]


def write_lexicon(folder: Path, document: dict[str, Any]) -> Path:
    """Writes a lexicon and vectors for it, which are drawn at random; returns its path."""
    path = folder / f"{document['name']}.yaml"
    path.write_text(yaml.safe_dump(document, allow_unicode=True, sort_keys=False), "utf-8")
    lexicon = load_lexicon(path)
    size = len(lexicon.words), AXES
    vectors = np.random.default_rng(1).integers(-127, 127, size, np.int8, endpoint=True)
    vectors_file(path).write_bytes(vectors_data(lexicon, vectors, ""))
    return path


def read_meanings(path: Path) -> Meanings:
    """Returns for the referee what a lexicon's words mean."""
    document = yaml.safe_load(path.read_text("utf-8"))
    return Meanings(read_box(document, read_vectors(vectors_file(path), document["words"])))


def engine_config(config: dict[str, Any], path: Path) -> dict[str, Any]:
    """Returns a config with a lexicon of one's own as the engine writes it."""
    written: dict[str, Any] = ENGINE(seed=0, **{**config, "lexicon": path}).config()
    return written


def theme(name: str, level: int, dreams: list[str]) -> dict[str, Any]:
    """Returns a theme of a lexicon."""
    about = {"en": f"About {name}.", "fr": f"De {name}."}
    title = {"id": name, "level": level, "en": f"Night {name}", "fr": f"Nuit {name}"}
    return {**title, "about": about, "dreams": dreams}


def tiny_document() -> dict[str, Any]:
    """Returns a lexicon of two cards and four dreams; two players score otherwise (R18)."""
    words: dict[str, dict[str, Any]] = {
        word: {"fr": f"{word} fr", "family": word} for word in [*THOUGHTS, *DREAMS]
    }
    words |= {"loud": {"fr": "bruyant"}, "bread": {"fr": "pain"}}
    words["toaster"] = {"fr": "grille-pain", "family": "bread"}
    return {
        "format": "fabrique-lexicon/1",
        "name": "tiny",
        "small": True,
        "words": words,
        "cards": [["string", "king"], ["coin", "apple"]],
        "themes": [theme("few", 1, DREAMS)],
        "free": ["lawyer"],
        "quill": ["loud", "bread"],
        "scoring": {2: {2: [0, 7, 8, 9]}},
    }


def random_document(seed: int) -> dict[str, Any]:
    """Returns a lexicon in which everything is scarce, drawn at random."""
    rng = random.Random(seed)
    names = [f"w{number}" for number in range(40)]
    cards, quill = rng.randrange(3, 14), rng.randrange(1, 5)
    thoughts = names[: 2 * cards]
    written = [name for name in names if name not in thoughts][:quill]
    lists = [rng.sample(names, rng.randrange(1, 12)) for _ in range(6)]
    themes = [theme(f"t{k}", level, lists[k]) for k, level in enumerate((0, 1, 1, 2, 3))]
    used = {*thoughts, *written, *(name for each in lists for name in each)}
    families = ["", "", "", "fa", "fb", "fc"]
    document = {
        "format": "fabrique-lexicon/1",
        "name": f"random{seed}",
        "small": True,
        "words": {
            name: {"fr": f"m{name}", "family": rng.choice(families) or name}
            for name in names
            if name in used
        },
        "cards": [thoughts[2 * k : 2 * k + 2] for k in range(cards)],
        "themes": themes,
        "free": lists[5],
        "quill": written,
    }
    if seed % 2:
        document["scoring"] = {
            n: {g: [rng.randrange(6) for _ in range(4)] for g in range(2, n + 1)} for n in (2, 4)
        }
    return document
