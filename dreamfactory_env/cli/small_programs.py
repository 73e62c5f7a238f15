"""Small programs that call everything that is compiled for a game, with the types that users do.

``dreamfactory compile`` runs them. Each uses a part of the package as its users do, so that what it
compiles is what they will find.
"""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from dreamfactory_env.arena import duel, evaluate, run_tournament
from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies import Policy, View, policy_named
from dreamfactory_env.policies.policy import view_of
from dreamfactory_env.records.format import replay, start_of
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.utils.errors import OptionError

#: How many games those play that play many at once.
GAMES_AT_ONCE = 2
#: The packages without which nothing is trained.
TRAINING = ("matplotlib", "sb3_contrib", "stable_baselines3", "tensorboard", "torch")

Program = Callable[[type[Game]], None]


def play_a_game(game_cls: type[Game]) -> None:
    """Plays by hand: deals, looks at it, plays to the end, and reads the result."""
    game = game_cls(seed=0)
    while not game.over:
        game.play(game.legal()[0])
    for shown in (game_cls(seed=0), game):
        seats = range(shown.players)
        _ = [str(shown), shown.scores(), shown.winners(), shown.fingerprint()]
        _ = [(shown.view(seat), shown.text(seat), shown.observe(seat)) for seat in seats]
    payoff = game.spec.payoff(shaping=0.5 if game.spec.shaping else 0.0)
    _ = [game.returns(payoff), game.returns(payoff, offender=0), game.potentials(payoff)]
    game_cls(seed=0).resample_hidden(0, 1)
    game_cls.load(game.save())


def ask_policies(game_cls: type[Game]) -> None:
    """Asks every policy that comes with the game for a move, a search among them."""
    game = game_cls(seed=0)
    policies = [policy_named(name, game) for name in (*game.scripted, "mcts:2")]
    for name in game.agents:
        with suppress(OptionError):  # it may be for other options than the default ones
            policies.append(policy_named(name, game))
    for policy in policies:
        policy.act(view_of(game))


def record_games(game_cls: type[Game]) -> None:
    """Simulates games, narrates them and replays them."""
    game = game_cls(seed=0)
    for name in (game.spec.ladder[0], "mcts:1"):
        for record in simulate(game, [name], 1, seed=0):
            _ = list(start_of(record).narrate(action for _, action, _ in record["moves"]))
            replay(record)


def step_pettingzoo(game_cls: type[Game]) -> None:
    """Plays the AEC environment to the end, then ends a game by an illegal action."""
    env = RawEnv(game_cls, shaping=_shaping(game_cls))
    env.reset(seed=0)
    env.state()
    while not all(env.terminations.values()):
        observation, *_ = env.last()
        env.step(int(observation["action_mask"].argmax()))
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmin()))


def step_gymnasium(game_cls: type[Game]) -> None:
    """Plays the single-agent environments, alone and many at once."""
    shaping = _shaping(game_cls)
    single = SingleAgentEnv(game_cls, shaping=shaping)
    single.reset(seed=0)
    over = False
    while not over:
        over = single.step(int(single.action_masks().argmax()))[2]
    single.reset(options={"state": game_cls(seed=0).save()})
    single.step(int(single.action_masks().argmin()))
    vector = SingleAgentVectorEnv(GAMES_AT_ONCE, game=game_cls, shaping=shaping)
    vector.reset(seed=0)
    vector.step(vector.action_masks().argmax(axis=1))
    vector.step(vector.action_masks().argmin(axis=1))
    vector.step(vector.action_masks().argmax(axis=1))


def step_a_batch(game_cls: type[Game]) -> None:
    """Plays games against itself, many at once."""
    batch = SelfPlayBatch(game_cls, GAMES_AT_ONCE, shaping=_shaping(game_cls))
    batch.reset(seed=0)
    batch.step(batch.masks.argmax(axis=1))
    batch.reset()


class _FirstMove(Policy):
    """Plays the first legal move, or what is none."""

    def __init__(self, *, fouls: bool = False) -> None:
        self._fouls = fouls

    def act(self, view: View) -> int:
        return -1 if self._fouls else int(view.mask.argmax())


def hold_a_tournament(game_cls: type[Game]) -> None:
    """Plays tournaments: of compiled policies, of others, and of one that plays illegally."""
    strongest, weakest = game_cls.spec.ladder[-1], game_cls.spec.ladder[0]
    with tempfile.TemporaryDirectory() as folder:
        policies: list[str | Policy] = [strongest, _FirstMove(), _FirstMove(fouls=True)]
        for number, policy in enumerate(policies):
            match = duel(policy, [weakest], games=1, game=game_cls.spec.name, records=True)
            run_tournament(match, Path(folder) / str(number), processes=1)
            evaluate(match, processes=1)


def train_an_agent(game_cls: type[Game]) -> None:
    """Trains for some decisions, and evaluates."""
    from dreamfactory_env.learning.config import Network, PPOSettings, Schedule, Teacher, Training
    from dreamfactory_env.learning.run import begin

    players = game_cls.spec.default_players
    strongest = game_cls.spec.ladder[-1]
    settings = Training(
        total_timesteps=64,
        n_envs={players: 8},
        game=game_cls.spec.name,
        shaping=_shaping(game_cls),
        network=Network(net_arch=[8], hint=strongest),
        ppo=PPOSettings(n_steps=4, batch_size=16),
        teacher=Teacher(policy=strongest, timesteps=16, fading_timesteps=16),
        schedule=Schedule(
            snapshot_every=32,
            checkpoint_every=64,
            evaluate_every=64,
            evaluation_deals=1,
            evaluation_players=[players],
        ),
        threads=1,
    )
    with tempfile.TemporaryDirectory() as folder:
        run = begin(settings, Path(folder) / "run")
        run.notify = lambda text: None
        run.train([], lambda: False)


def _shaping(game_cls: type[Game]) -> float:
    return 0.5 if game_cls.spec.shaping else 0.0


def programs() -> dict[str, Program]:
    """Returns all programs that can run here, by what they are for."""
    found: dict[str, Program] = {
        "playing": play_a_game,
        "policies": ask_policies,
        "records": record_games,
        "PettingZoo": step_pettingzoo,
        "Gymnasium": step_gymnasium,
        "self-play batch": step_a_batch,
        "arena": hold_a_tournament,
    }
    if can_train():
        found["training"] = train_an_agent
    return found


def can_train() -> bool:
    """Tells whether the packages for training are installed."""
    return all(importlib.util.find_spec(name) is not None for name in TRAINING)
