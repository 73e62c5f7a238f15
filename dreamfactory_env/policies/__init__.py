"""Who plays: policies, all behind one small interface, found by name; see docs/own_policies.md."""

from dreamfactory_env.policies.naming import policy_named
from dreamfactory_env.policies.policy import Policy, View, Views, view_of
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.policies.searching import SearchPolicy

__all__ = ["Policy", "ScriptedPolicy", "SearchPolicy", "View", "Views", "policy_named", "view_of"]
