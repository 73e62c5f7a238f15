"""The benchmark: how often whom wins against whom, for every number of players; docs/benchmark.md.

A cell is a policy (the row) alone at a table of another (the column). Its results are plain data in
a JSON file that grows cell by cell: others can read it, cite it, and add policies of their own.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env import __version__
from dreamfactory_env.arena.analysis import wins_by_deal
from dreamfactory_env.arena.bootstrap import REPLICATES, interval, mean_by_deal
from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.ratings import AVERAGE, PRIOR_DRAWS, SCALE, Choices
from dreamfactory_env.arena.results import Result
from dreamfactory_env.arena.tournament import duel, play_into
from dreamfactory_env.arena.worker import Chunk
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies import Policy, policy_named
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.policies.policy import digest_of
from dreamfactory_env.utils.errors import OptionError, RecordError
from dreamfactory_env.utils.files import atomic_write

FORMAT = "dreamfactory-benchmark/1"
#: Where all deals come from.
SEED = 1
PLAYERS = (2, 3, 4, 5)
#: The search that everybody meets: by iterations, so that it plays the same game everywhere.
SEARCH = "mcts:50"
#: The search by time that the best agent meets if asked to, and with how many players.
TIMED, TIMED_PLAYERS = "mcts:0.2s", 2
#: With how many players a best response is measured.
RESPONSE_PLAYERS = (2, 4)
#: The parts of the benchmark that a cell can belong to.
MATRIX, CLOCK, RESPONSE = "matrix", "clock", "response"
#: An interval by deal needs at least two of them.
LEAST_DEALS = 2
#: So many digits are kept of figures; more would be noise.
DIGITS = 8

#: What came out of a cell, as the file has it.
Figures = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """A cell of the benchmark: one policy alone at a table of another.

    Attributes:
        part: Which part of the benchmark it belongs to.
        players: How many sit at the table.
        row: Who is alone.
        column: Who has all other seats.
        games: How many games are wanted; whole deals are played.
    """

    part: str
    players: int
    row: str
    column: str
    games: int

    def tournament(self, game: str) -> Tournament:
        """Returns what is played."""
        games = max(self.games, LEAST_DEALS * self.players)
        return duel(
            self.row, [self.column], players=self.players, games=games, seed=SEED, game=game
        )

    def is_of(self, figures: Figures) -> bool:
        """Tells whether these are the figures of this cell, however many games it had."""
        mine = (self.part, self.players, self.row, self.column)
        return mine == tuple(figures[key] for key in ("part", "players", "row", "column"))


class Benchmark:
    """Results, and the file that they live in.

    Attributes:
        data: Everything, as docs/benchmark.md describes the file.

    Args:
        path: The file; it is made when it is first written.
        kind: Which game, if the file is not there yet.
        copy_of: Results to begin with, if the file is not there yet.

    Raises:
        OptionError: The file cannot be read, or is that of another game or version.
    """

    def __init__(self, path: Path, kind: type[Game], copy_of: Path | None = None) -> None:
        self.path = path
        self.kind = kind
        source = path if path.exists() else copy_of
        self.data: dict[str, Any] = self._new() if source is None else self._read(source)
        self._policies: dict[str, Policy] = {}

    def _new(self) -> dict[str, Any]:
        names = [*self.kind.scripted, SEARCH, *self.kind.agents]
        return {**self._about(), "policies": names, "cells": [], "ratings": {}}

    def _about(self) -> dict[str, Any]:
        """Returns what the file says of itself."""
        return {
            "format": FORMAT,
            "package": __version__,
            "game": self.kind.name,
            "version": self.kind.version,
            "observation": self.kind.layout.fingerprint(),
            "seed": SEED,
        }

    def _read(self, path: Path) -> dict[str, Any]:
        try:
            data = json.loads(path.read_text("utf-8"))
            found = {key: data[key] for key in ("format", "game", "version", "seed")}
            lists = data["policies"], data["cells"]
            if not all(isinstance(part, list) for part in lists):
                raise TypeError("policies and cells must be lists")
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise OptionError(f"{path} cannot be read as a benchmark: {error!r}") from error
        for key, value in found.items():
            if value != self._about()[key]:
                raise OptionError(f"{path}: its {key} is {value!r}, not {self._about()[key]!r}")
        return {**data, **self._about()}

    # ------------------------------------------------------------------ what is to be played

    def policy(self, name: str) -> Policy:
        """Returns the policy of a name, made once.

        Raises:
            OptionError: There is none.
        """
        if name not in self._policies:
            self._policies[name] = policy_named(name, self.kind)
        return self._policies[name]

    def add(self, name: str) -> None:
        """Adds a policy to those of the matrix.

        Raises:
            OptionError: There is none of that name.
        """
        self.policy(name)
        if name not in self.data["policies"]:
            self.data["policies"].append(name)

    def absent(self) -> list[str]:
        """Returns the policies that cannot be asked here, such as somebody else's files."""
        absent = []
        for name in self.data["policies"]:
            try:
                self.policy(name)
            except OptionError:
                absent.append(name)
        return absent

    def matrix(self, counts: Iterable[int], games: int, search_games: int) -> list[Cell]:
        """Returns the cells of the matrix, those that take long behind the others.

        With two players a cell and its mirror image are the same games: one of them is played.
        Those who are absent play in none.

        Args:
            counts: The player counts.
            games: How many games a cell has.
            search_games: How many it has with a policy that answers for one game at a time, such
                as a search; they are shared among as many of these as sit at the table.
        """
        absent = self.absent()
        names = [name for name in self.data["policies"] if name not in absent]
        quick: list[Cell] = []
        slow: list[Cell] = []
        for players in counts:
            for row in names:
                for column in names[: names.index(row)] if players == 2 else names:
                    if row == column:
                        continue
                    thinkers = self._is_slow(row) + (players - 1) * self._is_slow(column)
                    wanted = search_games // thinkers if thinkers else games
                    cell = Cell(MATRIX, players, row, column, wanted)
                    (slow if thinkers else quick).append(cell)
        return quick + slow

    def _is_slow(self, name: str) -> bool:
        return type(self.policy(name)).act_batch is Policy.act_batch

    def against_the_clock(self, games: int) -> list[Cell]:
        """Returns the cell of the best agent against a search by time; none without agents."""
        best = list(self.kind.agents)[:1]
        return [Cell(CLOCK, TIMED_PLAYERS, name, TIMED, games) for name in best]

    def responses(self, name: str, games: int) -> list[Cell]:
        """Returns the cells of an agent that was trained against the best one alone.

        Raises:
            OptionError: It is none.
        """
        self._policies[name] = network_named(name, self.kind)
        best = next(iter(self.kind.agents))
        return [Cell(RESPONSE, players, name, best, games) for players in RESPONSE_PLAYERS]

    def figures(self, cell: Cell) -> Figures | None:
        """Returns what came out of a cell, None if it was not played."""
        return next((found for found in self.data["cells"] if cell.is_of(found)), None)

    def is_done(self, cell: Cell) -> bool:
        """Tells whether a cell was played, and often enough."""
        found = self.figures(cell)
        return found is not None and found["games"] >= cell.games

    def changed(self) -> list[str]:
        """Returns the policies that are not those any more which have played under their names."""
        found = []
        for name in dict.fromkeys(name for cell in self.data["cells"] for name in _names_of(cell)):
            try:
                now = self.policy(name).fingerprint()
            except OptionError:
                continue  # a file that is gone; what it has played still holds
            if any(kept != now for cell in self.data["cells"] for kept in _kept(cell, name)):
                found.append(name)
        return found

    def drop(self, names: Sequence[str]) -> None:
        """Forgets the cells of some policies."""
        kept = [cell for cell in self.data["cells"] if not set(names) & set(_names_of(cell))]
        self.data["cells"] = kept

    # ------------------------------------------------------------------ playing and keeping

    def play(
        self,
        cell: Cell,
        *,
        processes: int = 1,
        stop: Callable[[], bool] = lambda: False,
        shown: Callable[[int], None] = lambda deals: None,
    ) -> Figures | None:
        """Plays a cell, or the rest of it, and keeps its figures in the file.

        Args:
            cell: Which one.
            processes: How many processes play; what is compiled is played in this one.
            stop: Asked now and then; once it says yes, what is being played is finished and no
                more. The same cell goes on from there.
            shown: Told the number of deals that are done, each time it grows.

        Returns:
            The figures, None if it was stopped.
        """
        tournament = cell.tournament(self.kind.name)
        part = self._parts / f"{digest_of(repr(cell).encode())}.jsonl"
        count = 1 if tournament.compiled else processes
        try:
            chunks = play_into(part, tournament, processes=count, stop=stop, shown=shown)
        except RecordError:  # it was begun with other policies of these names
            chunks = play_into(
                part, tournament, processes=count, replace=True, stop=stop, shown=shown
            )
        if len(chunks) < tournament.chunks:
            return None
        figures = self._figures_of(cell, tournament, chunks)
        others = [found for found in self.data["cells"] if not cell.is_of(found)]
        self.data["cells"] = sorted([*others, figures], key=self._order)
        self.write()
        part.unlink()
        return figures

    @property
    def _parts(self) -> Path:
        """The folder of the cells that are being played."""
        return self.path.with_name(f"{self.path.name}.parts")

    def _order(self, figures: Figures) -> tuple[Any, ...]:
        names = self.data["policies"]
        places = [names.index(name) if name in names else len(names) for name in _names_of(figures)]
        parts = (MATRIX, CLOCK, RESPONSE)
        return (parts.index(figures["part"]), figures["players"], *places, *_names_of(figures))

    def _figures_of(self, cell: Cell, tournament: Tournament, chunks: Sequence[Chunk]) -> Figures:
        result = Result.of(tournament, chunks)
        rate, half_width = mean_by_deal(*wins_by_deal(result, 0))
        places, covariance = places_by_deal(result)
        figures = {
            "part": cell.part,
            "players": cell.players,
            "row": cell.row,
            "column": cell.column,
            "games": len(result.deal),
            "deals": tournament.deals,
            "win_rate": round(rate, DIGITS),
            "half_width": round(half_width, DIGITS),
            "places": places.round(DIGITS).tolist(),
            "covariance": covariance.round(2 * DIGITS).tolist(),
            "fouls": len(result.fouls),
            "move_seconds": _move_seconds(chunks),
            "fingerprints": [self.policy(name).fingerprint() for name in (cell.row, cell.column)],
            "package": __version__,
        }
        row = self.policy(cell.row)
        if cell.part == RESPONSE and isinstance(row, NetworkPolicy):
            figures["facts"] = row.facts  # what it took to find it
        return figures

    def rate(self) -> None:
        """Fits the ratings of every player count to the cells of the matrix."""
        cells = [cell for cell in self.data["cells"] if cell["part"] == MATRIX]
        self.data["ratings"] = {
            str(players): _ratings(
                [cell for cell in cells if cell["players"] == players],
                self.data["policies"],
                self.anchor,
            )
            for players in sorted({cell["players"] for cell in cells})
        }

    @cached_property
    def anchor(self) -> str:
        """The policy whose rating is fixed: the best scripted one."""
        return list(self.kind.scripted)[-1]

    def write(self) -> None:
        """Writes the file, as a whole or not at all.

        Raises:
            OptionError: It cannot be written.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(self.path, as_text(self.data).encode())
        except OSError as error:
            raise OptionError(f"{self.path} cannot be written: {error}") from error

    def close(self) -> None:
        """Rates, writes the file, and clears away what cells have left that nobody needs."""
        self.rate()
        self.write()
        if self._parts.exists() and not any(self._parts.iterdir()):
            shutil.rmtree(self._parts)


def as_text(data: dict[str, Any]) -> str:
    """Returns the data as JSON with a cell, or a rating, on each line."""

    def one_line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def lines(values: list[Any], indent: str) -> str:
        inner = f",\n{indent} ".join(one_line(value) for value in values)
        return f"[\n{indent} {inner}\n{indent}]" if values else "[]"

    said = []
    for key, value in data.items():
        if key == "cells":
            text = lines(value, " ")
        elif key == "ratings":
            counts = [f'  "{count}": {lines(rows, "  ")}' for count, rows in value.items()]
            text = "{\n" + ",\n".join(counts) + "\n }" if counts else "{}"
        else:
            text = one_line(value)
        said.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(said) + "\n}\n"


def places_by_deal(result: Result) -> tuple[Array, Array]:
    """Returns how often the first policy has which place, and how sure that is.

    Equal ones share their places: who is first together with another has half of the first place
    and half of the second.

    Args:
        result: The games of a :func:`duel`.

    Returns:
        The share of each place, float64 (players,), and the covariance of these shares over the
        deals, float64 (players, players).
    """
    players = result.tournament.players
    mine = (result.standing * (result.entrants == 0)).sum(axis=1)[:, None]
    others = np.where(result.entrants == 0, mine - 1, result.standing)
    above = (others > mine).sum(axis=1)[:, None]
    equal = (others == mine).sum(axis=1)[:, None]
    place = np.arange(players)
    shares = ((place >= above) & (place <= above + equal)) / (equal + 1)
    _, deal, games = np.unique(result.deal, return_inverse=True, return_counts=True)
    by_deal = np.zeros((len(games), players))
    np.add.at(by_deal, deal, shares)
    by_deal /= games[:, None]
    covariance: Array = np.cov(by_deal, rowvar=False, ddof=1) / len(games)
    return by_deal.mean(axis=0), covariance


def _names_of(figures: Figures) -> tuple[str, str]:
    return figures["row"], figures["column"]


def _kept(figures: Figures, name: str) -> list[str]:
    """Returns the fingerprints that a policy of a name had when it played a cell."""
    both = zip(_names_of(figures), figures["fingerprints"], strict=True)
    return [fingerprint for played, fingerprint in both if played == name]


def _move_seconds(chunks: Sequence[Chunk]) -> list[float | None]:
    """Returns how long row and column take for a decision, None where only compiled code ran."""
    timed = [chunk for chunk in chunks if len(chunk.seconds)]
    seconds = np.sum([chunk.seconds for chunk in timed], axis=0) if timed else np.zeros(2)
    decisions = np.sum([chunk.decisions for chunk in timed], axis=0) if timed else np.ones(2)
    return [
        float(f"{spent / max(count, 1):.3g}") if spent > 0 else None
        for spent, count in zip(seconds, decisions, strict=True)
    ]


def _ratings(cells: list[Figures], policies: list[str], anchor: str) -> list[Figures]:
    """Returns the ratings of all that play in some cells, the best first.

    The likelihood of the Plackett-Luce model needs of a cell only how often the row had which
    place. So the fit is made from the shares, and repeated with shares that are drawn as their
    covariance says, for the intervals; both can be done by anybody who has the file.
    """
    names = [name for name in policies if any(name in _names_of(cell) for cell in cells)]
    if anchor not in names:
        return []  # nothing to measure by
    players = cells[0]["players"]
    entrants, standing = [], []
    for cell in cells:
        row, column = (names.index(name) for name in _names_of(cell))
        for place in range(players):
            order = [column] * players
            order[place] = row
            entrants.append(order)
            standing.append(range(players, 0, -1))
    choices = Choices(np.array(entrants, np.int64), np.array(standing, np.int64), len(names))
    games = np.array([cell["games"] for cell in cells])[:, None]
    shares = np.array([cell["places"] for cell in cells])
    theta = choices.fit((games * shares).ravel())
    rng = np.random.default_rng([SEED, players])
    spread = [np.array(cell["covariance"]) for cell in cells]
    drawn = np.stack(
        [
            rng.multivariate_normal(share, around, REPLICATES, "ignore", method="eigh")
            for share, around in zip(shares, spread, strict=True)
        ],
        axis=1,
    ).clip(0)  # (replicates, cells, players)
    drawn /= drawn.sum(axis=2, keepdims=True)
    replicates = []
    for share in drawn:
        prior = PRIOR_DRAWS * rng.standard_exponential(len(names))
        replicates.append(choices.fit((games * share).ravel(), theta, prior))
    fixed = names.index(anchor)
    rating = AVERAGE + SCALE * (theta - theta[fixed])
    around_it = np.array(replicates)
    low, high = interval(AVERAGE + SCALE * (around_it - around_it[:, [fixed]]))
    best_first = np.argsort(-rating, kind="stable")
    return [
        {
            "name": names[k],
            "rating": round(float(rating[k]), 1),
            "low": round(float(low[k]), 1),
            "high": round(float(high[k]), 1),
        }
        for k in best_first
    ]
