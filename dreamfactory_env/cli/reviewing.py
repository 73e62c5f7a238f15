"""The command ``dreamfactory review``: a game judged decision by decision, and its page."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from dreamfactory_env.cli.options import EngineOptions, with_groups
from dreamfactory_env.cli.outputs import Wait, check_output
from dreamfactory_env.cli.records import RecordFile
from dreamfactory_env.cli.results import ResultOptions, print_json
from dreamfactory_env.cli.terminal import EXIT_STOPPED, HeardStop, console, errors
from dreamfactory_env.records.files import read_lines, record_of
from dreamfactory_env.utils.errors import OptionError, RecordError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.locks import Lock
from dreamfactory_env.utils.threads import use_one_thread
from dreamfactory_env.viewer.export import game_html
from dreamfactory_env.viewer.judging import DEALS
from dreamfactory_env.viewer.review import Review

#: What was judged is written so often, in seconds.
WRITTEN_EVERY = 2.0
FINISHING = "finishing this decision; Ctrl-C again drops it"


@dataclass(frozen=True)
class ReviewOutput:
    """Where a review goes."""

    out: Annotated[
        Path | None,
        typer.Option(
            help="The page; beside it stands the analysis as .json. "
            "FILE-N-review.html in this folder if not given.",
            show_default=False,
        ),
    ] = None
    force: Annotated[
        bool, typer.Option("--force", help="Begin anew, even if there is another review.")
    ] = False
    wait: Wait = False

    def page(self, file: Path, number: int) -> Path:
        """Returns where the page goes.

        Raises:
            OptionError: It cannot be written there.
        """
        name = file.name.removesuffix(".zst").removesuffix(".jsonl")
        page = self.out or Path(f"{name}-{number}-review.html")
        if page.suffix != ".html":
            raise OptionError(f"--out must end with .html, which says what it is: {page}")
        for path in (page, page.with_suffix(".json")):
            check_output(path)
        return page


@with_groups
def review_command(
    path: RecordFile,
    by: Annotated[
        str, typer.Option(help="Who judges: a search such as mcts:1s, a network, any policy.")
    ] = "mcts:1s",
    game: Annotated[int, typer.Option(help="Which game of the file, counted from 1.")] = 1,
    seed: Annotated[int, typer.Option(help="Where the judge's random numbers come from.")] = 0,
    deals: Annotated[int, typer.Option(help="On how many deals moves are compared.")] = DEALS,
    *,
    output: ReviewOutput,
    shown: ResultOptions,
    engine: EngineOptions,
) -> None:
    """Judge every decision of a game, find its mistakes, and write a page that shows them."""
    record = game_of(path, game)
    page = output.page(path, game)
    use_one_thread()
    try:
        review = Review(record, by, seed=seed, deals=deals)
    except RecordError as error:
        raise RecordError(f"game {game}: {error}") from error
    kept = page.with_suffix(".json")
    with Lock(kept, wait=output.wait):
        if kept.exists() and not output.force:
            review.resume(kept)
        with (
            engine.connected() as cluster,
            shown.progress("judging", "decisions") as progress,
            HeardStop(FINISHING, progress.console.print) as stop,
        ):
            task = progress.add_task("", total=review.length, completed=review.done)
            judging = review.decisions(stop=stop.asked, cluster=cluster)
            _judge(review, kept, judging, lambda: progress.update(task, completed=review.done))
        _write_page(page, game_html(record, review.analysis))
    stopped = review.done < review.length
    if shown.json:
        print_json({**review.analysis, "complete": not stopped})
    else:
        _print_totals(review, record)
        console.print(f"page: {page}", soft_wrap=True)
    if stopped:
        told = f"stopped after {review.done} of {review.length} decisions"
        errors.print(f"{told}; the same command continues", soft_wrap=True)
        raise typer.Exit(EXIT_STOPPED)


def game_of(path: Path, number: int) -> dict[str, Any]:
    """Returns a record of a file, counted from 1.

    Raises:
        GameError: There is none, or it is damaged.
    """
    if number < 1:
        raise OptionError(f"--game counts from 1, not {number}")
    lines = list(islice(read_lines(path), number))
    if len(lines) < number:
        raise OptionError(f"{path} has {len(lines)} games; there is no game {number}")
    return record_of(lines[-1])


def _judge(
    review: Review, kept: Path, judging: Generator[int, None, None], tell: Callable[[], None]
) -> None:
    """Judges what is left until it is done or stopped, and keeps what was done."""
    written = time.monotonic()
    try:
        with closing(judging):
            for _ in judging:
                tell()
                if time.monotonic() - written > WRITTEN_EVERY:
                    review.write(kept)
                    written = time.monotonic()
    finally:
        review.write(kept)


def _write_page(page: Path, text: str) -> None:
    try:
        atomic_write(page, text.encode())
    except OSError as error:
        raise OptionError(f"{page} cannot be written: {error.strerror or error}") from error


def _print_totals(review: Review, record: dict[str, Any]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("seat")
    table.add_column("who")
    for name in ("decisions", "forced", "same move", "fine", "unclear", "mistakes", "points lost"):
        table.add_column(name, justify="right")
    for seat, total in enumerate(review.analysis["totals"]):
        keys = ("decisions", "forced", "same", "fine", "unclear", "mistake")
        counts = [str(total[key]) for key in keys]
        table.add_row(str(seat), Text(record["agents"][seat]), *counts, f"{total['lost']:.1f}")
    settings = review.analysis["settings"]
    console.print(Text(f"judged by {review.analysis['judge']}"))
    console.print(table)
    console.print(
        f"A mistake: the preferred move is better by more than {settings['standard_errors']:g} "
        f"standard errors over up to {settings['deals']} shared deals, and by at least "
        f"{settings['floor']:g} points.",
        soft_wrap=True,
    )
