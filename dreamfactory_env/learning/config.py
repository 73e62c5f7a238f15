"""What a training run is: read from a YAML file, every mistake named at once."""

from __future__ import annotations

import contextlib
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

import yaml

from dreamfactory_env.arena import Tournament
from dreamfactory_env.engine.returns import Reward
from dreamfactory_env.games import GAMES, game_named
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.naming import network_named, policy_named
from dreamfactory_env.policies.network import SUFFIX
from dreamfactory_env.utils.errors import ConfigError, GameError, OptionError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.validation import as_int, did_you_mean
from dreamfactory_env.utils.yaml_lines import Document, read_yaml

#: The smallest and the largest numbers that make sense.
TINY, ANY = 1e-12, 1e12
RANGES: dict[str, tuple[float, float]] = {
    "steps": (1, ANY),
    "seed": (0, 2**32 - 1),  # what NumPy takes
    "shaping": (0, ANY),
    "threads": (1, 1024),
    "opponents.together": (0, 1),
    "network.layers": (1, 1e5),
    "network.width": (0, 1e5),
    "learning.rate": (TINY, 1),
    "learning.final_rate": (TINY, 1),
    "learning.rollout": (2, ANY),  # a decision needs another one to follow
    "learning.batch": (2, ANY),  # advantages are compared with one another
    "learning.epochs": (1, ANY),
    "learning.gamma": (0, 1),
    "learning.gae_lambda": (0, 1),
    "learning.clip": (TINY, ANY),
    "learning.entropy": (0, ANY),
    "learning.final_entropy": (0, ANY),
    "learning.value": (0, ANY),
    "learning.value_first": (0, ANY),
    "teacher.steps": (0, ANY),
    "teacher.fading": (1, ANY),
    "teacher.batch": (2, ANY),
    "rhythm.snapshot": (1, ANY),
    "rhythm.checkpoint": (1, ANY),
    "rhythm.evaluation": (1, ANY),
    "rhythm.deals": (2, ANY),  # intervals come from the differences between deals
}


def whole_name(name: str) -> str:
    """Returns the name of a policy; that of a file with all its folders.

    So a run finds the same files when it is gone on with from somewhere else.
    """
    return str(Path(name).resolve()) if name.endswith(SUFFIX) else name


@dataclass(frozen=True)
class Opponents:
    """Who has the seats beside the learner's own, as shares; they need not sum to 1.

    Attributes:
        self: The learner as it is now; what it does there is learned from, too.
        past: Snapshots of the learner, those preferred that it does not beat yet.
        scripted: The game's scripted policies by name.
        agents: Trained networks that do not change, by name or file; each plays the action that
            it rates highest, as it does everywhere.
        together: The chance that one of these has all seats beside the learner's own; otherwise
            each seat is drawn for itself.
        self_at: Shares in place of ``self`` at the tables of some player counts, such as
            ``{2: 0.9}``.
    """

    self: float = 0.7
    past: float = 0.2
    scripted: dict[str, float] = field(default_factory=dict)
    agents: dict[str, float] = field(default_factory=dict)
    together: float = 0.5
    self_at: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = {whole_name(name): share for name, share in self.agents.items()}
        object.__setattr__(self, "agents", found)


@dataclass(frozen=True)
class Network:
    """The network: what it is made of.

    Attributes:
        layers: The sizes of the hidden layers, which policy and value share.
        width: How many numbers describe the things that an action points at, such as a tile and a
            film; at 0 actions are rated by the hidden layers alone.
        adviser: A scripted policy whose advice the network hears at every decision, here and
            wherever it plays later; empty for none. At first it rates highest what is advised, and
            learns where it knows better: there is nothing left to imitate, so no teacher goes
            with it.
        start: An agent, by name or file, whose weights it begins with; empty to begin with chance.
            Layers, width and adviser must be those of the agent.
    """

    layers: list[int] = field(default_factory=lambda: [256, 256])
    width: int = 64
    adviser: str = ""
    start: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", whole_name(self.start))


@dataclass(frozen=True)
class Learning:
    """How MaskablePPO learns.

    Attributes:
        rate: The learning rate at the start.
        final_rate: The learning rate at the end; it falls by the same factor in equal times.
        rollout: Steps of every row between two updates.
        batch: Decisions in a batch.
        epochs: Passes over a rollout.
        gamma: The discount from one decision of a seat to its next one.
        gae_lambda: How far advantages look ahead.
        clip: How far an update may change the chance of an action.
        entropy: The weight of the bonus for varied play at the start.
        final_entropy: The same at the end.
        value: The weight of the value's loss.
        value_first: Decisions at the start during which nothing but the value is learned: the
            file of an agent that a run begins with has none.
        bfloat16: Whether to compute the hidden layers with half the bits while learning:
            updates take about 0.6 of the time on processors made for it (``avx512_bf16``,
            ``amx_bf16``), and longer on others.
    """

    rate: float = 5e-4
    final_rate: float = 5e-5
    rollout: int = 64
    batch: int = 2048
    epochs: int = 2
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    final_entropy: float = 0.001
    value: float = 0.5
    value_first: int = 0
    bfloat16: bool = False


@dataclass(frozen=True)
class Teacher:
    """A scripted policy that the learner imitates at first, on the positions that it gets into.

    Attributes:
        policy: Its name; empty for none.
        steps: Decisions of the learner during which nothing but the teacher's advice counts.
        fading: Decisions during which the advice then counts less and less, to nothing.
        batch: Decisions in a batch as long as nothing but the advice counts. Advice has less noise
            than the outcomes of games, so smaller batches learn faster from it.
    """

    policy: str = ""
    steps: int = 1_000_000
    fading: int = 500_000
    batch: int = 512


@dataclass(frozen=True)
class Rhythm:
    """What happens how often, in decisions of the learner.

    Attributes:
        snapshot: A snapshot joins the league.
        checkpoint: Everything is written down, to go on from there.
        evaluation: The learner plays duplicate deals against each of ``against``.
        deals: How many deals for each opponent and player count.
        against: Against whom; names of policies.
        players: With how many players; one learner against the others.
    """

    snapshot: int = 500_000
    checkpoint: int = 500_000
    evaluation: int = 1_000_000
    deals: int = 200
    against: list[str] = field(default_factory=lambda: ["greedy", "builder", "expert"])
    players: list[int] = field(default_factory=lambda: [2, 4])

    def __post_init__(self) -> None:
        object.__setattr__(self, "against", [whole_name(name) for name in self.against])


@dataclass(frozen=True)
class Training:
    """A training run.

    Attributes:
        steps: Decisions of the learner in all.
        rows: Games side by side, by player count.
        seed: Where everything comes from.
        game: The name of the game.
        options: Its options besides the number of players.
        reward: ``win``, ``rank`` or ``score``.
        shaping: The weight of potential-based shaping.
        opponents: Who has the other seats.
        network: What the network is made of.
        learning: How it learns.
        teacher: Whom it imitates at first.
        rhythm: What happens how often.
        threads: Threads that torch may use.
    """

    steps: int
    rows: dict[int, int] = field(default_factory=lambda: {2: 128, 3: 64, 4: 64})
    seed: int = 1
    game: str = "dream_factory"
    options: dict[str, Any] = field(default_factory=dict)
    reward: str = "win"
    shaping: float = 0.0
    opponents: Opponents = field(default_factory=Opponents)
    network: Network = field(default_factory=Network)
    learning: Learning = field(default_factory=Learning)
    teacher: Teacher = field(default_factory=Teacher)
    rhythm: Rhythm = field(default_factory=Rhythm)
    threads: int = 2


def read_training(
    path: str | Path, changes: Mapping[str, str] | None = None, *, begun: bool = False
) -> Training:
    """Reads the file of a training run.

    Args:
        path: The YAML file.
        changes: Values that replace those of the file, by keys such as ``learning.rate``.
        begun: Whether the run is there already: then it needs the agent no more that it began with.

    Raises:
        ConfigError: It cannot be read, or has mistakes; all of them are named.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(str(path), [f"cannot be read: {error}"]) from error
    document = read_yaml(text)
    if not document.problems and not isinstance(document.data, dict):
        document.problems.append("must be a mapping with keys such as steps and rows")
    if document.problems:
        raise ConfigError(str(path), document.problems)
    for key, value in (changes or {}).items():
        _change(document, key, value)
    settings = _read(document, Training, document.data, ())
    if not document.problems:
        _check_whole(document, settings)
    if not document.problems and settings.network.start and not begun:
        _check_start(document, settings)
    if document.problems:
        raise ConfigError(str(path), document.problems)
    return typing.cast(Training, settings)


def write_training(settings: Training, path: Path) -> None:
    """Writes the settings of a run, all of them, to be read again."""
    atomic_write(path, yaml.safe_dump(asdict(settings), sort_keys=False).encode())


def _change(document: Document, key: str, value: str) -> None:
    """Puts a value, written as YAML, in the place of a key such as ``learning.rate``."""
    names = tuple(key.split("."))
    read = read_yaml(value)
    if read.problems:
        document.problems.append(f"{key}: {value!r} is not YAML")
        return
    place = document.data
    for depth, name in enumerate(names[:-1]):
        place = place.setdefault(_key(name), {})
        if not isinstance(place, dict):
            document.report(names[: depth + 1], f"is {place!r}, so there is no {key}")
            return
    place[_key(names[-1])] = read.data if value.strip() else ""
    document.lines.pop(names, None)  # it is not what the file says there


def _key(name: str) -> str | int:
    """Returns a key as YAML reads it: ``rows.2`` means the number 2."""
    return int(name) if name.isdecimal() else name


def _read(document: Document, kind: type, data: Any, path: tuple[str | int, ...]) -> Any:
    """Returns a dataclass filled from a mapping; reports what is unknown, missing or wrong."""
    if not isinstance(data, dict):
        document.report(path, f"must be a mapping, not {data!r}")
        return None
    hints = typing.get_type_hints(kind)
    known = {item.name: item for item in fields(kind)}
    for key in data:
        if str(key) not in known:
            hint = did_you_mean(str(key), known)
            told = f"unknown key; known are {', '.join(known)}{hint}"
            document.report((*path, str(key)), told)
    given = {}
    for name, item in known.items():
        if name in data:
            given[name] = _value(document, hints[name], data[name], (*path, name))
        elif item.default is MISSING and item.default_factory is MISSING:
            document.report(path, f"{name} is missing")
    return None if document.problems else kind(**given)


def _value(document: Document, hint: Any, value: Any, path: tuple[str | int, ...]) -> Any:
    """Returns a value of the type that is wanted; reports another one."""
    if is_dataclass(hint):
        return _read(document, typing.cast(type, hint), value, path)
    origin = typing.get_origin(hint) or hint
    if origin is float and not isinstance(value, bool):
        with contextlib.suppress(TypeError, ValueError):
            return float(value)  # YAML takes 1e-3 for a text
    if origin is bool and isinstance(value, bool):
        return value
    if origin is int and as_int(value) is not None:
        return as_int(value)
    if origin is str and isinstance(value, str):
        return value
    if origin is list and isinstance(value, list):
        (inner,) = typing.get_args(hint)
        return [_value(document, inner, item, (*path, n)) for n, item in enumerate(value)]
    if origin is dict and isinstance(value, dict):
        of_key, of_value = typing.get_args(hint)
        return {
            _value(document, of_key, key, (*path, str(key))): _value(
                document, of_value, item, (*path, str(key))
            )
            for key, item in value.items()
        }
    if origin is Any or isinstance(origin, types.UnionType):
        return value
    wanted = {bool: "true or false", float: "a number", int: "a whole number", str: "a text"}
    wanted[list] = "a list"
    document.report(path, f"must be {wanted.get(origin, 'a mapping')}, not {value!r}")
    return None


def _check_whole(document: Document, settings: Training) -> None:
    """Reports values that are of the right type and still make no sense."""
    if settings.game not in GAMES:
        hint = did_you_mean(settings.game, GAMES)
        document.report(("game",), f"unknown; known are {', '.join(GAMES)}{hint}")
        return
    kind = game_named(settings.game)
    scripted = kind.scripted
    for players in settings.rows:
        _check_game(document, ("rows",), settings, players)
    for players in settings.rhythm.players:
        _check_game(document, ("rhythm", "players"), settings, players)
    _check_policies(document, kind, settings)
    for where, names in (
        (("opponents", "scripted"), list(settings.opponents.scripted)),
        (("teacher", "policy"), [settings.teacher.policy] if settings.teacher.policy else []),
        (("network", "adviser"), [settings.network.adviser] if settings.network.adviser else []),
    ):
        for name in names:
            if name not in scripted:
                hint = did_you_mean(name, scripted)
                told = f"unknown policy {name!r}; known are {', '.join(scripted)}{hint}"
                document.report(where, told)
    if settings.teacher.policy and settings.network.adviser:
        told = "there is a teacher, too: a network has one of them, or none"
        document.report(("network", "adviser"), told)
    rewards = [kind.name.lower() for kind in Reward]
    if settings.reward not in rewards:
        document.report(("reward",), f"must be one of {', '.join(rewards)}")
    opponents = settings.opponents
    others = [opponents.past, *opponents.scripted.values(), *opponents.agents.values()]
    for players in settings.rows:
        shares = [opponents.self_at.get(players, opponents.self), *others]
        if not (min(shares) >= 0 and 0 < sum(shares) < ANY):  # which no number at all is, either
            document.report(("opponents",), "shares must be 0 or more, and not all 0")
            break
    for players in opponents.self_at.keys() - settings.rows.keys():
        told = (
            f"there are no rows of {players} players, only of {', '.join(map(str, settings.rows))}"
        )
        document.report(("opponents", "self_at"), told)
    for key, (low, high) in RANGES.items():
        value = value_at(settings, key)
        numbers = value if isinstance(value, list) else [value]
        for number in numbers:
            if not low <= number <= high:
                told = f"must be {_range_in_words(low, high)}, not {number}"
                document.report(tuple(key.split(".")), told)
    if settings.learning.value_first >= settings.steps:
        told = f"must be less than steps, {settings.steps}: else nothing more is ever learned"
        document.report(("learning", "value_first"), told)
    for name in ("against", "players"):
        given = getattr(settings.rhythm, name)
        if len(set(given)) < len(given):
            document.report(("rhythm", name), "has something twice")
    for players, count in settings.rows.items():
        if count < 1:
            document.report(("rows", str(players)), f"must be at least 1, not {count}")
    decisions = sum(settings.rows.values()) * settings.learning.rollout
    batches = {"learning": settings.learning.batch}
    if settings.teacher.policy:
        batches["teacher"] = settings.teacher.batch
    for part, batch in batches.items():
        if settings.rows and batch > decisions // 2:
            told = f"a rollout has {decisions} decisions; a batch can be at most half of them"
            document.report((part, "batch"), told)
    if not settings.rows:
        document.report(("rows",), "there must be at least one player count")


def _check_start(document: Document, settings: Training) -> None:
    """Reports an agent to begin with that is none, or is not the network of the settings."""
    network = settings.network
    try:
        agent = network_named(network.start, game_named(settings.game))
    except OptionError as error:
        document.report(("network", "start"), str(error))
        return
    for name in ("layers", "width", "adviser"):
        found, wanted = getattr(network, name), getattr(agent, name)
        if found != wanted:
            told = f"must be {wanted!r} as in the agent that it begins with, not {found!r}"
            document.report(("network", name), told)


def value_at(settings: Training, key: str) -> Any:
    """Returns the value of a key such as ``learning.rate``, None where there is none."""
    value: Any = settings
    for name in key.split("."):
        value = getattr(value, name) if is_dataclass(value) else value.get(_key(name))
    return value


def _range_in_words(low: float, high: float) -> str:
    if high == ANY:
        return "above 0" if low == TINY else f"at least {low:g}"
    return f"above 0 and at most {high:g}" if low == TINY else f"from {low:g} to {high:.12g}"


def _check_policies(document: Document, kind: type[Game], settings: Training) -> None:
    """Reports names of no policy where any will do, and agents that are no networks."""
    for where, names, named in (
        (("rhythm", "against"), settings.rhythm.against, policy_named),
        (("opponents", "agents"), settings.opponents.agents, network_named),
    ):
        for name in names:
            try:
                named(name, kind)
            except OptionError as error:
                document.report(where, str(error))


def _check_game(
    document: Document, where: tuple[str, ...], settings: Training, players: int
) -> None:
    """Reports what keeps so many players from playing the game."""
    first = next(iter(game_named(settings.game).scripted))
    try:
        Tournament(
            policies=(first,),
            players=players,
            game=settings.game,
            options=settings.options,
            seed=settings.seed,
        )
    except GameError as error:
        for problem in str(error).splitlines():
            key, _, told = problem.partition(": ")
            if key == "seed":
                continue  # which has a narrower range here
            place = where if key == "players" else (key,)
            if not any(told in known for known in document.problems):  # the same for all counts
                document.report(place, told)
