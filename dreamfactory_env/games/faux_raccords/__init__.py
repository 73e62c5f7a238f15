"""Faux Raccords.

Read in this order: components, state, bits, film, geometry, actions, legal, knowledge, effects,
hazards, rules, setup, scoring, hidden, observation_spec, observation, options, spec, view, game.
"""
