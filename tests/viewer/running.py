"""A real server in a thread of the tests."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import httpx

from dreamfactory_env.viewer.app import Site
from dreamfactory_env.viewer.security import TOKEN
from dreamfactory_env.viewer.serving import PageServer, listening


@contextlib.contextmanager
def running(site: Site) -> Iterator[str]:
    """Serves a site; gives its address."""
    found = listening("127.0.0.1", 0)
    server = PageServer(site, "127.0.0.1", lambda: None)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [found]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
        assert thread.is_alive()
    yield f"http://127.0.0.1:{found.getsockname()[1]}"
    server.should_exit = True
    thread.join(20)
    found.close()
    assert not thread.is_alive()


@contextlib.contextmanager
def client_of(site: Site, token: str) -> Iterator[httpx.Client]:
    """Gives a client of a site that has a token."""
    headers = {TOKEN: token}
    with running(site) as address, httpx.Client(base_url=address, headers=headers) as client:
        yield client
