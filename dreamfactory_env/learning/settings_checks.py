"""What is checked of the settings of a training: values of the right type that make no sense."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dreamfactory_env.games import DEFAULT_GAME, GAMES, game_named, new_game
from dreamfactory_env.games.game import Game
from dreamfactory_env.learning.config import Training, wrong_others
from dreamfactory_env.policies.naming import CodeGuard, network_named, policy_named
from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.utils.validation import did_you_mean, fits_into
from dreamfactory_env.utils.yaml_lines import Document

#: The smallest and the largest numbers that make sense.
TINY, ANY = 1e-12, 1e12
RANGES: dict[str, tuple[float, float]] = {
    "total_timesteps": (1, ANY),
    "seed": (0, 2**32 - 1),  # what NumPy takes
    "shaping": (0, ANY),
    "actors": (1, ANY),
    "threads": (1, 1024),
    "others.together": (0, 1),
    "network.net_arch": (1, 1e5),
    "network.pointer_width": (0, 1e5),
    "network.hint_bias": (0, 100),
    "ppo.learning_rate": (TINY, 1),
    "ppo.final_learning_rate": (TINY, 1),
    "ppo.n_steps": (2, ANY),  # a decision needs another one to follow
    "ppo.batch_size": (2, ANY),  # advantages are compared with one another
    "ppo.n_epochs": (1, ANY),
    "ppo.gamma": (0, 1),
    "ppo.gae_lambda": (0, 1),
    "ppo.clip_range": (TINY, ANY),
    "ppo.ent_coef": (0, ANY),
    "ppo.final_ent_coef": (0, ANY),
    "ppo.vf_coef": (0, ANY),
    "ppo.value_only_timesteps": (0, ANY),
    "teacher.timesteps": (0, ANY),
    "teacher.fading_timesteps": (1, ANY),
    "teacher.batch_size": (2, ANY),
    "schedule.snapshot_every": (1, ANY),
    "schedule.checkpoint_every": (1, ANY),
    "schedule.evaluate_every": (1, ANY),
    "schedule.evaluation_deals": (2, ANY),  # intervals come from the differences between deals
}


def check_others(document: Document) -> None:
    """Reports ``opponents`` of a shared game and ``partners`` of another, before it is read."""
    name = document.data.get("game", DEFAULT_GAME)
    if not isinstance(name, str) or name not in GAMES:
        return
    spec = game_named(name).spec
    for word in ("opponents", "partners"):
        if word != spec.others and document.data.get(word) is not None:
            document.report((word,), wrong_others(spec, word))


def check_settings(document: Document, settings: Training, guard: CodeGuard) -> None:
    """Reports values that are of the right type and still make no sense.

    Args:
        document: What was read, and where mistakes are reported.
        settings: The same.
        guard: Says which policies may run code.
    """
    if settings.game not in GAMES:
        nearest = did_you_mean(settings.game, GAMES)
        document.report(("game",), f"unknown; known are {', '.join(GAMES)}{nearest}")
        return
    _check_n_envs(document, settings)
    game = _check_game(document, settings)
    if game is not None:
        _check_policies(document, game, settings, guard)
    _check_ranges(document, settings)
    _check_shares(document, settings)
    _check_batches(document, settings)
    if settings.teacher.policy and settings.network.hint:
        message = "there is a teacher, too: a network has one of them, or none"
        document.report(("network", "hint"), message)
    if settings.ppo.value_only_timesteps >= settings.total_timesteps:
        total = settings.total_timesteps
        message = f"must be less than total_timesteps, {total}: else nothing more is ever learned"
        document.report(("ppo", "value_only_timesteps"), message)
    for name in ("evaluate_against", "evaluation_players"):
        values = getattr(settings.schedule, name)
        if len(set(values)) < len(values):
            document.report(("schedule", name), "has something twice")


def check_start(document: Document, settings: Training) -> None:
    """Reports an agent to start with that is none, or is not the network of the settings."""
    network = settings.network
    game = new_game(settings.game, {**settings.options, "players": min(settings.n_envs)})
    try:
        agent = network_named(network.start, game)
    except OptionError as error:
        document.report(("network", "start"), str(error))
        return
    for name, theirs, own in (
        ("net_arch", agent.layers, network.net_arch),
        ("pointer_width", [agent.width], [network.pointer_width]),
    ):
        if not fits_into(theirs, own):
            sizes = " and ".join(map(str, theirs))
            message = f"must be at least {sizes}, as in the agent that it starts with"
            document.report(("network", name), message)
    if network.hint != agent.hint:
        message = f"must be {agent.hint!r} as in the agent that it starts with"
        document.report(("network", "hint"), f"{message}, not {network.hint!r}")


def _check_n_envs(document: Document, settings: Training) -> None:
    spec = game_named(settings.game).spec
    if not settings.n_envs:
        document.report(("n_envs",), "there must be at least one player count")
    for players, count in settings.n_envs.items():
        if count < 1:
            document.report(("n_envs", str(players)), f"must be at least 1, not {count}")
    fewest = min(settings.n_envs.values(), default=0)
    if settings.actors > max(fewest, 1):
        message = f"there are {fewest} games of a player count (n_envs), so {fewest} actors at most"
        document.report(("actors",), f"{message}, not {settings.actors}")
    for where, counts in (
        (("n_envs",), list(settings.n_envs)),
        (("schedule", "evaluation_players"), settings.schedule.evaluation_players),
    ):
        for players in counts:
            if players not in spec.player_counts:
                fewest, most = spec.min_players, spec.max_players
                document.report(where, f"players must be {fewest} to {most}, not {players}")


def _check_game(document: Document, settings: Training) -> Game | None:
    """Returns a game with the options of the run; None if it cannot be, which is reported."""
    spec = game_named(settings.game).spec
    if settings.reward not in spec.rewards:
        document.report(("reward",), f"must be one of {', '.join(spec.rewards)}")
    elif settings.shaping > 0 and not spec.shaping:
        document.report(("shaping",), f"{spec.title} offers none")
    game = None
    for players in [*settings.n_envs, *settings.schedule.evaluation_players]:
        if players in spec.player_counts:
            try:
                game = new_game(settings.game, {**settings.options, "players": players})
            except GameError as error:
                document.report(("options",), str(error))
                return None
    return game


def _check_policies(document: Document, game: Game, settings: Training, guard: CodeGuard) -> None:
    """Reports names of policies that there are not, or not of the kind that is needed."""
    others, word = settings.others, game.spec.others
    checks: list[tuple[tuple[str, str], Iterable[str], Callable[[str, Game], Any]]] = [
        (("schedule", "evaluate_against"), settings.schedule.evaluate_against, policy_named),
        ((word, "agents"), others.agents, network_named),
        ((word, "scripted"), others.scripted, _scripted_named),
        (("teacher", "policy"), filter(None, [settings.teacher.policy]), _scripted_named),
        (("network", "hint"), filter(None, [settings.network.hint]), _scripted_named),
    ]
    for where, names, find in checks:
        for name in names:
            try:
                guard.check(name)
                find(name, game)
            except OptionError as error:
                document.report(where, str(error))


def _scripted_named(name: str, game: Game) -> None:
    if name not in game.scripted:
        nearest = did_you_mean(name, game.scripted)
        known = ", ".join(game.scripted)
        raise OptionError(f"unknown policy {name!r}; known are {known}{nearest}")


def _check_ranges(document: Document, settings: Training) -> None:
    word = game_named(settings.game).spec.others
    for key, (low, high) in RANGES.items():
        section, _, name = key.rpartition(".")
        value = getattr(getattr(settings, section) if section else settings, name)
        for number in value if isinstance(value, list) else [value]:
            if not low <= number <= high:
                message = f"must be {_range_in_words(low, high)}, not {number}"
                document.report(tuple(key.replace("others", word).split(".")), message)


def _range_in_words(low: float, high: float) -> str:
    if high == ANY:
        return "above 0" if low == TINY else f"at least {low:g}"
    return f"above 0 and at most {high:g}" if low == TINY else f"from {low:g} to {high:.12g}"


def _check_shares(document: Document, settings: Training) -> None:
    """Reports shares of the other seats that are none."""
    others, word = settings.others, game_named(settings.game).spec.others
    fixed = [others.past, *others.scripted.values(), *others.agents.values()]
    for players in settings.n_envs:
        shares = [others.self_at.get(players, others.self), *fixed]
        if not (min(shares) >= 0 and 0 < sum(shares) < ANY):  # which no number at all is, either
            document.report((word,), "shares must be 0 or more, and not all 0")
            break
    for players in others.self_at.keys() - settings.n_envs.keys():
        known = ", ".join(map(str, settings.n_envs))
        message = f"there are no games of {players} players, only of {known}"
        document.report((word, "self_at"), message)


def _check_batches(document: Document, settings: Training) -> None:
    decisions = sum(settings.n_envs.values()) * settings.ppo.n_steps
    batches = {"ppo": settings.ppo.batch_size}
    if settings.teacher.policy:
        batches["teacher"] = settings.teacher.batch_size
    for section, batch_size in batches.items():
        if settings.n_envs and batch_size > decisions // 2:
            message = f"a rollout has {decisions} decisions; a batch can be at most half of them"
            document.report((section, "batch_size"), message)
