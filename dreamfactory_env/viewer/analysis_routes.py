"""The routes of the server that judge positions: ``POST /api/analyse``.

A page sends a JSON object with ``judge``, and for a record of the library ``game`` and ``frame``,
how many moves were played before the position. Without ``judge`` it gets the names of those who can
judge. A page without ``game`` is that of a seat of a game in play: only the seat to move gets an
answer, about the position as it is, and only if hints were allowed when the game was begun.
"""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from dreamfactory_env.policies.naming import SEARCH
from dreamfactory_env.policies.search import parse_search
from dreamfactory_env.records.format import start_of
from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.utils.json_text import read_json
from dreamfactory_env.utils.validation import shown
from dreamfactory_env.viewer.position_code import start_code
from dreamfactory_env.viewer.questions import Question, check_name, position_of
from dreamfactory_env.viewer.workers import Busy, TookTooLong, Workers

#: A question of a page is short.
MAX_BODY = 4096
#: The longest that anybody may think for a page.
MAX_SECONDS, MAX_ITERATIONS = 10.0, 20_000
#: An answer takes so long at most, the comparison of moves and the other policies included.
TIMEOUT = 60.0
#: The searches that a page offers.
SEARCHES = ("mcts:200", "mcts:1s")


class Library(Protocol):
    """Where the records are that a page shows."""

    def record(self, number: int) -> dict[str, Any]:
        """Returns a record; raises GameError if there is none."""


class Manners(Protocol):
    """How a game is played: whether hints were allowed when it was begun."""

    @property
    def hints(self) -> bool:
        """Whether people may ask a judge."""


class Table(Protocol):
    """A game in play."""

    @property
    def manners(self) -> Manners:
        """How it is played."""

    def record(self) -> dict[str, Any]:
        """Returns the game so far."""


class Site(Protocol):
    """What a server shows, and to whom."""

    def check(self, request: Request) -> Library:
        """Returns the library, for a request that may see it; else raises GameError."""

    def seat(self, request: Request) -> tuple[Table, int]:
        """Returns the table and the seat of a request; raises GameError if it has none."""


class Refused(GameError):
    """A question that this page may not ask."""


def routes(site: Site, workers: Workers) -> list[Route]:
    """Returns the routes.

    Args:
        site: The records and the games in play, and who may see them.
        workers: Who thinks.
    """

    async def analyse(request: Request) -> JSONResponse:
        try:
            data = await _body(request)
            find = _of_library if "game" in data else _in_play
            record, frame = await run_in_threadpool(find, site, request, data)
            answer: dict[str, Any] = {"judges": judges_of(record)}
            if data.get("judge") is not None:
                question: Question = {"ask": "judge", "record": record, "frame": frame}
                question["judge"] = check_judge(data["judge"])
                answer = await asyncio.wrap_future(workers.submit(question, TIMEOUT))
        except GameError as error:
            return JSONResponse({"error": str(error)[:2000]}, _status(error))
        if "game" in data:
            # Of a game in play it would tell the seed, and with it all that is hidden.
            answer["start"] = start_code(record)
        return JSONResponse(answer)

    return [Route("/api/analyse", analyse, methods=["POST"])]


def check_judge(name: object) -> str:
    """Returns the name of a judge that a page may ask.

    Raises:
        OptionError: It names a file or code, or would think for too long.
    """
    text = check_name(name)
    kind, _, rest = text.partition(":")
    if kind == SEARCH:
        budget, _ = parse_search(rest)
        if (budget.seconds or 0) > MAX_SECONDS or (budget.iterations or 0) > MAX_ITERATIONS:
            most = f"{MAX_SECONDS:g} seconds or {MAX_ITERATIONS:,} iterations"
            raise OptionError(f"a page may ask for {most} at most, not {text}")
    return text


def judges_of(record: dict[str, Any]) -> list[str]:
    """Returns the names that a page offers as judges of the game of a record, searches first.

    Raises:
        GameError: It is the record of no game.
    """
    game_cls = type(start_of(record))
    return [*SEARCHES, *game_cls.agents, *reversed(game_cls.spec.ladder[1:])]


async def _body(request: Request) -> dict[str, Any]:
    """Returns the JSON object that a request carries.

    Raises:
        OptionError: It is none, or too long.
    """
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BODY:
            raise OptionError(f"a question has {MAX_BODY} bytes at most")
    try:
        data = read_json(bytes(body))
    except ValueError as error:
        raise OptionError(f"a question is a JSON object: {error}") from error
    if not isinstance(data, dict):
        raise OptionError(f"a question is a JSON object, not {shown(data)}")
    return data


def _of_library(
    site: Site, request: Request, data: dict[str, Any]
) -> tuple[dict[str, Any], int | None]:
    """Returns the record and the position that a request asks for.

    Raises:
        GameError: There is none, or whoever asks may not see it.
    """
    try:
        library = site.check(request)
    except GameError as error:
        raise Refused(str(error)) from error
    number, frame = data.get("game"), data.get("frame")
    if type(number) is not int or (frame is not None and type(frame) is not int):
        raise OptionError("game and frame must be whole numbers")
    return library.record(number), frame


def _in_play(
    site: Site, request: Request, data: dict[str, Any]
) -> tuple[dict[str, Any], int | None]:
    """Returns the game in play of a request, and the position as it is.

    Raises:
        Refused: There is none, or whoever asks may not have a hint.
    """
    try:
        table, seat = site.seat(request)
    except GameError as error:
        raise Refused(str(error)) from error
    if not table.manners.hints:
        raise Refused("this game was begun without hints")
    record = table.record()
    if data.get("judge") is None:  # who can judge may be asked at any time
        return record, None
    if data.get("frame") not in (None, len(record["moves"])):
        raise Refused("a hint is for the position as it is now")
    if position_of(record, None).to_move != seat:
        raise Refused("a hint is for the seat to move")
    return record, len(record["moves"])


def _status(error: GameError) -> int:
    """Returns the HTTP status of an error."""
    if isinstance(error, Refused):
        return 403
    if isinstance(error, Busy):
        return 503
    return 504 if isinstance(error, TookTooLong) else 400
