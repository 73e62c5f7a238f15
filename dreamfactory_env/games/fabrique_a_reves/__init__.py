"""La Fabrique à rêves.

Read in this order: lexicon, lexicon_checker, lexicon_files, vectors, associations; then minilm and
embed, which make the vectors.
"""
