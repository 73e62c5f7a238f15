"""The files of the page, from memory: they are small, and a page asks for many of them at once."""

from __future__ import annotations

import mimetypes
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dreamfactory_env.games import GAMES
from dreamfactory_env.viewer.bundling import bundle
from dreamfactory_env.viewer.timeline import page_folder

STATIC = Path(__file__).parent / "static"

mimetypes.add_type("text/javascript", ".js")


@lru_cache(None)
def _files(folder: Path) -> dict[str, tuple[bytes, str]]:
    """Returns the files of a folder by name, with their kinds; some hundred kilobytes in all."""
    return {
        path.name: (path.read_bytes(), mimetypes.guess_type(path.name)[0] or "text/plain")
        for path in folder.iterdir()
        if path.is_file()
    }


@lru_cache(None)
def _script() -> str:
    """Returns all modules of the page as one script: a browser asks for them one by one."""

    def read(address: str) -> str:
        return (STATIC / address.removeprefix("/static/")).read_text("utf-8")

    return bundle("/static/main.js", read)


async def _page_script(request: Request) -> Response:
    return Response(_script(), media_type="text/javascript")


def _in_folder(folder: Path, name: str) -> Response:
    """Returns a file of a folder, by its name alone; what is in no folder of ours is not there."""
    if name not in _files(folder):
        return Response("there is no such file", 404)
    content, kind = _files(folder)[name]
    return Response(content, media_type=kind)


async def _index(request: Request) -> Response:
    return _in_folder(STATIC, "index.html")


async def _static(request: Request) -> Response:
    return _in_folder(STATIC, request.path_params["name"])


async def _page_of_game(request: Request) -> Response:
    game_cls = GAMES.get(request.path_params["game"])
    folder = page_folder(game_cls) if game_cls else None
    if folder is None:
        return Response("there is no such page", 404)
    return _in_folder(folder, request.path_params["name"])


#: Pages and scripts, which are for everybody who can reach the server.
FILES = [
    Route("/", _index),
    Route("/static/page.js", _page_script),
    Route("/static/{name}", _static),
    Route("/games/{game}/{name}", _page_of_game),
]
