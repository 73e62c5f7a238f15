"""Dream Factory.

Read in this order: components, state, legal, rules, scoring, actions, hidden, options, setup,
game, text.
"""
