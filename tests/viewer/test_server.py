"""The server: what it answers, to whom, and what it refuses."""

from __future__ import annotations

import json
import re
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from dreamfactory_env.games import GAMES
from dreamfactory_env.records.files import RecordWriter
from dreamfactory_env.viewer import security
from dreamfactory_env.viewer.app import MAX_FRAMES, Site
from dreamfactory_env.viewer.bundling import STATIC
from dreamfactory_env.viewer.library import Library
from dreamfactory_env.viewer.security import MAX_ADDRESS, MAX_BODY, TOKEN, Hosts
from dreamfactory_env.viewer.serving import address_of, is_loopback, listening
from dreamfactory_env.viewer.tables import Tables
from tests.viewer.games import record_of
from tests.viewer.running import client_of
from tests.viewer.test_library import HOSTILE

SECRET = "the-right-token"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    path = tmp_path_factory.mktemp("server") / "games.jsonl"
    with RecordWriter(path) as writer:
        for kind in ("dream factory, 2", "fabrique"):
            writer.write(record_of(kind))
    with path.open("ab") as file:
        file.write(b"".join(HOSTILE))
    library = Library([path])
    library.wait()
    with client_of(Site(library, Tables(), SECRET), SECRET) as found:
        yield found


def test_games_are_listed_and_shown(client: httpx.Client) -> None:
    listed = client.get("/api/games?sort=moves&down=1").json()
    assert (listed["found"], listed["total"]) == (2 + len(HOSTILE), 2 + len(HOSTILE))
    assert listed["rows"][0]["number"] == 1
    shown = client.get("/api/games/1?first=0").json()
    record = record_of("dream factory, 2")
    assert shown["game"]["moves"] == len(record["moves"])
    assert len(shown["frames"]) == MAX_FRAMES
    last = client.get("/api/games/1?first=99999&count=1&viewer=1").json()
    assert (last["first"], last["viewer"]) == (len(record["moves"]), 1)
    assert last["frames"][0]["view"]["winners"] == record["result"]["winners"]
    assert last["game"]["seed"] is None


def test_a_seats_view_over_the_wire_has_nothing_that_is_hidden_from_it(
    client: httpx.Client,
) -> None:
    """The whole game as a seat gets it says neither seed nor set-up nor the others' dreams."""
    record = record_of("fabrique")
    text = client.get("/api/games/2?viewer=0&count=1").text
    assert str(record["seed"]) not in text
    game = client.get("/api/games/2?viewer=0").json()
    own = {words for seat, _, words in record["moves"] if seat == 0}
    dreams = [words for _, _, words in record["moves"] if words.startswith("dream")]
    dreams = [words for words in dreams if words not in own]
    assert len(dreams) > 2
    over = game["frames"][-1]
    told = json.dumps([[frame["move"], frame["lines"]] for frame in game["frames"]])
    for words in dreams:
        assert words not in told
    assert over["move"]["action"] is None or over["move"]["seat"] == 0


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("/api/games/99", "there are games 1 to"),
        ("/api/games/3", "line 3"),
        ("/api/games/1?viewer=7", "there are players 0 to 1, not 7"),
        ("/api/games/1?viewer=-1", "there are players 0 to 1, not -1"),
        ("/api/games/1?first=x", "a whole number is wanted, not 'x'"),
        ("/api/games?points_from=1e9", "a whole number is wanted"),
        ("/api/games?players=٣", "a whole number is wanted"),
        ("/api/games?sort=seed", "sort must be one of"),
    ],
)
def test_what_cannot_be_is_told_in_words(client: httpx.Client, address: str, problem: str) -> None:
    reply = client.get(address)
    assert reply.status_code == 400
    assert problem in reply.json()["error"]


def test_data_need_the_token_and_pages_do_not(client: httpx.Client) -> None:
    for token in ("", "wrong", SECRET.upper()):
        for address in ("/api/library", "/api/games", "/api/games/1", "/api/table", "/api/results"):
            reply = client.get(address, headers={TOKEN: token})
            assert reply.status_code == 403, address
            assert set(reply.json()) == {"error"}
    for address in ("/", "/static/main.js", "/static/style.css"):
        assert client.get(address, headers={TOKEN: ""}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "127.0.0.1:8620"}, 200),
        ({"host": "localhost:1"}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        ({"host": "192.168.0.1"}, 421),
        ({"host": "[::1"}, 421),
        ({"host": "evil.example@127.0.0.1"}, 421),
        ({"host": "127.0.0.1/evil.example"}, 421),
        ({"host": ""}, 421),
        ({"host": "localhost:8620", "origin": "http://localhost:8620"}, 200),
        ({"host": "localhost:8620", "origin": "http://localhost:8621"}, 403),
        ({"host": "localhost:8620", "origin": "https://localhost:8620"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
)
def test_other_hosts_and_origins_are_refused(
    client: httpx.Client, headers: dict[str, str], status: int
) -> None:
    for address in ("/", "/api/games"):
        assert client.get(address, headers=headers).status_code == status


def test_a_server_for_everybody_goes_by_addresses_and_its_own_name() -> None:
    hosts = Hosts("0.0.0.0")
    assert hosts.allow("192.168.0.7:8620")
    assert hosts.allow("[fe80::1]:8620")
    assert not hosts.allow("evil.example")
    assert Hosts("table.example").allow("Table.Example:80")
    assert not Hosts("table.example").allow("127.0.0.1")


def test_every_answer_carries_the_policy_of_the_page(client: httpx.Client) -> None:
    for address in ("/", "/static/main.js", "/api/games", "/nothing"):
        policy = client.get(address).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert client.get(address).headers["x-content-type-options"] == "nosniff"
    page = (STATIC / "index.html").read_text("utf-8")
    assert "<script>" not in page
    assert "style=" not in page
    assert "http" not in page


def test_the_page_is_one_script(client: httpx.Client) -> None:
    page = client.get("/").text
    assert re.findall(r'src="([^"]+)"', page) == ["/static/page.js"]
    reply = client.get("/static/page.js")
    assert reply.headers["content-type"].startswith("text/javascript")
    for path in STATIC.glob("*.js"):
        apart = path.name in ("exported.js", "svg.js")  # svg.js is for drawings
        assert (f'$modules["/static/{path.name}"] =' in reply.text) != apart


def test_a_drawing_is_one_script(client: httpx.Client) -> None:
    for name, game in GAMES.items():
        assert game.page is not None
        reply = client.get(f"/games/{name}/drawing.js")
        assert reply.headers["content-type"].startswith("text/javascript")
        assert "import " not in re.sub(r"//.*", "", reply.text)
        for path in game.page.glob("*.js"):
            assert f'$modules["/game/{path.name}"] =' in reply.text
    assert client.get("/games/none/drawing.js").status_code == 404


def test_what_is_packed_is_unpacked_to_the_same(client: httpx.Client) -> None:
    for address in ("/", "/static/page.js", "/static/style.css", "/api/games/1"):
        reply = client.get(address)
        plain = client.get(address, headers={"accept-encoding": "identity"})
        assert reply.content == plain.content
        assert "content-encoding" not in plain.headers


def test_only_files_of_the_page_are_served(client: httpx.Client) -> None:
    for address in (
        *("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/none.js"),
        *("/games/none/table.js", "/games/%2e%2e/%2e%2e"),
        *(f"/games/{name}/..%2fgame.py" for name in GAMES),
    ):
        assert client.get(address).status_code == 404, address
    for name, game in GAMES.items():
        if game.page is not None:
            reply = client.get(f"/games/{name}/table.js")
            assert reply.headers["content-type"].startswith("text/javascript")


def test_the_words_of_a_command_are_safe_to_type(tmp_path: Path) -> None:
    path = tmp_path / "a; rm -rf $HOME.jsonl"
    with RecordWriter(path) as writer:
        writer.write(record_of("fabrique"))
    with client_of(Site(Library([path]), Tables(), SECRET), SECRET) as client:
        found = client.get("/api/games/1/review").json()
    assert shlex.split(f"{found['file']} {found['review']}") == [
        path.name,
        "a; rm -rf $HOME-1-review.json",
    ]
    assert (found["analysis"], found["number"]) == (None, 1)


def test_long_requests_are_refused(client: httpx.Client) -> None:
    assert client.get(f"/api/games?agent={'a' * MAX_ADDRESS}").status_code == 414
    assert client.post("/api/table/play", content=b"1" * (MAX_BODY + 1)).status_code == 413
    assert client.request("DELETE", "/api/games").status_code == 405


def test_too_many_requests_are_refused_until_time_has_passed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(security, "BURST", 20.0)
    monkeypatch.setattr(security, "RATE", 0.0)
    with client_of(Site(None, Tables(), SECRET), SECRET) as client:
        statuses = [client.get("/static/dom.js").status_code for _ in range(25)]
        assert statuses == [200] * 20 + [429] * 5
        # Who has no right token is counted by the address, and hinders nobody who has one.
        assert client.get("/static/dom.js", headers={TOKEN: "x"}).status_code == 200
        monkeypatch.setattr(security, "RATE", 1e6)
        assert client.get("/static/dom.js").status_code == 200


def test_ports_and_addresses() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("example.org")
    with listening("127.0.0.1", 0) as found:
        port = found.getsockname()[1]
        assert address_of("0.0.0.0", found) == f"http://127.0.0.1:{port}/"


def test_answers_in_pieces_are_sent_at_once() -> None:
    with listening("127.0.0.1", 0) as found:  # asyncio asks for this before it sets TCP_NODELAY
        assert found.proto == socket.IPPROTO_TCP


def test_no_text_of_a_record_is_markup_in_an_answer(client: httpx.Client) -> None:
    answer: dict[str, Any] = client.get("/api/games").json()
    assert all(len(json.dumps(row)) < 2000 for row in answer["rows"])
    assert client.get("/api/games").headers["content-type"] == "application/json"
