"""Games in play: a record on disk after every move, seats by tokens, nothing that is hidden."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from dreamfactory_env import DreamFactory, FabriqueAReves, GameError, OptionError
from dreamfactory_env.games.game import Game
from dreamfactory_env.records.files import read_records
from dreamfactory_env.records.format import replay, replay_moves
from dreamfactory_env.viewer import app
from dreamfactory_env.viewer.app import Site
from dreamfactory_env.viewer.people import PERSON
from dreamfactory_env.viewer.seats_file import seats_path
from dreamfactory_env.viewer.security import TOKEN
from dreamfactory_env.viewer.tables import Manners, Outdated, Table, Tables
from dreamfactory_env.viewer.timeline import Timeline
from dreamfactory_env.viewer.workers import Workers
from tests.viewer.difference_checks import unfolded
from tests.viewer.games import record_of
from tests.viewer.running import client_of

QUICK = Manners(pace=0.0)


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs a story in a thread of its own: that of the tests may have a loop for a browser."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(asyncio.wait_for(story(), 120))).result()


async def until(table: Table, wanted: Callable[[], bool]) -> None:
    while not wanted():
        await table.news.wait()


def begun(game: Game, path: Path, *agents: str, manners: Manners = QUICK) -> Table:
    return Table.begin(game, list(agents), path, manners)


def test_the_record_is_whole_after_every_move(tmp_path: Path, workers: Workers) -> None:
    path = tmp_path / "game.jsonl"
    table = begun(FabriqueAReves(2, seed=1), path, PERSON, "nearest")

    async def story() -> None:
        playing = asyncio.create_task(table.run(workers))
        while not table.over:
            await until(table, lambda: table.game.to_move in (0, None))
            if table.over:
                break
            action = next(iter(table.game.legal_actions().values()))
            await table.play(0, action, len(table.actions), 0)
            (record,) = read_records(path)
            assert len(record["moves"]) >= len(table.actions) - 1
            assert replay_moves(record).players == 2
        await playing
        (record,) = read_records(path)
        replay(record)
        assert record["agents"] == [PERSON, "nearest"]

    run(story)
    table.close()


def test_a_game_is_continued_with_the_same_links(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    manners = Manners(take_back=True, hints=True, pace=0.0)
    table = begun(DreamFactory(3, seed=1), path, PERSON, "expert", PERSON, manners=manners)
    with pytest.raises(OptionError, match="is being written by"):
        Table.resume(path, 0.0)

    async def story() -> None:
        seat = table.game.to_move
        assert seat is not None
        await table.play(seat, 0, 0, 0)

    run(story)
    table.close()
    again = Table.resume(path, 0.5)
    assert again.tokens == table.tokens
    assert [bool(token) for token in again.tokens] == [True, False, True]
    assert again.game == table.game
    assert again.manners == Manners(True, True, 0.5)
    again.close()
    assert stat.S_IMODE(seats_path(path).stat().st_mode) == 0o600
    (record,) = read_records(path)
    assert not any(token and token in json.dumps(record) for token in table.tokens)
    # Without the file beside it there are new links; with a damaged one, too.
    for damage in (None, b"{}", b"\xff", b'{"format":"dreamfactory-seats/1","tokens":[1,2,3]}'):
        seats_path(path).unlink() if damage is None else seats_path(path).write_bytes(damage)
        fresh = Table.resume(path, 0.0)
        assert fresh.tokens[0] not in ("", table.tokens[0])
        assert not fresh.manners.take_back
        fresh.close()


def test_what_a_record_names_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('imported')", "utf-8")
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "game.jsonl"
    begun(DreamFactory(2, seed=1), path, PERSON, "evil:Policy").close()
    with pytest.raises(OptionError, match="would run code"):
        Table.resume(path, 0.0)
    table = Table.resume(path, 0.0, lambda game: [PERSON, "greedy"])
    assert table.agents == [PERSON, "greedy"]
    table.close()


def test_a_policy_that_a_record_names_as_a_file_is_not_opened(
    tmp_path: Path, workers: Workers
) -> None:
    path = tmp_path / "game.jsonl"
    start = DreamFactory(2, seed=1)
    agents = [PERSON, PERSON]
    assert start.to_move is not None
    agents[start.to_move] = "/etc/passwd.safetensors"
    table = begun(start, path, *agents)

    async def story() -> None:  # nor by the processes that think, whoever asks them
        playing = asyncio.create_task(table.run(workers))
        await until(table, lambda: bool(table.problem))
        assert "was not named on the command line" in table.problem
        assert table.state(0)["problem"] == table.problem
        playing.cancel()

    run(story)
    table.close()
    with pytest.raises(
        OptionError, match=r"passwd\.safetensors', which is a file; if you trust it"
    ):
        Table.resume(path, 0.0)


@pytest.mark.parametrize("content", [b"", b"{}\n", b"x\n", b"{}\n{}\n"])
def test_what_is_no_game_in_play_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    with pytest.raises(GameError):
        Table.resume(path, 0.0)
    with pytest.raises(OptionError, match="is there already"):
        begun(DreamFactory(2, seed=1), path, PERSON, PERSON)
    assert path.read_bytes() == content


def test_only_the_seat_to_move_plays_and_no_click_counts_twice(tmp_path: Path) -> None:
    table = begun(DreamFactory(2, seed=1), tmp_path / "game.jsonl", PERSON, PERSON)
    seat = table.game.to_move
    assert seat is not None

    async def story() -> None:
        with pytest.raises(GameError, match="it is not your turn"):
            await table.play(1 - seat, 0, 0, 0)
        with pytest.raises(GameError, match="is not legal"):
            await table.play(seat, 119, 0, 0)
        clicks = [table.play(seat, 1, 0, 0) for _ in range(3)]
        results = await asyncio.gather(*clicks, return_exceptions=True)
        assert [type(result) for result in results] == [type(None), Outdated, Outdated]
        assert table.actions == [1]

    run(story)
    table.close()


def test_moves_are_taken_back_if_that_was_asked_for(tmp_path: Path) -> None:
    plain = begun(DreamFactory(2, seed=1), tmp_path / "a.jsonl", PERSON, PERSON)
    other = begun(
        DreamFactory(2, seed=1),
        tmp_path / "b.jsonl",
        *(PERSON, PERSON),
        manners=Manners(take_back=True),
    )

    async def story() -> None:
        for table in (plain, other):
            for _ in range(5):
                seat = table.game.to_move
                assert seat is not None
                words = "bid 3" if "bid 3" in table.game.legal() else table.game.legal()[0]
                action = table.game.legal_actions()[words]
                await table.play(seat, action, len(table.actions), 0)
        with pytest.raises(OptionError, match="no move of yours"):
            await plain.take_back(0)
        for seat in (0, 1):
            assert other.state(seat)["take_back"]
            before = len(other.actions)
            await other.take_back(seat)
            assert len(other.actions) < before
            assert other.game.to_move == seat
            (record,) = read_records(other.path)
            assert len(record["moves"]) == len(other.actions)
        assert other.revision == 2
        with pytest.raises(Outdated):
            await other.play(1, 0, len(other.actions), 0)

    run(story)
    plain.close()
    other.close()


def test_a_disk_that_is_full_loses_no_move_that_was_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(DreamFactory(2, seed=1), tmp_path / "game.jsonl", PERSON, PERSON)
    seat = table.game.to_move
    assert seat is not None

    async def story() -> None:
        def full(*_: object) -> None:
            raise OptionError("No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(table, "save", full)
            with pytest.raises(OptionError, match="No space"):
                await table.play(seat, 1, 0, 0)
        assert (table.actions, table.game) == ([], table.start)
        await table.play(seat, 1, 0, 0)

    run(story)
    table.close()


# ---------------------------------------------------------------------------- over the wire


def events(client: httpx.Client, token: str, count: int, at: int = 0) -> list[dict[str, Any]]:
    """Returns the next events of a seat."""
    found = []
    headers = {TOKEN: token}
    with client.stream("GET", f"/api/table/stream?at={at}", headers=headers) as stream:
        for line in stream.iter_lines():
            if line.startswith("data: "):
                found.append(json.loads(line.removeprefix("data: ")))
            if len(found) == count:
                break
    return found


def shared_future(true: Game, other: Game, seat: int) -> list[int]:
    """Returns moves after each of which a seat still cannot tell two games apart."""
    actions: list[int] = []
    while not true.over and len(actions) < 12:
        both = {*true.legal_actions().values()} & {*other.legal_actions().values()}
        for action in sorted(both)[:8]:
            ends = [game.copy().play(action) for game in (true, other)]
            if ends[0].view(seat) == ends[1].view(seat):
                actions.append(action)
                true, other = ends
                break
        else:
            break
    return actions


@pytest.mark.parametrize("kind", ["dream factory, 5", "faux raccords, shorts", "fabrique"])
def test_nobody_receives_what_is_not_theirs(
    kind: str, tmp_path: Path, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The redraw test on the wire.

    From positions of a whole game on, the same moves are played by people at two tables that one
    seat cannot tell apart: all bytes that this seat gets are the same.
    """
    monkeypatch.setattr(Table, "save", lambda *_: None)  # a redrawn game has no deal to record
    timeline = Timeline.of(record_of(kind))
    tables, pairs, played = Tables(workers), [], 0
    for number, frame in enumerate(range(0, len(timeline) - 1, len(timeline) // 6)):
        game = timeline.at(frame)
        seat = number % game.players
        redrawn = game.resample_hidden(seat, 9 + number)
        people = [PERSON] * game.players
        paths = [tmp_path / f"{number}-{which}.jsonl" for which in "ab"]
        pair = [begun(game, paths[0], *people), begun(redrawn, paths[1], *people)]
        for table in pair:
            tables.add(table)
        pairs.append((seat, pair, shared_future(game, redrawn, seat)))
        assert game != redrawn
    with client_of(Site(None, tables, "x"), "x") as client:
        for seat, pair, actions in pairs:
            wire = []
            for table in pair:
                for at, action in enumerate(actions):
                    headers = {TOKEN: table.tokens[table.game.to_move or 0]}
                    body = {"action": action, "at": at, "revision": 0}
                    reply = client.post("/api/table/play", json=body, headers=headers)
                    assert reply.status_code == 200, reply.text
                headers = {TOKEN: table.tokens[seat]}
                whole = client.get("/api/table?everything=1", headers=headers).text
                wire.append(whole + json.dumps(events(client, table.tokens[seat], 1)))
                assert str(timeline.start.seed) not in wire[-1]
            assert wire[0] == wire[1]
            played += len(actions)
    assert played > 8


def test_so_many_games_are_open_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tables, "MOST", 1)
    tables = Tables()
    one, more = (begun(DreamFactory(2, seed=4), tmp_path / name, PERSON, PERSON) for name in "ab")
    tables.add(one)
    with pytest.raises(OptionError, match="1 games are in play already"):
        tables.add(more)
    tables.close()
    more.close()


def test_one_seat_keeps_nobody_else_from_listening(
    tmp_path: Path, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "MAX_PAGES", 2)
    table = begun(DreamFactory(2, seed=4), tmp_path / "a.jsonl", PERSON, PERSON)
    tables = Tables(workers)
    tables.add(table)
    heard = []  # a stream ends when nobody has its lines any more
    with client_of(Site(None, tables, "x"), "x") as client, ExitStack() as open_streams:

        def listened(seat: int) -> int:
            headers = {TOKEN: table.tokens[seat]}
            stream = client.stream("GET", "/api/table/stream", headers=headers)
            reply = open_streams.enter_context(stream)
            if reply.status_code == 200:
                heard.append(reply.iter_lines())
                next(heard[-1])  # it has begun
            return reply.status_code

        assert [listened(seat) for seat in (0, 0, 0, 1)] == [200, 200, 400, 200]


def test_a_stream_tells_what_is_new_and_begins_anew_after_a_move_was_taken_back(
    tmp_path: Path, workers: Workers
) -> None:
    manners = Manners(take_back=True, pace=0.0)
    table = begun(DreamFactory(2, seed=4), tmp_path / "a.jsonl", PERSON, PERSON, manners=manners)
    tables = Tables(workers)
    tables.add(table)
    with client_of(Site(None, tables, "x"), "x") as client:
        seat = table.game.to_move
        assert seat is not None
        mine = {TOKEN: table.tokens[seat]}
        first = client.get("/api/table", headers=mine).json()
        assert first["state"]["seat"] == seat
        body = {"action": 3, "at": 0, "revision": 0}
        assert client.post("/api/table/play", json=body, headers=mine).status_code == 200
        assert client.post("/api/table/play", json=body, headers=mine).status_code == 409
        (news,) = events(client, table.tokens[seat], 1)
        assert not news["again"]
        views = unfolded([first["frames"][0], *news["frames"]])
        assert views[-1] == table.game.view(seat)
        assert client.post("/api/table/back", json={}, headers=mine).status_code == 200
        (news,) = events(client, table.tokens[seat], 1, at=1)
        assert (news["again"], news["state"]["revision"]) == (True, 1)
        assert unfolded(news["frames"]) == [table.start.view(seat)]
        wrong: Any
        for wrong in ({}, {"action": "x"}, [], {"action": 1, "at": 0}):
            reply = client.post("/api/table/play", json=wrong, headers=mine)
            assert reply.status_code == 400
        assert client.post("/api/table/play", content=b"{", headers=mine).status_code == 400
        assert client.get("/api/table", headers={TOKEN: "wrong"}).status_code == 403
