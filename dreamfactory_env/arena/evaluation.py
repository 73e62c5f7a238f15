"""One policy among others: how it does, played until that is known well enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.analysis.bootstrap import Ends, mean_by_deal
from dreamfactory_env.arena.analysis.outcomes import scores_by_deal, wins_by_deal
from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.lineups import rotations
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.report_types import Report
from dreamfactory_env.arena.results import Result
from dreamfactory_env.arena.tournament import add_times, deals_done, measure_speeds
from dreamfactory_env.arena.worker import Chunk
from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import DEFAULT_GAME, game_named
from dreamfactory_env.policies import Policy
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int

#: No interval is believed before that many deals.
LEAST_DEALS = 30


@dataclass(frozen=True)
class Evaluation:
    """How a policy does among others.

    Attributes:
        win_rate: How often it wins; a win that is shared with opponents counts as a part.
        half_width: Half the width of the 95 % interval of that.
        score: The mean of what the reward ``score`` pays it.
        score_half_width: Half the width of the 95 % interval of that.
        enough: Whether the interval is as narrow as was asked for; True if nothing was asked.
        report: All other figures.
    """

    win_rate: float
    half_width: float
    score: float
    score_half_width: float
    enough: bool
    report: Report


def duel(
    policy: str | Policy,
    others: Sequence[str | Policy],
    *,
    players: int | None = None,
    games: int = 10_000,
    seed: int = 1,
    game: str = DEFAULT_GAME,
    **more: Any,
) -> Tournament:
    """Returns the tournament of one policy against others, in a shared game with others.

    Args:
        policy: A name, or a policy.
        others: Who else plays, names or policies: one for all other seats, or one for each.
        players: How many sit at a table; the default of the game if not given.
        games: How many games at least; whole deals are played.
        seed: Where everything comes from.
        game: The name of the game.
        **more: Other options of a :class:`Tournament`.

    Raises:
        GameError: One of them is wrong.
    """
    spec = game_named(game).spec
    seats = spec.check_options({} if players is None else {"players": players})["players"]
    mates = list(others) * (seats - 1 if len(others) == 1 else 1)
    if len(mates) != seats - 1:
        how = "with" if spec.shared else "against"
        counts = " or ".join(str(count) for count in sorted({1, seats - 1}))
        raise OptionError(f"{len(mates)} policies {how} one at a table of {seats}; give {counts}")
    if (as_int(games) or 0) < 1:
        raise OptionError(f"games must be at least 1, not {games!r}")
    custom: dict[str, Policy] = {}
    names = [_name_of(one, custom) for one in [policy, *mates]]
    a_deal = len(rotations(tuple(names.index(name) for name in names)))
    return Tournament(
        policies=tuple(dict.fromkeys(names)),
        players=seats,
        deals=-(-games // a_deal),
        lineups=(tuple(names),),
        seed=seed,
        game=game,
        custom=custom,
        **more,
    )


def _name_of(policy: str | Policy, custom: dict[str, Policy]) -> str:
    """Returns the name of a policy; one that is no name is called by its class."""
    if isinstance(policy, str):
        return policy
    for name, known in custom.items():
        if known is policy:
            return name
    name = type(policy).__name__
    name = name if name not in custom else f"{name} {len(custom) + 1}"
    custom[name] = policy
    return name


class _Mean:
    """A mean that grows by deals, with its interval."""

    def __init__(self, ends: Ends) -> None:
        self.ends = ends
        self.value, self.half_width = 0.0, float("inf")
        self._totals: list[Array] = []
        self._counts: list[Array] = []

    def add(self, totals: Array, counts: Array) -> None:
        """Adds the sums of some more deals, float64 (deals,), and how many terms they have."""
        self._totals.append(totals)
        self._counts.append(counts)
        both = np.concatenate(self._totals), np.concatenate(self._counts)
        self.value, self.half_width = mean_by_deal(*both, self.ends)


def evaluate(
    tournament: Tournament,
    *,
    until: float | None = None,
    processes: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int, float], None] = lambda deals, half_width: None,
    cluster: Cluster | None = None,
) -> Evaluation | None:
    """Plays a :func:`duel` and measures how its first policy does.

    Args:
        tournament: The duel.
        until: Stop as soon as the 95 % interval of the win rate, in a shared game of the score, is
            this wide to either side, such as 0.01; None plays all games. It is looked at after
            every chunk of deals, so the answer does not depend on the number of processes.
        processes: As in ``run_tournament``.
        stop: Asked now and then; once it says yes, what is being played is finished and no more.
        progress: Called with the number of deals that are done and the half width, each time.
        cluster: As in ``run_tournament``.

    Returns:
        How the policy does, None if not one chunk was played.

    Raises:
        GameError: An option is wrong, or a process has died.
    """
    spec = tournament.template.spec
    wins, scores = _Mean((0.0, 1.0)), _Mean(spec.score_range)
    judged = scores if spec.shared else wins
    width = judged.ends[1] - judged.ends[0]
    if until is not None and not 0 < until < width:
        raise OptionError(f"until must be between 0 and {width:g}, such as 0.01, not {until!r}")
    chunks: list[Chunk] = []
    sure = False
    with closing(
        play_chunks(tournament, processes=processes, stop=stop, cluster=cluster)
    ) as playing:
        for chunk in playing:
            chunks.append(chunk)
            result = Result.of(tournament, [chunk])
            wins.add(*wins_by_deal(result, 0))
            scores.add(*scores_by_deal(result, 0))
            deals = deals_done(tournament, chunks)
            progress(deals, judged.half_width)
            sure = until is not None and deals >= LEAST_DEALS and judged.half_width <= until
            if sure:
                break
    if not chunks:
        return None
    speeds = measure_speeds(tournament, add_times({}, tournament, chunks))
    return Evaluation(
        win_rate=wins.value,
        half_width=wins.half_width,
        score=scores.value,
        score_half_width=scores.half_width,
        enough=until is None or sure,
        report=make_report(Result.of(tournament, chunks), speeds),
    )
