from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dreamfactory_env.cli.terminal_play import read_move
from dreamfactory_env.records.format import replay
from dreamfactory_env.utils.errors import OptionError
from tests.paths import ROOT

pty = pytest.importorskip("pty", reason="needs a terminal of its own")

PROMPT = "your move> "
#: Short games of every kind: a few moves of the person's own.
SHORT = ["--game", "dream_factory", "--players", "2", "-o", "components=tiny", "--seed", "4"]
COMMAND = "from dreamfactory_env.cli.main import main; main()"
#: What a terminal is told besides text: colours, and where the cursor is.
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\r")


class Terminal:
    """The command in a real terminal, as somebody who types has it."""

    def __init__(self, *words: str | Path, cwd: Path) -> None:
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *map(str, words)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"},
            start_new_session=True,
        )
        os.close(theirs)
        self.text = ""

    def until(self, wanted: str, seconds: float = 90) -> str:
        """Reads until a text comes, or the end; returns what was read since the last time."""
        end = time.monotonic() + seconds
        while wanted not in self.text:
            assert time.monotonic() < end, f"{wanted!r} did not come: {self.text}"
            if not select.select([self.ours], [], [], 1)[0]:
                continue
            try:
                piece = os.read(self.ours, 65536)
            except OSError:  # the other end is closed
                piece = b""
            if not piece:
                assert not wanted, f"{wanted!r} did not come: {self.text}"
                break
            self.text += CODES.sub("", piece.decode(errors="replace"))
        before, _, self.text = self.text.partition(wanted) if wanted else (self.text, "", "")
        return before

    def type(self, words: str) -> None:
        os.write(self.ours, f"{words}\n".encode())

    def end(self) -> str:
        """Reads what is left, and waits for the end."""
        left = ""
        while True:
            try:
                piece = os.read(self.ours, 65536)
            except OSError:
                break
            if not piece:
                break
            left += CODES.sub("", piece.decode(errors="replace"))
        self.process.wait(60)
        os.close(self.ours)
        return self.text + left


def play(*words: str | Path, cwd: Path) -> Terminal:
    return Terminal("play", "--terminal", *words, cwd=cwd)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("terminal")


def record_of(path: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(path.read_text())
    return found


def numbers(shown: str) -> list[str]:
    """Returns the numbers of the moves that are listed below the table."""
    return re.findall(r"(?:^|   )(\d+) (?=[a-z])", shown.rpartition("╯")[2], re.M)


def test_a_game_is_played_to_its_end_by_words_and_numbers(folder: Path) -> None:
    terminal = play(*SHORT, "--with", "greedy", "--out", "a.jsonl", "--hints", cwd=folder)
    asked = 0
    while True:
        shown = terminal.until(PROMPT) if asked == 0 else read_on(terminal)
        if not shown.endswith(PROMPT) and asked:
            break
        asked += 1
        if asked == 1:
            terminal.type("help")
            assert "take your last move back" in terminal.until(PROMPT)
            terminal.type("fly to the moon")
            assert "no such move" in terminal.until(PROMPT)
            terminal.type("999")
            assert "no move has the number 999" in terminal.until(PROMPT)
            terminal.type("back")
            assert "without taking moves back" in terminal.until(PROMPT)
            terminal.type("hint")
            assert re.search(r"bid \d+: [\d,]+ games", terminal.until(PROMPT))
            terminal.type("table")
            assert "you are player 0" in terminal.until(PROMPT)
        terminal.type(numbers(shown)[0] if numbers(shown) else "pass")
    assert "won by" in shown
    assert terminal.process.wait(60) == 0
    os.close(terminal.ours)
    record = record_of(folder / "a.jsonl")
    assert record["agents"] == ["person", "greedy"]
    assert replay(record).over  # every move and the result are right


def read_on(terminal: Terminal) -> str:
    """Reads until the person is asked again, or all is over."""
    text = ""
    while PROMPT not in text:
        try:
            piece = os.read(terminal.ours, 65536)
        except OSError:
            return terminal.text + text
        text += CODES.sub("", piece.decode(errors="replace"))
    shown, terminal.text = terminal.text + text, ""
    return shown


def test_who_quits_goes_on_later_and_moves_are_taken_back(folder: Path) -> None:
    words = (*SHORT, "--with", "greedy", "--out", "b.jsonl", "--take-back")
    terminal = play(*words, cwd=folder)
    shown = terminal.until(PROMPT)
    terminal.type("back")
    assert "no move of yours" in terminal.until(PROMPT)
    terminal.type(numbers(shown)[0])
    terminal.until(PROMPT)
    before = record_of(folder / "b.jsonl")["moves"]
    assert isinstance(before, list)
    terminal.type("quit")
    assert "continues it" in terminal.end()
    assert terminal.process.returncode == 0

    again = play("--resume", "b.jsonl", "--take-back", cwd=folder)
    assert f"goes on after {len(before)} moves" in again.until(PROMPT)
    again.type("back")
    assert "taken back" in again.until(PROMPT)
    left = record_of(folder / "b.jsonl")["moves"]
    assert isinstance(left, list)
    assert left == before[: len(left)]
    assert [seat for seat, _, _ in before].index(0, len(left)) == len(left)  # up to the own one
    again.type("\x04")  # the end of what is typed
    assert "continues it" in again.end()


def test_ctrl_c_keeps_the_game(folder: Path) -> None:
    terminal = play(*SHORT, "--with", "random", "--out", "c.jsonl", cwd=folder)
    terminal.until(PROMPT)
    os.write(terminal.ours, b"\x03")
    time.sleep(0.2)
    if terminal.process.poll() is None:  # without a controlling terminal it is no signal
        terminal.process.send_signal(2)
    assert "continues it" in terminal.end()
    assert record_of(folder / "c.jsonl")["result"] is None


LEGAL = {
    "bid 1": 2,
    "bid 10": 11,
    "pass": 0,
    "place actor 2 on A/b": 40,
    "place actor 3 on A/b": 41,
}


@pytest.mark.parametrize(
    ("words", "action"),
    [("bid 1", 2), ("bid 10", 11), ("p", None), ("pas", 0), ("2", 2), ("actor 3", 41), ("PASS", 0)],
)
def test_a_move_is_known_by_its_words_their_beginning_or_its_number(
    words: str, action: int | None
) -> None:
    if action is None:
        with pytest.raises(OptionError, match="could be pass, place actor 2"):
            read_move(words, LEGAL)
    else:
        assert read_move(words, LEGAL) == action


@pytest.mark.parametrize("words", ["", "7", "bidd", "place", "²"])
def test_what_is_no_move_or_several_is_refused(words: str) -> None:
    with pytest.raises(OptionError):
        read_move(words, LEGAL)
