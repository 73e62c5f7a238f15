"""What a tournament is: read from a YAML file, every mistake named at once."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.arena.lineups import WAYS, Lineup, mixed, pairs, rotations
from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import GAMES, game_named
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.policies import Policy, policy_named
from dreamfactory_env.utils.errors import ConfigError, GameError, OptionError
from dreamfactory_env.utils.validation import as_int, did_you_mean
from dreamfactory_env.utils.yaml_lines import Document, read_yaml

FORMAT = "dreamfactory-tournament/1"
#: Seconds that a policy may take for a decision, unless told otherwise.
TIME_LIMIT = 60.0
#: How many deals are played as one piece of work: by compiled policies, by policies that answer
#: for many games at once, by others.
COMPILED_CHUNK, BATCH_CHUNK, SINGLE_CHUNK = 128, 128, 1
#: Seeds for the shuffles of the deals, and for who sits where.
_DEALS, _LINEUPS = 0, 1


class _WrongKeys(OptionError):
    """Options of a tournament that are wrong, each with what is wrong with it."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(f"{key}: {problem}" for key, problem in self.problems)


@dataclass(frozen=True)
class Tournament:
    """A tournament, checked.

    Attributes:
        policies: Who plays, by name.
        players: How many sit at a table.
        deals: How many deals; each is played once for every rotation of the seats.
        lineups: ``mixed``, ``pairs``, or a list of lineups, each a policy name for every seat.
        seed: Where everything comes from.
        game: The name of the game.
        options: Its options besides the number of players.
        time_limit: Seconds that a policy may take for a decision; None for as long as it likes.
        records: Whether the games are recorded.
        custom: Policies that are no names but objects, by what they are called in ``policies``;
            they must be picklable if several processes play.

    Raises:
        GameError: One of them is wrong.
    """

    policies: tuple[str, ...]
    players: int = 4
    deals: int = 1000
    lineups: str | tuple[tuple[str, ...], ...] = "mixed"
    seed: int = 1
    game: str = "dream_factory"
    options: Mapping[str, Any] = field(default_factory=dict)
    time_limit: float | None = TIME_LIMIT
    records: bool = False
    custom: Mapping[str, Policy] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        problems = self._game_problems() + self._policy_problems() + self._number_problems()
        if problems:
            raise _WrongKeys(problems)

    def _game_problems(self) -> list[tuple[str, str]]:
        if self.game not in GAMES:
            known = ", ".join(GAMES)
            hint = did_you_mean(str(self.game), GAMES)
            return [("game", f"unknown game {self.game!r}; known are {known}{hint}")]
        known_options = list(inspect.signature(self.kind.__init__).parameters)
        known_options = [name for name in known_options if name not in ("self", "players", "seed")]
        unknown = [name for name in self.options if name not in known_options]
        if unknown:
            known = ", ".join(known_options)
            hint = did_you_mean(str(unknown[0]), known_options)
            return [("options", f"unknown option {unknown[0]!r}; known are {known}{hint}")]
        try:
            self.template()
        except GameError as error:
            about_players = str(error).startswith("players ")
            return [("players" if about_players else "options", str(error))]
        return []

    def _policy_problems(self) -> list[tuple[str, str]]:
        names = list(self.policies)
        if self.game not in GAMES:
            return []
        problems = []
        if not names:
            problems.append(("policies", "there must be at least one"))
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                problems.append(("policies", f"{name!r} stands twice"))
            try:
                self._policy(name)
            except GameError as error:
                problems.append(("policies", str(error)))
        if isinstance(self.lineups, str):
            if self.lineups not in WAYS:
                hint = did_you_mean(self.lineups, WAYS)
                ways = f"{', '.join(WAYS)} or a list of lineups"
                problems.append(("lineups", f"must be {ways}, not {self.lineups!r}{hint}"))
            elif self.lineups == "pairs" and len(names) < 2:
                problems.append(("lineups", "pairs need at least two policies"))
            return problems
        if not self.lineups:
            problems.append(("lineups", "there must be at least one"))
        for number, lineup in enumerate(self.lineups):
            if len(lineup) != self.players:
                told = f"lineup {number + 1} has {len(lineup)} policies for {self.players} players"
                problems.append(("lineups", told))
            for name in lineup:
                if name not in names:
                    hint = did_you_mean(str(name), names)
                    told = f"lineup {number + 1}: {name!r} is not among the policies{hint}"
                    problems.append(("lineups", told))
        return problems

    def _number_problems(self) -> list[tuple[str, str]]:
        problems = []
        if (as_int(self.deals) or 0) < 1:
            problems.append(("deals", f"must be a whole number from 1 up, not {self.deals!r}"))
        try:
            if self.seed is None:
                raise OptionError("seed must be given")
            check_seed(self.seed)
        except GameError as error:
            problems.append(("seed", str(error)))
        limit = self.time_limit
        if limit is not None and not _is_positive(limit):
            problems.append(("time_limit", f"must be seconds, or nothing for none, not {limit!r}"))
        if not isinstance(self.records, bool):
            problems.append(("records", f"must be true or false, not {self.records!r}"))
        return problems

    @property
    def kind(self) -> type[Game]:
        """Which game is played."""
        return game_named(self.game)

    def template(self) -> Game:
        """Returns a game with the options of all, to play others with."""
        return self.kind(players=self.players, seed=0, **self.options)  # type: ignore[call-arg]

    def _policy(self, name: str) -> Policy:
        return self.custom[name] if name in self.custom else policy_named(name, self.kind)

    def make_policies(self) -> list[Policy]:
        """Returns the policies, each made anew unless it was given as an object."""
        return [self._policy(name) for name in self.policies]

    @property
    def compiled(self) -> bool:
        """Whether all that play are scripted policies of the game, so that no Python is needed."""
        names = set(self.policies)
        return names.issubset(self.kind.scripted) and names.isdisjoint(self.custom)

    @cached_property
    def chunk(self) -> int:
        """How many deals are one piece of work; it depends on who plays alone."""
        if self.compiled:
            return COMPILED_CHUNK
        batched = [type(p).act_batch is not Policy.act_batch for p in self.make_policies()]
        return BATCH_CHUNK if all(batched) else SINGLE_CHUNK

    @property
    def chunks(self) -> int:
        """How many pieces of work there are."""
        return -(-self.deals // self.chunk)

    def deals_of(self, chunk: int) -> range:
        """Returns the deals of a piece of work."""
        return range(chunk * self.chunk, min((chunk + 1) * self.chunk, self.deals))

    @cached_property
    def _listed(self) -> list[Lineup]:
        """The lineups that are taken in turn; none if they are drawn."""
        if self.lineups == "mixed":
            return []
        if self.lineups == "pairs":
            return pairs(len(self.policies), self.players)
        return [tuple(self.policies.index(name) for name in lineup) for lineup in self.lineups]

    def lineup_of(self, deal: int) -> Lineup:
        """Returns who sits at the table in a deal, as numbers, before the seats are rotated."""
        if self._listed:
            return self._listed[deal % len(self._listed)]
        seed = derive_seed(np.uint64(self.seed), _LINEUPS)
        return mixed(deal, len(self.policies), self.players, seed)

    def games_of(self, deal: int) -> Array:
        """Returns who sits where in each game of a deal, as numbers; int64 (games, players)."""
        return rotations(self.lineup_of(deal))

    def seed_of(self, deal: int) -> np.uint64:
        """Returns the seed of a deal: of all its games, which have the same shuffles."""
        return derive_seed(derive_seed(np.uint64(self.seed), _DEALS), deal)

    def header(self) -> dict[str, Any]:
        """Returns all that the results depend on, as a result file writes it."""
        lineups = self.lineups
        return {
            "format": FORMAT,
            "game": self.game,
            "version": self.kind.version,
            "config": self.template().config(),
            "policies": list(self.policies),
            "lineups": lineups if isinstance(lineups, str) else [list(line) for line in lineups],
            "deals": self.deals,
            "seed": self.seed,
            "time_limit": self.time_limit,
            "records": self.records,
            "fingerprints": [policy.fingerprint() for policy in self.make_policies()],
        }


KEYS = [key for key in Tournament.__dataclass_fields__ if key != "custom"]


def read_tournament(path: str | Path) -> Tournament:
    """Reads the file of a tournament.

    Raises:
        ConfigError: It cannot be read, or has mistakes; all of them are named.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(str(path), [f"cannot be read: {error}"]) from error
    return check_tournament(read_yaml(text), str(path))


def check_tournament(document: Document, name: str) -> Tournament:
    """Returns the tournament that a document describes.

    Args:
        document: What was read.
        name: How to call it in an error.

    Raises:
        ConfigError: It has mistakes; all of them are named.
    """
    data = document.data
    if not document.problems and not isinstance(data, dict):
        document.problems.append("must be a mapping with keys such as policies and players")
    if document.problems:
        raise ConfigError(name, document.problems)
    for key in data:
        if key not in KEYS:
            hint = did_you_mean(str(key), KEYS)
            document.report((str(key),), f"unknown key; known are {', '.join(KEYS)}{hint}")
    if "policies" not in data:
        document.problems.append("policies are missing: who plays?")
    given = {key: _frozen(document, key, value) for key, value in data.items() if key in KEYS}
    if not document.problems:
        try:
            return Tournament(**given)
        except _WrongKeys as error:
            for key, problem in error.problems:
                document.report((key,), problem)
    raise ConfigError(name, document.problems)


def _frozen(document: Document, key: str, value: Any) -> Any:
    """Returns the value of a key with lists as tuples; reports what is of another shape."""
    if key == "policies":
        if not _is_names(value):
            document.report((key,), f"must be a list of names, not {value!r}")
            return ()
        return tuple(value)
    if key == "lineups" and not isinstance(value, str):
        if not isinstance(value, list) or not all(_is_names(lineup) for lineup in value):
            document.report((key,), f"must be mixed, pairs or a list of lists of names: {value!r}")
            return "mixed"
        return tuple(tuple(lineup) for lineup in value)
    if key == "options" and not isinstance(value, dict):
        document.report((key,), f"must be a mapping, not {value!r}")
        return {}
    return value


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_positive(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and isfinite(float(value)) and float(value) > 0  # type: ignore[arg-type]
