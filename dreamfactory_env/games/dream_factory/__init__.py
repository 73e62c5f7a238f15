"""Dream Factory.

Read in this order: components, state, legal, rules, scoring, actions, hidden, observation,
options, setup, game, text, explain.
"""
