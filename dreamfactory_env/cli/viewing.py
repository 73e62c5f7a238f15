"""The commands of the page: ``dreamfactory view`` and ``play``."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dreamfactory_env.cli.options import TableOptions, with_groups
from dreamfactory_env.cli.outputs import check_output
from dreamfactory_env.cli.terminal import console, errors
from dreamfactory_env.games.game import Game
from dreamfactory_env.utils.errors import OptionError

if TYPE_CHECKING:  # what needs the extra is imported when it is used
    from dreamfactory_env.viewer.app import Site
    from dreamfactory_env.viewer.tables import Table

#: So many processes think for a page.
PROCESSES = 2


@dataclass(frozen=True)
class Served:
    """Where the page is served."""

    port: Annotated[
        int | None,
        typer.Option(help="The port; 0 for any. Without it 8620 or one of the next."),
    ] = None
    host: Annotated[
        str, typer.Option(help="The address to listen at; others than this machine may reach it.")
    ] = "127.0.0.1"
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the link, do not open it.")
    ] = False

    def listen(self) -> socket.socket:
        """Returns a socket that listens; warns if others than this machine reach it.

        Raises:
            OptionError: The address cannot be listened at.
        """
        from dreamfactory_env.viewer.serving import is_loopback, listening

        found = listening(self.host, self.port)
        if not is_loopback(self.host):
            errors.print(
                f"warning: whoever reaches {self.host} and has a link can use it; "
                "the connection is not encrypted",
                soft_wrap=True,
            )
        return found

    def serve(self, site: Site, found: socket.socket, links: Sequence[tuple[str, str]]) -> None:
        """Serves a page until Ctrl-C.

        Args:
            site: What is shown.
            found: A socket that listens.
            links: What each link is for, and how it ends, the one to be opened first.
        """
        from dreamfactory_env.viewer.serving import address_of, open_browser, serve

        address = address_of(self.host, found)

        def ready() -> None:
            for words, ending in links:
                console.print(f"{words}: {address}{ending}", soft_wrap=True)
            console.print("Ctrl-C ends the server.")
            if not self.no_browser:
                open_browser(address + links[0][1])

        serve(site, self.host, found, ready)


def _need_extra() -> None:
    """Raises OptionError if what the server needs is not installed."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise OptionError(
            f"the page needs the package {error.name}: pip install 'dreamfactory-env[viewer]'"
        ) from error


# ---------------------------------------------------------------------------- view


@with_groups
def view_command(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="Files of records, .jsonl or .jsonl.zst; the .json files of their reviews; the "
            "folder of a tournament, or the .json file of a benchmark.",
        ),
    ],
    game: Annotated[
        int | None, typer.Option(help="Show this game of the files, counted from 1.")
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(help="Write the game as one HTML file that needs nothing, and stop."),
    ] = None,
    *,
    served: Served,
) -> None:
    """Watch games of record files in the browser, or write one as an HTML file.

    Of a tournament or a benchmark it shows the results, whose cells lead to the games.
    """
    if export is not None:
        _export(paths, 1 if game is None else game, export)
        return
    _need_extra()
    from dreamfactory_env.viewer.app import Site
    from dreamfactory_env.viewer.security import new_token
    from dreamfactory_env.viewer.serving import shown_of, thinking
    from dreamfactory_env.viewer.tables import Tables

    library, results, reviews = shown_of(paths)
    if game is not None:
        library.record(game)  # one that is not there is told now
    site = Site(library, Tables(), new_token(), results, reviews)
    where = f"&game={game}" if game is not None else "&results=1" if results else ""
    with served.listen() as found, thinking(site, [], PROCESSES):
        served.serve(site, found, [("the games", f"#token={site.token}{where}")])


def _export(paths: Sequence[Path], number: int, page: Path) -> None:
    from dreamfactory_env.viewer.export import game_html
    from dreamfactory_env.viewer.library import Library
    from dreamfactory_env.viewer.reviews import Reviews, is_review

    if page.suffix not in (".html", ".htm"):
        raise OptionError(f"--export must end with .html, which says what it is: {page}")
    check_output(page)
    reviews = [path for path in paths if path.suffix == ".json" and is_review(path)]
    record = Library([path for path in paths if path not in reviews]).record(number)
    text = game_html(record, Reviews(reviews).of(record))
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, "utf-8")
    console.print(f"game {number} in {page}, {len(text.encode()) / 1e6:.1f} MB", soft_wrap=True)


# ---------------------------------------------------------------------------- play


@dataclass(frozen=True)
class Company:
    """Who plays, and how."""

    others: Annotated[
        str | None,
        typer.Option(
            "--with",
            help="Who plays at the other seats: one name for all, or one a seat with commas "
            "between; `person` is somebody else at another browser. The strongest scripted "
            "policy if not given.",
        ),
    ] = None
    seat: Annotated[int, typer.Option(help="Your seat, counted from 0.")] = 0
    hints: Annotated[bool, typer.Option("--hints", help="Let people ask a judge.")] = False
    take_back: Annotated[bool, typer.Option("--take-back", help="Let people take moves back.")] = (
        False
    )
    pace: Annotated[
        float, typer.Option(help="How long a move of a policy takes at least, in seconds.")
    ] = 1.0

    def agents(self, game: Game) -> list[str]:
        """Returns who plays, by seat.

        Raises:
            GameError: There is no such seat or policy, or there are too many or too few.
        """
        from dreamfactory_env.policies.naming import policy_named
        from dreamfactory_env.viewer.people import PERSON

        seat = game.check_seat(self.seat)
        names = [name.strip() for name in (self.others or game.spec.ladder[-1]).split(",")]
        if len(names) not in (1, game.players - 1):
            raise OptionError(
                f"--with has {len(names)} names for {game.players - 1} other seats; "
                f"give 1 or {game.players - 1}"
            )
        others = names * (game.players - 1 if len(names) == 1 else 1)
        for name in {*others} - {PERSON}:
            policy_named(name, game)  # one that is not there is told now
        return [*others[:seat], PERSON, *others[seat:]]


@dataclass(frozen=True)
class PlayOutput:
    """Where the game is kept."""

    out: Annotated[
        Path | None,
        typer.Option(
            help="The file of the record; NAME-1.jsonl, or the next number, if not given.",
            show_default=False,
        ),
    ] = None
    resume: Annotated[
        Path | None, typer.Option(help="Continue the game of this file.", show_default=False)
    ] = None

    def path(self, game: Game) -> Path:
        """Returns the file of a new game.

        Raises:
            OptionError: It cannot be written, or is there already.
        """
        if self.out is not None:
            if self.out.suffix != ".jsonl":
                raise OptionError(f"--out must end with .jsonl, which says what it is: {self.out}")
            check_output(self.out)
            return self.out
        numbers = (Path(f"{game.spec.name}-{number}.jsonl") for number in range(1, 100_000))
        path = next(path for path in numbers if not path.exists())
        check_output(path)
        return path


@with_groups
def play_command(
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in this terminal, not in the browser.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Where the shuffles come from.")] = None,
    *,
    table: TableOptions,
    company: Company,
    output: PlayOutput,
    served: Served,
) -> None:
    """Play against policies, or with them, in the browser; the game is a record."""
    if not 0 <= company.pace <= 60:
        raise OptionError(f"--pace is from 0 to 60 seconds, not {company.pace:g}")
    if terminal:
        _play_in_terminal(table, company, output, seed)
        return
    _need_extra()
    from dreamfactory_env.viewer.app import Site
    from dreamfactory_env.viewer.security import new_token
    from dreamfactory_env.viewer.serving import thinking
    from dreamfactory_env.viewer.tables import Tables

    with served.listen() as found:  # before a file is touched
        played = _table(table, company, output, seed)
        site = Site(None, Tables(), new_token())
        site.tables.add(played)
        links = [
            ("your seat" if seat == company.seat else f"seat {seat}", f"#seat={token}")
            for seat, token in enumerate(played.tokens)
            if token
        ]
        links.sort(key=lambda link: link[0] != "your seat")
        trusted = [] if output.resume is not None and company.others is None else played.agents
        with thinking(site, trusted, PROCESSES):
            console.print(f"the record: {played.path}", soft_wrap=True)
            served.serve(site, found, links)


def _play_in_terminal(
    table: TableOptions, company: Company, output: PlayOutput, seed: int | None
) -> None:
    """Plays in the terminal; there is one person.

    Raises:
        GameError: Something that was given is wrong.
    """
    from dreamfactory_env.cli import terminal_play
    from dreamfactory_env.viewer.people import PERSON, resumed_names

    if output.resume is None:
        start = table.new_game().deal(seed)
        path, names, seat = output.path(start), company.agents(start), company.seat
    else:
        _check_resumed(table, output, seed)
        path, agents = output.resume, None if company.others is None else company.agents
        start, names = resumed_names(path, agents)
        seat = names.index(PERSON) if PERSON in names else 0
    if names.count(PERSON) != 1:
        raise OptionError("in a terminal there is one person; others need browsers")
    console.print(f"the record: {path}", soft_wrap=True)
    hints, take_back = company.hints, company.take_back
    terminal_play.run(terminal_play.Table(start, names, seat, path, hints, take_back))


def _check_resumed(table: TableOptions, output: PlayOutput, seed: int | None) -> None:
    """Raises OptionError if more is given than a game that is continued has room for."""
    if output.out is not None or table != TableOptions() or seed is not None:
        raise OptionError("--resume continues a game as it is: give no game, options or --out")


def _table(table: TableOptions, company: Company, output: PlayOutput, seed: int | None) -> Table:
    """Returns the table that is played at.

    Raises:
        GameError: Something that was given is wrong.
    """
    from dreamfactory_env.viewer.tables import Manners, Table

    if output.resume is None:
        game = table.new_game().deal(seed)
        manners = Manners(company.take_back, company.hints, company.pace)
        return Table.begin(game, company.agents(game), output.path(game), manners)
    _check_resumed(table, output, seed)
    agents = None if company.others is None else company.agents
    return Table.resume(output.resume, company.pace, agents)
