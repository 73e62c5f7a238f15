"""How fast the games are: ``python -m benchmarks.games`` prints figures for each, or for some.

Random legal actions on one core: with the bare rules, and as a batch that gives the observation and
the mask of every decision. Every number of players is measured with default options, and every
variant of the game with the default number and with the most. Games of OpenSpiel of the same kind
stand beside them where it is installed, measured in turn with the batch. What a figure is held to
stands beside it.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.choosing import Chooser
from benchmarks.measuring import Figures, best_rate, best_rates
from benchmarks.random_play import play_at_random
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.games import GAMES, new_game
from dreamfactory_env.games.game import Game

#: How many games are played side by side, and decisions in each between two looks at the clock.
SIDE_BY_SIDE, DECISIONS = 1024, 16
SECONDS = 2.0
#: What the bare rules and the batch are held to, decisions a second.
AIMS = {
    "dream_factory": (4_000_000, 2_000_000),
    "faux_raccords": (3_000_000, 1_000_000),
    "fabrique_a_reves": (1_000_000, 150_000),
}
#: The games of OpenSpiel of the same kind, and how many times as fast the batch is to be.
PEERS = {"faux_raccords": ({"hanabi": "hanabi(players=2)"}, 10)}


def bare(game: Game) -> Callable[[], int]:
    """Returns a function that makes random decisions by the bare rules, and says how many."""
    states = np.repeat(game.blank(), SIDE_BY_SIDE)
    for index in range(SIDE_BY_SIDE):
        game.kernels.reset(states, index, game.params, game.blank(), np.uint64(index))
    made = 0

    def play() -> int:
        nonlocal made
        play_at_random(game, states, made, DECISIONS)
        made += DECISIONS
        return SIDE_BY_SIDE * DECISIONS

    return play


def batch(name: str, options: dict[str, Any]) -> tuple[Callable[[], int], Callable[[], float]]:
    """Returns a function that steps a batch at random, and one that tells what choosing takes."""
    games, chosen = SelfPlayBatch(name, SIDE_BY_SIDE, **options), Chooser(SIDE_BY_SIDE)

    def play() -> int:
        games.step(chosen(games.masks))
        return SIDE_BY_SIDE

    return play, lambda: chosen.seconds(games.masks)


def cases_of(name: str) -> dict[str, dict[str, Any]]:
    """Returns the options that are measured, by what they are called."""
    spec = GAMES[name].spec
    cases = {f"{players} players": {"players": players} for players in spec.player_counts}
    for variant in spec.variants:
        named = ", ".join(f"{option} {value}" for option, value in variant)
        for players in sorted({spec.default_players, spec.max_players}):
            cases[f"{named}, {players} players"] = {**dict(variant), "players": players}
    return cases


def add_game(figures: Figures, name: str) -> None:
    """Measures a game."""
    aims = [f"at least {aim:,}" for aim in AIMS.get(name, ())] or ["", ""]
    for case, options in cases_of(name).items():
        rate = best_rate(bare(new_game(name, options)), SECONDS)
        figures.add(f"{name}, {case}: bare decisions", rate, "/s", aims[0])
        play, choosing = batch(name, options)
        rate = best_rate(play, SECONDS)
        alone = 1 / (1 / rate - choosing() / SIDE_BY_SIDE)
        figures.add("  with observation and mask", alone, "/s", aims[1])


def add_peers(figures: Figures, name: str) -> None:
    """Measures games of OpenSpiel in turn with the batch; both choose, and that counts."""
    if importlib.util.find_spec("pyspiel") is None:
        print('OpenSpiel is not installed: pip install -c constraints.txt -e ".[openspiel]"')
        return
    from benchmarks.openspiel_peers import player_of

    peers, times = PEERS[name]
    plays = [batch(name, {})[0], *(player_of(loaded) for loaded in peers.values())]
    ours, *theirs = best_rates(plays, 2 * SECONDS)
    figures.add(f"{name}: the batch, choosing included", ours, "/s")
    for peer, rate in zip(peers, theirs, strict=True):
        figures.add(f"OpenSpiel's {peer} from Python, the same", rate, "/s")
        figures.add(f"  the batch over {peer}", ours / rate, "times", f"at least {times}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help=f"all if not given: {', '.join(GAMES)}")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    figures = Figures()
    for name in arguments.games or GAMES:
        add_game(figures, name)
        if name in PEERS:
            add_peers(figures, name)
    figures.show(arguments.json)


if __name__ == "__main__":
    main()
