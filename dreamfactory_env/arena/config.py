"""What a tournament is: its settings, checked, and what is played in each of its deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.arena.lineups import (
    SHARED_WAYS,
    WAYS,
    Lineup,
    crossplay,
    mixed,
    pairs,
    rotations,
)
from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import DEFAULT_GAME, GAMES, game_named, new_game
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.policies import Policy, policy_named
from dreamfactory_env.policies.network import SUFFIX
from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.utils.validation import as_int, did_you_mean

FORMAT = "dreamfactory-tournament/1"
#: Seconds that a policy may take for a decision, by default.
TIME_LIMIT = 60.0
#: How many deals are played as one piece of work: by policies that answer for many games at once,
#: and if there are others.
BATCH_CHUNK, SINGLE_CHUNK = 128, 1
#: More take longer to be compared than anybody waits.
MAX_POLICIES = 1000
#: Seeds for the shuffles of the deals, and for who sits where.
_DEALS, _LINEUPS = 0, 1
#: A setting that is wrong, and what is wrong with it.
Problem = tuple[str, str]


class WrongSettings(OptionError):
    """Settings of a tournament that are wrong, each with what is wrong with it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(f"{key}: {problem}" for key, problem in self.problems)


@dataclass(frozen=True)
class Tournament:
    """A tournament, checked.

    Policies are constructed once, when the settings are checked; whoever plays uses these objects.

    Attributes:
        policies: Who plays, by name.
        players: How many sit at a table; the default of the game if not given.
        deals: How many deals; each is played once for every rotation of the seats.
        lineups: ``mixed``, ``pairs``, for a shared game ``crossplay``, or a list of lineups, each a
            policy name for every seat. ``mixed``, or ``crossplay`` for a shared game, if not given.
        seed: Where everything comes from.
        game: The name of the game.
        options: Its options besides the number of players.
        time_limit: Seconds that a policy may take for a decision; None for no limit.
        records: Whether the games are recorded.
        custom: Policies that are no names but objects, by what they are called in ``policies``;
            those that cannot be pickled, or imported elsewhere, are played by this process alone.

    Raises:
        GameError: One of them is wrong.
    """

    policies: tuple[str, ...]
    players: int | None = None
    deals: int = 1000
    lineups: str | tuple[tuple[str, ...], ...] | None = None
    seed: int = 1
    game: str = DEFAULT_GAME
    options: Mapping[str, Any] = field(default_factory=dict)
    time_limit: float | None = TIME_LIMIT
    records: bool = False
    custom: Mapping[str, Policy] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        problems = self._number_problems()
        if not isinstance(self.game, str) or self.game not in GAMES:
            known, hint = ", ".join(GAMES), did_you_mean(str(self.game), GAMES)
            problem = ("game", f"unknown game {self.game!r}; known are {known}{hint}")
            raise WrongSettings([problem, *problems])
        spec = game_named(self.game).spec
        if self.players is None:
            object.__setattr__(self, "players", spec.default_players)
        if self.lineups is None:
            object.__setattr__(self, "lineups", _ways(spec)[0])
        wrong_game = self._player_problems(spec) + self._option_problems(spec)
        if not wrong_game:
            try:
                self.template  # noqa: B018  (options that are right may not go together)
            except GameError as error:
                wrong_game = [("options", str(error))]
        # Names are checked even if there is no such game: then with its default options.
        game = new_game(self.game, {}) if wrong_game else self.template
        problems = wrong_game + self._policy_problems(game) + self._lineup_problems(spec) + problems
        if problems:
            raise WrongSettings(problems)

    def __getstate__(self) -> dict[str, Any]:
        """Leaves out what is cached: another process constructs its own policies."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}

    def with_files(self) -> Tournament:
        """Returns the same tournament with what it has read from files in it, for other machines.

        These may lack the files: of networks, and of options such as components.
        """
        files = [o.name for o in self.template.spec.options if o.type is Path]
        values = {name: self.template.values[name] for name in files if name in self.options}
        networks = {name: self.policy(name) for name in self.policies if name.endswith(SUFFIX)}
        other = copy(self)
        object.__setattr__(other, "options", {**self.options, **values})
        object.__setattr__(other, "custom", {**networks, **self.custom})
        return other

    # ------------------------------------------------------------------ checking

    def _player_problems(self, spec: GameSpec) -> list[Problem]:
        try:
            spec.check_options({"players": self.players})
        except OptionError as error:
            return [("players", str(error))]
        return []

    def _option_problems(self, spec: GameSpec) -> list[Problem]:
        known = [option.name for option in spec.options]
        for name in self.options:
            if name not in known:  # the number of players has a key of its own
                hint = did_you_mean(str(name), known)
                listed = ", ".join(known)
                return [("options", f"unknown option {name!r}; known are {listed}{hint}")]
        try:
            spec.check_options(self.options)
        except GameError as error:
            return [("options", str(error))]
        return []

    def _policy_problems(self, game: Game) -> list[Problem]:
        names = list(self.policies)
        problems = [] if names else [("policies", "there must be at least one")]
        if len(names) > MAX_POLICIES:
            return [("policies", f"there are {len(names):,}, more than {MAX_POLICIES:,}")]
        counts = Counter(names)
        for name in counts:
            if counts[name] > 1:
                problems.append(("policies", f"{name!r} stands twice"))
            try:
                self._construct(name, game)
            except GameError as error:
                problems.append(("policies", str(error)))
        return problems

    def _lineup_problems(self, spec: GameSpec) -> list[Problem]:
        names, lineups, problems = list(self.policies), self.lineups or (), []
        if isinstance(lineups, str):
            ways = _ways(spec)
            if lineups not in ways:
                listed = f"{', '.join(ways)} or a list of lineups"
                hint = did_you_mean(lineups, ways)
                problems.append(f"must be {listed}, not {lineups!r}{hint}")
            elif lineups == "pairs" and len(names) < 2:
                problems.append("pairs need at least two policies")
        elif not lineups:
            problems.append("there must be at least one")
        else:
            for number, lineup in enumerate(lineups, 1):
                if len(lineup) != self.players:
                    seats = f"{len(lineup)} policies for {self.players} players"
                    problems.append(f"lineup {number} has {seats}")
                for name in lineup:
                    if name not in names:
                        hint = did_you_mean(str(name), names)
                        problems.append(
                            f"lineup {number}: {name!r} is not among the policies{hint}"
                        )
        return [("lineups", problem) for problem in problems]

    def _number_problems(self) -> list[Problem]:
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

    # ------------------------------------------------------------------ the game and the policies

    @cached_property
    def template(self) -> Game:
        """A game with the options of all, to read and to deal others from."""
        return new_game(self.game, {"players": self.players, **self.options})

    @cached_property
    def _constructed(self) -> dict[str, Policy]:
        return dict(self.custom)

    def _construct(self, name: str, game: Game) -> Policy:
        """Returns the policy of a name, constructed at the first call."""
        if name not in self._constructed:
            self._constructed[name] = policy_named(name, game)
        return self._constructed[name]

    def policy(self, name: str) -> Policy:
        """Returns the policy of a name, the same object every time."""
        return self._construct(name, self.template)

    def is_scripted(self, name: str) -> bool:
        """Tells whether a name is that of a scripted policy, which is played by compiled code."""
        return name in self.template.scripted and name not in self.custom

    @property
    def compiled(self) -> bool:
        """Whether all that play are scripted, so that no Python is needed."""
        return all(self.is_scripted(name) for name in self.policies)

    # ------------------------------------------------------------------ what is played

    @cached_property
    def chunk(self) -> int:
        """How many deals are one piece of work; it depends on who plays and on the lineups."""
        batched = all(self.policy(name).batched for name in self.policies)
        deals = BATCH_CHUNK if batched else SINGLE_CHUNK
        # The deals of cross-play have many games: as many fewer deals are one piece.
        games = len(self.games_of(0))
        return max(deals * min(self.template.players, games) // games, 1)

    @property
    def chunks(self) -> int:
        """How many pieces of work there are."""
        return -(-self.deals // self.chunk)

    def deals_of(self, chunk: int) -> range:
        """Returns the deals of a piece of work."""
        return range(chunk * self.chunk, min((chunk + 1) * self.chunk, self.deals))

    @cached_property
    def _listed(self) -> list[Lineup]:
        """The lineups that are taken in turn; none if they are drawn, or all played in a deal."""
        lineups, players = self.lineups or (), self.template.players
        if lineups == "pairs":
            return pairs(len(self.policies), players)
        if isinstance(lineups, str):
            return []
        return [tuple(self.policies.index(name) for name in lineup) for lineup in lineups]

    @cached_property
    def _crossplay(self) -> Array:
        """The games of every deal of cross-play, int64 (games, players)."""
        lineups = crossplay(len(self.policies), self.template.players)
        return np.concatenate([rotations(lineup) for lineup in lineups])

    def games_of(self, deal: int) -> Array:
        """Returns who sits where in each game of a deal, as numbers; int64 (games, players)."""
        if self.lineups == "crossplay":
            return self._crossplay
        if self._listed:
            return rotations(self._listed[deal % len(self._listed)])
        seed = derive_seed(np.uint64(self.seed), _LINEUPS)
        return rotations(mixed(deal, len(self.policies), self.template.players, seed))

    def seed_of(self, deal: int) -> np.uint64:
        """Returns the seed of a deal: of all its games, which have the same shuffles."""
        return derive_seed(derive_seed(np.uint64(self.seed), _DEALS), deal)

    def header(self) -> dict[str, Any]:
        """Returns all that the results depend on, as a result file writes it."""
        lineups = self.lineups
        return {
            "format": FORMAT,
            "game": self.game,
            "version": self.template.spec.version,
            "config": self.template.config(),
            "policies": list(self.policies),
            "lineups": lineups if isinstance(lineups, str) else [list(x) for x in lineups or ()],
            "deals": self.deals,
            "seed": self.seed,
            "time_limit": self.time_limit,
            "records": self.records,
            "fingerprints": [self.policy(name).fingerprint() for name in self.policies],
        }


def _ways(spec: GameSpec) -> list[str]:
    """Returns the named ways to make lineups of a game, the default first."""
    return SHARED_WAYS if spec.shared else WAYS


def _is_positive(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and isfinite(float(value)) and float(value) > 0  # type: ignore[arg-type]
