"""How La Fabrique à rêves is set up, for the referee: modes, R3 to R5, and the record's set-up."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.games.fabrique_a_reves.referee_words import Box


class Foul(ValueError):
    """An illegal move, or a set-up or record that no game can have produced."""


class Mode(NamedTuple):
    """A row of the table of modes."""

    themes: int
    level: int | None  # None where the config says it, and where there is no theme
    aim: int
    tools: tuple[str, ...]
    reservoirs: int = 8
    vials: int = 5


#: In the order in which records have them.
TOOLS = ("broom", "doubt", "dust", "dust+2", "spill", "quill")
FIRST_TOOLS = ("broom", "doubt", "dust")
WITH_SPILL = ("broom", "doubt", "dust", "spill")
WITH_QUILL = ("broom", "doubt", "dust", "spill", "quill")

MODES = {
    "base": Mode(1, None, 10, FIRST_TOOLS),
    "monday": Mode(1, 1, 5, FIRST_TOOLS, reservoirs=6),
    "tuesday": Mode(1, 1, 7, WITH_SPILL),
    "wednesday": Mode(1, 2, 8, WITH_SPILL, vials=4),
    "thursday": Mode(1, 2, 10, WITH_QUILL),
    "friday": Mode(2, 1, 13, WITH_QUILL),
    "saturday": Mode(1, 3, 14, TOOLS),
    "sunday": Mode(0, None, 16, TOOLS),
    "variant": Mode(1, None, 10, ()),
}
CHOSEN_LEVEL = ("base", "variant")
VARIANT_TOOLS = 3
LEVELS = range(4)
LARGEST_NOISE = 255
MIND = 2**53

CONFIG = ("players", "mode", "level", "tools", "minds", "noise", "labels", "lexicon")
SETUP = ("first_player", "themes", "tools", "reservoirs", "minds")


def require(holds: bool, what: str) -> None:
    """Raises a foul unless something holds."""
    if not holds:
        raise Foul(what)


def is_whole(value: Any, below: int) -> bool:
    """Says whether a value is a whole number from 0 to one below another."""
    return type(value) is int and 0 <= value < below


def check_config(config: Any, box: Box) -> None:
    """Looks whether there is a game with these options.

    Raises:
        Foul: There is none.
    """
    require(isinstance(config, dict), f"config must be an object, not {config!r}")
    keys = set(config) - {"language"}
    require(keys == set(CONFIG), f"config must have {', '.join(CONFIG)}, not {sorted(config)}")
    require(config.get("language", "fr") == "fr", f"language {config.get('language')!r}")
    players, mode, level = config["players"], config["mode"], config["level"]
    require(type(players) is int and 2 <= players <= 5, f"{players!r} players: 2 to 5 can play")
    require(mode in MODES, f"unknown mode {mode!r}")
    if mode in CHOSEN_LEVEL:
        require(is_whole(level, len(LEVELS)), f"level {level!r}: there are 0 to 3")
    else:
        require(level is None, f"level {level!r}: {mode} has its own")
    tools = config["tools"]
    if mode == "variant":
        right = tools == "drawn" or is_variant(tools)
        require(right, f"tools {tools!r}: three in the order of {TOOLS}, or 'drawn'")
    else:
        require(tools is None, f"tools {tools!r}: {mode} has its own")
    minds, noise = config["minds"], config["noise"]
    require(minds in ("noisy", "same"), f"minds {minds!r}: 'noisy' or 'same' (M3)")
    require(is_whole(noise, LARGEST_NOISE + 1), f"noise {noise!r}: 0 to {LARGEST_NOISE}")
    require(minds == "noisy" or noise == 0, f"noise {noise}: the same minds have none (M3)")
    require(config["labels"] in ("mind", "list"), f"labels {config['labels']!r} (M4)")
    lexicon = config["lexicon"]
    name = lexicon.get("name") if isinstance(lexicon, dict) else lexicon
    require(name == box.name, f"lexicon {name!r}, not {box.name!r}")


def is_variant(tools: Any) -> bool:
    """Says whether these are three different tools in their order."""
    if not isinstance(tools, list) or len(tools) != VARIANT_TOOLS:
        return False
    return tools == [tool for tool in TOOLS if tool in tools]


def level_of(config: dict[str, Any]) -> int | None:
    """Returns the level of the themes, None on Sunday."""
    level: int | None = MODES[config["mode"]].level
    return config["level"] if config["mode"] in CHOSEN_LEVEL else level


def reservoir_sizes(cards: int, reservoirs: int) -> list[int]:
    """Returns how many cards each reservoir gets: one by one, so the first get more (R3)."""
    return [len(range(number, cards, reservoirs)) for number in range(reservoirs)]


def check_setup(config: dict[str, Any], setup: Any, box: Box) -> None:
    """Looks whether a set-up can have been dealt (R3 to R5, M2).

    Raises:
        Foul: It cannot.
    """
    require(isinstance(setup, dict), f"setup must be an object, not {setup!r}")
    require(set(setup) == set(SETUP), f"setup must have {', '.join(SETUP)}, not {sorted(setup)}")
    players, mode = config["players"], MODES[config["mode"]]
    require(is_whole(setup["first_player"], players), f"first player {setup['first_player']!r}")
    check_themes(config, setup["themes"], box)
    check_tools(config, setup["tools"])
    check_reservoirs(setup["reservoirs"], mode.reservoirs, box)
    minds = setup["minds"]
    require(isinstance(minds, list) and len(minds) == players, "one mind for each seat (M2)")
    require(all(is_whole(mind, MIND) for mind in minds), f"minds {minds}: below 2**53 (M2)")
    require(config["minds"] == "noisy" or not any(minds), f"minds {minds}: 0 if all are the same")


def check_themes(config: dict[str, Any], themes: Any, box: Box) -> None:
    """Looks whether these themes can have been drawn (R4)."""
    mode = MODES[config["mode"]]
    require(isinstance(themes, list) and len(themes) == mode.themes, f"{mode.themes} themes (R4)")
    require(len(set(themes)) == len(themes), f"themes {themes}: they must be different (R4)")
    for theme in themes:
        require(theme in box.themes, f"unknown theme {theme!r}")
        level = level_of(config)
        require(box.themes[theme].level == level, f"theme {theme!r} is not of level {level} (R4)")


def check_tools(config: dict[str, Any], tools: Any) -> None:
    """Looks whether these are the tools of a mode."""
    if config["mode"] != "variant":
        right = list(MODES[config["mode"]].tools)
        require(tools == right, f"tools {tools!r}: {config['mode']} is played with {right}")
    elif config["tools"] == "drawn":
        require(is_variant(tools), f"tools {tools!r}: three in the order of {TOOLS}")
    else:
        require(tools == config["tools"], f"tools {tools!r}: {config['tools']} were chosen")


def check_reservoirs(reservoirs: Any, count: int, box: Box) -> None:
    """Looks whether the cards can have been dealt like this (R3)."""
    require(isinstance(reservoirs, list) and len(reservoirs) == count, f"{count} reservoirs (R3)")
    sizes = [len(reservoir) for reservoir in reservoirs]
    right = reservoir_sizes(len(box.cards), count)
    require(sizes == right, f"reservoirs of {sizes} cards, not {right} (R3)")
    sides = [tuple(card.split("/")) for reservoir in reservoirs for card in reservoir]
    dealt = sorted(min(card, card[::-1]) for card in sides)
    require(
        dealt == sorted(min(card, card[::-1]) for card in box.cards),
        "the reservoirs do not hold exactly the cards (R3)",
    )


def random_setup(config: dict[str, Any], box: Box, rng: random.Random) -> dict[str, Any]:
    """Deals a set-up at random, by the rules but not as the engine does."""
    mode = MODES[config["mode"]]
    cards = [rng.sample(card, 2) for card in box.cards]
    rng.shuffle(cards)
    themes = [theme for theme, about in box.themes.items() if about.level == level_of(config)]
    tools: Sequence[str] = mode.tools
    if config["mode"] == "variant":
        chosen = rng.sample(TOOLS, 3) if config["tools"] == "drawn" else config["tools"]
        tools = [tool for tool in TOOLS if tool in chosen]
    same = config["minds"] == "same"
    return {
        "first_player": rng.randrange(config["players"]),
        "themes": rng.sample(themes, mode.themes),
        "tools": list(tools),
        "reservoirs": [
            [f"{up}/{down}" for up, down in cards[number :: mode.reservoirs]]
            for number in range(mode.reservoirs)
        ],
        "minds": [0 if same else rng.randrange(MIND) for _ in range(config["players"])],
    }
