"""Checks that whoever adds a game, or changes one, runs: ``check_game(DreamFactory, players=3)``.

They hold what everything above the games relies on: masks are exactly the legal moves, nothing
hidden is seen, everybody is paid, copies have the same future, a seed is a game, what is counted
adds up, and all faces play the same game. Rules are not checked here: those need tests of their
own.
"""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from dreamfactory_env.engine.returns import Reward, payment, standing
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import SEED_BYTES, Game
from dreamfactory_env.policies.rows import row_loops
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.utils.errors import IllegalMove

#: So many games are played side by side when faces are compared.
SIDE_BY_SIDE = 64


def check_game(kind: type[Game], *, games: int = 10, seed: int = 0, **options: Any) -> None:
    """Checks a game behind the seam, by random play.

    Args:
        kind: The game; it must be in ``dreamfactory_env.games.GAMES``.
        games: How many games each check plays.
        seed: Where they come from.
        **options: The options of the game.

    Raises:
        AssertionError: Something does not hold; the message says what, and in which game.
        GameError: An option is wrong.
    """
    check_declarations(kind, **options)
    check_masks(kind, games, seed, **options)
    check_information(kind, games, seed, **options)
    check_determinism(kind, games, seed, **options)
    check_tally(kind, games, seed, **options)
    check_copies(kind, games, seed, **options)
    check_credit(kind, games, seed, **options)
    for reward in Reward:
        name = reward.name.lower()
        check_faces(kind, games, seed, reward=name, **options)
        check_faces(kind, games, seed, reward=name, shaping=0.5, **options)


def check_declarations(kind: type[Game], **options: Any) -> None:
    """Checks that what a game says of itself fits together."""
    _require(GAMES.get(kind.name) is kind, f"{kind.name} is not in GAMES")
    game = _new(kind, 0, options)
    first = (game.states.dtype.names or ("",))[0]
    _require(
        first == "seed" and game.states.dtype[first].itemsize == SEED_BYTES,
        f"the record must begin with the seed, uint64, not with {first!r}",
    )
    for name in ("players", "to_move"):
        has = name in (game.states.dtype.names or ())
        _require(has, f"the record needs a field {name!r}, which the loops read")
    _require(game.states.dtype == game.blank().dtype, "blank() is another kind of record")
    _require(kind.actions > 0 and kind.layout.size > 0, "no actions, or nothing to observe")
    _require(
        not standing(1.0, game).any(), "points must be equal at the start, or shaping is no bonus"
    )


def check_masks(kind: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that masks are exactly the legal moves, and that there are some until the end."""
    for game, where in _positions(kind, games, seed, options):
        legal = game.legal_actions()
        numbers = list(legal.values())
        mask = np.zeros(kind.actions, np.int8)
        seat = game.loops.ask_at(
            game.states, 0, game.tables, np.empty(kind.actions, np.int32), mask
        )
        _require(np.flatnonzero(mask).tolist() == numbers, f"{where}: mask and legal moves differ")
        _require(game.over == (not numbers), f"{where}: a player to move has no legal move")
        _require(game.over or seat == game.to_move, f"{where}: the mask is another player's")
        _require(len(set(legal)) == len(numbers), f"{where}: two legal moves have the same words")
        before = game.save()
        for action in [-1, kind.actions, *np.flatnonzero(mask == 0).tolist()]:
            try:
                game.play(action)
            except IllegalMove:
                continue
            _require(False, f"{where}: {action} is not legal, but was played")
        _require(game.save() == before, f"{where}: a refused move has changed the game")
        for words, action in legal.items():
            by_words = game.copy().play(words)
            _require(game.save() == before, f"{where}: playing a copy changes the game")
            by_number = game.copy().play(action)
            _require(by_words == by_number, f"{where}: {words!r} is not action {action}")


def check_information(kind: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that what a player cannot know changes nothing that the player is told."""
    low, high = kind.layout.low(), kind.layout.high()
    rng = random.Random(seed)
    for game, where in _positions(kind, games, seed, options):
        for player in range(game.players):
            told = f"{where}, player {player}"
            seen = game.observe(player)
            within = bool((seen >= low).all() and (seen <= high).all())
            _require(within, f"{told}: an observation is out of its range")
            other = game.resample_hidden(player, rng.randrange(2**40))
            changed = np.flatnonzero(seen != other.observe(player))
            for block in kind.layout.blocks.values():
                hits = [n for n in changed if block.slice.start <= n < block.slice.stop]
                _require(
                    not hits, f"{told}: {block.name!r} of the observation tells what is hidden"
                )
            if player == game.to_move:
                _require(other.legal() == game.legal(), f"{told}: the mask tells what is hidden")
                for name in kind.scripted:
                    alike = _decision(game, name) == _decision(other, name)
                    _require(alike, f"{told}: {name} knows what is hidden")
            _require(kind.explain(seen) != "", f"{told}: an observation cannot be explained")
    for game in (_new(kind, seed + k, options) for k in range(games)):
        while not game.over:  # what was redrawn goes on by the same rules
            game = game.resample_hidden(rng.randrange(game.players), rng.randrange(2**40))
            game.play(rng.choice(game.legal()))


def check_determinism(kind: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that a seed is a game, and that records and saved positions give it back."""
    config = _new(kind, 0, options).config()
    records = list(simulate(kind, config, ["random"], games, seed))
    _require(
        records == list(simulate(kind, config, ["random"], games, seed)), "a seed is two games"
    )
    setups = {repr(record["setup"]) for record in records}
    _require(games == 1 or len(setups) > 1, "all seeds give the same set-up")
    for number, record in enumerate(records):
        end = replay(record)
        _require(end.result() == record["result"], f"game {number}: its record has another result")
        _require(kind.load(end.save()) == end, f"game {number}: a saved position is another one")


def check_tally(kind: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that what is counted in a game is what it says it is, and adds up to the points."""
    figures = _new(kind, 0, options).figures()
    for figure, size, axes in [
        *((figure, kind.tally.table, (2,)) for figure in figures.table),
        *((figure, kind.tally.seat, (0, 1)) for figure in figures.seats),
        *((figure, kind.tally.seat, (0,)) for figure in figures.parts),
    ]:
        told = f"the figure {figure.title!r}"
        shape = tuple(len(words) for _, words in figure.axes)
        _require(figure.places.shape == shape, f"{told} has other places than its axes")
        _require(len(shape) in axes, f"{told} has {len(shape)} axes")
        within = bool((figure.places >= 0).all() and (figure.places < size).all())
        _require(within, f"{told} is not among the numbers")
    for number in range(games):
        game = _new(kind, seed + number, options)
        rng = random.Random(number)
        table = np.zeros(kind.tally.table, np.int32)
        seats = np.zeros((game.players, kind.tally.seat), np.int32)
        while not game.over:
            action = rng.choice(list(game.legal_actions().values()))
            kind.tally.note(game.states[0], game.tables[0], action, table, seats)
            game.play(action)
        kind.tally.finish(game.states[0], game.tables[0], table, seats)
        parts = sum(seats[:, int(part.places)] for part in figures.parts)
        told = f"seed {seed + number}"
        same = np.array_equal(parts, game.scores())
        _require(same, f"{told}: the parts add up to {parts}, not to {game.scores()}")
        for role in figures.roles:
            known = np.isin(seats[:, role.place], range(len(role.words))).all()
            _require(bool(known), f"{told}: a {role.title} has no words")


def check_copies(kind: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that copies of every face, made at any moment, have the same future."""
    for number in range(games):
        for make in (_Aec, _Solo, _Vector, _Batch):
            face = make(kind, {**options, "shaping": float(number % 2)})
            face.env.restore_state(face.env.clone_state())
            face = copy.deepcopy(face)  # before the first deal, too
            face.reset(seed + number)
            rng = random.Random(number)
            for _ in range(rng.randrange(400)):
                face.move(rng)
            clone = face.env.clone_state()
            others = [copy.deepcopy(face), pickle.loads(pickle.dumps(face))]
            future = face.future()
            told = f"game {number}, {type(face.env).__name__}"
            for how, other in zip(("deepcopy", "pickle"), others, strict=True):
                _require(other.future() == future, f"{told}: {how} has another future")
            for _ in range(2):
                face.env.restore_state(clone)
                _require(face.future() == future, f"{told}: a clone has another future")


def check_credit(kind: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that what every seat is paid in a game is what the game is worth to it."""
    for reward in Reward:
        for number in range(games):
            for shaping in (0.0, 1.0):
                for foul in (False, True):
                    name = reward.name.lower()
                    told = f"game {number}, reward {name}, shaping {shaping}, foul {foul}"
                    paying = {"reward": name, "shaping": shaping, **options}
                    table, solo = RawEnv(kind, **paying), SingleAgentEnv(kind, **paying)
                    table.reset(seed=seed + number)
                    solo.reset(seed=seed + number)
                    _check_credit_of_aec(table, reward, foul, told)
                    _check_credit_of_solo(solo, reward, foul, told)
                    mode = AutoresetMode.DISABLED
                    vector = SingleAgentVectorEnv(2, game=kind, autoreset_mode=mode, **paying)
                    vector.reset(seed=seed + number)
                    _check_credit_of_vector(vector, reward, foul, told)


def _check_credit_of_aec(env: RawEnv, reward: Reward, foul: bool, told: str) -> None:
    rng = random.Random(1)
    paid = dict.fromkeys(env.agents, 0.0)
    offender = None
    fouled_at = rng.randrange(1, 60) if foul else -1
    for moves, agent in enumerate(env.agent_iter()):
        _, got, over, _, info = env.last()
        paid[agent] += got
        if over:
            env.step(None)
        elif moves == fouled_at:
            offender = int(env.possible_agents.index(agent))
            env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
        else:
            env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    worth = payment(reward, env.game, offender)
    close = np.allclose(list(paid.values()), worth, atol=1e-6)
    _require(close, f"{told}: agents were paid {paid}, not {worth.tolist()}")
    _require(abs(float(worth.sum())) < 1e-6, f"{told}: {worth.tolist()} is not zero-sum")


def _check_credit_of_vector(
    env: SingleAgentVectorEnv, reward: Reward, foul: bool, told: str
) -> None:
    rng = random.Random(1)
    paid, games = np.zeros(env.num_envs), np.zeros(env.num_envs, np.int64)
    while games.min() < 2:  # a second game must not be paid for the first
        actions = _choose(env.action_masks(), rng)
        if foul and rng.random() < 0.1:
            actions[0] = int(np.flatnonzero(env.action_masks()[0] == 0)[0])
        _, rewards, over, _, infos = env.step(actions)
        paid += rewards
        fouls = infos.get("_illegal_action", np.zeros_like(over))
        for index in np.flatnonzero(over):
            seat = int(env.seats[index])
            offender = seat if fouls[index] else None
            worth = float(payment(reward, env.game_at(int(index)), offender)[seat])
            close = abs(paid[index] - worth) < 1e-6
            _require(close, f"{told}: an agent of a vector was paid {paid[index]}, not {worth}")
        if over.any():
            games[over] += 1
            paid[over] = 0
            env.reset(options={"reset_mask": over})


def _check_credit_of_solo(env: SingleAgentEnv, reward: Reward, foul: bool, told: str) -> None:
    rng = random.Random(1)
    paid, over, moves = 0.0, False, 0
    fouled_at = rng.randrange(1, 12) if foul else -1
    while not over:
        legal = env.action_masks()
        mine = np.flatnonzero(legal if moves != fouled_at else legal == 0)
        _, got, over, _, info = env.step(int(rng.choice(mine)))
        paid += got
        moves += 1
    offender = env.seat if "illegal_action" in info else None
    worth = float(payment(reward, env.game, offender)[env.seat])
    _require(abs(paid - worth) < 1e-6, f"{told}: the agent was paid {paid}, not {worth}")


def check_faces(
    kind: type[Game],
    games: int,
    seed: int,
    *,
    reward: str = "win",
    shaping: float = 0.0,
    **options: Any,
) -> None:
    """Checks that the same seeds and actions are the same games through all four faces.

    The vector environment and the single one play against scripted opponents, different ones where
    there are; what was played then goes through the self-play batch and the PettingZoo
    environment. Every observation, mask and reward is compared.
    """
    paying: dict[str, Any] = {"reward": reward, "shaping": shaping, **options}
    batch = SelfPlayBatch(kind, min(games, SIDE_BY_SIDE), **paying)
    names = list(kind.scripted)
    opponents = [names[(seed + k) % len(names)] for k in range(batch.game.players - 1)]
    vector = SingleAgentVectorEnv(batch.num_envs, game=kind, opponents=opponents, **paying)
    solos = [SingleAgentEnv(kind, opponents=opponents, **paying) for _ in range(batch.num_envs)]
    table = RawEnv(kind, **paying)
    for start in range(0, games, batch.num_envs):
        batch.reset(seed + start)
        seeds = [int(number) for number in batch.states["seed"]]
        played = _play_solo_faces(vector, solos, seeds)
        _play_in_batch(batch, played)
        for game in played:
            _play_at_table(table, game)


@dataclass
class _Played:
    """A game as it was seen through the faces, compared or still to be compared."""

    seed: int
    seat: int  # the agent's, in the faces that have one
    own: list[tuple[bytes, bytes]] = field(default_factory=list)  # its observations and masks
    total: float = 0.0  # what it was paid
    scores: list[int] = field(default_factory=list)
    moves: list[Any] = field(default_factory=list)  # of all seats, as in a record
    seen: list[tuple[bytes, bytes]] = field(default_factory=list)  # by all, before each move
    rewards: list[list[float]] = field(default_factory=list)  # of all, after each move


def _play_solo_faces(
    vector: SingleAgentVectorEnv, solos: list[SingleAgentEnv], seeds: list[int]
) -> list[_Played]:
    """Plays a game on each row of the vector environment, and beside it on a single one."""
    seen, infos = vector.reset(seed=list(seeds))
    singles = [env.reset(seed=number)[0] for env, number in zip(solos, seeds, strict=True)]
    played = [_Played(number, env.seat) for env, number in zip(solos, seeds, strict=True)]
    running = np.ones(len(solos), np.bool_)
    rng = random.Random(seeds[0])
    while running.any():
        actions = np.zeros(len(solos), np.int64)
        for index in np.flatnonzero(running):
            game, env = played[index], solos[index]
            single = (singles[index].tobytes(), env.action_masks().tobytes())
            row = (seen[index].tobytes(), infos["action_mask"][index].tobytes())
            _require(row == single, f"seed {game.seed}: vector and single environment differ")
            game.own.append(single)
            actions[index] = rng.choice(np.flatnonzero(env.action_masks()))
        seen, rewards, over, _, infos = vector.step(actions)
        for index in np.flatnonzero(running):
            game, env = played[index], solos[index]
            singles[index], reward, done, _, _ = env.step(actions[index])
            same = abs(rewards[index] - reward) < 1e-9 and bool(over[index]) == done
            _require(same, f"seed {game.seed}: vector and single environment pay differently")
            game.total += reward
            if done:
                running[index] = False
                game.moves, game.scores = env.record()["moves"], env.game.scores()
    return played


def _play_in_batch(batch: SelfPlayBatch, played: list[_Played]) -> None:
    """Plays the moves of the games in a self-play batch that was dealt from the same seeds."""
    for step in range(max(len(game.moves) for game in played)):
        going_on = [index for index, game in enumerate(played) if step < len(game.moves)]
        actions = batch.masks.argmax(axis=1)  # for those that are over
        for index in going_on:
            game = played[index]
            seat, actions[index], _ = game.moves[step]
            game.seen.append((batch.observations[index].tobytes(), batch.masks[index].tobytes()))
            _require(batch.seats[index] == seat, f"seed {game.seed}: the batch asks somebody else")
        batch.step(actions)
        for index in going_on:
            game = played[index]
            game.rewards.append(batch.rewards[index].tolist())
            last = step == len(game.moves) - 1
            _require(bool(batch.done[index]) == last, f"seed {game.seed}: the batch ends elsewhere")
            _require(
                not last or batch.scores[index].tolist() == game.scores,
                f"seed {game.seed}: the batch counts other points",
            )


def _play_at_table(env: RawEnv, game: _Played) -> None:
    """Plays the moves of a game through the PettingZoo environment."""
    env.reset(seed=game.seed)
    told = f"seed {game.seed}, PettingZoo's face"
    own = iter(game.own)
    for (seat, action, _), batched, rewards in zip(
        game.moves, game.seen, game.rewards, strict=True
    ):
        agent = env.agent_selection
        observation = env.observe(agent)
        seen = (observation["observation"].tobytes(), observation["action_mask"].tobytes())
        _require(agent == env.possible_agents[seat], f"{told}: asks {agent}, not seat {seat}")
        _require(seen == batched, f"{told}: differs from the batch")
        _require(seat != game.seat or seen == next(own), f"{told}: differs from the single one")
        env.step(action)
        pairs = zip(env.rewards.values(), rewards, strict=True)
        close = all(abs(a - b) < 1e-6 for a, b in pairs)
        _require(close, f"{told}: pays {env.rewards}, the batch {rewards}")
    total = sum(rewards[game.seat] for rewards in game.rewards)
    _require(abs(total - game.total) < 1e-5, f"{told}: pays {total}, the single one {game.total}")
    _require(all(env.terminations.values()), f"{told}: has not ended")


# ---------------------------------------------------------------------- the faces under one hood


class _Face:
    """A face that can be played at random, for comparing futures."""

    env: Any

    def move(self, rng: random.Random) -> bytes:
        """Plays a random legal move, or begins again; returns what is seen after it."""
        raise NotImplementedError

    def reset(self, seed: int) -> None:
        """Deals from a seed."""
        self.env.reset(seed=seed)

    def future(self) -> list[bytes]:
        """Returns what is seen in the next moves."""
        rng = random.Random(5)
        return [self.move(rng) for _ in range(60)]


class _Aec(_Face):
    env: RawEnv

    def __init__(self, kind: type[Game], options: dict[str, Any]) -> None:
        self.env = RawEnv(kind, **options)

    def move(self, rng: random.Random) -> bytes:
        if not self.env.agents:
            self.env.reset()
        seen, reward, over, _, _ = self.env.last()
        action = None if over else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        self.env.step(action)
        return repr(reward).encode() + self.env.state().tobytes()


class _Solo(_Face):
    env: SingleAgentEnv

    def __init__(self, kind: type[Game], options: dict[str, Any]) -> None:
        self.env = SingleAgentEnv(kind, **options)

    def move(self, rng: random.Random) -> bytes:
        legal = np.flatnonzero(self.env.action_masks())
        if not len(legal):
            return self.env.reset()[0].tobytes()
        seen, reward, *_ = self.env.step(int(rng.choice(legal)))
        return repr(reward).encode() + seen.tobytes() + self.env.action_masks().tobytes()


class _Vector(_Face):
    env: SingleAgentVectorEnv

    def __init__(self, kind: type[Game], options: dict[str, Any]) -> None:
        self.env = SingleAgentVectorEnv(3, game=kind, **options)

    def move(self, rng: random.Random) -> bytes:
        seen, rewards, over, _, infos = self.env.step(_choose(self.env.action_masks(), rng))
        return b"".join(a.tobytes() for a in (seen, rewards, over, infos["action_mask"]))


class _Batch(_Face):
    env: SelfPlayBatch

    def __init__(self, kind: type[Game], options: dict[str, Any]) -> None:
        self.env = SelfPlayBatch(kind, 3, **options)

    def move(self, rng: random.Random) -> bytes:
        self.env.step(_choose(self.env.masks, rng))
        return b"".join(self.env.clone_state()[1:])


def _choose(masks: Array, rng: random.Random) -> Array:
    """Returns a random legal action for each row, 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(mask).tolist() or [0]) for mask in masks])


def _new(kind: type[Game], seed: int, options: dict[str, Any]) -> Game:
    return kind(seed=seed, **options)  # type: ignore[call-arg]


def _positions(
    kind: type[Game], games: int, seed: int, options: dict[str, Any]
) -> Iterator[tuple[Game, str]]:
    """Gives positions of random games, ends included, each with words that say where it is."""
    for number in range(games):
        game = _new(kind, seed + number, options)
        rng = random.Random(number)
        moves = 0
        while True:
            if moves % 5 == number % 5 or game.over:  # neighbours have little to add
                yield game.copy(), f"seed {seed + number}, move {moves}"
            if game.over:
                break
            game.play(rng.choice(game.legal()))
            moves += 1
            # Compiled loops take this on trust.
            told = f"seed {seed + number}: the game is longer than longest_game() says"
            _require(moves <= game.longest_game(), told)


def _decision(game: Game, name: str) -> int:
    """Returns what a scripted policy does if it is shown everything."""
    kind = type(game)
    policy, answer = ScriptedPolicy(kind, name), np.empty(1, np.int64)
    row_loops(kind).decide(
        *(game.states, game.tables, policy.code, policy.weights),
        *(np.zeros(1, np.uint64), np.zeros(1, np.int64), np.empty(kind.actions, np.int32), answer),
    )
    return int(answer[0])


def _require(condition: bool, message: str) -> None:
    """Raises AssertionError with the message, also where Python leaves out its own assertions."""
    if not condition:
        raise AssertionError(message)
