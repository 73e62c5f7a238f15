"""Training agents by self-play: what needs torch. See docs/training.md."""
