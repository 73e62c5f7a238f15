"""The packaged component file has what is in the box."""

from __future__ import annotations

from collections import Counter

import pytest

from dreamfactory_env import (
    standard_components,
)
from tests.games.dream_factory.component_files import (
    GENRES,
)


def test_the_packaged_file_has_the_tiles_of_the_box() -> None:
    counts = {kind: sum(n for _, n in stars) for kind, stars in standard_components().tiles}
    assert counts == {
        "legendary": 4,
        "director": 15,
        "actor": 19,
        "camera": 13,
        "music": 13,
        "effects": 13,
        "agency": 9,
        "guest": 7,
    }
    assert sum(counts.values()) == 93


@pytest.mark.rule("D7")
def test_the_packaged_file_has_four_legendary_directors_of_four_stars() -> None:
    assert dict(standard_components().tiles)["legendary"] == ((4, 4),)


def test_the_packaged_file_has_one_guest_star_that_takes_a_star_away() -> None:
    below = [(k, s, n) for k, stars in standard_components().tiles for s, n in stars if s < 0]
    assert below == [("guest", -1, 1)]


@pytest.mark.rule("D4")
def test_the_packaged_file_has_thirty_tokens_in_the_order_of_their_rank() -> None:
    single, double = [*map(str, range(23))], [f"{n}+" for n in range(8, 15)]
    tokens = standard_components().tokens
    assert len(tokens) == 30
    assert sorted(tokens) == sorted(single + double)
    assert list(tokens[7:13]) == ["7", "8", "8+", "9", "9+", "10"]
    assert list(tokens[-10:-6]) == ["14", "14+", "15", "16"]
    numbers = [(int(word.rstrip("+")), word.endswith("+")) for word in tokens]
    assert numbers == sorted(numbers)


@pytest.mark.rule("D1")
def test_the_packaged_file_has_five_studios_with_a_film_of_each_genre() -> None:
    screenplays = standard_components().screenplays
    assert len(screenplays) == len({s.title for s in screenplays}) == 22
    found = Counter((s.studio, s.genre) for s in screenplays if s.studio)
    assert found == {(studio, genre): 1 for studio in range(1, 6) for genre in GENRES}


@pytest.mark.rule("D5")
def test_the_packaged_file_has_seven_screenplays_without_a_studio() -> None:
    assert [s.title for s in standard_components().screenplays if not s.studio] == [
        "Citizen Kane",
        "Bambi",
        "High Noon",
        "On the Waterfront",
        "Ben-Hur",
        "King Kong",
        "From Here to Eternity",
    ]


def test_every_screenplay_of_the_packaged_file_has_a_director_and_two_to_four_other_spaces() -> (
    None
):
    for screenplay in standard_components().screenplays:
        assert screenplay.spaces.count("director") == 1
        assert 3 <= len(screenplay.spaces) <= 5


@pytest.mark.rule("D7", "D8")
def test_the_packaged_file_has_eight_locations_with_parties_fourth_and_eighth() -> None:
    found = [(place.name, place.kind, place.tiles) for place in standard_components().locations]
    assert found == [
        ("Hollywood", "auction", "legendary"),
        ("City 1", "auction", 2),
        ("City 2", "auction", 3),
        ("Party 1", "party", "players"),
        ("City 3", "auction", 2),
        ("City 4", "auction", 3),
        ("City 5", "auction", 2),
        ("Party 2", "party", "players"),
    ]
