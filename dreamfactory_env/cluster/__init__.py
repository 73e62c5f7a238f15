"""Work on many machines: a Ray cluster that is joined, or one that is started here."""
