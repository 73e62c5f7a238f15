"""Makes the pictures of the README and the docs: ``python -m tests.viewer.pictures``."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page

from dreamfactory_env import DreamFactory, FabriqueAReves, FauxRaccords
from dreamfactory_env.records.files import RecordWriter
from dreamfactory_env.records.format import make_record
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.viewer.analysis_routes import routes
from dreamfactory_env.viewer.app import Site
from dreamfactory_env.viewer.judging import MISTAKE
from dreamfactory_env.viewer.library import Library
from dreamfactory_env.viewer.people import PERSON
from dreamfactory_env.viewer.review import Review
from dreamfactory_env.viewer.reviews import Reviews
from dreamfactory_env.viewer.tables import Table, Tables
from dreamfactory_env.viewer.workers import Workers
from tests.paths import ROOT
from tests.viewer.browser import browser, quiet_page
from tests.viewer.running import running

FOLDER = ROOT / "docs" / "viewer"
WIDE = {"width": 1280, "height": 860}
#: The frames of the animation, and how long each stands, in milliseconds.
ANIMATED, STANDING = range(96, 120, 2), 650


def watched(chromium: Browser, folder: Path) -> None:
    """A game of Dream Factory, moving."""
    path = folder / "games.jsonl"
    with RecordWriter(path) as writer:
        writer.write(next(iter(simulate(DreamFactory(4), ["pretrained", *["expert"] * 3], 1, 2))))
        writer.write(next(iter(simulate(FabriqueAReves(3), ["schelling"], 1, 2))))
    with Workers(1) as workers, running(site_of(path, workers)) as address:
        page = quiet_page(chromium, viewport=WIDE)
        page.goto(f"{address}/#token=token&game=1&move={ANIMATED[0]}")
        page.wait_for_selector(".table svg")
        page.wait_for_selector(".chart polyline")
        page.wait_for_timeout(1500)
        pictures = []
        for frame in ANIMATED:
            while page.locator(f".table[data-at='{frame}']").count() == 0:
                page.keyboard.press("ArrowRight")
            pictures.append(taken(page).resize((960, 645), Image.Resampling.LANCZOS))
        moving: dict[str, Any] = {"save_all": True, "append_images": pictures[1:], "loop": 0}
        pictures[0].save(FOLDER / "moving.webp", duration=STANDING, quality=72, **moving)
        page.context.close()


def site_of(path: Path, workers: Workers, *reviews: Path) -> Site:
    """Returns what `dreamfactory view` shows of a file."""
    library = Library([path])
    library.wait()
    site = Site(library, Tables(), "token", reviews=Reviews(reviews))
    site.more = routes(site, workers)
    return site


def reviewed(chromium: Browser, folder: Path) -> None:
    """A mistake in a game of Dream Factory, and the chances to win."""
    path, kept = folder / "reviewed.jsonl", folder / "review.json"
    record = next(iter(simulate(DreamFactory(2), ["expert", "greedy"], 1, 7)))
    with RecordWriter(path) as writer:
        writer.write(record)
    review = Review(record, "mcts:200", deals=100)
    judged = [review.analysis["decisions"][str(number)] for number in review.decisions()]
    review.write(kept)
    costs = [each["difference"] if each["verdict"] == MISTAKE else 0 for each in judged]
    with Workers(1) as workers, running(site_of(path, workers, kept)) as address:
        page = quiet_page(chromium, viewport={"width": 1280, "height": 1180})
        page.goto(f"{address}/#token=token&game=1&move={costs.index(max(costs))}")
        page.wait_for_selector(".rv-mistake")
        page.get_by_label("What the line shows").select_option("Chances to win")
        page.wait_for_timeout(1500)
        page.evaluate("() => document.activeElement.blur()")
        save(page, "review")
        page.context.close()


def played(chromium: Browser, folder: Path) -> None:
    """A person's turn in Faux Raccords and in La Fabrique à rêves."""
    starts = {
        "play": (FauxRaccords(3, mode="arcs", seed=3), "convention", 24, "light"),
        "dream": (FabriqueAReves(3, seed=3), "nearest", 17, "dark"),
    }
    with Workers(1) as workers:
        for name, (start, policy, moves, scheme) in starts.items():
            record = next(iter(simulate(start, [policy], 1, 3)))
            dealt = type(start).from_config(record["config"], seed=record["seed"])
            actions = [action for _, action, _ in record["moves"]][:moves]
            path = folder / f"{name}.jsonl"
            with RecordWriter(path) as writer:
                writer.write(make_record(dealt, actions, [PERSON] * start.players))
            table = Table.resume(path, 0.0)
            tables = Tables(workers)
            tables.add(table)
            with running(Site(None, tables, "x")) as address:
                page = quiet_page(chromium, viewport=WIDE, color_scheme=scheme)
                page.goto(f"{address}/#seat={table.tokens[table.game.to_move or 0]}")
                page.wait_for_selector(".status.mine")
                page.wait_for_timeout(300)
                save(page, name)
                page.context.close()


def save(page: Page, name: str) -> None:
    """Writes what a page shows as a small picture."""
    taken(page).convert("RGB").quantize(128).save(FOLDER / f"{name}.png", optimize=True)


def taken(page: Page) -> Image.Image:
    """Returns what a page shows."""
    return Image.open(io.BytesIO(page.screenshot()))


def main() -> None:
    """Makes all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        watched(chromium, Path(name))
        reviewed(chromium, Path(name))
        played(chromium, Path(name))


if __name__ == "__main__":
    main()
