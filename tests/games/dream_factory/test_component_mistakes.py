"""Mistakes in the sections, the board, the tiles and the tokens are named where they stand."""

from __future__ import annotations

import pytest

from tests.games.dream_factory.component_files import (
    BOARD,
    KEYS,
    SCREENPLAYS,
    TEXT,
    TILES,
    TOKENS,
    assert_reported,
    changed,
    components_of,
    line_of,
    part,
    problems_of,
)

# ---------------------------------------------------------------------------- mistakes: sections


@pytest.mark.parametrize(
    ("section", "body"),
    [
        ("locations", f"locations:\n{part(BOARD)}"),
        ("tiles", f"\ntiles:\n{part(TILES)}"),
        ("tokens", f"tokens: {part(TOKENS)}\n"),
        ("screenplays", f"screenplays:\n{part(SCREENPLAYS)}"),
    ],
)
def test_a_missing_section_is_refused(section: str, body: str) -> None:
    assert problems_of(changed((body, ""))) == [
        f"line {KEYS['source']}: {section!r} is missing"  # where the first key stands
    ]


def test_an_unknown_section_is_refused_and_the_nearest_named() -> None:
    known = "known are source, variant, locations, tiles, tokens, screenplays"
    assert_reported(
        "tokens: [",
        "token: [",
        f"line {{line}}, token: unknown key 'token'; {known}; did you mean 'tokens'?",
        "line {source}: 'tokens' is missing",
    )
    assert_reported("source: recon", "47: recon", f"line {{line}}, 47: unknown key 47; {known}")


def test_an_unknown_section_is_named_on_the_line_of_its_key() -> None:
    text = f"{TEXT}awards:\n\n  # eleven\n  - first drama\n"
    (problem,) = problems_of(text)
    assert problem.startswith(f"line {line_of('awards:', text)}, awards: unknown key 'awards'; ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "must be a mapping with something in it, not None"),
        ("# nothing but a comment\n", "must be a mapping with something in it, not None"),
        ("---\n...\n", "must be a mapping with something in it, not None"),
        ("{}", "line 1: must be a mapping with something in it, not {}"),
        ("\n- 1\n- 2\n", "line 2: must be a mapping with something in it, not [1, 2]"),
        ("hello", "line 1: must be a mapping with something in it, not 'hello'"),
        ("5", "line 1: must be a mapping with something in it, not 5"),
    ],
)
def test_a_file_that_is_no_mapping_is_refused(text: str, problem: str) -> None:
    (found,) = problems_of(text)
    assert found.endswith(problem.partition(": ")[2] or problem)
    if problem.startswith("line"):
        assert found == problem


@pytest.mark.parametrize(
    ("new", "shown"),
    [("{a: 1}", "{'a': 1}"), ("Hollywood", "'Hollywood'"), ("5", "5"), ("", "None")],
)
@pytest.mark.parametrize("section", ["locations", "tokens", "screenplays"])
def test_a_section_that_is_no_list_is_refused(section: str, new: str, shown: str) -> None:
    bodies = {
        "locations": f"\n{part(BOARD)}",
        "tokens": f" {part(TOKENS)}\n",
        "screenplays": f"\n{part(SCREENPLAYS)}",
    }
    text = changed((f"{section}:{bodies[section]}", f"{section}: {new}\n"))
    line = KEYS[section]
    assert problems_of(text) == [
        f"line {line}, {section}: must be a list with something in it, not {shown}"
    ]


@pytest.mark.parametrize(
    ("new", "shown"),
    [("[1, 2]", "[1, 2]"), ("all", "'all'"), ("93", "93"), ("", "None"), ("{}", "{}")],
)
def test_tiles_that_are_no_mapping_are_refused(new: str, shown: str) -> None:
    text = changed((f"\ntiles:\n{part(TILES)}", f"\ntiles: {new}\n"))
    assert problems_of(text) == [
        f"line {KEYS['tiles']}, tiles: must be a mapping with something in it, not {shown}"
    ]


@pytest.mark.parametrize("new", ["[a, b]", "{a: b}", '"\\ud800"'])
def test_a_source_that_is_no_text_is_refused(new: str) -> None:
    (problem,) = problems_of(changed(("source: reconstruction", f"source: {new}")))
    assert problem.startswith(f"line {KEYS['source']}, source: must be one line of text")


# ---------------------------------------------------------------------------- mistakes: the board

SHAPE = (
    "line {locations}, locations: must be Hollywood (`tiles: legendary`), then five cities and two "
    "parties (D7)"
)
HOLLYWOOD = "  - {name: Hollywood, kind: auction, tiles: legendary}\n"
CITY_1 = "  - {name: City 1, kind: auction, tiles: 2}\n"
PARTY_1 = "  - {name: Party 1, kind: party, tiles: players}\n"
SIZE = "line {line}, locations[1].tiles: tiles of a city (D7): must be a whole number from 2 to 3"
EITHER = "must be one of auction, party"
NAME = "line {line}, locations[1].name: must be one line of text without blanks around it"


@pytest.mark.rule("D7")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(HOLLYWOOD, "", id="no Hollywood"),
        pytest.param(HOLLYWOOD + CITY_1, CITY_1 + HOLLYWOOD, id="Hollywood second"),
        pytest.param(CITY_1, HOLLYWOOD.replace("H", "B"), id="Hollywood twice"),
        pytest.param(CITY_1, "", id="a city too few"),
        pytest.param(CITY_1, CITY_1 + CITY_1.replace("1", "6"), id="a city too many"),
        pytest.param(PARTY_1, "", id="a party too few"),
        pytest.param(PARTY_1, PARTY_1 + PARTY_1.replace("1", "3"), id="a party too many"),
        pytest.param(CITY_1, PARTY_1.replace("1", "3"), id="a party instead of a city"),
        pytest.param(PARTY_1, CITY_1.replace("1", "6"), id="a city instead of a party"),
    ],
)
def test_a_board_of_another_shape_is_refused(old: str, new: str) -> None:
    assert_reported(old, new, SHAPE)


@pytest.mark.rule("D7")
@pytest.mark.parametrize(
    ("tiles", "shown"),
    [
        ("1", "1"),
        ("4", "4"),
        ("2.5", "2.5"),
        ("players", "'players'"),
        ("", "None"),
    ],
)
def test_a_city_of_neither_two_nor_three_tiles_is_refused(tiles: str, shown: str) -> None:
    assert_reported("tiles: 2", f"tiles: {tiles}", f"{SIZE}, not {shown}")


@pytest.mark.rule("D7")
@pytest.mark.parametrize("tiles", ["4", "legendary", "{players: 1}"])
def test_a_party_without_a_tile_for_each_player_is_refused(tiles: str) -> None:
    assert_reported(
        "tiles: players",
        f"tiles: {tiles}",
        "line {line}, locations[3].tiles: a party has `players` tiles, one for each (D7)",
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (CITY_1, "  - A\n", "[1]: must be a mapping with something in it, not 'A'"),
        (CITY_1, "  - {}\n", "[1]: must be a mapping with something in it, not {{}}"),
        (CITY_1, "  -\n", "[1]: must be a mapping with something in it, not None"),
        ("name: City 1, ", "", "[1]: 'name' is missing"),
        (", kind: party", "", "[3]: 'kind' is missing"),
        (", tiles: legendary", "", "[0]: 'tiles' is missing"),
        (", tiles: 2", "", "[1]: 'tiles' is missing"),
        (", tiles: players", "", "[3]: 'tiles' is missing"),
        ("kind: party", "kind: partie", f"[3].kind: {EITHER}, not 'partie'; did you mean 'party'?"),
        ("kind: party", "kind: 4", f"[3].kind: {EITHER}, not 4"),
        ("2}", "2, x: 1}", "[1].x: unknown key 'x'; known are name, kind, tiles"),
    ],
)
def test_a_malformed_location_is_refused(old: str, new: str, problem: str) -> None:
    assert_reported(old, new, f"line {{line}}, locations{problem}")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("no", "False"),
        ('" City"', "' City'"),
        ('"City\\n1"', r"'City\n1'"),
        ('"\\e[1mCity"', r"'\x1b[1mCity'"),
    ],
)
def test_a_location_whose_name_is_not_one_line_of_text_is_refused(name: str, shown: str) -> None:
    assert_reported("name: City 1", f"name: {name}", f"{NAME}, not {shown}")


def test_a_name_of_two_locations_is_refused() -> None:
    assert_reported("City 2", "City 1", "line {line}, locations[2].name: 'City 1' stands 2 times")


# ---------------------------------------------------------------------------- mistakes: tiles

KINDS = "legendary, director, actor, camera, music, effects, agency, guest"
STARS = "stars of a tile: must be a whole number from -1 to 6"
COUNT = "number of tiles: must be a whole number from 1 to 96"


@pytest.mark.parametrize("kind", ["legendary", "director", "guest"])
def test_tiles_without_one_of_the_kinds_are_refused(kind: str) -> None:
    (line,) = (line for line in TEXT.splitlines(True) if line.startswith(f"  {kind}: "))
    assert_reported(line, "", f"line {{tiles}}, tiles: {kind!r} is missing")


def test_an_unknown_kind_of_tile_is_refused_and_the_nearest_named() -> None:
    assert_reported(
        "  actor: {",
        "  actress: {",
        f"line {{line}}, tiles.actress: unknown key 'actress'; known are {KINDS}; "
        "did you mean 'actor'?",
        "line {tiles}, tiles: 'actor' is missing",
    )


@pytest.mark.parametrize(
    ("new", "problem"),
    [
        ("{}", ": must be a mapping with something in it, not {{}}"),
        ("9", ": must be a mapping with something in it, not 9"),
        ("{7: 9}", f".7: {STARS}, not 7"),
        ("{-2: 9}", f".-2: {STARS}, not -2"),
        ("{1.5: 9}", f".1.5: {STARS}, not 1.5"),
        ("{x: 9}", f".x: {STARS}, not 'x'"),
        ("{yes: 9}", f".True: {STARS}, not True"),
        ("{'01': 9}", f".01: {STARS}, not '01'"),
        ("{1: 9, '-0': 1}", f".-0: {STARS}, not '-0'"),
        ("{'٣': 9}", f".٣: {STARS}, not '٣'"),
        ("{1: 0}", f".1: {COUNT}, not 0"),
        ("{1: 97}", f".1: {COUNT}, not 97"),
        ("{1: true}", f".1: {COUNT}, not True"),
        ("{1: nine}", f".1: {COUNT}, not 'nine'"),
        ("{1: }", f".1: {COUNT}, not None"),
    ],
)
def test_tiles_of_impossible_stars_or_numbers_are_refused(new: str, problem: str) -> None:
    assert_reported("{0: 3, 1: 4, 2: 2}", new, f"line {{line}}, tiles.agency{problem}")


@pytest.mark.rule("D7")
@pytest.mark.parametrize("new", ["{4: 3}", "{4: 5}", "{3: 2, 4: 2}", "{3: 4, 4: 4}"])
def test_other_than_four_equal_legendary_directors_are_refused(new: str) -> None:
    assert_reported(
        "{4: 4}",
        new,
        "line {line}, tiles.legendary: there are 4 legendary directors, one a round, all with "
        "equal stars (D7)",
    )


def test_more_tiles_than_the_engine_takes_are_refused() -> None:
    assert components_of(changed(("actor: {0: 3", "actor: {0: 10"))).params[0].deck_size == 96
    assert_reported(
        "actor: {0: 3",
        "actor: {0: 11",
        "line {tiles}, tiles: 97 tiles to draw; the engine's limit is 96",
    )


@pytest.mark.rule("D7")
def test_fewer_tiles_than_five_players_need_are_refused() -> None:
    assert components_of(changed(("actor: {0: 3", "actor: {0: 2"))).params[0].deck_size == 88
    assert_reported(
        "actor: {0: 3",
        "actor: {0: 1",
        "line {tiles}, tiles: 87 tiles to draw; five players need 88 (D7)",
    )


@pytest.mark.rule("D7")
@pytest.mark.parametrize("three", ["3", '"3"'])
def test_larger_cities_need_more_tiles(three: str) -> None:
    assert_reported(
        "tiles: 2",
        f"tiles: {three}",
        "line {tiles}, tiles: 89 tiles to draw; five players need 92 (D7)",
    )


# ---------------------------------------------------------------------------- mistakes: tokens


@pytest.mark.rule("D4")
@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("x", "'x'"),
        ("-6", "-6"),
        ("100", "100"),
        ("6.0", "6.0"),
        ("~", "None"),
        ("6++", "'6++'"),
        ("'06'", "'06'"),
        ("'٦'", "'٦'"),
        ("[6]", "[6]"),
    ],
)
def test_a_token_that_is_no_number_is_refused(token: str, shown: str) -> None:
    assert problems_of(changed(("5, 6, 7", f"5, {token}, 7"))) == [
        f"line {KEYS['tokens']}, tokens[6]: a token: must be a whole number from 0 to 99, "
        f"not {shown}"
    ]


@pytest.mark.rule("D4")
@pytest.mark.parametrize(
    ("old", "new", "index", "token"),
    [
        ("5, 6, 7", "5, 5, 7", 6, "5"),
        ("5, 6, 7", "5, 4, 7", 6, "4"),
        ("8, 8+", "8+, 8", 9, "8"),
        ("8, 8+", "8+, 8+", 9, "8+"),
        ("21, 22", "22, 21", 29, "21"),
    ],
)
def test_tokens_that_do_not_rise_are_refused(old: str, new: str, index: int, token: str) -> None:
    text = changed((old, new))
    line = KEYS["tokens"] + (index > 21)  # they stand on two lines
    assert problems_of(text) == [
        f"line {line}, tokens[{index}]: token {token} is not above the one before it (D4)"
    ]


def test_more_tokens_than_the_engine_takes_are_refused() -> None:
    assert components_of(changed(("21, 22]", "21, 22, 23]"))).params[0].tokens == 31
    assert_reported(
        "21, 22]",
        "21, 22, 23, 24]",
        "line {tokens}, tokens: 32 tokens; the engine's limit is 31",
    )
