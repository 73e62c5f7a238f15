"""Tournaments between policies: duplicate deals, figures with intervals, reports; docs/arena.md."""

from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.config_file import read_tournament
from dreamfactory_env.arena.evaluation import Evaluation, duel, evaluate
from dreamfactory_env.arena.tournament import run_tournament

__all__ = ["Evaluation", "Tournament", "duel", "evaluate", "read_tournament", "run_tournament"]
