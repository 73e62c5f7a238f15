"""Training agents by self-play, with stable-baselines3."""
