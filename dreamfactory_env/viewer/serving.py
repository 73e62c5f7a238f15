"""The server as a whole: a free port, the link that lets one in, and an end by Ctrl-C."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import uvicorn

from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.viewer.analysis_routes import routes
from dreamfactory_env.viewer.app import Site, make_app
from dreamfactory_env.viewer.library import Library
from dreamfactory_env.viewer.results import Results, results_of
from dreamfactory_env.viewer.reviews import Reviews, is_review
from dreamfactory_env.viewer.workers import Workers

#: The port if none is given; one of the next if it is taken.
PORT, NEXT_PORTS = 8620, 20
#: Who is still connected when the server ends is waited for so long, in seconds.
GOODBYE = 1


def is_loopback(host: str) -> bool:
    """Tells whether only this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listening(host: str, port: int | None) -> socket.socket:
    """Returns a socket that listens.

    Args:
        host: The address.
        port: The port; 0 is any that is free, None the usual one or one of the next.

    Raises:
        OptionError: It cannot.
    """
    wanted = range(PORT, PORT + NEXT_PORTS) if port is None else [port]
    reason: object = ""
    for each in wanted:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # Only of sockets that say TCP asyncio sends every piece at once; else an answer in two
        # pieces waits 40 ms for the other side to have got the first.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((host, each))
            found.listen(2048)
        except (OSError, OverflowError) as error:
            found.close()
            reason = getattr(error, "strerror", None) or error
        else:
            return found
    raise OptionError(f"no server at {host}, port {port or PORT}: {reason}")


def address_of(host: str, found: socket.socket) -> str:
    """Returns the address of a server, as a browser on this machine takes it."""
    name = "127.0.0.1" if host in ("", "0.0.0.0") else "::1" if host == "::" else host
    port = found.getsockname()[1]
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def shown_of(paths: Sequence[Path]) -> tuple[Library, list[Results], Reviews]:
    """Returns the records, the results and the reviews that some paths lead to.

    Args:
        paths: Files of records; the folder of a tournament or a JSON file of results, of which the
            records that were kept count, too; JSON files of reviews.

    Raises:
        GameError: One cannot be read, or reviews are there without records.
    """
    data = [path for path in paths if path.is_dir() or path.suffix == ".json"]
    reviews = [path for path in data if path.is_file() and is_review(path)]
    results = [results_of(path) for path in data if path not in reviews]
    records = [path for path in paths if path not in data]
    records += [Path(file) for each in results for file in each["files"]]
    if reviews and not records:
        raise OptionError(f"{reviews[0]} is a review; name the file of its game, too")
    return Library(records), results, Reviews(reviews)


@contextlib.contextmanager
def thinking(site: Site, trusted: Sequence[str], processes: int) -> Iterator[None]:
    """Gives a site processes that think for it.

    Args:
        site: What is shown; its tables are played from now on.
        trusted: Names of policies that the user of the command has given.
        processes: How many processes think.
    """
    with Workers(processes, trusted=trusted) as workers:
        site.more = routes(site, workers)
        site.tables.workers = workers
        yield


class PageServer(uvicorn.Server):
    """The server of a site.

    Args:
        site: What is shown.
        host: The address.
        ready: Called when the first request would be answered.
    """

    def __init__(self, site: Site, host: str, ready: Callable[[], None]) -> None:
        settings: dict[str, Any] = {"log_level": "error", "access_log": False, "lifespan": "on"}
        # A page that was quiet for a while need not connect anew.
        settings |= {"server_header": False, "timeout_keep_alive": 75}
        app = make_app(site, host)
        super().__init__(uvicorn.Config(app, timeout_graceful_shutdown=GOODBYE, **settings))
        self._site, self._ready = site, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends; pages that listen are told first, for they would listen for ever."""
        self._site.end()
        await super().shutdown(sockets)


def serve(site: Site, host: str, found: socket.socket, ready: Callable[[], None]) -> None:
    """Serves until Ctrl-C.

    Args:
        site: What is shown.
        host: The address.
        found: A socket that listens there.
        ready: Called when the first request would be answered.
    """
    with contextlib.suppress(KeyboardInterrupt):
        PageServer(site, host, ready).run(sockets=[found])


def open_browser(link: str) -> None:
    """Opens a link in the user's browser, if there is one."""
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(link)
