"""What a report is made of: plain data that JSON can hold. docs/arena.md says what it means."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, final


class Estimate(TypedDict):
    """A figure and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


# ---------------------------------------------------------------------------- of every report


class Axis(TypedDict):
    """An axis of a stat: its name, and the words along it."""

    name: str
    labels: list[str]


class StatTable(TypedDict):
    """A stat of the game with its means; those of seats have the policies as first axis."""

    title: str
    axes: list[Axis]
    values: list[Any]


class GameTables(TypedDict):
    """What games look like, as the game itself counts it, see ``games.stats``."""

    table: list[StatTable]
    seats: list[StatTable]
    parts: list[StatTable]


class FoulRow(TypedDict):
    """How often a policy has fouled in one way, and the first message."""

    policy: str
    kind: str
    games: int
    example: str


class Facts(TypedDict):
    """What a report begins with."""

    format: str
    tournament: dict[str, Any]
    title: str
    players: int
    deals: int
    games: int
    complete: bool
    decisions: int


# ---------------------------------------------------------------------------- zero-sum games


class PolicyRow(TypedDict):
    """How strong a policy is."""

    name: str
    seats: int
    rating: Estimate
    win_rate: Estimate | None
    score: Estimate | None
    place: Estimate | None
    places: list[float]
    decisions: int
    decisions_per_second: float | None


class BeforeMatrix(TypedDict):
    """How often the policy of a row comes before that of a column."""

    policies: list[str]
    cells: list[list[Estimate | None]]


class WinEffectRow(TypedDict):
    """How often a seat or a role wins."""

    label: str
    win_rate: Estimate


class WinEffect(TypedDict):
    """How often seats, or the roles of one sort, win, whoever plays."""

    title: str
    rows: list[WinEffectRow]


class LuckPair(TypedDict):
    """How often the better of two policies is ahead."""

    better: str
    worse: str
    one_game: float
    one_deal: float
    deals_to_be_sure: float | None


class DuplicateGain(TypedDict):
    """By how much playing a deal on all seats cuts the variance, by two measures."""

    wins: float | None
    points: float | None


class Luck(TypedDict):
    """How much luck there is."""

    pairs: list[LuckPair]
    duplicate: DuplicateGain


class Spread(TypedDict):
    """How the points of each policy are spread: shares of bins of equal width from 0."""

    width: int
    shares: list[list[float]]


@final
class CompetitiveReport(Facts):
    """The report of a zero-sum game; it has no key ``utility``."""

    policies: list[PolicyRow]
    before: BeforeMatrix
    effects: list[WinEffect]
    luck: Luck
    scores: Spread
    game: GameTables
    fouls: list[FoulRow]


# ---------------------------------------------------------------------------- shared games


class TeamResult(TypedDict):
    """What some policies reach together."""

    games: int
    score: Estimate
    win_rate: Estimate


class Lowest(TypedDict):
    """The lowest of some figures, and whose it is."""

    policies: list[str]
    value: float
    low: float
    high: float


class CrossPlay(TypedDict):
    """What policies reach with others: the mean over the pairs, and the lowest pair."""

    score: Estimate
    win_rate: Estimate
    lowest_score: Lowest
    lowest_win_rate: Lowest


class PartnerRow(TypedDict):
    """What a policy reaches with itself and with others."""

    name: str
    games: int
    self_play: TeamResult | None
    cross_play: CrossPlay | None
    decisions: int
    decisions_per_second: float | None


class TeamMatrix(TypedDict):
    """What each policy reaches with each; symmetric, self-play on the diagonal."""

    policies: list[str]
    cells: list[list[TeamResult | None]]


class ScoreEffect(TypedDict):
    """The mean score of the games in which a policy (row) has a seat or a role (column)."""

    title: str
    labels: list[str]
    cells: list[list[Estimate | None]]


class TeamSpread(TypedDict):
    """How the points of each policy's games are spread, in self-play and in cross-play.

    Shares of bins of equal width, the first of which begins at ``start``.
    """

    start: int
    width: int
    self_play: list[list[float]]
    cross_play: list[list[float]]


@final
class CooperativeReport(Facts):
    """The report of a shared game."""

    utility: Literal["shared"]
    policies: list[PartnerRow]
    field: CrossPlay | None
    matrix: TeamMatrix
    effects: list[ScoreEffect]
    scores: TeamSpread
    game: GameTables
    fouls: list[FoulRow]


Report = CompetitiveReport | CooperativeReport
