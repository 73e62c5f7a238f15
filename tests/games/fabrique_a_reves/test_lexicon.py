"""The lexicon that comes with the package, and what a lexicon knows about its words."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

from dreamfactory_env.games.fabrique_a_reves.lexicon import LANGUAGES, spelling_key
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import (
    STANDARD,
    load_lexicon,
    standard_lexicon,
)
from tests.games.fabrique_a_reves.lexicons import TINY, changed, lexicon_of

#: The printed example: the words in its first four vials, and what was dreamt there.
EXAMPLE = {
    "guitar": ["instrument", "string"],
    "train": ["journey", "wagon", "steam"],
    "bitcoin": ["money", "computer", "coin"],
    "vacuum cleaner": ["bag", "dust"],
}


def dream_lists() -> list[tuple[str, ...]]:
    lexicon = standard_lexicon()
    return [*(theme.dreams for theme in lexicon.themes), lexicon.free]


# ---------------------------------------------------------------------------- the packaged one


def test_the_packaged_lexicon_has_no_mistake_with_or_without_line_numbers() -> None:
    assert load_lexicon(STANDARD) == standard_lexicon()
    assert (standard_lexicon().name, standard_lexicon().small) == ("fabrique", False)


@pytest.mark.rule("R2", "R3", "R12")
def test_the_packaged_lexicon_has_as_much_of_everything_as_the_box() -> None:
    lexicon = standard_lexicon()
    assert len(lexicon.cards) == 200
    assert len({side for card in lexicon.cards for side in card}) == 400
    levels = Counter(theme.level for theme in lexicon.themes)
    assert [levels[level] for level in range(4)] == [5, 20, 15, 10]
    assert [theme.level for theme in lexicon.themes] == sorted(levels.elements())
    assert all(64 <= len(theme.dreams) <= 128 for theme in lexicon.themes)
    assert (len(lexicon.free), len(lexicon.quill)) == (128, 128)
    assert not {*lexicon.quill} & {side for card in lexicon.cards for side in card}
    assert lexicon.scoring == ()


def test_words_stand_sorted_and_each_is_used() -> None:
    lexicon = standard_lexicon()
    names = [word.name for word in lexicon.words]
    assert names == sorted(names, key=lambda name: (name.casefold(), name))
    assert {*names} == {*lexicon.thoughts, *chain.from_iterable(dream_lists())}


def test_thoughts_are_single_words_in_both_languages() -> None:
    lexicon = standard_lexicon()
    words = [lexicon.word(name) for name in lexicon.thoughts]
    assert [w.name for w in words if " " in w.name or " " in w.french] == []


@pytest.mark.rule("R1")
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_list_has_a_spelling_twice_not_even_as_a_plural(language: str) -> None:
    lexicon = standard_lexicon()
    cards = tuple(side for card in lexicon.cards for side in card)
    for names in (*dream_lists(), cards, lexicon.quill):
        found: dict[str, str] = {}
        for name in names:
            for spelling in lexicon.word(name).spellings("fr" if language == "fr" else "en"):
                key = spelling_key(spelling)
                singular = key[:-1] if key[-1] in "sx" and not key.endswith("ss") else key
                assert found.setdefault(singular, name) == name, (singular, name)


def test_the_words_of_the_printed_example_are_there_in_french() -> None:
    lexicon = standard_lexicon()
    sides = {side for card in lexicon.cards for side in card}
    words = [*chain.from_iterable(EXAMPLE.values()), "antenna"]
    assert {*words} <= sides
    assert " ".join(lexicon.word(word).french for word in words) == (
        "instrument corde voyage wagon vapeur argent ordinateur pièce sac poussière antenne"
    )
    (electric,) = (theme for theme in lexicon.themes if theme.id == "electric")
    assert (electric.level, electric.title.fr) == (1, "Nuit électrique")
    assert {*EXAMPLE} <= {*electric.dreams[:64]}


@pytest.mark.rule("R16")
@pytest.mark.parametrize(
    ("thought", "dream", "one_family"),
    [
        ("coin", "bitcoin", False),  # the printed example
        ("bread", "toaster", True),  # pain, grille-pain
        ("water", "waterfall", True),
        ("rain", "umbrella", True),  # pluie, parapluie
        ("mouse", "bat", True),  # souris, chauve-souris
        ("electricity", "electric car", True),
        ("hunting", "hunter", True),
        ("electricity", "electric fan", True),
        ("naked", "bare feet", True),  # nu, pieds nus
        ("muscle", "bodybuilding", True),  # musculation
        ("wheel", "skateboard", True),  # roue, planche à roulettes
        ("broken", "heartbreak", True),
        ("death", "corpse", True),  # dead body
        ("moon", "glasses", False),  # lune, lunettes
        ("wind", "window", False),
        ("king", "hiking", False),
        ("dog", "dog", True),
    ],
)
def test_families_hold_in_both_languages(thought: str, dream: str, one_family: bool) -> None:
    assert standard_lexicon().one_family(thought, dream) is one_family
    assert standard_lexicon().one_family(dream, thought) is one_family


@pytest.mark.rule("R16")
def test_no_card_forbids_more_than_a_few_dreams_of_a_theme() -> None:
    lexicon = standard_lexicon()
    thoughts = [lexicon.word(name).families for name in lexicon.thoughts]
    for dreams in dream_lists():
        families = [lexicon.word(name).families for name in dreams]
        for thought in thoughts:
            assert sum(not thought.isdisjoint(dream) for dream in families) <= 12


# ---------------------------------------------------------------------------- any lexicon


def test_a_small_lexicon_is_read() -> None:
    lexicon = lexicon_of(TINY)
    assert lexicon.small
    assert lexicon.cards == (("string", "king"), ("coin", "apple"))
    assert lexicon.thoughts == ("string", "king", "coin", "apple", "loud")
    assert lexicon.rows["apple"] == 0
    assert lexicon.word("electric car").families == {"electric car", "car", "electricity"}
    assert [theme.dreams[0] for theme in lexicon.themes] == ["toaster", "bread"]
    (score,) = lexicon.scoring
    assert (score.players, score.group, score.points) == (2, 2, (1, 2, 3, 5))


@pytest.mark.rule("R1")
def test_every_spelling_is_the_word() -> None:
    lexicon = lexicon_of(TINY)
    assert lexicon.spelled("Automobile", "en", lexicon.free) == "car"
    assert lexicon.spelled("VOITURE", "fr", lexicon.free) == "car"
    assert lexicon.spelled("Auto", "fr", lexicon.free) == "car"
    assert lexicon.spelled("avocat", "fr", lexicon.free) == "lawyer"
    assert lexicon.spelled("avocat", "fr", lexicon.themes[1].dreams) == "avocado"
    assert lexicon.spelled("voiture", "en", lexicon.free) is None
    assert lexicon.spelled("bread", "en", lexicon.free) is None


def test_the_fingerprint_is_that_of_the_names_in_their_order() -> None:
    fingerprint = lexicon_of(TINY).fingerprint
    assert lexicon_of(changed(("{fr: roi}", "{fr: souverain}"))).fingerprint == fingerprint
    king, lawyer = "  king: {fr: roi}\n", "  lawyer: {fr: avocat}\n"
    other = lexicon_of(changed((king + lawyer, lawyer + king)))
    assert other.fingerprint != fingerprint


def test_a_lexicon_is_read_from_a_file_with_any_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(TINY.replace("\n", "\r\n").encode("utf-8-sig"))
    assert load_lexicon(path) == load_lexicon(str(path)) == lexicon_of(TINY)
