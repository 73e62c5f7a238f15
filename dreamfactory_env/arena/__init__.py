"""Tournaments between policies: duplicate deals, ratings with intervals, reports; docs/arena.md."""

from dreamfactory_env.arena.config import Tournament, read_tournament
from dreamfactory_env.arena.tournament import Evaluation, duel, evaluate, run_tournament

__all__ = ["Evaluation", "Tournament", "duel", "evaluate", "read_tournament", "run_tournament"]
