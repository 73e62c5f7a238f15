"""The server of the page: what it answers to which address.

Pages and scripts are for everybody who can reach the server. All data need a token: that of the
library for records, that of a seat for a game in play. The token travels in a header, so that no
address, log or other page knows it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from shlex import quote
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from dreamfactory_env.games import GAMES
from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.utils.json_text import read_json
from dreamfactory_env.viewer.library import Library, Question
from dreamfactory_env.viewer.page_files import FILES
from dreamfactory_env.viewer.reviews import Reviews
from dreamfactory_env.viewer.security import TOKEN, App, Guard, same_token
from dreamfactory_env.viewer.tables import Outdated, Table, Tables
from dreamfactory_env.viewer.timeline import Timeline

#: A request gets so many frames or rows at most.
MAX_FRAMES, MAX_ROWS = 64, 200
#: So many games stay verified and ready.
KEPT_GAMES = 16
#: So many pages may listen to games in play at once, and so many of them from one seat, so that
#: nobody who has one link keeps others out.
MAX_STREAMS, MAX_PAGES = 500, 10
#: What listens hears something after so many seconds at the latest, so that it knows we are there.
HEARTBEAT = 15.0


@dataclass
class Site:
    """What a server shows.

    Attributes:
        library: The records to watch.
        tables: The games in play.
        token: That of the library.
        results: Those of tournaments and benchmarks, see ``viewer.results``.
        reviews: Those of games of the library that were written before.
        more: Further routes.
    """

    library: Library | None
    tables: Tables
    token: str
    results: list[dict[str, Any]] = field(default_factory=list)
    reviews: Reviews = field(default_factory=Reviews)
    more: list[Route] = field(default_factory=list)
    streams: int = 0
    ending: bool = False

    def __post_init__(self) -> None:
        self.timeline = lru_cache(KEPT_GAMES)(self._timeline)

    def _timeline(self, number: int) -> Timeline:
        if self.library is None:
            raise OptionError("no records are shown here")
        return self.library.timeline(number)

    def record(self, number: int) -> dict[str, Any]:
        """Returns a record of the library.

        Raises:
            GameError: There is none.
        """
        if self.library is None:
            raise OptionError("no records are shown here")
        return self.library.record(number)

    def prepare(self) -> None:
        """Opens the first game: what that loads and compiles, nobody waits for later."""
        with suppress(GameError):
            self.timeline(1).frames(count=1)

    def end(self) -> None:
        """Lets all who listen go."""
        self.ending = True
        self.tables.tell()

    def knows(self, token: str) -> bool:
        """Tells whether a token is one of this site's."""
        return same_token(token, self.token) or self.tables.knows(token)

    def check(self, request: Request) -> Library:
        """Returns the library, for a request that may see it.

        Raises:
            Unknown: It may not.
        """
        if self.library is None or not same_token(request.headers.get(TOKEN), self.token):
            raise Unknown("open the link that the command has printed: it carries the token")
        return self.library

    def seat(self, request: Request) -> tuple[Table, int]:
        """Returns the table and the seat of a request.

        Raises:
            Unknown: It has none.
        """
        try:
            return self.tables.seat(request.headers.get(TOKEN, ""))
        except OptionError as error:
            raise Unknown(str(error)) from error


class Unknown(GameError):
    """A request without the right token."""


def make_app(site: Site, host: str) -> App:
    """Returns the application, guarded.

    Args:
        site: What it shows.
        host: The address that the server listens at.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        site.tables.start()
        preparing = asyncio.create_task(run_in_threadpool(site.prepare))
        yield
        preparing.cancel()
        site.tables.close()

    def api(path: str, answer: Callable[[Site, Request], Any], method: str = "GET") -> Route:
        return Route(path, _told(site, answer), methods=[method])

    routes = [
        *FILES,
        api("/api/library", _library),
        api("/api/results", _results),
        api("/api/games", _games),
        api("/api/games/{number:int}", _frames_of_game),
        api("/api/games/{number:int}/review", _review_of_game),
        api("/api/table", _table),
        api("/api/table/play", _play, "POST"),
        api("/api/table/back", _take_back, "POST"),
        api("/api/table/retry", _retry, "POST"),
        api("/api/table/stream", _stream),
        *site.more,
    ]
    # A page and a game are sent as a quarter, which takes a millisecond; streams as they are.
    packed = Middleware(GZipMiddleware, minimum_size=1000, compresslevel=1)
    app = Starlette(routes=routes, lifespan=lifespan, middleware=[packed])
    return Guard(app, host, site.knows)  # type: ignore[arg-type]


def _told(site: Site, answer: Callable[[Site, Request], Any]) -> Callable[[Request], Any]:
    """Returns an endpoint that answers with JSON, errors in words."""

    @wraps(answer)
    async def endpoint(request: Request) -> Response:
        try:
            if asyncio.iscoroutinefunction(answer):
                found = await answer(site, request)
            else:  # what reads files and plays games does so beside the event loop
                found = await run_in_threadpool(answer, site, request)
        except ClientDisconnect:  # nobody is there to hear the answer
            return Response(status_code=400)
        except GameError as error:
            kinds = {Unknown: 403, Outdated: 409}
            return _json({"error": str(error)[:2000]}, kinds.get(type(error), 400))
        return found if isinstance(found, Response) else _json(found)

    return endpoint


def _json(data: Any, status: int = 200) -> Response:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode(errors="replace"), status, media_type="application/json")


# ---------------------------------------------------------------------------- records


def _library(site: Site, request: Request) -> dict[str, Any]:
    library = site.check(request)
    return {
        "files": [path.name for path in library.paths],
        "games": {name: game.spec.title for name, game in GAMES.items()},
        "total": len(library.entries),
        "indexing": library.indexing,
        "problem": library.problem,
        "results": len(site.results),
    }


def _results(site: Site, request: Request) -> list[dict[str, Any]]:
    site.check(request)
    # A page need not know where files are.
    return [{**each, "files": len(each["files"])} for each in site.results]


def _games(site: Site, request: Request) -> dict[str, Any]:
    library = site.check(request)
    asked = request.query_params
    question = Question(
        game=asked.get("game", ""),
        players=_number(asked.get("players")),
        agent=asked.get("agent", ""),
        winner=asked.get("winner", ""),
        points=(_number(asked.get("points_from")), _number(asked.get("points_to"))),
        moves=(_number(asked.get("moves_from")), _number(asked.get("moves_to"))),
        sort=asked.get("sort", "number"),
        down=asked.get("down") == "1",
    )
    found = library.ask(question)
    first = max(_number(asked.get("first")) or 0, 0)
    rows = [entry.row() for entry in found[first : first + MAX_ROWS]]
    return {
        "rows": rows,
        "first": first,
        "found": len(found),
        "total": len(library.entries),
        "indexing": library.indexing,
    }


def _frames_of_game(site: Site, request: Request) -> dict[str, Any]:
    site.check(request)
    timeline = site.timeline(request.path_params["number"])
    return _frames(timeline, request, _number(request.query_params.get("viewer")))


def _review_of_game(site: Site, request: Request) -> dict[str, Any]:
    library, number = site.check(request), request.path_params["number"]
    analysis = site.reviews.of(site.record(number))
    file, there = library.where(number)
    name = file.name.removesuffix(".zst").removesuffix(".jsonl")
    # These are shown as words of a command, and files may be called anything.
    words = {"file": quote(file.name), "review": quote(f"{name}-{there}-review.json")}
    return {"analysis": analysis, "number": there, **words}


def _frames(timeline: Timeline, request: Request, viewer: int | None) -> dict[str, Any]:
    """Returns the frames that a request asks for; the last one for those behind the end."""
    asked = request.query_params
    first = min(max(_number(asked.get("first")) or 0, 0), len(timeline) - 1)
    count = min(max(_number(asked.get("count")) or MAX_FRAMES, 1), MAX_FRAMES)
    frames = timeline.frames(viewer, first, count)
    return {"game": timeline.header(viewer), "viewer": viewer, "first": first, "frames": frames}


def _number(text: str | None) -> int | None:
    """Returns a whole number that an address names.

    Raises:
        OptionError: It is none.
    """
    if not text:
        return None
    if len(text) > 12 or not text.removeprefix("-").isdecimal() or not text.isascii():
        raise OptionError(f"a whole number is wanted, not {text[:20]!r}")
    return int(text)


# ---------------------------------------------------------------------------- games in play


async def _table(site: Site, request: Request) -> dict[str, Any]:
    table, seat = site.seat(request)
    # Both are of one moment: the game goes on while its frames are made.
    state, timeline = table.state(seat), table.timeline()
    # Who has played the whole game may see all of it.
    viewer = None if request.query_params.get("everything") == "1" and table.over else seat
    return {**await run_in_threadpool(_frames, timeline, request, viewer), "state": state}


async def _body(request: Request) -> dict[str, int]:
    """Returns the whole numbers that a request carries.

    Raises:
        OptionError: It carries something else.
    """
    try:
        data = read_json(await request.body())
    except ValueError as error:
        raise OptionError(f"the request is no JSON: {error}") from error
    if not isinstance(data, dict) or any(type(value) is not int for value in data.values()):
        raise OptionError("the request must be an object of whole numbers")
    return data


async def _play(site: Site, request: Request) -> dict[str, Any]:
    table, seat = site.seat(request)
    given = await _body(request)
    if not given.keys() >= {"action", "at", "revision"}:
        raise OptionError("a move has action, at and revision")
    await table.play(seat, given["action"], given["at"], given["revision"])
    return {"played": True}


async def _take_back(site: Site, request: Request) -> dict[str, Any]:
    table, seat = site.seat(request)
    await table.take_back(seat)
    return {"taken": True}


async def _retry(site: Site, request: Request) -> dict[str, Any]:
    table, _ = site.seat(request)
    table.problem = ""
    table.tell()
    return {"asked": True}


async def _stream(site: Site, request: Request) -> Response:
    table, seat = site.seat(request)
    asked = request.query_params
    at, revision = _number(asked.get("at")) or 0, _number(asked.get("revision")) or 0
    if site.streams >= MAX_STREAMS or table.present[seat] >= MAX_PAGES:
        raise OptionError("too many pages listen; close one")
    events = _events(site, table, seat, (at, revision))
    return StreamingResponse(events, media_type="text/event-stream")


async def _events(
    site: Site, table: Table, seat: int, seen: tuple[int, int]
) -> AsyncIterator[bytes]:
    """Gives a seat what is new since it has looked, as server-sent events.

    Args:
        site: Where the table is.
        table: The table.
        seat: The seat.
        seen: The last frame that it has, and its revision.
    """
    site.streams += 1
    table.present[seat] += 1
    table.tell()
    try:
        at, revision = seen
        while not site.ending:
            happens = table.news
            news = await _news(table, seat, at, revision)
            at, revision = news["state"]["frames"] - 1, news["state"]["revision"]
            text = json.dumps(news, ensure_ascii=False, separators=(",", ":"))
            yield f"data: {text}\n\n".encode(errors="replace")
            with suppress(TimeoutError):
                await asyncio.wait_for(happens.wait(), HEARTBEAT)
    finally:
        site.streams -= 1
        table.present[seat] -= 1
        table.tell()


async def _news(table: Table, seat: int, at: int, revision: int) -> dict[str, Any]:
    """Returns what a seat has not seen yet.

    Args:
        table: The table.
        seat: The seat.
        at: The last frame that it has.
        revision: The revision of that.

    Returns:
        The ``state``, and the ``frames`` after the last; ``again`` if it must begin anew, because
        moves were taken back.
    """
    state, timeline = table.state(seat), table.timeline()
    again = revision != state["revision"] or not 0 <= at < len(timeline)
    frames: list[dict[str, Any]] = []
    if again:
        frames = await run_in_threadpool(timeline.frames, seat)
    elif at + 1 < len(timeline):
        frames = (await run_in_threadpool(timeline.frames, seat, at))[1:]
    return {"state": state, "again": again, "frames": frames}
