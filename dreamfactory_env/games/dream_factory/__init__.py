"""Dream Factory.

Read in this order: components, state, rules, scoring, actions, hidden, options, game, text.
"""
