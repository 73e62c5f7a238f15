"""Component files for tests: the packaged one, changed in some place."""

from __future__ import annotations

import copy
import re
from importlib import resources
from typing import Any

import pytest
import yaml

from dreamfactory_env import (
    ComponentsError,
)
from dreamfactory_env.games.dream_factory.component_files import check_components
from dreamfactory_env.games.dream_factory.components import Components
from dreamfactory_env.utils.yaml_lines import read_yaml
from tests.paths import DOCS

TEXT = (resources.files("dreamfactory_env.games.dream_factory") / "components.yaml").read_text(
    "utf-8"
)
DATA: dict[str, Any] = yaml.safe_load(TEXT)
GENRES = ("drama", "adventure", "entertainment")
#: The lines of the packaged file that stand for a whole section each.
BOARD = re.search(r"(?<=^locations:\n)(  - .*\n)+", TEXT, re.MULTILINE)
TILES = re.search(r"(?<=^tiles:\n)(  \w+: .*\n)+", TEXT, re.MULTILINE)
TOKENS = re.search(r"(?<=^tokens: )\[[^]]*\]", TEXT, re.MULTILINE)
SCREENPLAYS = re.search(r"(?<=^screenplays:\n)(  - .*\n)+", TEXT, re.MULTILINE)
DOCUMENTATION = DOCS / "dream_factory/components.md"


def part(found: re.Match[str] | None) -> str:
    """Returns the text of a section of the packaged file."""
    assert found is not None
    return found[0]


def changed(*changes: tuple[str, str]) -> str:
    """Returns the packaged file with some texts, where each stands first, replaced by others."""
    text = TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def line_of(words: str, text: str = TEXT) -> int:
    """Returns the number of the line on which some words stand first."""
    return text[: text.index(words)].count("\n") + 1


#: The lines on which the sections' keys stand, by the names that expected problems use for them.
KEYS = {key: line_of(f"\n{key}:") + 1 for key in DATA}


def components_of(text: str) -> Components:
    return check_components(read_yaml(text), "my_box.yaml")


def problems_of(text: str) -> list[str]:
    """Returns every mistake that is found in a file."""
    with pytest.raises(ComponentsError) as caught:
        components_of(text)
    count = len(caught.value.problems)
    first = f"my_box.yaml: {count} mistake{'' if count == 1 else 's'}"
    assert str(caught.value).split("\n  ") == [first, *caught.value.problems]
    return caught.value.problems


def assert_reported(old: str, new: str, *problems: str) -> None:
    """Asserts that a change of the packaged file causes just these reports.

    In a problem ``{line}`` is the line that was changed, ``{tiles}`` that of the key ``tiles``,
    and so on.
    """
    text = changed((old, new))
    expected = [problem.format(line=line_of(old), **KEYS) for problem in problems]
    assert problems_of(text) == expected


def own_data(**sections: Any) -> dict[str, Any]:
    """Returns what the packaged file says, with other sections."""
    return {**copy.deepcopy(DATA), **sections}


def with_spaces(*spaces: str, stars: int = 3) -> list[dict[str, Any]]:
    """Returns the screenplays with other spaces and printed stars."""
    return [{**s, "spaces": list(spaces), "stars": stars} for s in DATA["screenplays"]]
