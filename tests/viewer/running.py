"""A real server in a thread of the tests."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import httpx
import uvicorn

from dreamfactory_env.viewer.app import Site, make_app
from dreamfactory_env.viewer.security import TOKEN
from dreamfactory_env.viewer.serving import listening


@contextlib.contextmanager
def running(site: Site) -> Iterator[str]:
    """Serves a site; gives its address."""
    found = listening("127.0.0.1", 0)
    config = uvicorn.Config(
        make_app(site, "127.0.0.1"), log_level="error", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
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
