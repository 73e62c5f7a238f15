"""Checks that every seat is paid what a game is worth to it, in the way of the game's utility."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from dreamfactory_env.engine.returns import Payoff
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games.game import Game
from dreamfactory_env.testing.common import choose, payments, positions, require

CLOSE = 1e-5


def check_credit(game_cls: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks what games are worth, and that all environments pay it."""
    for game, where in positions(game_cls, games, seed, options):
        _check_winners(game, where)
        if game.over:
            for reward in game.spec.rewards:
                _check_returns(game, reward, f"{where}, reward {reward}")
    for paying in payments(game_cls):
        given: dict[str, Any] = {**paying, **options}
        for number in range(games):
            for illegal in (False, True):
                how = f"reward {paying['reward']}, shaping {paying['shaping']}"
                where = f"game {number}, {how}, {'il' if illegal else ''}legal end"
                _check_envs(game_cls, given, seed + number, illegal, where)
                if number == 0:  # a search takes its time
                    _check_single_with(game_cls, "mcts:1", given, seed, illegal, where)
        batch = SelfPlayBatch(game_cls, 8, **given)
        _check_batch(batch, batch.game.spec.payoff(**paying), seed, str(paying))


def _check_envs(
    game_cls: type[Game], given: dict[str, Any], seed: int, illegal: bool, where: str
) -> None:
    """Checks what environments with a legal and an illegal end pay."""
    _check_aec(RawEnv(game_cls, **given), seed, illegal, where)
    _check_single_with(game_cls, game_cls.spec.ladder[0], given, seed, illegal, where)
    mode = AutoresetMode.DISABLED
    vector = SingleAgentVectorEnv(2, game=game_cls, autoreset_mode=mode, **given)
    _check_vector(vector, seed, illegal, where)


# ---------------------------------------------------------------------- what a game is worth


def _check_winners(game: Game, where: str) -> None:
    winners, scores = game.winners(), game.scores()
    require(len(scores) == game.players, f"{where}: {len(scores)} scores")
    if not game.over:
        require(not winners, f"{where}: there are winners before the end")
    elif game.spec.shared:
        together = winners in ([], list(range(game.players)))
        require(together, f"{where}: {winners} have won a shared game")
    else:
        require(bool(winners), f"{where}: a game is over that nobody has won")
    if game.spec.shared:
        require(len(set(scores)) == 1, f"{where}: the seats of a shared game have {scores} points")


def _check_returns(game: Game, reward: str, where: str) -> None:
    """Checks what a game that is over is worth, and what it would be with an illegal end."""
    payoff, players = game.spec.payoff(reward), game.players
    returns = game.returns(payoff)
    low, high = game.spec.score_range
    if reward == "score":
        within = bool((returns >= low - CLOSE).all() and (returns <= high + CLOSE).all())
        require(within, f"{where}: {returns.tolist()} is out of the score range ({low}, {high})")
    for offender in range(players):
        ended = game.returns(payoff, offender)
        _check_sum(game, ended, f"{where}, an illegal end")
        require(ended[offender] == -1, f"{where}: an illegal action pays {ended[offender]}")
        if game.spec.shared:
            worst = bool((ended == -1).all() and (returns > -1).all())
            require(worst, f"{where}: an illegal action is not the worst outcome for all")
    _check_sum(game, returns, where)
    if game.spec.shared and reward == "win":
        expected = float(bool(game.winners()))
        require(
            bool((returns == expected).all()), f"{where}: a win pays 1, a loss 0, not {returns}"
        )


def _check_sum(game: Game, returns: Array, where: str) -> None:
    """Checks that all are paid the same in a shared game, and nothing in all in another."""
    if game.spec.shared:
        require(len(set(returns.tolist())) == 1, f"{where}: {returns.tolist()} is not shared")
    else:
        zero = abs(float(returns.sum())) < CLOSE
        require(zero, f"{where}: {returns.tolist()} does not sum to zero")


# ---------------------------------------------------------------------- what environments pay


def _check_aec(env: RawEnv, seed: int, illegal: bool, where: str) -> None:
    env.reset(seed=seed)
    rng = random.Random(1)
    paid = dict.fromkeys(env.agents, 0.0)
    offender = None
    illegal_at = rng.randrange(min(60, env.game.spec.max_length)) if illegal else -1
    for moves, agent in enumerate(env.agent_iter()):
        _, reward, over, _, info = env.last()
        paid[agent] += reward
        wrong = np.flatnonzero(info["action_mask"] == 0)
        if over:
            env.step(None)
        elif moves >= illegal_at >= 0 and len(wrong):
            offender = int(env.possible_agents.index(agent))
            env.step(int(wrong[0]))
        else:
            env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    worth = env.game.returns(env.payoff, offender)
    close = np.allclose(list(paid.values()), worth, atol=CLOSE)
    require(close, f"{where}: agents were paid {paid}, not {worth.tolist()}")


def _check_single_with(
    game_cls: type[Game], others: str, given: dict[str, Any], seed: int, illegal: bool, where: str
) -> None:
    """Checks what one agent is paid beside policies that are compiled, or that are asked."""
    env = SingleAgentEnv(game_cls, **{**given, game_cls.spec.others: others})
    _check_single(env, seed, illegal, f"{where}, {game_cls.spec.others} {others}")


def _check_single(env: SingleAgentEnv, seed: int, illegal: bool, where: str) -> None:
    env.reset(seed=seed)
    rng = random.Random(1)
    paid, over, moves = 0.0, False, 0
    illegal_at = rng.randrange(3) if illegal else -1
    while not over:
        mask = env.action_masks()
        wrong = np.flatnonzero(mask == 0)
        now = moves >= illegal_at >= 0 and len(wrong) > 0
        actions = wrong if now else np.flatnonzero(mask)
        _, reward, over, _, info = env.step(int(rng.choice(actions)))
        paid += reward
        moves += 1
    offender = env.seat if "illegal_action" in info else None
    worth = float(env.game.returns(env.payoff, offender)[env.seat])
    require(abs(paid - worth) < CLOSE, f"{where}: the agent was paid {paid}, not {worth}")


def _check_vector(env: SingleAgentVectorEnv, seed: int, illegal: bool, where: str) -> None:
    env.reset(seed=seed)
    rng = random.Random(1)
    paid, games = np.zeros(env.num_envs), np.zeros(env.num_envs, np.int64)
    while games.min() < 2:  # a second game must not be paid for the first
        actions = choose(env.action_masks(), rng)
        wrong = np.flatnonzero(env.action_masks()[0] == 0)
        if illegal and len(wrong) and rng.random() < 0.1:
            actions[0] = wrong[0]
        _, rewards, over, _, infos = env.step(actions)
        paid += rewards
        ended_illegally = infos.get("_illegal_action", np.zeros_like(over))
        for index in np.flatnonzero(over).tolist():
            seat = int(env.seats[index])
            offender = seat if ended_illegally[index] else None
            worth = float(env.game_at(index).returns(env.payoff, offender)[seat])
            close = abs(paid[index] - worth) < CLOSE
            require(close, f"{where}: an agent of a vector was paid {paid[index]}, not {worth}")
        if over.any():
            games[over] += 1
            paid[over] = 0
            env.reset(options={"reset_mask": over})


def _check_batch(env: SelfPlayBatch, payoff: Payoff, seed: int, where: str) -> None:
    env.reset(seed)
    rng = random.Random(1)
    paid, games = np.zeros(env.rewards.shape), 0
    while games < 2 * env.num_envs:
        actions = choose(env.masks, rng)
        before = [env.game_at(index) for index in range(env.num_envs)]
        env.step(actions)
        paid += env.rewards
        for index in np.flatnonzero(env.done).tolist():
            worth = before[index].play(int(actions[index])).returns(payoff)
            close = np.allclose(paid[index], worth, atol=CLOSE)
            require(close, f"{where}: the batch paid {paid[index]}, not {worth.tolist()}")
            paid[index] = 0
            games += 1
