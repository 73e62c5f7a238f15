"""Files of records: nothing is lost, and damage is named."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import zstandard

from dreamfactory_env import OptionError, RecordError
from dreamfactory_env.records import byte_source, files
from dreamfactory_env.records.files import RecordWriter, read_lines, read_records
from dreamfactory_env.utils.json_text import read_json

Record = dict[str, Any]
ROWS: list[Record] = [{"game": k, "title": "Das Mädchen vom Lande"} for k in range(3)]
PLAIN_AND_COMPRESSED = pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.zst"])


def write_and_flush(writer: RecordWriter, row: Record) -> None:
    """Writes a row, as a frame of its own if the file is compressed."""
    writer.write(row)
    writer.flush()


def written(path: Path, rows: list[Record], *, resume: bool = False) -> bytes:
    with RecordWriter(path, resume=resume) as writer:
        for row in rows:
            write_and_flush(writer, row)
    return path.read_bytes()


def read(path: Path) -> tuple[list[Record], list[tuple[int, str]]]:
    """Returns the rows of a file, and the numbers and problems of its other lines."""
    lines = list(read_lines(path))
    rows = [json.loads(line.text) for line in lines if not line.problem]
    return rows, [(line.number, line.problem) for line in lines if line.problem]


@PLAIN_AND_COMPRESSED
def test_an_existing_file_is_refused_and_left_alone(tmp_path: Path, name: str) -> None:
    before = written(tmp_path / name, ROWS)
    with pytest.raises(OptionError, match="there already"):
        RecordWriter(tmp_path / name)
    assert (tmp_path / name).read_bytes() == before


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("file/games.jsonl", "file/deeper/games.jsonl"):
        for resume in (False, True):
            with pytest.raises(OptionError, match=f"{name} cannot be written"):
                RecordWriter(tmp_path / name, resume=resume)


@PLAIN_AND_COMPRESSED
def test_a_file_torn_anywhere_is_noticed_and_resumed_to_the_same_bytes(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "new" / name
    start = len(written(path, ROWS[:2], resume=True))
    whole = written(path, ROWS[2:], resume=True)
    assert read(path) == (ROWS, [])
    assert written(path, [], resume=True) == whole
    for cut in range(start, len(whole)):
        path.write_bytes(whole[:cut])
        torn = [(3, "cut off while it was written")] if cut > start else []
        assert read(path) == (ROWS[:2], torn), cut
        assert written(path, ROWS[2:], resume=True) == whole, cut


def test_everything_around_the_damage_of_a_compressed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.zst"
    start = len(written(path, ROWS[:2]))
    whole = written(path, ROWS[2:], resume=True)
    damaged = whole[:start] + bytes(4) + whole[start + 4 :]
    for content, rows in ((damaged, ROWS[:2]), (whole + b"no frame", ROWS)):
        path.write_bytes(content)
        found, [(number, problem)] = read(path)
        assert (found, number) == (rows + ROWS[3:] if rows == ROWS[:2] else rows, len(rows) + 1)
        assert "damaged" in problem
        assert written(path, ROWS[len(rows) :], resume=True) == whole


def test_lines_may_cross_the_frames_of_a_compressed_file(tmp_path: Path) -> None:
    text = written(tmp_path / "games.jsonl", ROWS)
    pieces = [text[place : place + 20] for place in range(0, len(text), 20)]
    path = tmp_path / "games.jsonl.zst"
    path.write_bytes(b"".join(zstandard.ZstdCompressor().compress(piece) for piece in pieces))
    assert read(path) == (ROWS, [])


@PLAIN_AND_COMPRESSED
def test_a_write_after_which_it_is_interrupted_is_not_done_again(tmp_path: Path, name: str) -> None:
    class Interrupted(RecordWriter):
        def _write_out(self, data: bytes) -> None:
            super()._write_out(data)
            if self.path.stat().st_size == len(data):  # the first time
                raise InterruptedError

    with Interrupted(tmp_path / name) as writer, pytest.raises(InterruptedError):
        write_and_flush(writer, ROWS[0])
    assert read(tmp_path / name) == (ROWS[:1], [])


def test_read_records_names_the_line_that_holds_none(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for tail, message in ((b"{\n", "not a JSON object"), (b'{"game": 1', "cut off")):
        path.write_bytes(b'{"game": 0}\n\n' + tail)
        records = read_records(path)
        assert next(records) == {"game": 0}
        with pytest.raises(RecordError, match=f"line 3: {message}"):
            next(records)
    for nothing in (tmp_path / "nothing.jsonl", tmp_path):
        with pytest.raises(OptionError, match="cannot be read"):
            next(read_records(nothing))


def test_without_zstandard_a_compressed_path_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "games.jsonl.zst", ROWS)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    extra = r"pip install 'dreamfactory-env\[zstd\]'"
    with pytest.raises(OptionError, match=extra):
        read(tmp_path / "games.jsonl.zst")
    with pytest.raises(OptionError, match=extra):
        RecordWriter(tmp_path / "new.jsonl.zst")
    assert not (tmp_path / "new.jsonl.zst").exists()
    written(tmp_path / "games.jsonl", ROWS)
    assert read(tmp_path / "games.jsonl") == (ROWS, [])


def rss_growth(code: str, *arguments: str) -> tuple[int, str]:
    """Runs code in a process of its own; returns by how many MB it grew, and what it printed."""
    measured = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from dreamfactory_env.records.files import read_lines, RecordWriter\n"
        "import zstandard\n"
        "def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024\n"
        "before = peak()\n"
        f"{code}\n"
        "print(peak() - before)\n"
    )
    command = [sys.executable, "-c", measured, *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=60)
    *told, grown = done.stdout.splitlines()
    return int(grown), "\n".join(told)


@pytest.mark.skipif(sys.platform == "win32", reason="memory is measured as on Unix")
def test_a_small_file_that_holds_a_gigabyte_is_refused_with_little_memory(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.jsonl.zst"
    packer = zstandard.ZstdCompressor().compressobj()
    zeros = bytes(1 << 20)
    bomb.write_bytes(b"".join(packer.compress(zeros) for _ in range(1024)) + packer.flush())
    assert bomb.stat().st_size < 100_000
    code = "for line in read_lines(sys.argv[1]): print(len(line.text), line.problem)"
    grown, told = rss_growth(code, str(bomb))
    assert told == "0 damaged: it unpacks to more than 1,000 times its size"
    assert grown < 100
    # It is no file that can be resumed either: nothing of it is whole.
    grown, _ = rss_growth("RecordWriter(sys.argv[1], resume=True).close()", str(bomb))
    assert grown < 100
    assert bomb.stat().st_size == 0


def test_a_file_of_nothing_but_beginnings_of_frames_is_given_up_soon(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.zst"
    magic = zstandard.MAGIC_NUMBER.to_bytes(4, "little")
    path.write_bytes(magic * 65536)
    begin = time.process_time()
    lines = list(read_lines(path))
    assert time.process_time() - begin < 2
    assert [line.problem for line in lines][-1] == "damaged in more than 200 places: given up"
    assert len(lines) <= 3


@PLAIN_AND_COMPRESSED
def test_a_line_that_is_too_long_is_named_and_those_behind_it_are_read(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 1000)
    written(tmp_path / name, [ROWS[0], {"long": "x" * 1000}, ROWS[1]])
    rows, problems = read(tmp_path / name)
    assert rows == ROWS[:2]
    assert problems == [(2, "longer than 4 MiB")]


def test_one_large_frame_of_another_program_is_read_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (files, byte_source):
        monkeypatch.setattr(module, "HELD_BYTES", 200_000)
    monkeypatch.setattr(files, "FRAME_BYTES", 7000)
    monkeypatch.setattr(byte_source, "READ_BYTES", 7000)
    rng = random.Random(1)
    rows = [{"game": k, "noise": rng.randbytes(60).hex()} for k in range(4000)]
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path = tmp_path / "games.jsonl.zst"
    whole = zstandard.ZstdCompressor().compress(text)
    path.write_bytes(whole + whole)
    assert read(path) == (rows + rows, [])
    # Damaged in the middle of the first: what came before it is read, and all of the second.
    half = len(whole) // 2
    path.write_bytes(whole[:half] + b"\xff" * 100 + whole)
    lines = list(read_lines(path))
    assert b"".join(line.text for line in lines[-4000:]) == text
    assert [line.problem[:8] for line in lines if line.problem] == ["damaged:"]
    assert lines[0].text == text[: len(lines[0].text)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"game": 1, "game": 2}', "the key 'game' stands there twice"),
        ('{"a": ' + "[" * 60 + "]" * 60 + "}", "more than 50 levels"),
        ('{"a": ' + "[" * 100_000, "more than 50 levels"),
        ('{"a": Infinity}', "Infinity is no number that is finite"),
        ('{"a": 1e999}', "1e999 is no number that is finite"),
        ('{"a": ' + "9" * 5000 + "}", "not a JSON object"),
    ],
)
def test_json_that_two_readers_might_read_differently_is_refused(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(RecordError, match=message):
        list(read_records(path))


def test_brackets_in_texts_are_no_levels() -> None:
    text = "[" * 60 + '\\"{' * 60
    assert read_json(json.dumps({"a": [text, {"b": "]"}], text: 1})) == {
        "a": [text, {"b": "]"}],
        text: 1,
    }
    for end in ('"', '"\\', '"\\"', ""):  # one that never ends
        with pytest.raises(ValueError, match="at character"):
            read_json('{"a": ' + end + "[" * 10)


def test_megabytes_of_brackets_are_refused_before_they_are_data() -> None:
    nested = "[" * 900 + "]" * 900
    text = "[" + ",".join([nested] * 2000) + "]"
    tracemalloc.start()
    with pytest.raises(ValueError, match="more than 50 levels"):
        read_json(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 18 * len(text)  # as lists it is more than thirty times as much
