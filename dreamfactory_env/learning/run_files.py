"""What a run writes beside its checkpoints: what it was made with, and what must not change."""

from __future__ import annotations

import platform
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dreamfactory_env.games import new_game
from dreamfactory_env.learning.config import Training
from dreamfactory_env.policies.network import SUFFIX, hint_fact
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.json_text import read_json

#: The names of the files and folders of a run.
SETTINGS, VERSIONS, CHECKPOINTS, PLOT = (
    *("config.yaml", "versions.json"),
    *("checkpoints", "strength.png"),
)
#: What a run was made with.
PACKAGES = ["dreamfactory-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib"]
#: Settings whose keys are those of the user.
USER_KEYS = (
    *("n_envs.", "options."),
    *(f"{w}.{k}." for w in ("opponents", "partners") for k in ("scripted", "agents", "self_at")),
)

#: What runs did that were begun before these were settings, where that is not the default now.
OLDER = {"ppo.async_rollouts": False}


def current_versions() -> dict[str, str]:
    """Returns the versions of Python and of the packages that a training depends on."""
    return {name: version(name) for name in PACKAGES} | {"python": platform.python_version()}


def read_versions(folder: Path) -> dict[str, str]:
    """Returns the versions that the run of a folder was begun with; empty if nothing is known."""
    try:
        versions = read_json((folder / VERSIONS).read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(versions, dict):
        return {}
    return {name: str(versions[name]) for name in [*PACKAGES, "python"] if name in versions}


def identity(settings: Training) -> dict[str, Any]:
    """Returns what must not change while a run is trained: its settings, what the game shows."""
    game = new_game(settings.game, {**settings.options, "players": min(settings.n_envs)})
    facts = {
        "the game's version": game.spec.version,
        "the observation": game.spec.observation.fingerprint(),
    }
    if settings.network.hint:
        facts["the hint policy"] = hint_fact(game, settings.network.hint)
    fixed = {key: value for key, value in asdict(settings).items() if key != "threads"}
    return flat(fixed) | facts


def check_identity(folder: Path, settings: Training, saved: dict[str, Any]) -> None:
    """Checks that a run is still what it was, or longer.

    Args:
        folder: The run's.
        settings: Its settings now.
        saved: Its :func:`identity` when a checkpoint was written.

    Raises:
        OptionError: It is not.
    """
    now = identity(settings)
    # What was no setting yet when the run was begun had the value that is the default now.
    defaults = identity(Training(settings.total_timesteps, game=settings.game))
    then = {key: value for key, value in (defaults | OLDER | saved).items() if key != "threads"}
    if then["total_timesteps"] < settings.total_timesteps:
        del now["total_timesteps"], then["total_timesteps"]
    for key in then.keys() - saved.keys():
        if key.startswith(USER_KEYS):
            del then[key]
    for key in [*then, *now]:
        if now.get(key) != then.get(key):
            change = f"{key} was {then.get(key)!r} and is {now.get(key)!r}"
            raise OptionError(f"the run in {folder} cannot be resumed: {change}; begin a new one")


def as_it_was(data: dict[str, Any]) -> None:
    """Puts what an older run did into its settings, where they do not say it."""
    for key, value in OLDER.items():
        section, _, name = key.partition(".")
        if isinstance(data.setdefault(section, {}), dict):
            data[section].setdefault(name, value)


def flat(values: dict[Any, Any], prefix: str = "") -> dict[str, Any]:
    """Returns nested settings by keys such as ``ppo.learning_rate``."""
    result: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{prefix}{key}"
        result |= flat(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return result


def without_folders(value: Any) -> Any:
    """Returns settings with the names of files alone: folders are private."""
    if isinstance(value, dict):
        return {without_folders(key): without_folders(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_folders(item) for item in value]
    return Path(value).name if isinstance(value, str) and value.endswith(SUFFIX) else value
