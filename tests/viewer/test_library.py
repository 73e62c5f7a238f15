"""The list of games: found without loading them, whatever the files hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env import GameError, OptionError, RecordError
from dreamfactory_env.records import files
from dreamfactory_env.records.files import RecordWriter, read_line_at, read_lines
from dreamfactory_env.viewer import library as module
from dreamfactory_env.viewer.library import Library, Question
from tests.viewer.games import KINDS, record_of


def written(path: Path, records: list[dict[str, Any]]) -> Path:
    with RecordWriter(path) as writer:
        for record in records:
            writer.write(record)
    return path


def opened(*paths: Path) -> Library:
    library = Library(paths)
    library.wait()
    return library


@pytest.fixture(scope="module")
def games() -> list[dict[str, Any]]:
    return [record_of(kind) for kind in KINDS]


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.zst"])
def test_every_game_is_found_with_its_facts(
    name: str, games: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "FRAME_BYTES", 9000)  # several frames
    library = opened(written(tmp_path / name, games), written(tmp_path / f"2{name}", games[:1]))
    assert [entry.number for entry in library.entries] == list(range(1, len(games) + 2))
    for entry, record in zip(library.entries, [*games, games[0]], strict=True):
        assert entry.problem == ""
        assert (entry.game, entry.moves) == (record["game"], len(record["moves"]))
        assert list(entry.agents) == record["agents"]
        assert list(entry.winners) == record["result"]["winners"]
        assert list(entry.points) == record["result"]["scores"]
        assert library.record(entry.number) == record


def test_a_line_is_found_again_wherever_it_is(tmp_path: Path) -> None:
    """Also where others have compressed the file, and lines cross from one frame into the next."""
    import zstandard

    lines = [json.dumps({"k": k, "x": "y" * k}).encode() + b"\n" for k in range(200)]
    text = b"".join(lines[:50]) + b"\n\n" + b"".join(lines[50:])
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.zst"
    plain.write_bytes(text)
    compress = zstandard.ZstdCompressor().compress
    packed.write_bytes(b"".join(compress(text[k : k + 777]) for k in range(0, len(text), 777)))
    for path in (plain, packed):
        found = list(read_lines(path))
        assert [line.text for line in found] == lines
        for line in found:
            assert read_line_at(path, line.place).text == line.text
    plain.write_bytes(b"")
    with pytest.raises(RecordError, match="has changed"):
        read_line_at(plain, found[0].place)


def test_a_record_in_another_order_is_read_as_well(
    games: list[dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    other = dict(reversed(games[0].items()))
    nested = {**games[0], "config": {**games[0]["config"], "x": {"setup": 1, "moves": [], "a": 1}}}
    lines = [json.dumps(other), json.dumps(nested, separators=(",", ":")), json.dumps(games[1])]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    library = opened(path)
    for entry, record in zip(library.entries, (games[0], games[0], games[1]), strict=True):
        assert (entry.moves, list(entry.points)) == (
            len(record["moves"]),
            record["result"]["scores"],
        )


def test_games_are_filtered_and_sorted(games: list[dict[str, Any]], tmp_path: Path) -> None:
    library = opened(written(tmp_path / "games.jsonl", games))

    def numbers(**asked: Any) -> list[int]:
        return [entry.number for entry in library.ask(Question(**asked))]

    every = range(1, len(games) + 1)
    assert numbers() == list(every)
    assert numbers(down=True) == list(reversed(every))
    assert numbers(game="fabrique_a_reves") == [len(games) - 1, len(games)]
    assert numbers(players=5) == [2]
    assert numbers(agent="GREE") == [1, 2]
    assert numbers(agent="greedy,greedy") == [1, 2]
    assert numbers(agent="greedy,random") == []
    assert set(numbers(winner="greedy")) == {1, 2}
    lengths = {k: len(games[k - 1]["moves"]) for k in every}
    assert numbers(moves=(None, 40)) == [k for k in every if lengths[k] <= 40]
    assert numbers(sort="moves") == sorted(every, key=lambda k: (lengths[k], k))
    best = {k: max(games[k - 1]["result"]["scores"]) for k in every}
    assert numbers(sort="points", down=True)[0] == max(every, key=lambda k: best[k])
    assert numbers(points=(2, None)) == [k for k in every if best[k] >= 2]
    for column in module.COLUMNS:
        assert sorted(numbers(sort=column)) == list(every)
    with pytest.raises(OptionError, match="sort must be one of"):
        numbers(sort="seed")


HOSTILE = [
    b"not json at all\n",
    b"[]\n",
    b"{}\n",
    b'{"agents":[],"setup":{},"moves":[],"result":{}}\n',
    b'{"game":1,"agents":7,"setup":{},"moves":[],"result":null}\n',
    b'{"game":"x","agents":["a"],"setup":{},"moves":[],"result":{"winners":9,"scores":[]}}\n',
    b'{"game":"x","agents":[{}],"setup":{},"moves":9,"result":{"winners":[1e300],"scores":[]}}\n',
    b'{"agents":' + b"[" * 100_000 + b"\n",
    b"\xff\xfe\n",
    b'{"game":"' + b"a" * 200_000 + b'","agents":["' + b"b" * 200_000 + b'"],"setup":{},'
    b'"moves":[],"result":{"winners":[],"scores":[]}}\n',
    b'{"game":"x","agents":["a"],"setup":{},"moves":[],"result":{"winners":[],"scores":["x"]}}\n',
]


def test_hostile_lines_are_listed_with_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(HOSTILE))
    library = opened(path)
    assert len(library.entries) == len(HOSTILE)
    for entry in library.entries:
        assert len(json.dumps(entry.row())) < 2000
        with pytest.raises(GameError):
            library.timeline(entry.number)
    assert sum(bool(entry.problem) for entry in library.entries) >= len(HOSTILE) - 3
    with pytest.raises(OptionError, match=f"there are games 1 to {len(HOSTILE)}, not 99"):
        library.record(99)


def test_of_too_many_games_the_first_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_GAMES", 5)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"{}\n" * 50)
    library = opened(path)
    assert (len(library.entries), library.problem) == (5, "only the first 5 games are listed")


def test_what_is_no_file_of_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="is no file of records"):
        Library([tmp_path])
    with pytest.raises(OptionError, match="cannot be read"):
        Library([tmp_path / "none.jsonl"])
