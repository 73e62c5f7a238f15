"""Faux Raccords.

Read in this order: components, state, bits, film, geometry, actions, legal, knowledge, effects,
hazards, rules, setup, scoring, hidden, observation_spec, observation, options, spec, stats, view,
game; then what shows it: shapes, text, narration, picture, explain.
"""
