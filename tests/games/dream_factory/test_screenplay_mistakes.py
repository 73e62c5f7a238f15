"""Mistakes in screenplays, and several mistakes at once, are named where they stand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dreamfactory_env import (
    ComponentsError,
    DreamFactory,
    standard_components,
)
from tests.games.dream_factory.component_files import (
    BOARD,
    KEYS,
    TEXT,
    assert_reported,
    changed,
    line_of,
    part,
    problems_of,
)

# ---------------------------------------------------------------------------- mistakes: screenplays

VERTIGO = (
    "{title: Vertigo, studio: 1, genre: drama, stars: 5, spaces: [director, actor, camera, music]}"
)
(BAMBI,) = (line for line in TEXT.splitlines(keepends=True) if "Bambi" in line)
FIELDS = "title, studio, genre, stars, spaces"
SPACES = "must be one of director, actor, camera, music, effects, blank"


def in_vertigo(old: str, new: str, *problems: str) -> None:
    """Asserts what a change of the first screenplay causes."""
    assert_reported(VERTIGO, VERTIGO.replace(old, new), *problems)


@pytest.mark.rule("D1")
def test_a_studio_without_a_comedy_is_refused() -> None:
    assert_reported(
        "{title: Harvey, studio: 5, ",
        "{title: Harvey, ",
        "line {screenplays}, screenplays: studio 5 has 0 films of genre entertainment; must be 1 "
        "(D1)",
    )


@pytest.mark.rule("D1")
def test_a_studio_with_two_dramas_is_refused() -> None:
    assert_reported(
        "{title: Citizen Kane, ",
        "{title: Citizen Kane, studio: 3, ",
        "line {screenplays}, screenplays: studio 3 has 2 films of genre drama; must be 1 (D1)",
    )


@pytest.mark.rule("D1")
def test_a_studio_with_a_drama_for_its_comedy_is_refused() -> None:
    assert_reported(
        "Harvey, studio: 5, genre: entertainment",
        "Harvey, studio: 5, genre: drama",
        "line {screenplays}, screenplays: studio 5 has 2 films of genre drama; must be 1 (D1)",
        "line {screenplays}, screenplays: studio 5 has 0 films of genre entertainment; must be 1 "
        "(D1)",
    )


@pytest.mark.rule("D5")
@pytest.mark.parametrize(
    ("new", "count"), [("", 21), (BAMBI + BAMBI.replace("Bambi", "Dumbo"), 23)]
)
def test_other_than_22_screenplays_are_refused(new: str, count: int) -> None:
    assert_reported(
        BAMBI, new, f"line {{screenplays}}, screenplays: {count} screenplays; there must be 22"
    )


@pytest.mark.rule("D1")
@pytest.mark.parametrize(
    ("studio", "shown"),
    [("0", "0"), ("6", "6"), ("1.0", "1.0"), ("MGM", "'MGM'")],
)
def test_a_studio_that_is_none_of_the_five_is_refused(studio: str, shown: str) -> None:
    in_vertigo(
        "studio: 1",
        f"studio: {studio}",
        "line {line}, screenplays[0].studio: a studio (D1): must be a whole number from 1 to 5, "
        f"not {shown}",
    )


@pytest.mark.parametrize(
    ("genre", "shown"),
    [
        ("comedy", "'comedy'"),
        ("dramma", "'dramma'; did you mean 'drama'?"),
        ("Adventure", "'Adventure'; did you mean 'adventure'?"),
        ("1", "1"),
        ("[drama]", "['drama']"),
        ("", "None"),
    ],
)
def test_an_unknown_genre_is_refused_and_the_nearest_named(genre: str, shown: str) -> None:
    in_vertigo(
        "genre: drama",
        f"genre: {genre}",
        "line {line}, screenplays[0].genre: must be one of drama, adventure, entertainment, "
        f"not {shown}",
    )


def test_a_wrong_genre_is_reported_once_whichever_it_should_have_been() -> None:
    assert_reported(
        "genre: entertainment",
        "genre: comedy",
        "line {line}, screenplays[1].genre: must be one of drama, adventure, entertainment, "
        "not 'comedy'",
    )


@pytest.mark.parametrize(
    ("stars", "shown"),
    [
        ("-1", "-1"),
        ("21", "21"),
        ("five", "'five'"),
        ("true", "True"),
    ],
)
def test_printed_stars_out_of_range_are_refused(stars: str, shown: str) -> None:
    in_vertigo(
        "stars: 5",
        f"stars: {stars}",
        "line {line}, screenplays[0].stars: printed stars: must be a whole number from 0 to 20, "
        f"not {shown}",
    )


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("1984", "1984"),
        ("yes", "True"),
        ("2001-01-01", "datetime.date(2001, 1, 1)"),
        ('""', "''"),
        ("", "None"),
        ('"Vertigo "', "'Vertigo '"),
        ('"Ver  tigo"', "'Ver  tigo'"),
        ('"Ver\\ttigo"', r"'Ver\ttigo'"),
        ('"Ver\\0tigo"', r"'Ver\x00tigo'"),
        ('"\\udc00"', r"'\udc00'"),
    ],
)
def test_a_title_that_is_not_one_line_of_text_is_refused(title: str, shown: str) -> None:
    in_vertigo(
        "title: Vertigo",
        f"title: {title}",
        "line {line}, screenplays[0].title: must be one line of text without blanks around it, "
        f"not {shown}",
    )


def test_a_title_with_a_slash_is_refused() -> None:
    in_vertigo(
        "title: Vertigo",
        "title: Face/Off",
        "line {line}, screenplays[0].title: 'Face/Off' has a '/', which a move's words need",
    )


@pytest.mark.parametrize("title", ["Vertigo", '"?"'])
def test_a_title_of_several_films_is_refused_where_it_stands_last(title: str) -> None:
    text = changed(("title: Vertigo", f"title: {title}"), ("title: Bambi", f"title: {title}"))
    shown = repr(title.strip('"'))
    assert problems_of(text) == [
        f"line {line_of('title: Bambi')}, screenplays[16].title: {shown} stands 2 times"
    ]
    text = text.replace("title: King Kong", f"title: {title}")
    assert problems_of(text) == [
        f"line {line_of('title: King Kong')}, screenplays[20].title: {shown} stands 3 times"
    ]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (VERTIGO, "Vertigo", ": must be a mapping with something in it, not 'Vertigo'"),
        (VERTIGO, "{}", ": must be a mapping with something in it, not {{}}"),
        (VERTIGO, "[Vertigo, 1]", ": must be a mapping with something in it, not ['Vertigo', 1]"),
        ("title: Vertigo, ", "", ": 'title' is missing"),
        ("genre: drama, ", "", ": 'genre' is missing"),
        ("stars: 5, ", "", ": 'stars' is missing"),
        (", spaces: [director, actor, camera, music]", "", ": 'spaces' is missing"),
        ("stars: 5", "stars: 5, year: 1958", f".year: unknown key 'year'; known are {FIELDS}"),
    ],
)
def test_a_malformed_screenplay_is_refused(old: str, new: str, problem: str) -> None:
    in_vertigo(old, new, f"line {{line}}, screenplays[0]{problem}")


def test_a_misspelt_field_of_a_screenplay_is_named_with_the_right_one() -> None:
    in_vertigo(
        "genre: drama",
        "gender: drama",
        f"line {{line}}, screenplays[0].gender: unknown key 'gender'; known are {FIELDS}; "
        "did you mean 'genre'?",
        "line {line}, screenplays[0]: 'genre' is missing",
    )


@pytest.mark.parametrize(
    ("new", "problem"),
    [
        ("[]", ": must be a list with something in it, not []"),
        ("director", ": must be a list with something in it, not 'director'"),
        ("{director: 1}", ": must be a list with something in it, not {{'director': 1}}"),
        ("", ": must be a list with something in it, not None"),
        ("[director, actorr]", f"[1]: {SPACES}, not 'actorr'; did you mean 'actor'?"),
        ("[director, agency]", f"[1]: {SPACES}, not 'agency'"),
        ("[director, legendary]", f"[1]: {SPACES}, not 'legendary'"),
        ("[director, 2]", f"[1]: {SPACES}, not 2"),
        ("[director, [actor]]", f"[1]: {SPACES}, not ['actor']"),
        ("[actor, actor, camera, music, blank, blank]", ": 6 spaces; the engine's limit is 5"),
    ],
)
def test_spaces_that_no_film_can_have_are_refused(new: str, problem: str) -> None:
    in_vertigo(
        "[director, actor, camera, music]", new, f"line {{line}}, screenplays[0].spaces{problem}"
    )


@pytest.mark.rule("D17")
def test_a_film_with_two_directors_is_refused() -> None:
    in_vertigo(
        "[director, actor,",
        "[director, director,",
        "line {line}, screenplays[0].spaces: a film has one director at most (D17)",
    )


@pytest.mark.rule("D19")
def test_a_guest_star_among_the_spaces_is_refused() -> None:
    in_vertigo(
        "music]",
        "guest]",
        "line {line}, screenplays[0].spaces[3]: every film has its guest star's space by itself "
        "(D19)",
    )


# ---------------------------------------------------------------------------- several mistakes


def test_all_mistakes_of_a_file_are_reported_at_once() -> None:
    wrong = {
        "source: reconstruction": "source: []",
        "City 1, kind: auction, tiles: 2": "City 1, kind: auction, tiles: 4",
        "Party 1, kind: party": "Party 1, kind: partie",
        "legendary: {4: 4}": "legendary: {4: 3}",
        "director: {0: 3": "director: {9: 3",
        "5, 6, 7": "5, 5, 7",
        "8, 8+": "x, 8+",
        "title: Vertigo": "title: Ver/tigo",
        "The Court Jester": "Bambi",
        "Casablanca, studio: 3": "Casablanca, studio: 7",
        "Harvey, studio: 5, genre": "Harvey, genre",
        "Citizen Kane, genre: drama, stars: 3": "Citizen Kane, genre: noir, stars: 30",
        "[director, music, music, effects]": "[director, musik, guest]",
    }
    problems = problems_of(changed(*wrong.items()))
    lines = {old: line_of(old) for old in wrong}
    starts = [
        f"line {lines['source: reconstruction']}, source: ",
        f"line {lines['City 1, kind: auction, tiles: 2']}, locations[1].tiles: ",
        f"line {lines['Party 1, kind: party']}, locations[3].kind: ",
        f"line {lines['legendary: {4: 4}']}, tiles.legendary: there are 4",
        f"line {lines['director: {0: 3']}, tiles.director.9: ",
        f"line {lines['5, 6, 7']}, tokens[6]: token 5 is not above",
        f"line {lines['8, 8+']}, tokens[8]: a token",
        f"line {lines['title: Vertigo']}, screenplays[0].title: ",
        f"line {lines['Casablanca, studio: 3']}, screenplays[6].studio: ",
        f"line {lines['Citizen Kane, genre: drama, stars: 3']}, screenplays[15].genre: ",
        f"line {lines['Citizen Kane, genre: drama, stars: 3']}, screenplays[15].stars: ",
        f"line {lines['[director, music, music, effects]']}, screenplays[16].spaces[1]: ",
        f"line {lines['[director, music, music, effects]']}, screenplays[16].spaces[2]: ",
        f"line {line_of('Bambi')}, screenplays[16].title: 'Bambi' stands 2 times",
        f"line {KEYS['screenplays']}, screenplays: studio 5 has 0 films of genre entertainment",
    ]
    missed = [start for start in starts if not any(p.startswith(start) for p in problems)]
    assert missed == []
    assert len(problems) == len(starts)


def test_a_key_that_stands_twice_is_reported_together_with_other_mistakes() -> None:
    text = changed(("source: reconstruction", "source: a\nsource: b"), ("stars: 5", "stars: 50"))
    line = KEYS["source"]
    first, second = problems_of(text)
    assert first == f"line {line}, source: stands twice, again on line {line + 1}"
    assert second.startswith(f"line {line_of('stars: 50', text)}, screenplays[0].stars: ")


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("tiles: 2}", "tiles: 2, tiles: 2}", "locations[1].tiles"),
        ("director: {0: 3", "director: {0: 3, 0: 3", "tiles.director.0"),
        ("director: {0: 3", "director: {0: 3, '0': 3", "tiles.director.0"),
        ("title: Vertigo", "title: Vertigo, title: Vertigo", "screenplays[0].title"),
    ],
)
def test_a_key_that_stands_twice_is_refused(old: str, new: str, key: str) -> None:
    (problem, *_) = problems_of(changed((old, new)))
    assert problem == f"line {line_of(old)}, {key}: stands twice, again on line {line_of(old)}"


def test_a_section_that_stands_twice_is_reported_once() -> None:
    text = f"{TEXT}\nlocations:\n{part(BOARD)}"
    again = line_of("\nlocations:", text[len(TEXT) :]) + TEXT.count("\n") + 1
    assert problems_of(text) == [
        f"line {KEYS['locations']}, locations: stands twice, again on line {again}"
    ]


def test_components_of_a_record_are_checked_and_mistakes_named_by_their_keys() -> None:
    data = json.loads(json.dumps(standard_components().as_data()))
    data["locations"][1]["tiles"] = 4
    data["tiles"]["guest"]["9"] = 1
    data["screenplays"][0]["genre"] = "noir"
    config = {**DreamFactory(2, seed=0).config(), "components": data}
    with pytest.raises(ComponentsError) as caught:
        DreamFactory.from_config(config, seed=0)
    assert [problem.partition(": ")[0] for problem in caught.value.problems] == [
        "locations[1].tiles",
        "tiles.guest.9",
        "screenplays[0].genre",
    ]
    assert str(caught.value).startswith("components: 3 mistakes\n  locations[1].tiles: ")


@pytest.mark.parametrize("components", [None, [], {}, 5, "components.yaml"])
def test_components_of_a_record_that_are_no_mapping_are_refused(components: Any) -> None:
    config = {**DreamFactory(2, seed=0).config(), "components": components}
    with pytest.raises(ComponentsError, match="components: 1 mistake\n  must be a mapping"):
        DreamFactory.from_config(config, seed=0)
