"""Information-set Monte Carlo tree search for any game behind the seam: docs/search.md."""

from dreamfactory_env.policies.search.budget import Budget, parse_budget, parse_search
from dreamfactory_env.policies.search.search import Analysis, Candidate, Search

__all__ = ["Analysis", "Budget", "Candidate", "Search", "parse_budget", "parse_search"]
