"""Lexicons: read, and checked with every mistake named at once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from dreamfactory_env.games.fabrique_a_reves.lexicon import Lexicon
from dreamfactory_env.games.fabrique_a_reves.lexicon_checker import LexiconChecker
from dreamfactory_env.utils.errors import ComponentsError
from dreamfactory_env.utils.yaml_lines import Document, read_yaml

#: The file of the lexicon that comes with the package.
STANDARD = Path(__file__).with_name("lexicon.yaml")


@cache
def standard_lexicon() -> Lexicon:
    """Returns the lexicon that comes with the package."""
    # Ten times as fast as with line numbers, but nested deeply enough a text ends the process:
    # only for a text that we know.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data = yaml.load(STANDARD.read_text("utf-8"), Loader=loader)
    return check_lexicon(Document(data), STANDARD.name)


def load_lexicon(path: str | Path) -> Lexicon:
    """Reads a lexicon.

    Args:
        path: The file.

    Raises:
        ComponentsError: The file cannot be read, or has mistakes; all of them are named.
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        raise ComponentsError(str(path), [f"cannot be read: {error}"]) from error
    return check_lexicon(read_yaml(text), str(path))


def check_lexicon(document: Document, name: str) -> Lexicon:
    """Returns the lexicon that a document describes.

    Args:
        document: What was read.
        name: How to call it in an error.

    Raises:
        ComponentsError: It has mistakes; all of them are named.
    """
    if document.data is not None or not document.problems:
        lexicon = LexiconChecker(document).lexicon()
        if not document.problems:
            return lexicon
    raise ComponentsError(name, document.problems)
