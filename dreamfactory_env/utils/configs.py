"""The configurations that come with the package, by name.

They are the YAML files below ``configs/`` at the top of the project. A wheel has a copy of that
folder inside the package.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import did_you_mean

_PACKAGE = Path(__file__).parents[1]
SUFFIX = ".yaml"


class ConfigKind(StrEnum):
    """What a configuration is for; the value is the name of its folder."""

    TRAINING = "train"
    SEARCH_SPACE = "spaces"
    TOURNAMENT = "tournaments"
    COMPONENTS = "games"

    @property
    def in_words(self) -> str:
        """What it is called in messages."""
        return self.name.lower().replace("_", " ")


def configs_folder() -> Path:
    """Returns the folder of all configurations: in the package, or in a clone beside it."""
    inside = _PACKAGE / "configs"
    return inside if inside.is_dir() else _PACKAGE.parent / "configs"


def shipped_configs(kind: ConfigKind) -> dict[str, Path]:
    """Returns the files of a kind that come with the package, by name."""
    files = sorted((configs_folder() / kind).glob(f"*{SUFFIX}"))
    return {file.stem: file for file in files}


def find_config(given: str | Path, kind: ConfigKind) -> Path:
    """Returns the file that is meant by a path, or by the name of one that comes with the package.

    A file that is there is taken, whatever it is called.

    Args:
        given: A path, or a name such as ``quick``.
        kind: What the file is for.

    Raises:
        OptionError: It can only be a name, and there is none such; the message lists those there
            are. A path that leads nowhere is returned: whoever reads it says why it cannot.
    """
    path = Path(given)
    is_path = path.suffix or path.name != str(given)
    if is_path or (path.exists() and not path.is_dir()):
        return path
    shipped = shipped_configs(kind)
    if path.name not in shipped:
        hint = did_you_mean(path.name, shipped)
        raise OptionError(
            f"{str(given)!r} is no file, and no {kind.in_words} of that name comes with the "
            f"package; known are {', '.join(shipped)}{hint}"
        )
    return shipped[path.name]


def first_comment(path: Path) -> str:
    """Returns the first sentence of the comment with which a file begins."""
    words: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("# "):
            break
        words += line.removeprefix("# ").split()
    ends = (number for number, word in enumerate(words, 1) if word.endswith("."))
    return " ".join(words[: next(ends, None)])
