"""The benchmark: how any two policies do at one table, for every variant and number of players.

Its results are plain data in a JSON file that grows cell by cell: others can read it, cite it, and
add policies of their own. ``page`` writes its page.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from dreamfactory_env.arena.benchmark.cells import (
    CEILING,
    CLOCK,
    MATRIX,
    PARTS,
    RESPONSE,
    SEED,
    Cell,
    CellResult,
    measure,
    names_of,
)
from dreamfactory_env.arena.benchmark.data import FORMAT, BenchmarkData, as_text
from dreamfactory_env.arena.benchmark.field import Field, guided_by
from dreamfactory_env.arena.benchmark.ratings import fit_ratings
from dreamfactory_env.arena.benchmark.reading import read_results, variant_number
from dreamfactory_env.arena.tournament import play_into
from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.games import DEFAULT_GAME, new_game
from dreamfactory_env.games.seeing import seen_by_all
from dreamfactory_env.policies.naming import CodeGuard, network_named, policy_named
from dreamfactory_env.policies.policy import digest_of
from dreamfactory_env.utils.errors import OptionError, RecordError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.version import __version__

#: The search by time that is measured if asked for.
TIMED = "mcts:0.2s"


class Benchmark:
    """Results, and the file that they live in.

    Attributes:
        field: The variants of the game that are played, and their policies.
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
        self.field = Field(game, options or {}, CodeGuard(allow_code))
        self.game = self.field.game
        source = path if path.exists() else copy_of
        self.data: BenchmarkData = self._new() if source is None else self._read(source)

    def _new(self) -> BenchmarkData:
        return {**self._about(SEED), "policies": self.field.names(), "cells": [], "ratings": {}}  # type: ignore[typeddict-item]

    def _about(self, seed: int) -> dict[str, Any]:
        """Returns what the file says of itself."""
        spec = self.game.spec
        config, default = self._config(self.game.config()), new_game(spec.name, {}).config()
        return {
            "format": FORMAT,
            "package": __version__,
            "game": spec.name,
            "version": spec.version,
            **({} if config == self._config(default) else {"config": config}),
            **({} if spec.variants else {"observation": spec.observation.fingerprint()}),
            "seed": seed,
        }

    def _config(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the options that all cells have in common."""
        own = ("players", *self.game.spec.variant_options)
        return {name: value for name, value in config.items() if name not in own}

    def _read(self, path: Path) -> BenchmarkData:
        data = read_results(path, BenchmarkData, self.game.spec)
        found = {key: data[key] for key in ("format", "game", "version")}
        found["config"] = data.get("config")
        about = self._about(data["seed"])
        for key, value in found.items():
            if value != about.get(key):
                raise OptionError(f"{path}: its {key} is {value!r}, not {about.get(key)!r}")
        data["policies"] += [name for name in self.field.names() if name not in data["policies"]]
        return {**data, **about}  # type: ignore[typeddict-item]

    # ------------------------------------------------------------------ what is to be played

    def trust(self, names: Iterable[str]) -> None:
        """Lets policies play that run code, because the user and not the file has named them."""
        self.field.guard.trust(names)

    def add(self, name: str) -> None:
        """Adds a policy to those of the matrix.

        Raises:
            OptionError: There is none of that name.
        """
        self.trust([name])
        if self.field.absent([name]):
            self.field.policy(name, self.field.variants[0])  # says what is wrong
        if name not in self.data["policies"]:
            self.data["policies"].append(name)

    def absent(self) -> list[str]:
        """Returns the policies that cannot be asked here, such as somebody else's files."""
        return self.field.absent(self.data["policies"])

    def matrix(self, counts: Iterable[int], games: int, search_games: int) -> list[Cell]:
        """Returns the cells of the matrix, those that take long behind the others.

        Where two cells would be the same games one of them is played: in a shared game, and with
        two players. Those who are absent play in none. Those of a pool, who are many, do not meet
        those who take long, and play with as many players as they have learned with.

        Args:
            counts: The player counts.
            games: How many games a cell has.
            search_games: How many it has with a policy that answers for one game at a time, such
                as a search; in a shared game they are shared among as many of these as sit at the
                table.
        """
        quick: list[Cell] = []
        slow: list[Cell] = []
        for variant in self.field.variants:
            for players in counts:
                names = [n for n in self.data["policies"] if self.field.plays(n, variant, players)]
                for row, column in self._pairs(names, players):
                    policies = [self.field.policy(name, variant) for name in (row, column)]
                    number = sum(not policy.batched for policy in policies)
                    if number and {row, column} & {*self.game.pool}:
                        continue
                    count = self._search_games(players, number, search_games) if number else games
                    cell = Cell(MATRIX, players, row, column, count, variant)
                    (slow if number else quick).append(cell)
        return quick + slow

    def _pairs(self, names: list[str], players: int) -> list[tuple[str, str]]:
        """Returns rows and columns that have a cell of their own."""
        pairs = []
        for place, row in enumerate(names):
            columns = names[: place + 1] if self.game.spec.shared else names[:place]
            if not self.game.spec.shared and players > 2:
                columns = names[:place] + names[place + 1 :]
            pairs += [(row, column) for column in columns]
        return pairs

    def _search_games(self, players: int, number: int, games: int) -> int:
        """Returns how many games a cell has where one or two policies answer for one at a time."""
        if not self.game.spec.shared:
            return games
        return games // -(-players * number // 2)  # each has half of the seats, on average

    def ceilings(self, counts: Iterable[int], games: int) -> list[Cell]:
        """Returns the cells of the policy that sees everything, by itself; none without one."""
        name = self.field.ceiling()
        pairs = [(variant, players) for variant in self.field.variants for players in counts]
        return [
            Cell(CEILING, players, name, name, games, variant)
            for variant, players in pairs
            if name is not None
        ]

    def against_the_clock(self, counts: Iterable[int], games: int) -> list[Cell]:
        """Returns the cells of the best agent and the search by time; none without agents.

        The agent sits among searches, and a search that it guides among both of them.

        Args:
            counts: The player counts.
            games: How many games a cell has.
        """
        return [
            Cell(CLOCK, players, row, column, games, variant)
            for agent in list(self.game.agents)[:1]
            for variant in self.field.variants
            if self.field.known(agent, variant)
            for row, column in timed_pairs(agent)
            for players in counts
        ]

    def responses(self, name: str, games: int) -> list[Cell]:
        """Returns the cells of an agent that was trained with the best one alone.

        They are played with the fewest players, and with as many as play by default.

        Raises:
            OptionError: It is none.
        """
        known = [v for v in self.field.variants if self.field.known(name, v)]
        for variant in known or self.field.variants[:1]:
            network_named(name, self.field.game_of(variant))
        spec = self.game.spec
        counts = dict.fromkeys((spec.min_players, spec.default_players))
        return [
            Cell(RESPONSE, players, name, self.best, games, variant)
            for variant in known
            for players in counts
        ]

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
        names = [name for cell in self.data["cells"] for name in self._changed_in(cell)]
        return list(dict.fromkeys(names))

    def _changed_in(self, cell: CellResult) -> list[str]:
        """Returns the policies of a cell that are others now."""
        changed = []
        for name, played in zip(names_of(cell), cell["fingerprints"], strict=True):
            try:
                now = self._fingerprint(cell, name)
            except OptionError:
                continue  # a file that is gone; what it has played still holds
            if played != now:
                changed.append(name)
        return changed

    def _fingerprint(self, cell: CellResult, name: str) -> str:
        """Returns the fingerprint that a policy of a cell has now."""
        variant = tuple(cell.get("options", {}).items())
        if cell["part"] == CEILING:
            seen = new_game(seen_by_all(type(self.game)), dict(variant))
            return policy_named(name, seen).fingerprint()
        return self.field.policy(name, variant).fingerprint()

    def drop_changed(self) -> None:
        """Forgets the cells of policies that are others now."""
        kept = [cell for cell in self.data["cells"] if not self._changed_in(cell)]
        self.data["cells"] = kept

    # ------------------------------------------------------------------ playing and keeping

    def play(
        self,
        cell: Cell,
        *,
        processes: int | None = 1,
        stop: Callable[[], bool] = lambda: False,
        progress: Callable[[int, int], None] = lambda done, deals: None,
        cluster: Cluster | None = None,
    ) -> CellResult | None:
        """Plays a cell, or the rest of it, and keeps its result in the file.

        Args:
            cell: Which one.
            processes: How many processes play, None for one on each core, here or on the cluster;
                what is compiled is played in this one.
            stop: Asked now and then; once it says yes, what is being played is finished and no
                more. The same cell resumes from there.
            progress: Called with the number of deals that are done and of all, each time it grows.
            cluster: Whose processes play; those of this machine if not given.

        Returns:
            The result, None if it was stopped.
        """
        tournament = cell.tournament(self.game.spec.name, self.field.options, self.data["seed"])
        part = self._parts / f"{digest_of(repr(cell).encode())}.jsonl"
        settings: dict[str, Any] = {
            "processes": 1 if tournament.compiled else processes,
            "stop": stop,
            "progress": lambda done: progress(done, tournament.deals),
            "cluster": None if tournament.compiled else cluster,
        }
        try:
            chunks = play_into(part, tournament, **settings)
        except RecordError:  # it was begun with other policies of these names
            chunks = play_into(part, tournament, replace=True, **settings)
        if len(chunks) < tournament.chunks:
            return None
        result = measure(cell, tournament, chunks, here=settings["cluster"] is None)
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
        variant = variant_number(self.game.spec, result.get("options", {}))
        part = PARTS.index(result["part"])
        return (variant, part, result["players"], *places, *names_of(result))

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
        if self._parts.exists() and not any(self._parts.glob("[!.]*")):  # no lock of a killed one
            shutil.rmtree(self._parts)


def timed_pairs(agent: str) -> list[tuple[str, str]]:
    """Returns who meets whom by the clock: rows and columns."""
    guided = guided_by(TIMED, agent)
    return [(agent, TIMED), (guided, TIMED), (guided, agent)]
