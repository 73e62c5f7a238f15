"""Figures: how fast and how strong things are. There are no timed tests."""
