"""The tables at which a learner plays: with itself, with scripted policies, with its past.

Games of several player counts run side by side, a row each. Every row waits for a decision of the
learner, whichever seats it has there; opponents and forced moves are played on the way.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from dreamfactory_env.engine.compiling import bind, jit, warm_up
from dreamfactory_env.engine.returns import check_shaping, potentials, reward_named, utilities
from dreamfactory_env.engine.rng import Seed, derive_seed, random_bits
from dreamfactory_env.engine.structs import Array, Records, copy_records
from dreamfactory_env.envs.common import illegal_move
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.network import with_advice
from dreamfactory_env.utils.errors import OptionError

#: Who has a seat: the learner, a scripted policy (0, 1, …), or a guest (FIRST_GUEST, …).
LEARNER = -1
FIRST_GUEST = 100
#: The label under which the seed of a game gives its line-up.
LINE_UP = 2000

#: Answers for a guest: what it sees and masks in, actions out.
Guest = Callable[[Array, Array], Array]
#: The code of the adviser of who has none.
NO_ADVISER = -1

# The names that the templates call; bind() puts a game's functions in their place.
reset: Any = None
legal: Any = None
apply: Any = None
observe: Any = None
outcome: Any = None
decide: Any = None
deal: Any = None
run_on: Any = None


@jit
def adviser_place(who: int) -> int:
    """Returns where the adviser of the learner or of a guest stands in the list of advisers."""
    return 0 if who == LEARNER else who - FIRST_GUEST + 1


@jit
def chance_from(stream: Seed, counter: int) -> float:
    """Returns a number from 0 to below 1."""
    return float(random_bits(stream, counter) >> np.uint64(11)) / 2.0**53


@jit
def draw_from(stream: Seed, counter: int, cumulated: Array) -> int:
    """Returns a number drawn by cumulated chances, float64 (n,), the last of which is 1."""
    chance = chance_from(stream, counter)
    for number in range(len(cumulated) - 1):
        if chance < cumulated[number]:
            return number
    return len(cumulated) - 1


@jit
def draw_line_up(
    stream: Seed, players: int, together: float, mix: Array, whom: Array, out: Array
) -> None:
    """Seats the learner at a random place, and draws who has the others.

    Args:
        stream: Where it comes from.
        players: How many seats there are.
        together: The chance that all the others are the same.
        mix: The cumulated chances of those in ``whom``, float64 (n,).
        whom: Who they are, int64 (n,).
        out: Where each seat's player is written, int64 (players,) or longer.
    """
    mine = int(random_bits(stream, 0) % np.uint64(players))
    alike = chance_from(stream, players + 1) < together
    for seat in range(players):
        drawn = draw_from(stream, 1 if alike else seat + 1, mix)
        out[seat] = LEARNER if seat == mine else whom[drawn]


def _deal(
    states: Records,
    index: int,
    tables: Records,
    blank: Records,
    seed: Seed,
    episodes: Array,
    moves: Array,
    seeds: Array,
    together: float,
    mix: Array,
    whom: Array,
    line_ups: Array,
) -> None:
    """Deals the next game of a row, and draws who plays it."""
    seeds[index] = derive_seed(derive_seed(seed, index), episodes[index])
    reset(states, index, tables, blank, seeds[index])
    moves[index] = 0
    stream = derive_seed(seeds[index], LINE_UP)
    draw_line_up(stream, int(states[index].players), together, mix, whom, line_ups[index])


def _run_on(
    states: Records,
    index: int,
    tables: Records,
    seeds: Array,
    moves: Array,
    line_ups: Array,
    weights: Array,
    buffer: Array,
) -> int:
    """Plays scripted and forced moves; returns how many the next player has, 0 at the end."""
    s, t = states[index], tables[0]
    count = legal(s, t, buffer)
    while count > 0:
        seat = int(s.to_move)
        who = line_ups[index, seat]
        if count == 1:
            action = int(buffer[0])
        elif 0 <= who < FIRST_GUEST:
            stream = derive_seed(seeds[index], seat + 1)
            action = decide(s, t, who, weights[who], buffer, count, stream, moves[index])
        else:
            break
        apply(s, t, action)
        moves[index] += 1
        count = legal(s, t, buffer)
    return int(count)


def _advance(
    rows: Array,
    states: Records,
    tables: Records,
    blank: Records,
    seed: Seed,
    episodes: Array,
    moves: Array,
    seeds: Array,
    together: float,
    mix: Array,
    whom: Array,
    line_ups: Array,
    played: Array,
    outcomes: Array,
    weights: Array,
    reward: int,
    buffer: Array,
    scores: Array,
    won: Array,
    worth: Array,
    standings: Array,
    actions: Array,
    begins: bool,
    advisers: Array,
    advice: Array,
    asked: Array,
    movers: Array,
    observations: Array,
    masks: Array,
    payments: Array,
    done: Array,
) -> None:
    """Plays an action in each of the given games, or begins them, up to the next network's turn."""
    players = int(blank[0].players)
    for k in range(len(rows)):
        index = rows[k]
        count = 0
        if not begins:
            apply(states[index], tables[0], actions[index])
            moves[index] += 1
            count = run_on(states, index, tables, seeds, moves, line_ups, weights, buffer)
        ended = not begins
        while count == 0:
            if ended:
                outcome(states[index], tables[0], scores, won)
                utilities(reward, scores[:players], won[:players], worth[:players])
                for p in range(players):
                    payments[index, p] += worth[p] - standings[index, p]
                done[index] = 1
                played[index] = line_ups[index]
                outcomes[index, :players] = worth[:players]
                episodes[index] += 1
            deal(
                *(states, index, tables, blank, seed, episodes, moves, seeds),
                *(together, mix, whom, line_ups),
            )
            standings[index, :] = 0
            count = run_on(states, index, tables, seeds, moves, line_ups, weights, buffer)
            ended = True
        masks[index, :] = 0
        for m in range(count):
            masks[index, buffer[m]] = 1
        movers[index] = states[index].to_move
        asked[index] = line_ups[index, movers[index]]
        # Whoever decides by scripts uses only what its player may know, so it may see all.
        adviser = advisers[adviser_place(asked[index])]
        if adviser != NO_ADVISER:
            stream = derive_seed(seeds[index], movers[index] + 1)
            s, w = states[index], weights[adviser]
            advice[index] = decide(s, tables[0], adviser, w, buffer, count, stream, moves[index])
        observe(states[index], tables[0], int(movers[index]), observations[index])


def _shape(
    states: Records,
    tables: Records,
    shaping: float,
    done: Array,
    scores: Array,
    won: Array,
    worth: Array,
    standings: Array,
    payments: Array,
) -> None:
    """Pays every seat by how much its potential has changed, in games that go on.

    A game that has just begun waits for its first decision: until then nobody has earned anything.
    """
    for index in range(len(states)):
        if done[index]:
            continue
        players = int(states[index].players)
        outcome(states[index], tables[0], scores, won)
        potentials(shaping, scores[:players], worth[:players])
        for p in range(players):
            payments[index, p] += worth[p] - standings[index, p]
            standings[index, p] = worth[p]


_LOOPS: dict[str, tuple[Callable[..., None], Callable[..., None]]] = {}


def _loops_of(kind: type[Game]) -> tuple[Callable[..., None], Callable[..., None]]:
    """Returns the two loops above, compiled for a game."""
    if kind.name not in _LOOPS:
        rules, name = kind.rules, f"{kind.name}.table"
        dealing = bind(_deal, name, reset=rules.reset)
        running = bind(_run_on, name, legal=rules.legal, apply=rules.apply, decide=rules.decide)
        advance = bind(
            _advance,
            name,
            apply=rules.apply,
            observe=rules.observe,
            outcome=rules.outcome,
            decide=rules.decide,
            deal=dealing,
            run_on=running,
        )
        _LOOPS[kind.name] = advance, bind(_shape, name, outcome=rules.outcome)
    return _LOOPS[kind.name]


class _Group:
    """The games of one player count: a part of the rows, and what its games need."""

    def __init__(self, game: Game, start: int, count: int) -> None:
        self.game = game
        self.blank = game.blank()
        self.part = slice(start, start + count)
        self.states = np.repeat(self.blank, count)
        self.mix: Array = np.ones(1)  # with whom the learner plays: cumulated chances of whom
        self.whom: Array = np.array([LEARNER])


class TrainingVecEnv(VecEnv):
    """Many games as environments of stable-baselines3: a row is a decision of the learner.

    Which seats the learner has, and who has the others, is drawn for each game. A step's reward is
    what the seat got that decided; ``payments`` has everybody's. An illegal action raises.

    Attributes:
        players: How many play in each row, int8 (rows,).
        movers: Who decides in each row, int8 (rows,); after a step: who has just decided.
        advised: What the learner's adviser would have done where the learner has just decided,
            int64 (rows,).
        payments: What every seat got since, float32 (rows, most_players).
        done: 1 where a game has ended since, int8 (rows,).
        line_ups: Who has each seat, int64 (rows, most_players).
        played: Who had each seat in the games that are done, likewise.
        outcomes: What those games were worth to each seat, float64 (rows, most_players).
        seconds: How long the tables took so far, without what the guests' networks took.

    Args:
        kind: Which game.
        rows: How many games of each player count, such as ``{2: 64, 4: 128}``.
        reward: ``"win"``, ``"rank"`` or ``"score"``.
        shaping: The weight of shaping.
        adviser: A scripted policy that is asked what it would do in the learner's place, none if
            empty.
        heard: Whether the learner sees the advice, as
            :func:`~dreamfactory_env.policies.network.with_advice` has it.
        together: The chance that all who sit beside the learner are the same.
        seed: Where all games come from.
        **options: The options of the game, the number of players apart.
    """

    #: Everything that changes from step to step, besides the states of the games.
    KEPT = (
        *("episodes", "moves", "seeds", "line_ups", "standings", "asked", "turns"),
        *("observations", "masks", "advice"),
    )

    def __init__(
        self,
        kind: type[Game],
        rows: dict[int, int],
        *,
        reward: str = "win",
        shaping: float = 0.0,
        adviser: str = "",
        heard: bool = False,
        together: float = 0.0,
        seed: int = 0,
        **options: Any,
    ) -> None:
        self.kind = kind
        if heard and not adviser:
            raise OptionError("advice cannot be heard without an adviser")
        self.heard = heard
        self._guests: dict[int, Guest] = {}
        self._advisers = np.array([self._code(adviser)])
        self.seconds = 0.0
        self.most_players = max(rows)
        self._reward = int(reward_named(reward))
        self._shaping = check_shaping(shaping)
        self._together = together
        self._seed = np.uint64(seed)
        self._advance, self._shape = _loops_of(kind)
        self._groups: list[_Group] = []
        total = 0
        for players, count in sorted(rows.items()):
            game = kind(seed=0, players=players, **options)  # type: ignore[call-arg]
            self._groups.append(_Group(game, total, count))
            total += count
        counts = sorted(rows.items())
        self.players = np.concatenate([np.full(count, n, np.int8) for n, count in counts])
        layout, seats = kind.layout, self.most_players
        self._weights = np.array(list(kind.scripted.values()))
        self._buffer = np.empty(kind.actions, np.int32)
        self._scores, self._won = np.zeros(seats, np.int64), np.zeros(seats, np.int8)
        self._worth = np.zeros(seats, np.float64)
        self.episodes, self.moves = np.zeros(total, np.int64), np.zeros(total, np.int64)
        self.seeds = np.zeros(total, np.uint64)
        self.line_ups = np.zeros((total, seats), np.int64)
        self.played = np.zeros((total, seats), np.int64)
        self.outcomes = np.zeros((total, seats), np.float64)
        self.standings = np.zeros((total, seats), np.float64)
        self.advice, self.advised = np.zeros(total, np.int64), np.zeros(total, np.int64)
        self.asked, self.turns = np.zeros(total, np.int64), np.zeros(total, np.int8)
        self.movers, self.done = np.zeros(total, np.int8), np.zeros(total, np.int8)
        self.payments = np.zeros((total, seats), np.float32)
        self.observations = np.zeros((total, layout.size), np.float32)
        self.masks = np.zeros((total, kind.actions), np.int8)
        actions = kind.actions if heard else 0
        low = np.pad(layout.low(), (0, actions), constant_values=0)
        high = np.pad(layout.high(), (0, actions), constant_values=1)
        box = gymnasium.spaces.Box(low, high, dtype=np.float32)
        super().__init__(total, box, gymnasium.spaces.Discrete(kind.actions))
        warm_up(f"{kind.title}, tables", self.reset)

    def _code(self, adviser: str) -> int:
        return list(self.kind.scripted).index(adviser) if adviser else NO_ADVISER

    def invite(self, who: int, answer: Guest, adviser: str = "") -> None:
        """Says who answers for a guest.

        Args:
            who: The guest, ``FIRST_GUEST`` or more.
            answer: Gets what the guest sees, float32 (n, size), and masks, int8 (n, actions).
            adviser: A scripted policy whose advice the guest sees, too; none if empty.
        """
        place = adviser_place(who)
        missing = max(place + 1 - len(self._advisers), 0)
        self._advisers = np.pad(self._advisers, (0, missing), constant_values=NO_ADVISER)
        self._advisers[place] = self._code(adviser)
        self._guests[who] = answer

    def set_mix(self, shares: dict[int, float], players: int = 0) -> None:
        """Says how often each player has a seat beside the learner's own, from the next deals on.

        Args:
            shares: The chance of each player (``LEARNER``, codes of scripted policies, guests);
                they need not sum to 1.
            players: At the tables of how many players; at all of them if 0.

        Raises:
            OptionError: One of them is a guest who was not invited.
        """
        for who in shares:
            if who >= FIRST_GUEST and who not in self._guests:
                raise OptionError(f"the guest {who} was not invited")
        numbers = np.array(list(shares.values()), np.float64)
        mix = np.cumsum(numbers / numbers.sum())
        mix[-1] = 1.0
        for group in self._groups:
            if players in (0, group.game.players):
                group.mix, group.whom = mix, np.array(list(shares), np.int64)

    # ------------------------------------------------------------------ playing

    def reset(self) -> Array:
        """Deals all games; returns what the learner sees, float32 (rows, size)."""
        begun = time.perf_counter()
        self.episodes[:] = 0
        self._play(np.arange(self.num_envs), np.zeros(self.num_envs, np.int64), begins=True)
        self._ask_guests()
        self.seconds += time.perf_counter() - begun
        return self.seen()

    def seen(self) -> Array:
        """Returns what the learner sees now, with advice if it hears any: float32 (rows, size)."""
        if self.heard:
            return with_advice(self.observations, self.advice, self.kind.actions)
        return self.observations.copy()

    def step_async(self, actions: Array) -> None:
        """Keeps the learner's actions for :meth:`step_wait`, int (rows,)."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Plays the actions; returns observations, rewards, dones and (empty) infos.

        Raises:
            IllegalMove: One of them is not legal; no game has changed.
        """
        begun = time.perf_counter()
        every = np.arange(self.num_envs)
        allowed = self.masks[every, self._actions]
        if not allowed.all():
            row = int(np.flatnonzero(allowed == 0)[0])
            raise illegal_move(self.game_at(row), int(self._actions[row]), f"row {row}: ")
        self.movers[:] = self.turns
        self.advised[:] = self.advice
        self.payments[:] = 0
        self.done[:] = 0
        self._play(every, self._actions, begins=False)
        self._ask_guests()
        if self._shaping > 0:
            self._pay_potentials()
        rewards = self.payments[every, self.movers]
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        seen, over = self.seen(), self.done.astype(np.bool_)
        self.seconds += time.perf_counter() - begun
        return seen, rewards, over, infos

    def _play(self, rows: Array, actions: Array, *, begins: bool) -> None:
        """Plays an action in each of the given rows, group by group."""
        for group in self._groups:
            part = group.part
            mine = rows[(rows >= part.start) & (rows < part.stop)] - part.start
            if len(mine) == 0:
                continue
            self._advance(
                mine,
                group.states,
                group.game.tables,
                group.blank,
                derive_seed(self._seed, part.start),
                self.episodes[part],
                self.moves[part],
                self.seeds[part],
                self._together,
                group.mix,
                group.whom,
                self.line_ups[part],
                self.played[part],
                self.outcomes[part],
                self._weights,
                self._reward,
                self._buffer,
                self._scores,
                self._won,
                self._worth,
                self.standings[part],
                actions[part],
                begins,
                self._advisers,
                self.advice[part],
                self.asked[part],
                self.turns[part],
                self.observations[part],
                self.masks[part],
                self.payments[part],
                self.done[part],
            )

    def _pay_potentials(self) -> None:
        """Pays what has changed since the last step, group by group."""
        for group in self._groups:
            part = group.part
            self._shape(
                group.states,
                group.game.tables,
                self._shaping,
                self.done[part],
                self._scores,
                self._won,
                self._worth,
                self.standings[part],
                self.payments[part],
            )

    def _ask_guests(self) -> None:
        """Lets guests move until every row waits for the learner."""
        actions = np.zeros(self.num_envs, np.int64)
        waiting = np.flatnonzero(self.asked != LEARNER)
        while len(waiting):
            for guest in np.unique(self.asked[waiting]):
                rows = waiting[self.asked[waiting] == guest]
                answer, seen = self._guests[int(guest)], self.observations[rows]
                if self._advisers[adviser_place(int(guest))] != NO_ADVISER:
                    seen = with_advice(seen, self.advice[rows], self.kind.actions)
                begun = time.perf_counter()
                actions[rows] = answer(seen, self.masks[rows])
                self.seconds -= time.perf_counter() - begun  # that was no time of the tables
            self._play(waiting, actions, begins=False)
            waiting = np.flatnonzero(self.asked != LEARNER)

    def game_at(self, row: int) -> Game:
        """Returns a copy of the game of a row, to read or to play on."""
        for group in self._groups:
            if group.part.start <= row < group.part.stop:
                index = row - group.part.start
                game = group.game.copy()
                game.states = copy_records(group.states[index : index + 1])
                return game
        raise OptionError(f"there are rows 0 to {self.num_envs - 1}, not {row}")

    # ------------------------------------------------------------------ stopping and going on

    def save_arrays(self) -> dict[str, Array]:
        """Returns everything that games change, for a checkpoint."""
        kept = {name: getattr(self, name).copy() for name in self.KEPT}
        for number, group in enumerate(self._groups):
            kept[f"states{number}"] = group.states.view(np.uint8).copy()
        return kept

    def load_arrays(self, kept: dict[str, Array]) -> None:
        """Goes back to what :meth:`save_arrays` returned."""
        for name in self.KEPT:
            setattr(self, name, kept[name].copy())
        for number, group in enumerate(self._groups):
            group.states.view(np.uint8)[:] = kept[f"states{number}"]

    # ------------------------------------------------------------------ what SB3 asks besides

    def action_masks(self) -> Array:
        """Returns what the learner may do: int8 (rows, actions), a copy."""
        return self.masks.copy()

    def close(self) -> None:
        """Does nothing: there are neither windows nor processes."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute of the table for each row asked for."""
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuses: the games share their options from the beginning."""
        raise OptionError(f"{attr_name} cannot be set: make a table with other options instead")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **_: Any) -> list[Any]:
        """Returns what ``action_masks`` or ``game_at`` says of each row asked for."""
        rows = list(self._get_indices(indices))
        if method_name == "action_masks":
            return list(self.action_masks()[rows])
        if method_name == "game_at":
            return [self.game_at(row) for row in rows]
        raise AttributeError(f"the methods are action_masks and game_at, not {method_name!r}")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Tells that no row is wrapped."""
        return [False] * len(list(self._get_indices(indices)))
