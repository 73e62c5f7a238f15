from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request

from dreamfactory_env import DreamFactory
from dreamfactory_env.records.format import make_record
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.viewer.analysis_routes import MAX_BODY, routes
from dreamfactory_env.viewer.workers import Workers
from tests.viewer.judged_games import whole_record

LIVE = make_record(DreamFactory(2, seed=3), [2], ["person", "expert"])
TO_MOVE = DreamFactory(2, seed=3).play(2).to_move


class Site:
    """A site with one record and one game in play; who asks says who it is in a header."""

    hints = True

    def check(self, request: Request) -> Any:
        if request.headers.get("x-token") != "library":
            raise OptionError("open the link")
        return self

    def record(self, number: int) -> dict[str, Any]:
        if number != 1:
            raise OptionError(f"there are games 1 to 1, not {number}")
        return whole_record()

    def seat(self, request: Request) -> Any:
        token = request.headers.get("x-token", "")
        if not token.startswith("seat"):
            raise OptionError("this link is of no seat")
        manners = SimpleNamespace(hints=self.hints)
        return SimpleNamespace(manners=manners, record=lambda: LIVE), int(token[-1])


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(processes=1, waiting=2) as found:
        yield found


def ask(workers: Workers, body: Any, token: str = "library", **site: Any) -> tuple[int, Any]:
    place = Site()
    vars(place).update(site)
    app = Starlette(routes=routes(place, workers))

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            given = {"content": body} if isinstance(body, bytes) else {"json": body}
            headers = {"x-token": token}
            return await client.post("/api/analyse", headers=headers, timeout=120, **given)

    response = asyncio.run(send())
    return response.status_code, response.json()


def test_a_position_of_a_record_is_judged(workers: Workers) -> None:
    status, found = ask(workers, {"game": 1, "frame": 2, "judge": "mcts:20"})
    assert status == 200
    assert (found["judge"], found["frame"]) == ("mcts:20", 2)
    seat, _, words = whole_record()["moves"][2]
    assert (found["decision"]["seat"], found["decision"]["played"]) == (seat, words)
    assert str(whole_record()["seed"]) in found["start"]


def test_those_who_can_judge_are_named(workers: Workers) -> None:
    status, found = ask(workers, {"game": 1})
    assert status == 200
    assert found["judges"][0].startswith("mcts:")
    assert {"pretrained", "expert", "greedy"} <= {*found["judges"]}


def test_the_seat_to_move_of_a_game_in_play_gets_a_hint_without_what_is_hidden(
    workers: Workers,
) -> None:
    status, found = ask(workers, {"judge": "expert"}, f"seat {TO_MOVE}")
    assert status == 200
    assert found["decision"]["seat"] == TO_MOVE
    assert found["decision"]["played"] is None
    assert "start" not in found  # it would tell the seed
    for seat in (0, 1):  # who can judge may be asked at any time
        assert list(ask(workers, {}, f"seat {seat}")[1]) == ["judges"]


@pytest.mark.parametrize(
    ("body", "token", "site", "message"),
    [
        ({"judge": "expert"}, f"seat {1 - (TO_MOVE or 0)}", {}, "for the seat to move"),
        ({"judge": "expert"}, f"seat {TO_MOVE}", {"hints": False}, "without hints"),
        ({"judge": "expert", "frame": 0}, f"seat {TO_MOVE}", {}, "as it is now"),
        ({"judge": "expert"}, "library", {}, "of no seat"),
        ({"judge": "expert", "game": 1}, f"seat {TO_MOVE}", {}, "open the link"),
    ],
)
def test_others_get_none(
    workers: Workers, body: Any, token: str, site: dict[str, Any], message: str
) -> None:
    status, found = ask(workers, body, token, **site)
    assert (status, list(found)) == (403, ["error"])
    assert message in found["error"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "JSON object"),
        (b"[]", "JSON object"),
        (b"x" * (MAX_BODY + 1), "bytes at most"),
        ({"game": "1", "judge": "expert"}, "whole numbers"),
        ({"game": 1, "frame": 1.5, "judge": "expert"}, "whole numbers"),
        ({"game": 1, "frame": 10**6, "judge": "expert"}, "no position"),
        ({"game": 1, "frame": -1, "judge": "expert"}, "no position"),
        ({"game": 1, "judge": "expert"}, "over here"),
        ({"game": 2, "judge": "expert"}, "there are games 1 to 1"),
        ({"game": 1, "frame": 0, "judge": "os:system"}, "would run code"),
        ({"game": 1, "frame": 0, "judge": "x.safetensors"}, "not named"),
        ({"game": 1, "frame": 0, "judge": "mcts:100s"}, "at most"),
        ({"game": 1, "frame": 0, "judge": "mcts:9999999"}, "at most"),
        ({"game": 1, "frame": 0, "judge": ["mcts:1s"]}, "short text"),
    ],
)
def test_what_cannot_be_asked_is_told_in_words(workers: Workers, body: Any, message: str) -> None:
    status, found = ask(workers, body)
    if isinstance(body, bytes):
        assert status in (400, 403)
    else:
        assert status == 400
    assert message in found["error"]


def test_too_many_questions_at_once_are_refused_in_words(workers: Workers) -> None:
    app = Starlette(routes=routes(Site(), workers))

    async def send() -> list[int]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            question = {"game": 1, "frame": 2, "judge": "mcts:1s"}
            headers = {"x-token": "library"}
            asked = [
                client.post("/api/analyse", json=question, headers=headers, timeout=120)
                for _ in range(6)
            ]
            return [response.status_code for response in await asyncio.gather(*asked)]

    assert sorted(set(asyncio.run(send()))) == [200, 503]
