"""What a server tells of a game in play is of one moment, and of one that is on disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.records.files import read_records
from dreamfactory_env.viewer.app import Site
from dreamfactory_env.viewer.people import PERSON
from dreamfactory_env.viewer.security import TOKEN
from dreamfactory_env.viewer.tables import Manners, Tables
from dreamfactory_env.viewer.timeline import Timeline
from dreamfactory_env.viewer.workers import Workers
from tests.viewer.running import client_of
from tests.viewer.test_games_in_play import begun, run


@pytest.mark.parametrize("full", [False, True])
def test_nobody_hears_of_a_move_before_it_is_written(
    full: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(DreamFactory(2, seed=1), tmp_path / "game.jsonl", PERSON, PERSON)
    seat = table.game.to_move
    assert seat is not None
    writing, go_on, save = threading.Event(), threading.Event(), table.save

    def slow(*actions: Sequence[int]) -> None:
        writing.set()
        go_on.wait(60)
        if full:
            raise OptionError("No space left on device")
        save(*actions)

    async def story() -> None:
        before = [table.state(seat), table.timeline().whole(seat), table.record()]
        with monkeypatch.context() as patch:
            patch.setattr(table, "save", slow)
            playing = asyncio.create_task(table.play(seat, 1, 0, 0))
            await asyncio.to_thread(writing.wait, 60)
            assert [table.state(seat), table.timeline().whole(seat), table.record()] == before
            go_on.set()
            await asyncio.gather(playing, return_exceptions=True)
        assert table.actions == ([] if full else [1])
        assert (table.game == table.start) == full
        (record,) = read_records(table.path)
        assert len(record["moves"]) == len(table.actions)

    run(story)
    table.close()


def test_frames_and_state_are_of_one_moment(
    tmp_path: Path, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the frames for a page are made, somebody moves: the page hears of all of it or none."""
    manners = Manners(pace=0.0)
    table = begun(DreamFactory(2, seed=4), tmp_path / "a.jsonl", PERSON, PERSON, manners=manners)
    tables = Tables(workers)
    tables.add(table)
    seat, frames = table.game.to_move, Timeline.frames
    assert seat is not None
    headers = {TOKEN: table.tokens[seat]}
    with client_of(Site(None, tables, "x"), "x") as client:

        def slow(timeline: Timeline, *asked: Any) -> list[dict[str, Any]]:
            if not table.actions:
                body = {"action": 3, "at": 0, "revision": 0}
                client.post("/api/table/play", json=body, headers=headers).raise_for_status()
            return frames(timeline, *asked)

        monkeypatch.setattr(Timeline, "frames", slow)
        told = client.get("/api/table", headers=headers).json()
    assert table.actions == [3]
    assert told["state"]["frames"] == len(told["frames"]) == told["game"]["moves"] + 1
    assert told["state"]["to_move"] == told["frames"][-1]["view"]["to_move"]
