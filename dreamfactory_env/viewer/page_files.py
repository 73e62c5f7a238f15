"""The files of the page, from memory: they are small, and a page asks for many of them at once."""

from __future__ import annotations

import mimetypes
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dreamfactory_env.games import GAMES
from dreamfactory_env.viewer.bundling import DRAWING, OUR, STATIC, bundle, source_of
from dreamfactory_env.viewer.timeline import page_folder

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
    return bundle(f"{OUR}main.js", source_of(None))


@lru_cache(None)
def _drawing(folder: Path) -> str:
    """Returns all modules of a game's drawing as one module, which exports what the first does."""
    return f'{bundle(DRAWING, source_of(folder))}\nexport default $modules["{DRAWING}"];\n'


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
    game_cls, name = GAMES.get(request.path_params["game"]), request.path_params["name"]
    folder = page_folder(game_cls) if game_cls else None
    if folder is None:
        return Response("there is no such page", 404)
    if name == "drawing.js":
        return Response(_drawing(folder), media_type="text/javascript")
    return _in_folder(folder, name)


#: Pages and scripts, which are for everybody who can reach the server.
FILES = [
    Route("/", _index),
    Route("/static/page.js", _page_script),
    Route("/static/{name}", _static),
    Route("/games/{game}/{name}", _page_of_game),
]
