"""Component files of one's own: read, played with, and every mistake named where it stands."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml

from dreamfactory_env import ComponentsError, FauxRaccords, OptionError
from dreamfactory_env.games.faux_raccords.component_files import (
    check_components,
    standard_components,
)
from dreamfactory_env.games.faux_raccords.components import Components
from dreamfactory_env.utils.yaml_lines import read_yaml

TEXT = (resources.files("dreamfactory_env.games.faux_raccords") / "components.yaml").read_text(
    "utf-8"
)
DATA: dict[str, Any] = yaml.safe_load(TEXT)


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


def components_of(text: str) -> Components:
    return check_components(read_yaml(text), "my_box.yaml")


def problems_of(text: str) -> list[str]:
    with pytest.raises(ComponentsError) as caught:
        components_of(text)
    return caught.value.problems


@pytest.mark.rule("F1")
def test_the_packaged_components_have_the_printed_totals() -> None:
    components = standard_components()
    assert len(components.cards) == 32
    assert [card.name for card in components.cards][-4:] == ["1b", "10b", "19b", "28b"]
    for symbol in components.symbols:
        assert sum(card.symbol == symbol for card in components.cards) == 4
    counts = [sum(card.member == m for card in components.cards) for m in DATA["members"]]
    assert counts == [6, 7, 6, 6, 7]
    assert len(components.hazards) == 10
    assert components.genre_of("drama", "laughter") == "comedy drama"
    assert check_components(read_yaml(yaml.safe_dump(components.as_data())), "") == components


def test_games_are_played_and_recorded_with_own_components(tmp_path: Path) -> None:
    text = changed(
        ("[1, love, producer]", "[1, fear, manager]"),
        ("[1b, fear, script]", "[1b, love, star]"),
        ("{name: walk-out,", "{name: strike, kind: walk-out,"),
        ("love+laughter: romantic comedy", "laughter+love: comédie romantique"),
    )
    file = tmp_path / "my_box.yaml"
    file.write_text(text, "utf-8")
    game = FauxRaccords(2, seed=1, components=file)
    config = game.config()
    assert config["components"]["cards"][0] == ["1", "fear", "manager"]
    again = FauxRaccords.from_setup(config, game.setup())
    assert again.setup() == game.setup()
    assert again.options.components == game.options.components != standard_components()
    names = {name for s in range(9) for name in game.deal(s).setup()["hazards"]}
    assert "strike" in names
    assert "walk-out" not in names
    assert game.options.components.genre_of("love", "laughter") == "comédie romantique"


@pytest.mark.parametrize(
    ("old", "new", "key", "problem"),
    [
        ("[5, mystery, star]", "[5, mistery, star]", "cards[5][1]", "did you mean 'mystery'?"),
        ("[5, mystery, star]", "[5, mystery, stars]", "cards[5][2]", "did you mean 'star'?"),
        (
            "[5, mystery, star]",
            "[29, mystery, star]",
            "cards[5][0]",
            "must be a value from 1 to 28",
        ),
        ("[5, mystery, star]", "[5b, mystery, star]", "cards[5][0]", "or one of 1b, 10b, 19b, 28b"),
        ("[5, mystery, star]", "[true, mystery, star]", "cards[5][0]", "not True"),
        ("[5, mystery, star]", "[5, mystery]", "cards[5]", "must be [value, symbol, member]"),
        ("[5, mystery, star]", "five", "cards[5]", "not 'five'"),
        ("{name: walk-out,", "{name: strike,", "hazards[5].name", "give it a `kind`, one of power"),
        ("{name: walk-out,", "{name: reshoot,", "hazards[5].name", "'reshoot' stands 2 times"),
        ("{name: walk-out,", "{name: walk-out, kind: riot,", "hazards[5].kind", "must be one of"),
        (
            "{name: walk-out, effect",
            "{name: walk-out, text",
            "hazards[5].text",
            "unknown key 'text'",
        ),
        ("love+drama: mel", "love+love: mel", "genres.love+love", "must be two moods"),
        ("love+drama: mel", "love+dram: mel", "genres.love+dram", "did you mean 'drama'?"),
        ("love+drama: mel", "laughter+love: mel", "genres.laughter+love", "stand there before"),
        ("love+drama: melodrama", "love+drama: 3", "genres.love+drama", "one line of text"),
        ("source: rec", "sauce: rec", "sauce", "unknown key 'sauce'"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, key: str, problem: str) -> None:
    found = [line for line in problems_of(changed((old, new))) if problem in line]
    assert len(found) == 1
    assert found[0].startswith(f"line {line_of(old)}, {key}: ")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("symbols: [love", "symbols: [love, love", ["'love' stands twice", "9 symbols (F1)"]),
        ("neutral, joker]", "neutral, jester]", ["symbols: 'joker' is missing"]),
        ("moods: [love, ", "moods: [", ["5 moods (F1); there must be 6"]),
        ("moods: [love", "moods: [joker", ["'joker' is no mood"]),
        ("moods: [love", "moods: [hope", ["'hope' is none of the symbols"]),
        ("members: [manager", "members: [boss", ["must be one of manager", "'manager' is missing"]),
        ("  - [5, mystery, star]\n", "", ["missing: 5 (F1)"]),
        ("- [5, mystery", "- [6, mystery", ["the card 6 stands twice", "missing: 5 (F1)"]),
        ("[5, mystery", "[5, fear", ["3 cards show mystery; must be 4", "5 cards show fear"]),
        ("  - {name: walk-out", "  # {name", ["9 hazards (F1); there must be 10"]),
        ("\nhazards:", "\nhazard:", ["unknown key 'hazard'", "'hazards' is missing"]),
    ],
)
def test_what_does_not_fit_together_is_named(old: str, new: str, expected: list[str]) -> None:
    problems = problems_of(changed((old, new)))
    for words in expected:
        assert any(words in problem for problem in problems), (words, problems)


def test_all_mistakes_are_named_at_once() -> None:
    text = changed(
        ("[2, action, editor]", "[2, action, editer]"),
        ("[20, mystery", "[20, misery"),
        ("{name: censored", "{name: sensored"),
        ("fear+mystery: thriller", "fear+history: thriller"),
    )
    problems = problems_of(text)
    assert len(problems) == 4
    assert [problem.split(",")[0] for problem in problems] == [
        f"line {line_of(words, text)}" for words in ("editer", "misery", "sensored", "history")
    ]


@pytest.mark.parametrize("text", ["", "[]", "cards: 3", "{", "a: &a [*a]", "- 1\n- 2"])
def test_what_is_no_component_file_is_refused(text: str) -> None:
    assert problems_of(text)


@pytest.mark.parametrize("section", ["symbols", "moods", "members", "cards", "hazards"])
@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [None], [[]], [{}], {"a": 1}])
def test_damaged_sections_are_reported_and_nothing_breaks(section: str, value: Any) -> None:
    text = yaml.safe_dump({**DATA, section: value})
    assert any(section in problem for problem in problems_of(text))


@pytest.mark.parametrize("given", [3, ["a"], {"cards": []}])
def test_what_is_no_file_is_refused(given: Any) -> None:
    with pytest.raises(OptionError, match="components must be Components or the path"):
        FauxRaccords(2, components=given)
