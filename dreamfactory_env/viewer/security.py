"""Who may ask the server for what: hosts, origins, tokens, sizes and rates; and what pages may do.

A page in a browser can send requests to any address, this server's among them. So requests must
name this server as their host, which defeats names that are made to point here, and must not come
from the page of another origin. What is worth protecting needs a token besides, which stands in the
link that the command prints.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

#: What the page of the server may load and do: what comes from the server, and nothing inline.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
#: The longest body and address of a request, in bytes; ours are far shorter.
MAX_BODY, MAX_ADDRESS = 64 << 10, 4 << 10
#: How many requests one client may send in a second for long, and at once.
RATE, BURST = 100.0, 400.0
#: Of so many clients the requests are counted; those that were quiet longest are forgotten.
MAX_CLIENTS = 1000
#: The header that carries the token of a link.
TOKEN = "x-token"
LOOPBACK = ("127.0.0.1", "::1", "localhost")

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def new_token() -> str:
    """Returns a token that nobody guesses."""
    return secrets.token_urlsafe(18)


def same_token(given: str | None, right: str) -> bool:
    """Tells whether a token is the right one, in a time that does not depend on it."""
    return given is not None and hmac.compare_digest(given.encode(), right.encode())


class Hosts:
    """The names by which the server may be asked.

    Args:
        host: The address that it listens at. With one that means all addresses, any address is
            right but of names only the machine's own, for others may point at any address.
    """

    def __init__(self, host: str) -> None:
        everywhere = host in ("", "0.0.0.0", "::")
        self._any_address = everywhere
        own = (socket.gethostname(), *LOOPBACK) if everywhere else (host,)
        self._names = {name.lower() for name in own}
        if host in LOOPBACK:
            self._names |= set(LOOPBACK)

    def allow(self, header: str) -> bool:
        """Tells whether a Host header, a name and perhaps a port, is right."""
        try:
            parts = urlsplit(f"//{header}")
            name = parts.hostname or ""
        except ValueError:
            return False
        if parts.netloc != header or "@" in header:  # more than a name and a port
            return False
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return self._any_address


class Guard:
    """Refuses what must not be, before the application sees it; adds the headers of pages.

    Args:
        app: The application.
        host: The address that the server listens at.
        known: Tells whether a token is a right one: such clients are counted apart.
    """

    def __init__(self, app: App, host: str, known: Callable[[str], bool]) -> None:
        self._app, self._hosts, self._known = app, Hosts(host), known
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no other kind is ours
            return
        status, problem = self._check(scope)

        async def send_with_headers(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = dict(message.get("headers", []))
                more = {key.encode(): value.encode() for key, value in HEADERS.items()}
                caching = {b"cache-control": b"no-store"} | headers
                message["headers"] = list((caching | more).items())
            await send(message)

        if problem:
            await _refuse(send_with_headers, status, problem)
            return
        await self._app(scope, self._limited(receive, send_with_headers), send_with_headers)

    def _check(self, scope: Scope) -> tuple[int, str]:
        """Returns why a request is refused, with a status of HTTP; nothing if it is not."""
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        host = headers.get("host", "")
        if not self._hosts.allow(host):
            return 421, "this server does not go by that name"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return 403, "requests of other pages are refused"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "only GET and POST"
        if len(scope["path"]) + len(scope["query_string"]) > MAX_ADDRESS:
            return 414, "the address is too long"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY:
            return 413, f"more than {MAX_BODY >> 10} KiB"
        token, address = headers.get(TOKEN, ""), str((scope.get("client") or ("",))[0])
        if not self._has_room(token if token and self._known(token) else address):
            return 429, "too many requests; wait a moment"
        return 200, ""

    def _has_room(self, client: str) -> bool:
        """Tells whether a client may ask once more; its room fills up again with time."""
        now = time.monotonic()
        room, since = self._clients.pop(client, (BURST, now))
        room = min(room + (now - since) * RATE, BURST)
        self._clients[client] = (room - 1 if room >= 1 else room, now)
        while len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)
        return room >= 1

    def _limited(self, receive: Receive, send: Send) -> Receive:
        """Returns a reader of the body that ends a request whose body is too long."""
        read = 0

        async def limited() -> dict[str, Any]:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            return {"type": "http.disconnect"} if read > MAX_BODY else message

        return limited


async def _refuse(send: Send, status: int, problem: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": problem.encode()})
