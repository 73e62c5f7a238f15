"""Whoever plays for the benchmark of the page: beside a policy that is faster, and when refused."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

pytest.importorskip("playwright.sync_api")

from benchmarks.viewer import MOVES, play_over_the_wire
from dreamfactory_env import DreamFactory
from dreamfactory_env.viewer import app
from dreamfactory_env.viewer.app import Site
from dreamfactory_env.viewer.people import PERSON
from dreamfactory_env.viewer.security import TOKEN
from dreamfactory_env.viewer.tables import Manners, Table, Tables
from dreamfactory_env.viewer.workers import Workers
from tests.viewer.running import running


@pytest.fixture
def workers() -> Iterator[Workers]:
    with Workers(1) as found:
        yield found


def test_what_is_refused_is_told_and_what_has_been_played_is_seen(
    tmp_path: Path, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.begin(
        DreamFactory(2, seed=1), [PERSON, PERSON], tmp_path / "game.jsonl", Manners(pace=0.0)
    )
    tables = Tables(workers)
    tables.add(table)

    async def played(address: str, *tokens: str) -> list[tuple[int, list[str]]]:
        async with httpx.AsyncClient(timeout=60) as client:
            games = (play_over_the_wire(client, address, token) for token in tokens)
            return await asyncio.gather(*games)

    with running(Site(None, tables, "x")) as address:
        ((sent, failed),) = asyncio.run(played(address, "wrong"))
        assert (sent, len(failed)) == (1, 1)
        assert failed[0].startswith("403 GET /api/table: ")
        with monkeypatch.context() as full:
            full.setattr(app, "MAX_STREAMS", 0)
            ((sent, failed),) = asyncio.run(played(address, table.tokens[0]))
        assert (sent, len(failed)) == (2, 1)
        assert "too many pages listen" in failed[0]
        body = {"action": next(iter(table.game.legal_actions().values())), "at": 0, "revision": 0}
        headers = {TOKEN: table.tokens[table.game.to_move or 0]}
        httpx.post(f"{address}/api/table/play", json=body, headers=headers).raise_for_status()
        found = asyncio.run(played(address, *table.tokens))
    assert [failed for _, failed in found] == [[], []]
    assert len(table.actions) >= MOVES
