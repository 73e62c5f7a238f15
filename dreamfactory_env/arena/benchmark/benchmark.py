"""The benchmark: how any two policies do at one table, for every number of players.

Its results are plain data in a JSON file that grows cell by cell: others can read it, cite it, and
add policies of their own. ``page`` writes its page.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from dreamfactory_env.arena.benchmark.cells import (
    CLOCK,
    MATRIX,
    RESPONSE,
    SEED,
    Cell,
    CellResult,
    measure,
    names_of,
)
from dreamfactory_env.arena.benchmark.ratings import RatingRow, fit_ratings
from dreamfactory_env.arena.benchmark.reading import read_results
from dreamfactory_env.arena.tournament import play_into
from dreamfactory_env.games import DEFAULT_GAME, new_game
from dreamfactory_env.policies import Policy, policy_named
from dreamfactory_env.policies.naming import CodeGuard, network_named
from dreamfactory_env.policies.policy import digest_of
from dreamfactory_env.utils.errors import OptionError, RecordError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.version import __version__

FORMAT = "dreamfactory-benchmark/1"
#: The search that everybody meets: by iterations, so that it plays the same game everywhere.
SEARCH = "mcts:50"
#: The search by time that the best agent meets if asked to.
TIMED = "mcts:0.2s"


class BenchmarkData(TypedDict):
    """Everything that the file has."""

    format: str
    package: str
    game: str
    version: str
    config: NotRequired[dict[str, Any]]  # of options that are not the default ones
    observation: str
    seed: int
    policies: list[str]
    cells: list[CellResult]
    ratings: dict[str, list[RatingRow]]


class Benchmark:
    """Results, and the file that they live in.

    Attributes:
        game: A game with default players and the options of all, to read.
        data: Everything, as the page of the benchmark describes the file.

    Args:
        path: The file; it is made when it is first written.
        game: The name of the game.
        copy_of: Results to begin with, if the file is not there yet.
        options: Options of the game besides the number of players.
        allow_code: Whether policies of the file that are ``package.module:Class`` are imported,
            which runs their code; those that are added always are.

    Raises:
        GameError: The file cannot be read, has mistakes, or is that of another game, version or
            options.
    """

    def __init__(
        self,
        path: Path,
        game: str = DEFAULT_GAME,
        copy_of: Path | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        allow_code: bool = False,
    ) -> None:
        self.path = path
        self._guard = CodeGuard(allow_code)
        self._options = options or {}
        self.game = new_game(game, self._options)
        self._policies: dict[str, Policy] = {}
        source = path if path.exists() else copy_of
        self.data: BenchmarkData = self._new() if source is None else self._read(source)

    def _new(self) -> BenchmarkData:
        names = [*self.game.spec.ladder, SEARCH, *self.game.agents]
        return {**self._about(), "policies": names, "cells": [], "ratings": {}}  # type: ignore[typeddict-item]

    def _about(self) -> dict[str, Any]:
        """Returns what the file says of itself."""
        spec, config = self.game.spec, self.game.config()
        default = config == new_game(spec.name, {}).config()
        return {
            "format": FORMAT,
            "package": __version__,
            "game": spec.name,
            "version": spec.version,
            **({} if default else {"config": {k: config[k] for k in config if k != "players"}}),
            "observation": spec.observation.fingerprint(),
            "seed": SEED,
        }

    def _read(self, path: Path) -> BenchmarkData:
        data = read_results(path, BenchmarkData, self.game.spec)
        found = {key: data[key] for key in ("format", "game", "version", "seed")}
        found["config"] = data.get("config")
        about = self._about()
        for key, value in found.items():
            if value != about.get(key):
                raise OptionError(f"{path}: its {key} is {value!r}, not {about.get(key)!r}")
        return {**data, **about}  # type: ignore[typeddict-item]

    # ------------------------------------------------------------------ what is to be played

    def policy(self, name: str) -> Policy:
        """Returns the policy of a name, made once.

        Raises:
            OptionError: There is none.
        """
        if name not in self._policies:
            self._guard.check(name)
            self._policies[name] = policy_named(name, self.game)
        return self._policies[name]

    def trust(self, names: Iterable[str]) -> None:
        """Lets policies play that run code, because the user and not the file has named them."""
        self._guard.trust(names)

    def add(self, name: str) -> None:
        """Adds a policy to those of the matrix.

        Raises:
            OptionError: There is none of that name.
        """
        self.trust([name])
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

        Where two cells would be the same games one of them is played: in a shared game, and with
        two players. Those who are absent play in none.

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
            for place, row in enumerate(names):
                for column in self._columns(names, place, players):
                    seats = self._slow_seats(players, row, column)
                    cell = Cell(
                        MATRIX, players, row, column, search_games // seats if seats else games
                    )
                    (slow if seats else quick).append(cell)
        return quick + slow

    def _columns(self, names: list[str], place: int, players: int) -> list[str]:
        """Returns the columns in which a row has a cell of its own."""
        if self.game.spec.shared:
            return names[: place + 1]
        return names[:place] if players == 2 else names[:place] + names[place + 1 :]

    def _slow_seats(self, players: int, row: str, column: str) -> int:
        """Returns how many seats of a cell have a policy that answers for one game at a time."""
        slow = [not self.policy(name).batched for name in (row, column)]
        if self.game.spec.shared:
            return -(-players * sum(slow) // 2)  # half of the seats each, on average
        return slow[0] + (players - 1) * slow[1]

    def against_the_clock(self, games: int) -> list[Cell]:
        """Returns the cell of the best agent and a search by time; none without agents."""
        best = list(self.game.agents)[:1]
        return [Cell(CLOCK, self.game.spec.min_players, name, TIMED, games) for name in best]

    def responses(self, name: str, games: int) -> list[Cell]:
        """Returns the cells of an agent that was trained with the best one alone.

        They are played with the fewest players, and with as many as play by default.

        Raises:
            OptionError: It is none.
        """
        self._policies[name] = network_named(name, self.game)
        spec = self.game.spec
        counts = dict.fromkeys((spec.min_players, spec.default_players))
        return [Cell(RESPONSE, players, name, self.best, games) for players in counts]

    @property
    def best(self) -> str:
        """The best policy that comes with the game: its first agent, else the best scripted one."""
        return next(iter(self.game.agents), self.anchor)

    def result(self, cell: Cell) -> CellResult | None:
        """Returns what came out of a cell, None if it was not played."""
        return next((found for found in self.data["cells"] if cell.is_of(found)), None)

    def is_done(self, cell: Cell) -> bool:
        """Tells whether a cell was played, and often enough."""
        found = self.result(cell)
        return found is not None and found["games"] >= cell.games

    def changed(self) -> list[str]:
        """Returns the policies that are not those any more which have played under their names."""
        cells = self.data["cells"]
        changed = []
        for name in dict.fromkeys(name for cell in cells for name in names_of(cell)):
            try:
                now = self.policy(name).fingerprint()
            except OptionError:
                continue  # a file that is gone; what it has played still holds
            if any(played != now for cell in cells for played in _fingerprints_of(cell, name)):
                changed.append(name)
        return changed

    def drop(self, names: Sequence[str]) -> None:
        """Forgets the cells of some policies."""
        kept = [cell for cell in self.data["cells"] if not set(names) & set(names_of(cell))]
        self.data["cells"] = kept

    # ------------------------------------------------------------------ playing and keeping

    def play(
        self,
        cell: Cell,
        *,
        processes: int = 1,
        stop: Callable[[], bool] = lambda: False,
        progress: Callable[[int, int], None] = lambda done, deals: None,
    ) -> CellResult | None:
        """Plays a cell, or the rest of it, and keeps its result in the file.

        Args:
            cell: Which one.
            processes: How many processes play; what is compiled is played in this one.
            stop: Asked now and then; once it says yes, what is being played is finished and no
                more. The same cell resumes from there.
            progress: Called with the number of deals that are done and of all, each time it grows.

        Returns:
            The result, None if it was stopped.
        """
        tournament = cell.tournament(self.game.spec.name, self._options)
        part = self._parts / f"{digest_of(repr(cell).encode())}.jsonl"
        settings: dict[str, Any] = {
            "processes": 1 if tournament.compiled else processes,
            "stop": stop,
            "progress": lambda done: progress(done, tournament.deals),
        }
        try:
            chunks = play_into(part, tournament, **settings)
        except RecordError:  # it was begun with other policies of these names
            chunks = play_into(part, tournament, replace=True, **settings)
        if len(chunks) < tournament.chunks:
            return None
        result = measure(cell, tournament, chunks)
        others = [found for found in self.data["cells"] if not cell.is_of(found)]
        self.data["cells"] = sorted([*others, result], key=self._order)
        self.write()
        part.unlink()
        return result

    @property
    def _parts(self) -> Path:
        """The folder of the cells that are being played."""
        return self.path.with_name(f"{self.path.name}.parts")

    def _order(self, result: CellResult) -> tuple[Any, ...]:
        names = self.data["policies"]
        places = [names.index(name) if name in names else len(names) for name in names_of(result)]
        parts = (MATRIX, CLOCK, RESPONSE)
        return (parts.index(result["part"]), result["players"], *places, *names_of(result))

    def rate(self) -> None:
        """Fits the ratings of every player count to the cells of the matrix; not if shared."""
        if self.game.spec.shared:
            return
        cells = [cell for cell in self.data["cells"] if cell["part"] == MATRIX]
        self.data["ratings"] = {
            str(players): fit_ratings(
                [cell for cell in cells if cell["players"] == players],
                self.data["policies"],
                self.anchor,
            )
            for players in sorted({cell["players"] for cell in cells})
        }

    @property
    def anchor(self) -> str:
        """The policy whose rating is fixed: the best scripted one."""
        return self.game.spec.ladder[-1]

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
        """Rates, writes the file, and removes what cells have left that nobody needs."""
        self.rate()
        self.write()
        if self._parts.exists() and not any(self._parts.iterdir()):
            shutil.rmtree(self._parts)


def as_text(data: Mapping[str, Any]) -> str:
    """Returns the data as JSON with a cell, or a rating, on each line."""

    def one_line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def lines(values: list[Any], indent: str) -> str:
        inner = f",\n{indent} ".join(one_line(value) for value in values)
        return f"[\n{indent} {inner}\n{indent}]" if values else "[]"

    entries = []
    for key, value in data.items():
        if key == "cells":
            text = lines(value, " ")
        elif key == "ratings":
            counts = [f'  "{count}": {lines(rows, "  ")}' for count, rows in value.items()]
            text = "{\n" + ",\n".join(counts) + "\n }" if counts else "{}"
        else:
            text = one_line(value)
        entries.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _fingerprints_of(result: CellResult, name: str) -> list[str]:
    """Returns the fingerprints that a policy of a name had when it played a cell."""
    both = zip(names_of(result), result["fingerprints"], strict=True)
    return [fingerprint for played, fingerprint in both if played == name]
