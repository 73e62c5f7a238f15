"""Component files that cannot be read, and any damage to one, are refused clearly."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamfactory_env import (
    ComponentsError,
    DreamFactory,
    OptionError,
    load_components,
)
from dreamfactory_env.games.dream_factory.component_files import check_components
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.utils.yaml_lines import Document, read_yaml
from tests.games.dream_factory.component_files import (
    DATA,
    KEYS,
    TEXT,
    changed,
    line_of,
    own_data,
    problems_of,
)

# ---------------------------------------------------------------------------- not readable


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a: [1, 2\nb: 3\n", 2, "expected ',' or ']'"),
        ("a: {b: 1\n", 2, "expected ',' or '}'"),
        ("a: b: c\n", 1, "mapping values are not allowed here"),
        ("a: 1\n\tb: 2\n", 2, "found character '\\t' that cannot start any token"),
        ("a: 'b\n", 2, "found unexpected end of stream"),
        ("a: *b\n", 1, "found undefined alias 'b'"),
        ("a: !mine b\n", 1, "could not determine a constructor for the tag '!mine'"),
        ("a: !!python/object/apply:os.getcwd []\n", 1, "could not determine a constructor"),
        ("a: 1\n---\nb: 2\n", 2, "expected a single document in the stream"),
        ("a: &x 1\nb: &x 2\n", 2, "found duplicate anchor 'x'"),
        ("a: 1\n? [b, c]\n: 2\n", 2, "key"),
        ("%YAML 3.0\n---\na: 1\n", 1, "found incompatible YAML document"),
    ],
)
def test_what_is_not_yaml_is_refused_with_its_line(text: str, line: int, problem: str) -> None:
    (found,) = problems_of(text)
    assert found.startswith(f"line {line}: not YAML: ")
    assert problem in found


@pytest.mark.parametrize("character", ["\0", "\x1b", "\ufffe"])
def test_a_character_that_yaml_does_not_know_is_refused_with_its_line(character: str) -> None:
    (problem,) = problems_of(changed(("Vertigo", f"Vert{character}igo")))
    assert problem.startswith(f"line {line_of('Vertigo')}: not YAML: ")


@pytest.mark.parametrize(
    "value",
    [
        "2020-13-45",
        "2020-02-30 25:61:61",
        "0b_",
        "0x_",
        "!!int five",
        "!!float five",
        "!!bool maybe",
        "!!timestamp today",
        "!!binary '\xe4'",
        "9" * 5000,
        "0x" + "f" * 5000,
    ],
)
def test_a_value_that_python_cannot_hold_is_refused_with_its_line(value: str) -> None:
    (problem,) = problems_of(changed(("stars: 5", f"stars: {value}")))
    assert problem.startswith(f"line {line_of('stars: 5')}")
    assert len(problem) < 400


def test_a_key_that_python_cannot_hold_is_refused_with_its_line() -> None:
    for key in ("2020-13-45", "0b_", "9" * 5000, "0x" + "f" * 5000):
        (problem,) = problems_of(changed(("source: ", f"{key}: ")))
        assert problem.startswith(f"line {KEYS['source']}")


@pytest.mark.parametrize("digits", ["9" * 5000, "-" + "9" * 5000])
def test_a_text_of_thousands_of_digits_is_refused(digits: str) -> None:
    (problem,) = problems_of(changed(("stars: 5", f"stars: '{digits}'")))
    assert problem.startswith(f"line {line_of('stars: 5')}, screenplays[0].stars: printed stars: ")
    (problem,) = problems_of(changed(("[0, 1,", f"[0, '{digits}',")))
    assert problem.startswith(f"line {KEYS['tokens']}, tokens[1]: a token: ")


@pytest.mark.parametrize(
    "text",
    ["[" * 600, "{a: " * 600, "- " * 600, "[" * 600 + "]" * 600, "&a [*a]", "&a {b: *a}"],
)
def test_endless_nesting_is_refused(text: str) -> None:
    (problem,) = problems_of(text)
    assert "not YAML" in problem


def test_a_few_lines_that_stand_for_a_hundred_thousand_values_are_refused_at_once() -> None:
    lines = ["source: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 5)]
    (problem,) = problems_of("\n".join(lines))
    assert re.match(r"line \d: .*more than [\d,]+ values", problem)


def test_a_long_wrong_value_is_cut_in_the_message() -> None:
    (problem,) = problems_of(yaml.safe_dump([DATA]))
    assert len(problem) < 400
    (problem,) = problems_of(yaml.safe_dump(own_data(tokens=dict.fromkeys(range(100), "x"))))
    assert len(problem) < 400


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my_box.yaml"
    with pytest.raises(
        ComponentsError, match=r"my_box\.yaml: 1 mistake\n.*cannot be read"
    ) as caught:
        DreamFactory(components=path)
    assert len(caught.value.problems) == 1


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ComponentsError, match="cannot be read"):
        load_components(str(tmp_path))


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-32"])
def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "my_box.yaml"
    path.write_bytes(changed(("Vertigo", "Dämon")).encode(encoding))
    with pytest.raises(ComponentsError, match=r"cannot be read: .*utf-8"):
        load_components(path)


def test_a_path_that_cannot_be_one_is_refused() -> None:
    with pytest.raises(ComponentsError, match="cannot be read"):
        load_components("my\0box.yaml")


@pytest.mark.parametrize("components", [5, b"my_box.yaml", DATA, True])
def test_components_that_are_no_path_are_refused(components: Any) -> None:
    with pytest.raises(OptionError, match="components"):
        DreamFactory(components=components)


# ---------------------------------------------------------------------------- whatever is given

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 100)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "players", "legendary", "party", "drama", "actor", "8+", "a/b", "3"])
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=4,
)


def spots(data: Any) -> list[tuple[Any, Any]]:
    """Returns every place of a nest of mappings and lists, as its container and key."""
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    return [spot for key in keys for spot in [(data, key), *spots(data[key])]]


def assert_played_or_refused(document: Document) -> None:
    """Asserts that a document has mistakes, or else comes back from a record and plays a game."""
    try:
        components = check_components(document, "own")
    except ComponentsError:
        return
    told = json.loads(json.dumps(components.as_data(), ensure_ascii=False).encode())
    assert check_components(Document(told), "back") == components
    config = DreamFactory(5, components=components).config()
    (record,) = simulate(DreamFactory.from_config(config, seed=0), ["random"], 1, seed=1)
    assert replay(record).over


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_any_value_anywhere_is_played_or_refused(drawn: st.DataObject) -> None:
    data = copy.deepcopy(DATA)
    for _ in range(drawn.draw(st.integers(1, 3))):
        container, key = drawn.draw(st.sampled_from(spots(data)))
        if drawn.draw(st.booleans()):
            container[key] = drawn.draw(VALUES)
        else:
            del container[key]
        if not spots(data):
            break
    assert_played_or_refused(Document(data))


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, len(TEXT)),
    st.integers(0, 40),
    st.text("[]{},:-&*!?|>'\"%@`#~ \n\t\0x08+", max_size=4),
)
def test_any_damage_to_the_text_is_played_or_refused(start: int, cut: int, added: str) -> None:
    assert_played_or_refused(read_yaml(TEXT[:start] + added + TEXT[start + cut :]))
