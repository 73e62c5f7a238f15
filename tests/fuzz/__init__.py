"""Damaged inputs for every reader of files, counted; see ``__main__``."""
