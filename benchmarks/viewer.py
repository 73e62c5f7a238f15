"""How fast the page is: ``python -m benchmarks.viewer``.

Everything is measured on loopback in a real Chromium: the first paint of a game, a move from the
policy's answer to the screen, many games in play at once, the list of many games, and how much a
page loads. ``--only first_paint`` measures one of them. The load that the machine had at the start
is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
from playwright.sync_api import Browser, Page, Response

from dreamfactory_env import DreamFactory
from dreamfactory_env.records.files import RecordWriter
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.viewer.app import Site
from dreamfactory_env.viewer.difference import changed
from dreamfactory_env.viewer.library import Library, Question
from dreamfactory_env.viewer.people import PERSON
from dreamfactory_env.viewer.security import TOKEN
from dreamfactory_env.viewer.tables import Manners, Table, Tables
from dreamfactory_env.viewer.workers import Workers
from tests.viewer.browser import Server, browser, quiet_page
from tests.viewer.running import running

#: How often each page is opened, and how many games are listed and in play at once.
TIMES, LISTED, IN_PLAY = 15, 10_000, 50
#: So many moves of each game in play are played.
MOVES = 40

#: When the table of a game is in the page, for the browser may paint something else before it.
TABLE = """new MutationObserver((_, watcher) => {
  if (!document.querySelector(".table svg")) return;
  performance.mark("table");
  watcher.disconnect();
}).observe(document, { childList: true, subtree: true });"""
IS_PAINTED = """performance.getEntriesByName("first-contentful-paint")[0]"""
PAINTED = f"() => {IS_PAINTED}.startTime"
DRAWN = """() => performance.getEntriesByName("table")[0].startTime"""


def replies_of(page: Page) -> list[Response]:
    """Returns a list to which all answers that a page gets are added."""
    replies: list[Response] = []
    page.on("response", lambda reply: replies.append(reply))
    return replies


def first_paint(chromium: Browser, folder: Path) -> None:
    """Measures a game that is opened by its link, in a browser that has never seen the page.

    Beside it, in turn, the least that the browser needs for any page: plain text of the same
    server. The server is a process of its own, as the command is. A browser works on a tab for
    half a second after it was made, on both cores: what that adds is told, too.
    """
    with RecordWriter(folder / "game.jsonl") as writer:
        writer.write(next(iter(simulate(DreamFactory(4), ["expert"], 1, 1))))
    sizes: list[int] = []
    with Server("view", "game.jsonl", "--port", "0", cwd=folder) as server:
        link = f"{server.links[0]}&game=1&move=100"
        text = urljoin(link, "/games/dream_factory/rules.txt")
        for tab, settles in (("a tab that is there", 800), ("a tab that was just made", 0)):
            pairs = [
                (_game_painted(chromium, link, settles, sizes), _painted(chromium, text, settles))
                for _ in range(TIMES)
            ]
            games, texts = (list(times) for times in zip(*pairs, strict=True))
            told(f"first paint of a game in {tab}: {spread(games)} ms")
            ratio = statistics.median(games) / statistics.median(texts)
            told(f"first paint of plain text there: {spread(texts)} ms")
            told(f"a game takes {ratio:.1f} times that")
    told(f"page with one whole game: {statistics.median(sizes) / 1000:.0f} kB are sent")
    files = [*Path(__file__).parents[1].glob("dreamfactory_env/viewer/static/*")]
    page_size = sum(file.stat().st_size for file in files)
    drawing = DreamFactory.page
    assert drawing is not None
    page_size += sum(file.stat().st_size for file in drawing.iterdir())
    told(f"all files of the page and one drawing: {page_size / 1000:.0f} kB before they are packed")


def _game_painted(chromium: Browser, link: str, settles: int, sizes: list[int]) -> float:
    """Returns when a game was painted, in milliseconds; adds the size of all that was sent."""
    with _opened(chromium, link, settles) as (page, replies):
        drawn, painted = page.evaluate(DRAWN), page.evaluate(PAINTED)
        assert drawn < painted, "something was painted before the table"
        sizes.append(sum(reply.request.sizes()["responseBodySize"] for reply in replies))
    return float(painted)


def _painted(chromium: Browser, link: str, settles: int) -> float:
    """Returns when any page was painted, in milliseconds."""
    with _opened(chromium, link, settles) as (page, _):
        return float(page.evaluate(PAINTED))


@contextlib.contextmanager
def _opened(chromium: Browser, link: str, settles: int) -> Iterator[tuple[Page, list[Response]]]:
    """Opens a page in a browser that has never seen it; gives it painted, with all its answers."""
    page = quiet_page(chromium)
    page.add_init_script(TABLE)
    page.wait_for_timeout(settles)
    replies = replies_of(page)
    page.goto(link)
    page.wait_for_timeout(2000)  # to look for what is painted would delay it
    page.wait_for_function(f"() => {IS_PAINTED}")  # on a machine that is very busy
    yield page, replies
    page.context.close()


def move_shown(chromium: Browser, folder: Path) -> None:
    """Measures how long after its answer a policy's move is on the screen."""
    with Workers(1) as workers:
        table = Table.begin(
            DreamFactory(2, seed=1), [PERSON, PERSON], folder / "move.jsonl", Manners(pace=0.0)
        )
        tables = Tables(workers)
        tables.add(table)
        waits = []
        with running(Site(None, tables, "x")) as address, httpx.Client() as client:
            page = quiet_page(chromium)
            page.goto(f"{address}/#seat={table.tokens[0]}")
            page.wait_for_selector(".table svg")
            for frame in range(40):
                seat = table.game.to_move or 0
                action = list(table.game.legal_actions().values())[-1 if frame % 3 else 0]
                body = {"action": action, "at": frame, "revision": 0}
                headers = {TOKEN: table.tokens[seat]}
                # The answer of a policy comes to the table in the same way as that of a person.
                begin = time.perf_counter()
                client.post(f"{address}/api/table/play", json=body, headers=headers)
                page.wait_for_selector(f".table[data-at='{frame + 1}']")
                waits.append(1000 * (time.perf_counter() - begin))
    told(f"a move shown after {spread(waits)} ms, the request that plays it included")


async def play_over_the_wire(
    client: httpx.AsyncClient, address: str, token: str
) -> tuple[int, list[str]]:
    """Plays a game over the wire as a page does: it goes by what it is told, and by nothing else.

    Returns:
        How many requests were sent, and what was answered to those that failed.
    """
    headers, played = {TOKEN: token}, -1
    replies = [await client.get(f"{address}/api/table", headers=headers)]
    if not replies[0].is_success:
        return 1, _failures(replies)
    # The stream tells everything after the first frame, also what has happened meanwhile.
    view = replies[0].json()["frames"][0]["view"]
    async with client.stream("GET", f"{address}/api/table/stream", headers=headers) as stream:
        replies.append(stream)
        if not stream.is_success:
            await stream.aread()
            return 2, _failures(replies)
        async for line in stream.aiter_lines():
            if not line.startswith("data: "):
                continue
            news = json.loads(line.removeprefix("data: "))
            for frame in news["frames"]:
                view = changed(view, frame["set"])
            at, state = news["state"]["frames"] - 1, news["state"]
            if at >= MOVES or state["over"]:
                break
            if view["legal"] and at > played:  # who comes and goes is news, too
                action, played = next(iter(view["legal"].values())), at
                body = {"action": action, "at": at, "revision": state["revision"]}
                path = f"{address}/api/table/play"
                replies.append(await client.post(path, json=body, headers=headers))
    return len(replies), _failures(replies)


def _failures(replies: list[httpx.Response]) -> list[str]:
    """Returns what was answered to requests that failed."""
    return [
        f"{reply.status_code} {reply.request.method} {reply.url.path}: {reply.text[:200]}"
        for reply in replies
        if not reply.is_success
    ]


def many_games(folder: Path) -> None:
    """Plays many games at once at one server, each with a page that listens."""
    with Workers(1, waiting=200) as workers:
        tables = Tables(workers)
        started = [
            Table.begin(
                *(DreamFactory(2, seed=seed), [PERSON, "greedy"]),
                *(folder / f"many-{seed}.jsonl", Manners(pace=0.0)),
            )
            for seed in range(IN_PLAY)
        ]
        for table in started:
            tables.add(table)

        async def play(address: str) -> list[tuple[int, list[str]]]:
            limits = httpx.Limits(max_connections=None)
            async with httpx.AsyncClient(timeout=300, limits=limits) as client:
                games = (play_over_the_wire(client, address, each.tokens[0]) for each in started)
                return await asyncio.gather(*games)

        with running(Site(None, tables, "x")) as address:
            begin = time.perf_counter()
            found = asyncio.run(play(address))
            seconds = time.perf_counter() - begin
    sent, failed = sum(each for each, _ in found), [words for _, each in found for words in each]
    told(f"{IN_PLAY} games in play at once: {sent} requests, {len(failed)} failed, {seconds:.1f} s")
    for words, times in Counter(failed).items():
        told(f"  {times} times {words}")


def list_of_games(folder: Path) -> None:
    """Indexes many games, and asks for a page of them."""
    path = folder / "many.jsonl"
    record = next(iter(simulate(DreamFactory(4), ["greedy"], 1, 1)))
    with RecordWriter(path) as writer:
        for _ in range(LISTED):
            writer.write(record)
    begin, work = time.perf_counter(), time.process_time()
    library = Library([path])
    library.wait()
    indexed, worked = time.perf_counter() - begin, time.process_time() - work
    found: list[Any] = library.ask(Question(agent="greedy", sort="points", down=True))
    asked = time.perf_counter() - begin - indexed
    assert len(found) == LISTED
    size = path.stat().st_size / 1e6
    told(
        f"{LISTED:,} games, {size:.0f} MB: indexed in {indexed:.2f} s ({worked:.2f} s of a core), "
        f"sorted in {asked:.3f} s"
    )


def spread(times: list[float]) -> str:
    return f"median {statistics.median(times):.0f}, most {max(times):.0f}"


def told(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    figures = ["list_of_games", "many_games", "first_paint", "move_shown"]
    parser.add_argument("--only", choices=figures, help="one figure alone")
    only = parser.parse_args().only
    wanted = [only] if only else figures
    told(f"load at the start: {os.getloadavg()[0]:.2f}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "list_of_games" in wanted:
            list_of_games(folder)
        if "many_games" in wanted:
            many_games(folder)
        with browser() as chromium:  # which needs the loop of events that many games have
            if "first_paint" in wanted:
                first_paint(chromium, folder)
            if "move_shown" in wanted:
                move_shown(chromium, folder)


if __name__ == "__main__":
    main()
