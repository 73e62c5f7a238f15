"""Mistakes of a lexicon are all named at once, where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dreamfactory_env import ComponentsError
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import STANDARD, load_lexicon
from tests.games.fabrique_a_reves.lexicons import (
    assert_reported,
    changed,
    lexicon_of,
    line_of,
    problems_of,
)

SECTIONS = "format, name, small, words, cards, themes, free, quill, scoring"


def test_all_mistakes_are_named_at_once() -> None:
    text = changed(
        ("fabrique-lexicon/1", "fabrique-lexicon/2"),
        ("{fr: pomme}", "{french: pomme}"),
        ("[coin, apple]", "[coin, appel]"),
        ("level: 0", "level: 7"),
        ("[loud]", "[loud, king]"),
    )
    found = problems_of(text)
    assert found == [
        "line 1, format: must be one of fabrique-lexicon/1, not 'fabrique-lexicon/2'; "
        "did you mean 'fabrique-lexicon/1'?",
        f"line {line_of('apple')}, words.apple.french: unknown key 'french'; "
        "known are fr, family, also",
        f"line {line_of('apple')}, words.apple: 'fr' is missing",
        f"line {line_of('cards')}, cards[1][1]: 'appel' is none of the words; "
        "did you mean 'apple'?",
        f"line {line_of('level: 0')}, themes[1].level: level: must be a whole number from 0 to 3, "
        "not 7",
        f"line {line_of('quill')}, quill[1]: 'king' is on cards[0] (R12)",
    ]


# ---------------------------------------------------------------------------- sections


def test_an_unknown_section_is_refused_and_the_nearest_named() -> None:
    found = problems_of(changed(("quill: [loud]", "quil: [loud]")))
    assert found == [
        f"line {line_of('quill')}, quil: unknown key 'quil'; known are {SECTIONS}; "
        "did you mean 'quill'?",
        "line 1: 'quill' is missing",
    ]


@pytest.mark.parametrize("text", ["", "[]", "words", "3"])
def test_what_is_no_mapping_is_refused(text: str) -> None:
    (problem,) = problems_of(text)
    assert "must be a mapping with something in it" in problem


def test_what_is_not_yaml_is_refused() -> None:
    (problem,) = problems_of("words: [")
    assert "not YAML" in problem


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ComponentsError, match=r"mine\.yaml: 1 mistake\n  cannot be read"):
        load_lexicon(tmp_path / "mine.yaml")


def test_small_is_true_or_false() -> None:
    themes = line_of("themes:")
    assert_reported(
        "small: true",
        "small: maybe",
        "line {line}, small: must be true or false, not 'maybe'",
        "line {cards}, cards: 2 cards; there must be 200",
        f"line {line_of('dreams: [toaster')}, themes[0].dreams: 3 dreams; there must be 64 to 128",
        f"line {line_of('dreams: [bread')}, themes[1].dreams: 3 dreams; there must be 64 to 128",
        f"line {themes}, themes: 1 theme of level 0; there must be 5",
        f"line {themes}, themes: 1 theme of level 1; there must be 20",
        f"line {themes}, themes: 0 themes of level 2; there must be 15",
        f"line {themes}, themes: 0 themes of level 3; there must be 10",
        "line {free}, free: 3 dreams; there must be 128",
        "line {quill}, quill: 1 word; there must be 128",
    )


def test_a_small_lexicon_may_not_have_more_than_a_whole_one() -> None:
    themes = "".join(
        f"  - {{id: t{n}, level: 0, en: T {n}, fr: N {n}, about: {{en: a, fr: b}}, "
        "dreams: [apple]}\n"
        for n in range(5)
    )
    (problem,) = problems_of(changed(("free: ", f"{themes}free: ")))
    assert (
        problem
        == f"line {line_of('themes:')}, themes: 6 themes of level 0; there must be 5 at most"
    )


# ---------------------------------------------------------------------------- words


def test_a_word_without_french_is_reported() -> None:
    assert_reported(
        "apple: {fr: pomme}",
        "apple: {also: {en: [pomaceous fruit]}}",
        "line {line}, words.apple: 'fr' is missing",
    )
    assert_reported(
        "apple: {fr: pomme}",
        "apple:",
        "line {line}, words.apple: must be a mapping with something in it, not None",
    )


@pytest.mark.parametrize("name", ["no", "1984", "1.5"])
def test_a_word_that_yaml_does_not_take_for_a_text_is_reported(name: str) -> None:
    (problem,) = problems_of(changed(("  king: ", f"  {name}: {{fr: x}}\n  king: ")))
    assert "a word must be a text, not " in problem
    assert problem.endswith("; put it in quotes")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("apple: ", "app/le: ", "words.app/le: 'app/le' has a '/'"),
        ("{fr: pomme}", "{fr: a/b}", "words.apple.fr: 'a/b' has a '/'"),
        ("[noisy]", "[a/b]", "words.loud.also.en[0]: 'a/b' has a '/'"),
        ("[noisy]", "[None]", "words.loud.also.en[0]: 'None' stands for no dream at all (R15)"),
        ("  loud: ", "  none: ", "words.none: 'none' stands for no dream at all (R15)"),
    ],
)
def test_a_spelling_that_records_cannot_have_is_reported(old: str, new: str, problem: str) -> None:
    found = [p for p in problems_of(changed((old, new))) if problem in p]
    assert len(found) == 1
    assert found[0].startswith(f"line {line_of(old)}, ")


def test_a_word_twice_is_reported() -> None:
    (problem,) = problems_of(changed(("  king: ", "  coin: {fr: pièce}\n  king: ")))
    assert problem == f"line {line_of('  coin')}, words.coin: stands twice, again on line 12"


def test_words_that_differ_in_capitals_only_are_reported() -> None:
    found = problems_of(changed(("  king: ", "  Coin: {fr: sou, family: coin}\n  king: ")))
    assert found == [
        "line 12, words.Coin: is the same word as 'coin'",
        "line 12, words.Coin: is on no card and in no list",
    ]


def test_a_spelling_that_is_the_name_is_reported() -> None:
    assert_reported(
        "en: [automobile]",
        "en: [Car]",
        "line {line}, words.car.also.en[0]: 'Car' is a spelling of this word already",
    )
    assert_reported(
        "fr: [auto]",
        "fr: [auto, auto]",
        "line {line}, words.car.also.fr[1]: 'auto' is a spelling of this word already",
    )


def test_a_family_that_is_no_text_or_stands_twice_is_reported() -> None:
    assert_reported(
        "[car, electricity]",
        "[car, car]",
        "line {line}, words.electric car.family[1]: 'car' stands twice",
    )
    (problem,) = problems_of(changed(("[car, electricity]", "[car, 3]")))
    assert "family[1]: must be one line of text" in problem


def test_a_word_that_is_nowhere_is_reported() -> None:
    assert_reported(
        "dreams: [bread, apple",
        "dreams: [apple",
        "line 8, words.bread: is on no card and in no list",
    )


# ---------------------------------------------------------------------------- families


@pytest.mark.rule("R16")
@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "family: [car, electricity]",
            "family: electricity",
            "words.electric car: 'electric car' has 'car' in it (English), so it needs a family "
            "of 'car' (R16)",
        ),
        (
            ", family: bread",
            "",
            "words.toaster: 'grille-pain' has 'pain' in it (French), so it needs a family of "
            "'bread' (R16)",
        ),
        (
            "{fr: bitcoin}",
            "{fr: bitcoin, also: {fr: [pièce d'ordinateur]}}",
            "words.bitcoin: \"pièce d'ordinateur\" has 'pièce' in it (French), so it needs a "
            "family of 'coin' (R16)",
        ),
    ],
)
def test_a_compound_without_the_family_of_its_part_is_reported(
    old: str, new: str, problem: str
) -> None:
    found = [p for p in problems_of(changed((old, new))) if "(R16)" in p]
    assert found == [f"line {line_of(old)}, {problem}", *found[1:]]
    assert all("voiture" in other for other in found[1:])  # the French of an electric car


@pytest.mark.rule("R16")
def test_two_words_of_one_spelling_need_one_family() -> None:
    assert_reported(
        ", family: lawyer",
        "",
        "line {lawyer}, words.lawyer: 'avocat' has 'avocat' in it (French), so it needs a family "
        "of 'avocado' (R16)",
    )


def test_a_word_within_a_word_is_no_compound() -> None:
    assert lexicon_of(changed()).one_family("coin", "bitcoin") is False


# ---------------------------------------------------------------------------- lists


def test_unknown_words_are_reported_in_every_list_with_the_nearest() -> None:
    text = changed(
        ("[string, king]", "[strnig, king]"),
        ("[toaster, ", "[toster, "),
        ("free: [car, ", "free: [cat, "),
        ("quill: [loud]", "quill: [lout]"),
    )
    found = [problem for problem in problems_of(text) if "none of the words" in problem]
    assert found == [
        f"line {line_of('cards')}, cards[0][0]: 'strnig' is none of the words; "
        "did you mean 'string'?",
        f"line {line_of('dreams: [toaster')}, themes[0].dreams[0]: 'toster' is none of the words; "
        "did you mean 'toaster'?",
        f"line {line_of('free')}, free[0]: 'cat' is none of the words; did you mean 'car'?",
        f"line {line_of('quill')}, quill[0]: 'lout' is none of the words; did you mean 'loud'?",
    ]


def test_a_word_twice_in_a_list_is_reported() -> None:
    assert_reported(
        "[coin, apple]",
        "[coin, apple], [king, bread]",
        "line {line}, cards[2][0]: 'king' stands twice in this list",
    )
    assert_reported(
        "[car, lawyer, king]",
        "[car, lawyer, king, car]",
        "line {line}, free[3]: 'car' stands twice in this list",
    )


@pytest.mark.rule("R1")
def test_two_words_of_one_spelling_in_a_list_are_reported() -> None:
    assert_reported(
        "[car, lawyer, king]",
        "[car, lawyer, avocado, king]",
        "line {line}, free[2]: 'avocado' is 'avocat' in French, as 'lawyer' is, which is in this "
        "list, too",
    )


@pytest.mark.parametrize("card", ["[king]", "[king, coin, apple]", "king"])
def test_a_card_without_two_sides_is_reported(card: str) -> None:
    (problem,) = problems_of(changed(("[coin, apple]", f"[coin, apple], {card}")))
    assert problem.startswith("line 17, cards[2]: a card has two sides, [word, word], not ")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("id: food", "id: electric", "themes[1].id: 'electric' stands 2 times"),
        ("id: food", "id: Food!", "themes[1].id: must be of small letters, digits and '_'"),
        ("level: 0", "level: 4", "themes[1].level: level: must be a whole number from 0 to 3"),
        ("Nuit gourmande", "nuit électrique", "themes[1].fr: 'nuit électrique' stands 2 times"),
        ("    fr: Nuit gourmande\n", "", "themes[1]: 'fr' is missing"),
        (", fr: Ce que l'on mange.", "", "themes[1].about: 'fr' is missing"),
        ("[bread, apple, avocado]", "[]", "themes[1].dreams: must be a list with something in it"),
    ],
)
def test_mistakes_of_a_theme_are_reported(old: str, new: str, problem: str) -> None:
    assert len([p for p in problems_of(changed((old, new))) if problem in p]) == 1


@pytest.mark.rule("R12")
def test_words_of_the_quill_are_single_and_on_no_card() -> None:
    assert_reported(
        "quill: [loud]",
        "quill: [loud, electric car, coin]",
        "line {line}, quill[1]: 'electric car' is not a single word (R12)",
        "line {line}, quill[1]: 'voiture électrique' is not a single word (R12)",
        "line {line}, quill[2]: 'coin' is on cards[1] (R12)",
    )


@pytest.mark.rule("R2")
def test_too_few_and_too_many_of_everything_in_a_whole_lexicon() -> None:
    data = yaml.load(STANDARD.read_text("utf-8"), Loader=yaml.CSafeLoader)
    data["cards"].pop()
    spare = [word for word in data["words"] if word not in data["themes"][0]["dreams"]]
    data["themes"][0]["dreams"] = data["themes"][0]["dreams"][:63]
    data["themes"][1]["dreams"] = spare[:129]
    data["themes"][2]["level"] = 3
    data["free"].pop()
    data["quill"].pop()
    problems = problems_of(yaml.safe_dump(data, allow_unicode=True))
    counts = [problem.partition(": ")[2] for problem in problems if "there must be" in problem]
    assert counts == [
        "199 cards; there must be 200",
        "63 dreams; there must be 64 to 128",
        "129 dreams; there must be 64 to 128",
        "4 themes of level 0; there must be 5",
        "11 themes of level 3; there must be 10",
        "127 dreams; there must be 128",
        "127 words; there must be 128",
    ]


# ---------------------------------------------------------------------------- scoring


@pytest.mark.rule("R18")
@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("  2: {2", "  6: {2", "scoring.6: players (R18): must be a whole number from 2 to 5"),
        (
            "{2: [1",
            "{3: [1",
            "scoring.2.3: equal answers (R18): must be a whole number from 2 to 2",
        ),
        ("  2: {2: [", "  3: {3: [", "scoring.3: 2 equal answers are missing (R18)"),
        ("[1, 2, 3, 5]", "[1, 2, 3]", "scoring.2.2: must be the points with 0, 1, 2 and 3 words"),
        ("[1, 2, 3, 5]", "[1, 2, 3, 50]", "points (R18): must be a whole number from 0 to 20"),
        ("{2: [1, 2, 3, 5]}", "5", "scoring.2: must be a mapping with something in it, not 5"),
    ],
)
def test_points_that_cannot_be_are_reported(old: str, new: str, problem: str) -> None:
    found = problems_of(changed((old, new)))
    assert len(found) == 1
    assert problem in found[0]
    assert found[0].startswith("line 34, ")
