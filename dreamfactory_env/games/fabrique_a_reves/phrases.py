"""What is said of the game in English and in French: everything that is shown but for its words."""

from __future__ import annotations

from collections.abc import Mapping

from dreamfactory_env.games.fabrique_a_reves.lexicon import Language

#: The names of the tools.
TOOLS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "broom": "broom",
        "doubt": "flask of doubt",
        "dust": "fairy dust +1",
        "dust+2": "fairy dust +2",
        "spill": "spilled vial",
        "quill": "magic quill",
    },
    "fr": {
        "broom": "coup de balai",
        "doubt": "flacon du doute",
        "dust": "poudre de fée +1",
        "dust+2": "poudre de fée +2",
        "spill": "fiole renversée",
        "quill": "plume magique",
    },
}
MODES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "base": "base game",
        "monday": "Monday",
        "tuesday": "Tuesday",
        "wednesday": "Wednesday",
        "thursday": "Thursday",
        "friday": "Friday",
        "saturday": "Saturday",
        "sunday": "Sunday",
        "variant": "variant",
    },
    "fr": {
        "base": "jeu de base",
        "monday": "lundi",
        "tuesday": "mardi",
        "wednesday": "mercredi",
        "thursday": "jeudi",
        "friday": "vendredi",
        "saturday": "samedi",
        "sunday": "dimanche",
        "variant": "variante",
    },
}
#: What each place of the printed scale says, in our own words (R20).
SCALE: Mapping[Language, tuple[str, ...]] = {
    "en": (
        "the dreams were a blur, and are forgotten by breakfast",
        "some scraps of the dreams are still there",
        "good work: the sleepers begin their day smiling",
        "gifted: the dreams stay in mind for a good while",
        "be proud: the dreams have become memories",
        "bravo: the night is yours",
    ),
    "fr": (
        "des rêves bien flous, oubliés dès le petit déjeuner",
        "il reste quelques bribes des rêves",
        "bon travail : les dormeurs commencent leur journée en souriant",
        "doués : les rêves restent un bon moment en tête",
        "soyez fiers : les rêves sont devenus des souvenirs",
        "bravo : la nuit est à vous",
    ),
}
#: All else, by a key of its own; texts in braces are filled in.
SAID: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "headline": "{mode}, {players} players, aim {aim}.",
        "thoughts": "Player {seat} takes a thought, uses a tool, or passes.",
        "quill": "Player {seat} writes a word for vial {vial}.",
        "dreams": "Player {seat} dreams of vial {vial}.",
        "dreams 2": "Player {seat} may dream of vial {vial} a second time.",
        "won": "{points} points: won, {scale}.",
        "lost": "{points} of {aim} points: lost, {scale}.",
        "no theme": "no theme tonight",
        "theme": "theme",
        "about": "{title}: {about}",
        "reservoirs": "reservoirs",
        "left": "{left} left",
        "empty": "empty",
        "tools": "tools",
        "none left": "none left",
        "vial": "vial {number}",
        "closest": "you think of {words}",
        "player": "player {seat}",
        "you": "you",
        "began": "began",
        "passed": "has passed",
        "decided": "{decided} of {asked} dreams",
        "slate": "slate",
        "nothing": "nothing",
        "scored": "{points} points",
        "scored 1": "1 point",
        "equal": "{group} of {players} dreamt {dream}",
        "unequal": "nothing in common",
        "you may play": "you may play {moves}",
        "begins": "player {seat} begins",
        "takes": "player {seat} puts {word} into vial {vial}",
        "sweeps": "player {seat} sweeps the top of every reservoir away",
        "uses": "player {seat} uses the {tool} on vial {vial}",
        "writes": "player {seat} writes {word} into vial {vial}",
        "passes": "player {seat} passes",
        "dreams of": "player {seat} dreams of vial {vial}: {word}",
        "dreams secretly": "player {seat} dreams of vial {vial}",
        "phase dreams": "The dreams",
        "phase waking": "Waking",
    },
    "fr": {
        "headline": "{mode}, {players} joueurs, objectif {aim}.",
        "thoughts": "Le joueur {seat} prend une pensée, utilise un outil ou passe.",
        "quill": "Le joueur {seat} écrit un mot pour la fiole {vial}.",
        "dreams": "Le joueur {seat} rêve de la fiole {vial}.",
        "dreams 2": "Le joueur {seat} peut rêver une seconde fois de la fiole {vial}.",
        "won": "{points} points : gagné, {scale}.",
        "lost": "{points} sur {aim} points : perdu, {scale}.",
        "no theme": "pas de thème cette nuit",
        "theme": "thème",
        "about": "{title} : {about}",
        "reservoirs": "réservoirs",
        "left": "{left} en tout",
        "empty": "vide",
        "tools": "outils",
        "none left": "plus aucun",
        "vial": "fiole {number}",
        "closest": "vous pensez à {words}",
        "player": "joueur {seat}",
        "you": "vous",
        "began": "a commencé",
        "passed": "a passé",
        "decided": "{decided} rêves sur {asked}",
        "slate": "tablette",
        "nothing": "rien",
        "scored": "{points} points",
        "scored 1": "1 point",
        "equal": "{group} sur {players} ont rêvé {dream}",
        "unequal": "rien en commun",
        "you may play": "vous pouvez jouer {moves}",
        "begins": "le joueur {seat} commence",
        "takes": "le joueur {seat} met {word} dans la fiole {vial}",
        "sweeps": "le joueur {seat} balaie le dessus de tous les réservoirs",
        "uses": "le joueur {seat} utilise « {tool} » sur la fiole {vial}",
        "writes": "le joueur {seat} écrit {word} dans la fiole {vial}",
        "passes": "le joueur {seat} passe",
        "dreams of": "le joueur {seat} rêve de la fiole {vial} : {word}",
        "dreams secretly": "le joueur {seat} rêve de la fiole {vial}",
        "phase dreams": "Les rêves",
        "phase waking": "Le réveil",
    },
}


def say(language: str, key: str, **filled: object) -> str:
    """Returns what a key says in a language.

    Args:
        language: ``en`` or ``fr``.
        key: One of ``SAID``.
        **filled: What stands in its braces.
    """
    said = SAID["fr" if language == "fr" else "en"]
    return said[key].format(**filled)


def tool_name(language: str, tool: str) -> str:
    """Returns what a tool is called."""
    return TOOLS["fr" if language == "fr" else "en"][tool]


def mode_name(language: str, mode: str) -> str:
    """Returns what a mode is called."""
    return MODES["fr" if language == "fr" else "en"][mode]


def scale_words(language: str, scale: int) -> str:
    """Returns what a place of the printed scale says."""
    return SCALE["fr" if language == "fr" else "en"][scale]
