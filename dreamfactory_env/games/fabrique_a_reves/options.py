"""The options of a game of La Fabrique à rêves, declared and checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from dreamfactory_env.engine.structs import Records
from dreamfactory_env.games.fabrique_a_reves.lexicon import LANGUAGES, Language
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import STANDARD
from dreamfactory_env.games.fabrique_a_reves.state import (
    LEVEL_OF_MODE,
    LEVELS,
    MAX_NOISE,
    NO_LEVEL,
    NO_SEED,
    NO_THEME,
    NO_TOKEN,
    NO_WORD,
    NOBODY,
    NOT_YET,
    NOWHERE,
    STATE,
    TOOL_WORDS,
    TOOLS_OF_MODE,
    TOOLS_OF_VARIANT,
    VIALS_OF_MODE,
    Labels,
    Mode,
)
from dreamfactory_env.games.fabrique_a_reves.vocabulary import (
    Vocabulary,
    load_vocabulary,
    recorded_vocabulary,
    standard_vocabulary,
)
from dreamfactory_env.games.spec import Option
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int, did_you_mean, shown

MODES = tuple(mode.name.lower() for mode in Mode)
MINDS = ("noisy", "same")
LABELS = tuple(labels.name.lower() for labels in Labels)
DEFAULT_LEVEL = 1
DEFAULT_NOISE = 24
#: Of the variant: the tools are drawn.
DRAWN = "drawn"
#: The modes whose level is an option.
OF_ANY_LEVEL = ("base", "variant")


def _parse_level(given: Any) -> int | None:
    if given is None:
        return None
    level = as_int(given)
    if level is None or level not in range(LEVELS):
        raise OptionError(f"level must be 0 to {LEVELS - 1}, not {shown(given)}")
    return level


def _parse_tools(given: Any) -> list[str] | str | None:
    """Returns three tools in the order of records, ``drawn``, or None."""
    if given is None:
        return None
    if given == DRAWN:
        return DRAWN
    words = given.split(",") if isinstance(given, str) else given
    if not isinstance(words, list | tuple) or len(words) != TOOLS_OF_VARIANT:
        listed = ", ".join(TOOL_WORDS)
        raise OptionError(f"tools must be {DRAWN!r} or three of {listed}, not {shown(given)}")
    found = [word.strip() if isinstance(word, str) else word for word in words]
    for word in found:
        if word not in TOOL_WORDS:
            hint = did_you_mean(str(word), TOOL_WORDS)
            raise OptionError(f"tools: {shown(word)} is none of {', '.join(TOOL_WORDS)}{hint}")
    if len(set(found)) != len(found):
        raise OptionError(f"tools must be three different ones, not {shown(given)}")
    return sorted(found, key=TOOL_WORDS.index)


def _parse_noise(given: Any) -> int:
    noise = as_int(given)
    if noise is None or not 0 <= noise <= MAX_NOISE:
        raise OptionError(f"noise must be 0 to {MAX_NOISE}, not {shown(given)}")
    return noise


def _parse_lexicon(given: Any) -> Vocabulary:
    """Returns a vocabulary, also by the path of its lexicon, the standard one for None."""
    if given is None:
        return standard_vocabulary()
    if isinstance(given, str | Path):
        return load_vocabulary(given)
    if not isinstance(given, Vocabulary):
        found = type(given).__name__
        raise OptionError(f"lexicon must be a Vocabulary or the path of a file, not {found}")
    return given


def _dump_lexicon(vocabulary: Vocabulary) -> str | dict[str, str]:
    """Returns the name of the standard lexicon; of any other what finds it again."""
    if vocabulary.standard:
        return vocabulary.lexicon.name
    return {
        "name": vocabulary.lexicon.name,
        "file": str(vocabulary.file),
        "sha256": vocabulary.sha256,
    }


def _load_lexicon(data: Any) -> Vocabulary:
    """Returns the vocabulary that a record names."""
    standard = standard_vocabulary()
    if data == standard.lexicon.name:
        return standard
    keys = {"name", "file", "sha256"}
    if not isinstance(data, dict) or {key: type(data[key]) for key in data} != dict.fromkeys(
        keys, str
    ):
        expected = f"{standard.lexicon.name!r}, or an object with name, file and sha256"
        raise OptionError(f"lexicon must be {expected}, not {shown(data)}")
    vocabulary = recorded_vocabulary(data["file"], data["sha256"])
    if vocabulary is None:
        raise OptionError(
            f"lexicon: {shown(data['file'])} is not there, or has changed: it is not the lexicon "
            f"{shown(data['name'])} with which the game was played, or its vectors are others"
        )
    return vocabulary


def _dump_language(language: str) -> str | None:
    """Returns the language, nothing for English: a game is the same in both."""
    return None if language == LANGUAGES[0] else language


def _load_language(language: Any) -> Any:
    """Returns what a record says of the language."""
    return language


OPTIONS = (
    Option(
        "mode",
        str,
        "base",
        "what is played: the base game, one of the seven challenges by its day, or the variant",
        values=MODES,
    ),
    Option(
        "level",
        int,
        None,
        f"how hard the theme of base and variant is, 0 (initiation) to 3; {DEFAULT_LEVEL} by "
        "default, and the days have their own",
        parse=_parse_level,
    ),
    Option(
        "tools",
        str,
        None,
        f"the tools of the variant: three of {', '.join(TOOL_WORDS)}, with commas; or drawn, the "
        "default",
        parse=_parse_tools,
    ),
    Option(
        "minds", str, "noisy", "whether minds differ in what they think of a word", values=MINDS
    ),
    Option(
        "noise",
        int,
        DEFAULT_NOISE,
        f"how much noisy minds differ, 0 to {MAX_NOISE}; associations have a mean size of 24",
        parse=_parse_noise,
    ),
    Option(
        "labels",
        str,
        "mind",
        "what action numbers of dreams mean: places in the order of the own mind, or in the list",
        values=LABELS,
    ),
    Option(
        "lexicon",
        Path,
        None,
        "a lexicon of your own, with vectors beside it",
        parse=_parse_lexicon,
        dump=_dump_lexicon,
        load=_load_lexicon,
        example=STANDARD,
    ),
    Option(
        "language",
        str,
        "en",
        "in which language the words are shown; moves always name them in English",
        values=LANGUAGES,
        dump=_dump_language,
        load=_load_language,
    ),
)


class GivenOptions(TypedDict, total=False):
    """The options besides players as they may be given to a game."""

    mode: str
    level: int | None
    tools: list[str] | str | None
    minds: str
    noise: int
    labels: str
    lexicon: Vocabulary | str | Path | None
    language: str


def settled(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options as they go together: what the mode says instead of what was left open.

    Args:
        values: All options, each checked by itself.

    Raises:
        OptionError: They do not go together.
    """
    found, mode = dict(values), values["mode"]
    if mode in OF_ANY_LEVEL:
        found["level"] = DEFAULT_LEVEL if values["level"] is None else values["level"]
    elif values["level"] is not None:
        days = "has no theme" if mode == "sunday" else f"has level {LEVEL_OF_MODE[_number(mode)]}"
        raise OptionError(f"level is for {' and '.join(OF_ANY_LEVEL)}; {mode} {days}")
    if mode == "variant":
        found["tools"] = DRAWN if values["tools"] is None else values["tools"]
    elif values["tools"] is not None:
        raise OptionError(f"tools is for variant; {mode} has its own")
    if values["minds"] == "same":
        found["noise"] = 0
    _check_themes(found)
    return found


def _number(mode: str) -> Mode:
    return Mode[mode.upper()]


def _check_themes(values: Mapping[str, Any]) -> None:
    """Raises OptionError if a small lexicon has too few themes for a mode."""
    mode = _number(values["mode"])
    level = LEVEL_OF_MODE[mode] if values["level"] is None else values["level"]
    needed = theme_count(mode)
    lexicon = values["lexicon"].lexicon
    found = sum(theme.level == level for theme in lexicon.themes)
    if found < needed:
        raise OptionError(
            f"the lexicon {lexicon.name!r} has {found} themes of level {level}; "
            f"{values['mode']} needs {needed}"
        )


def theme_count(mode: Mode) -> int:
    """Returns how many themes a mode is played with (R4)."""
    return {Mode.FRIDAY: 2, Mode.SUNDAY: 0}.get(mode, 1)


@dataclass(frozen=True)
class Options:
    """What was chosen before a game, checked by the spec and :func:`settled`.

    Attributes:
        players: 2 to 5.
        mode: The mode.
        level: Of the themes in base and variant, else None.
        tools: Those of the variant, or ``drawn``; else None.
        minds: Whether minds are noisy or the same (M3).
        noise: How much they differ (M2).
        labels: What action numbers of dreams mean (M4).
        lexicon: The words.
        language: In which the game is shown.
    """

    players: int
    mode: str
    level: int | None
    tools: list[str] | str | None
    minds: str
    noise: int
    labels: str
    lexicon: Vocabulary
    language: Language

    @property
    def mode_number(self) -> Mode:
        """The mode as the rules know it."""
        return _number(self.mode)

    @property
    def vials(self) -> int:
        """How many vials there are (R4)."""
        return VIALS_OF_MODE[self.mode_number]

    @property
    def params(self) -> Records:
        """The lexicon as numbers; PARAMS, shape (1,), not to be changed."""
        return self.lexicon.params

    def blank(self) -> Records:
        """Returns a state with these options, before anything is dealt; STATE, shape (1,)."""
        mode = self.mode_number
        tools = TOOLS_OF_MODE[mode]
        if isinstance(self.tools, list):
            tools = sum(1 << TOOL_WORDS.index(tool) for tool in self.tools)
        states = _blank().copy()
        s: Any = states[0]
        s.players, s.mode, s.labels = self.players, mode, Labels[self.labels.upper()]
        s.level = LEVEL_OF_MODE[mode] if self.level is None else self.level
        s.same_minds, s.noise = self.minds == "same", self.noise
        s.in_play = tools
        return states


@lru_cache(maxsize=1)
def _blank() -> Records:
    """Returns a state of nothing; STATE, shape (1,)."""
    states = np.zeros(1, STATE)
    s: Any = states[0]
    s.seed = NO_SEED
    s.level = NO_LEVEL
    s.themes[:] = NO_THEME
    s.asked = NOWHERE
    s.words[:] = NO_WORD
    s.placed_by[:] = NOBODY
    s.tokens[:] = NO_TOKEN
    s.slates[:] = NOT_YET
    return states
