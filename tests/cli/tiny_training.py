"""A training of seconds, as a file."""

from __future__ import annotations

#: Rollouts of 256 decisions, 24 of them; something is written between most of them.
CONFIG = """
total_timesteps: 6000
n_envs: {2: 8, 3: 8}
seed: 5
opponents: {self: 0.4, past: 0.4, scripted: {greedy: 0.2}}
network: {net_arch: [16], pointer_width: 0}
ppo: {n_steps: 16, batch_size: 64}
schedule:
  snapshot_every: 1500
  checkpoint_every: 700
  evaluate_every: 2500
  evaluation_deals: 3
  evaluate_against: [random, expert]
  evaluation_players: [2]
"""
