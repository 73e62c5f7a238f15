"""Environments for learning agents, written for any game of the package."""
