"""La Fabrique à rêves.

Read in this order: lexicon, lexicon_checker, lexicon_files, vectors, associations; state,
vocabulary, options, minds, actions, rules, legal, scoring, setup, hidden; thinking,
observation_spec, observation, scripted, spec, stats, view_types, view, game; then what shows it:
phrases, text, narration, explain, picture_pieces, picture; and minilm and embed, which make the
vectors.
"""
