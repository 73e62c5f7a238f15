"""Training: agents by self-play, which needs torch, and the constants of the scripted policies."""
