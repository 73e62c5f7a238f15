"""Component files of one's own: what they may say, and what becomes of them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from dreamfactory_env import (
    ComponentsError,
    DreamFactory,
    GameError,
    load_components,
    standard_components,
)
from dreamfactory_env.cli.main import main
from dreamfactory_env.games.dream_factory.component_files import check_components
from dreamfactory_env.records.files import RecordWriter, read_records
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.utils.yaml_lines import Document
from tests.games.dream_factory.component_files import (
    DATA,
    DOCUMENTATION,
    TEXT,
    changed,
    components_of,
    line_of,
    own_data,
    with_spaces,
)
from tests.games.dream_factory.referee import check_record
from tests.paths import CONFIGS

# ---------------------------------------------------------------------------- own files

OWN = own_data(
    source="my box",
    locations=[
        {"name": "Studio City", "kind": "auction", "tiles": "legendary"},
        {"name": "Gala", "kind": "party", "tiles": "players"},
        *({"name": f"Town {n}", "kind": "auction", "tiles": 2} for n in range(1, 6)),
        {"name": "Ball", "kind": "party", "tiles": "players"},
    ],
    tiles={**DATA["tiles"], "actor": {1: 10, 5: 9}, "legendary": {6: 4}},
    tokens=[0, *range(3, 30)],
)


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    path = tmp_path / "my_box.yaml"
    path.write_text(yaml.safe_dump(OWN, allow_unicode=True), "utf-8")
    return path


@pytest.mark.parametrize("given_as", [Path, str, load_components])
def test_an_own_file_plays_a_whole_game_that_is_another_one(
    own_file: Path, given_as: Callable[[Path], Any]
) -> None:
    game = DreamFactory(3, seed=7, components=given_as(own_file))
    standard = DreamFactory(3, seed=7)
    assert game != standard
    assert game.location == "Studio City"
    assert game.lot == ["director 6"]
    assert game.setup()["deck"] != standard.setup()["deck"]
    visited = [game.location]
    while not game.over:
        if game.location != visited[-1]:
            visited.append(game.location)
        game.play(game.legal()[-1])
    assert visited == [place["name"] for place in OWN["locations"]] * 4
    assert "actor 5" in game.setup()["deck"]


@pytest.mark.parametrize("players", [2, 5])
def test_random_games_with_an_own_file_are_verified_by_the_referee(
    own_file: Path, players: int
) -> None:
    config = DreamFactory(players, components=own_file).config()
    for record in simulate(DreamFactory.from_config(config, seed=0), ["random"], 5, seed=3):
        check_record(OWN, record)
        assert replay(record).over


def test_a_record_carries_the_whole_file_and_can_be_replayed_without_it(
    own_file: Path, tmp_path: Path
) -> None:
    config = DreamFactory(2, components=own_file).config()
    with RecordWriter(tmp_path / "games.jsonl") as writer:
        for record in simulate(DreamFactory.from_config(config, seed=0), ["random"], 2, seed=3):
            writer.write(record)
    own_file.unlink()
    for record in read_records(tmp_path / "games.jsonl"):
        assert record["config"]["components"] == components_of(yaml.safe_dump(OWN)).as_data()
        assert replay(record).over


def test_a_record_of_the_standard_game_carries_no_components() -> None:
    assert "components" not in DreamFactory(2, seed=0).config()
    assert "components" not in DreamFactory(2, seed=0, components=standard_components()).config()


def test_source_may_be_absent(tmp_path: Path) -> None:
    path = tmp_path / "my_box.yaml"
    path.write_text(changed(("source: reconstruction\n", "")), "utf-8")
    components = load_components(path)
    assert components.source == ""
    assert (components.tokens, components.tiles) == (
        standard_components().tokens,
        standard_components().tiles,
    )
    config = DreamFactory(4, components=path).config()
    (record,) = simulate(DreamFactory.from_config(config, seed=0), ["random"], 1, seed=5)
    assert replay(json.loads(json.dumps(record))).over


def test_numbers_may_be_written_as_texts() -> None:
    quoted = changed(
        ("stars: 5", 'stars: "5"'),
        ("studio: 1", "studio: '1'"),
        ("tiles: 2", 'tiles: "2"'),
        ("{0: 3, 1: 4, 2: 5, 3: 3}", '{"0": "3", "1": 4, "2": 5, "3": 3}'),
        ("[0, 1,", '["0", "1",'),
    )
    assert components_of(quoted) == standard_components()


def test_parties_and_cities_may_stand_in_any_order() -> None:
    locations = [DATA["locations"][k] for k in (0, 7, 3, 6, 5, 4, 2, 1)]
    components = check_components(Document(own_data(locations=locations)), "own")
    assert [place.kind for place in components.locations].index("party") == 1


def test_anchors_are_understood() -> None:
    text = changed(
        ("spaces: [director, actor, music]", "spaces: &small [director, actor, music]"),
        ("spaces: [director, actor, music]", "spaces: *small"),
    )
    assert components_of(text) == standard_components()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_byte_order_mark_and_line_ends_do_not_matter(
    tmp_path: Path, encoding: str, newline: str
) -> None:
    path = tmp_path / "my_box.yaml"
    path.write_bytes(TEXT.replace("\n", newline).encode(encoding))
    assert load_components(path) == standard_components()


def test_titles_may_have_letters_of_any_language(tmp_path: Path) -> None:
    path = tmp_path / "my_box.yaml"
    path.write_text(changed(("Vertigo", "Fröhliche Dämonen 映画 on Tour")), "utf-8")
    assert load_components(path).screenplays[0].title == "Fröhliche Dämonen 映画 on Tour"


EXTREMES = {
    "as much as the engine takes": own_data(
        locations=[
            {**place, "tiles": 3} if place["name"] in ("City 1", "City 3") else place
            for place in DATA["locations"]
        ],
        tiles={
            **{kind: {6: sum(stars.values())} for kind, stars in DATA["tiles"].items()},
            "actor": {6: 26},
        },
        tokens=[*range(69, 99), 99],
        screenplays=with_spaces("blank", "actor", "actor", "blank", "director", stars=20),
    ),
    "films of one space and a single token": own_data(
        tokens=["5+"], screenplays=with_spaces("actor", stars=0)
    ),
    "no token low enough": own_data(
        tokens=[98, 99], screenplays=with_spaces("blank", "blank", stars=0)
    ),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_extreme_files_play_by_the_rules(name: str) -> None:
    assert_plays_by_the_rules(EXTREMES[name])


@pytest.mark.rule("D27")
def test_the_best_director_can_have_fewer_than_no_stars() -> None:
    tiles = {**DATA["tiles"], "legendary": {-1: 4}, "director": {-1: 15}}
    assert_plays_by_the_rules(own_data(tiles=tiles, screenplays=with_spaces("director")))


def assert_plays_by_the_rules(data: dict[str, Any]) -> None:
    """Asserts that the referee agrees with random games of a file."""
    components = check_components(Document(data), "own")
    for players in (2, 5):
        for edition in ("dream_factory", "traumfabrik"):
            config = DreamFactory(players, edition=edition, components=components).config()
            for record in simulate(DreamFactory.from_config(config, seed=0), ["random"], 6, seed=1):
                check_record(data, record)


# ---------------------------------------------------------------------------- checked components


@pytest.mark.parametrize("data", [DATA, OWN, *EXTREMES.values()])
def test_as_data_comes_back_through_json_as_the_same_components(data: dict[str, Any]) -> None:
    components = check_components(Document(data), "own")
    told = json.loads(json.dumps(components.as_data()))
    back = check_components(Document(told), "back")
    assert back == components
    assert back.as_data() == components.as_data() == told
    assert back.params.tobytes() == components.params.tobytes()


def test_as_data_of_a_file_without_source_comes_back() -> None:
    components = components_of(changed(("source: reconstruction\n", "")))
    assert check_components(Document(components.as_data()), "back") == components


def test_changing_as_data_leaves_the_components_alone() -> None:
    components = components_of(TEXT)
    before = json.dumps(components.as_data())
    data = components.as_data()
    data["locations"][0]["name"] = "Elsewhere"
    data["tiles"]["actor"]["0"] = 99
    data["tokens"].clear()
    data["screenplays"][0]["spaces"].clear()
    assert json.dumps(components.as_data()) == before
    assert components == components_of(TEXT)


def test_equal_components_hash_equal() -> None:
    first, second = components_of(TEXT), components_of(TEXT)
    assert first is not second
    assert (first == second, hash(first) == hash(second)) == (True, True)
    assert first.params.shape == (1,)  # that they are made does not matter
    assert (first == second, hash(first) == hash(second)) == (True, True)
    assert len({first, second, standard_components()}) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Vertigo", "Vertigo 2"),
        ("City 1", "City 9"),
        ("tiles: 3}", "tiles: 2}"),
        ("{4: 4}", "{5: 4}"),
        ("0: 3, 1: 4", "0: 4, 1: 3"),
        ("21, 22]", "21, 23]"),
        ("[director, actor,", "[actor, director,"),
    ],
)
def test_components_that_differ_are_not_equal(old: str, new: str) -> None:
    assert components_of(changed((old, new))) != standard_components()


def test_where_the_facts_come_from_makes_no_other_game() -> None:
    text = changed(("source: reconstruction", "source: my box"))
    assert components_of(text) == standard_components()


def test_the_order_of_kinds_and_stars_makes_no_other_game() -> None:
    tiles = {
        kind: dict(sorted(DATA["tiles"][kind].items(), reverse=True)) for kind in DATA["tiles"]
    }
    other = check_components(Document(own_data(tiles=dict(reversed(tiles.items())))), "own")
    assert other.params.tobytes() == standard_components().params.tobytes()
    assert other == standard_components()


def test_a_saved_game_has_the_same_components_when_loaded() -> None:
    game = DreamFactory(2, seed=1, components=check_components(Document(OWN), "own"))
    assert DreamFactory.load(game.save()).options == game.options


def test_tables_cannot_be_changed() -> None:
    params = components_of(TEXT).params
    before = params.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        params[0].rounds = 3
    with pytest.raises(ValueError, match="read-only"):
        params[0].deck[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        params["money"][:] = 0
    assert params.tobytes() == before


# ---------------------------------------------------------------------------- command line, pages


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Runs the command line and returns its exit code."""
    monkeypatch.setattr(sys, "argv", ["dreamfactory", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    return int(caught.value.code or 0)


def test_the_command_line_plays_an_own_file(
    own_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "games.jsonl"
    options = ["-o", f"components={own_file}", "--games", "2", "--out", str(out)]
    assert run(monkeypatch, "simulate", *options) == 0
    for record in read_records(out):
        check_record(OWN, record)


def test_the_command_line_names_every_mistake_of_an_own_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "my_box.yaml"
    path.write_text(changed(("tiles: 2", "tiles: 4"), ("stars: 5", "stars: 50")), "utf-8")
    assert run(monkeypatch, "simulate", "-o", f"components={path}") == 2
    said = capsys.readouterr().err
    assert "my_box.yaml: 2 mistakes\n" in said
    assert f"\n  line {line_of('tiles: 2')}, locations[1].tiles: " in said
    assert f"\n  line {line_of('stars: 5')}, screenplays[0].stars: " in said


def test_a_wrong_file_is_caught_as_a_game_error(tmp_path: Path) -> None:
    with pytest.raises(GameError):
        DreamFactory(components=tmp_path / "my_box.yaml")


def test_the_sections_shown_in_the_documentation_can_be_played() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", DOCUMENTATION.read_text("utf-8"), re.DOTALL)
    shown: dict[str, Any] = {}
    for block in blocks:
        shown |= yaml.safe_load(block)
    tiny = CONFIGS / "games/tiny.yaml"
    assert shown.pop("variant") == yaml.safe_load(tiny.read_text("utf-8"))["variant"]
    assert sorted(shown) == sorted(DATA)
    # Some of the screenplays are shown; they take the places of those of their studio and genre.
    films = list(DATA["screenplays"])
    for film in shown.pop("screenplays"):
        like = [(f.get("studio"), f["genre"]) for f in films]
        films[like.index((film.get("studio"), film["genre"]))] = film
    assert_plays_by_the_rules(own_data(**shown, screenplays=films))


def test_the_mistakes_shown_in_the_documentation_are_reported_so() -> None:
    text = changed(
        ("City 1, kind: auction", "City 1, kind: auktion"),
        ("City 2, kind: auction, tiles: 3", "City 2, kind: auction, tiles: 1"),
        ("director: {0: 3", "director: {7: 3"),
        ("title: Bambi", "title: 1942"),
        ("[director, actor, effects, effects]", "[director, actor, effects, guest]"),
    )
    with pytest.raises(ComponentsError) as caught:
        components_of(text)
    assert f"```text\nerror: {caught.value}\n```" in DOCUMENTATION.read_text("utf-8")
