"""Broken games are found out by the conformance suite, zero-sum ones and shared ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.observation_spec import Block, ObservationSpec, Pointer
from dreamfactory_env.games.spec import Option
from dreamfactory_env.games.stats import GameStats
from dreamfactory_env.testing import check_game
from dreamfactory_env.testing.credit import check_credit
from dreamfactory_env.testing.declarations import check_declarations
from dreamfactory_env.testing.information import check_information
from dreamfactory_env.testing.observations import check_observations
from dreamfactory_env.testing.play import check_determinism, check_masks, check_stats
from tests.testing import broken
from tests.testing.broken import Breaks, declaring, shows, with_attributes, with_kernels
from tests.toy_game import SignalGame, rules

BOTH = pytest.mark.parametrize("base", [DreamFactory, SignalGame])


def broken_game(base: type[Game], breaks: Breaks, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Returns a broken game that is registered under its name for the test."""
    found = breaks(base)
    monkeypatch.setitem(GAMES, base.spec.name, found)
    return found


def deal_of(game: Game) -> Any:
    return game.setup()


def flag(**changes: Any) -> Option:
    return replace(Option("flag", bool, False, "a flag"), **changes)


@BOTH
@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        (declaring(name="Toy"), "'Toy' is no name of a game|Toy is not in GAMES"),
        (declaring(version="1.0"), "the version must be such as v0, not '1.0'"),
        (declaring(title=""), "no title"),
        (declaring(default_players=9), "player counts must be 2 <= min <= default <= max"),
        (declaring(min_players=1), "player counts must be"),
        (declaring(rollout="best"), "the rollout policy 'best' is not scripted"),
        (declaring(score_scale=0.0), "score_scale must be above 0, not 0.0"),
        (declaring(score_range=(2.0, 1.0)), "no range"),
        (declaring(max_length=0), "max_length must be above 0"),
        (declaring(num_actions=0), "no actions, or nothing to observe"),
        (declaring(options=(flag(), flag())), "two options have the same name"),
        (declaring(options=(flag(name="reward"),)), "'reward' has a name that environments use"),
        (declaring(options=(flag(name="partners"),)), "has a name that environments use"),
        (declaring(options=(flag(help=""),)), "'flag' needs one line of help"),
        (declaring(options=(flag(default=3),)), "'flag' refuses its own 3: flag must be True"),
        (
            declaring(options=(flag(type=int, default=1, values=(2, 3)),)),
            "'flag' refuses its own 1: flag must be one of 2, 3",
        ),
        (
            declaring(options=(flag(type=str, default="c", values=("a",), parse=str),)),
            "'flag' does not list its default among its values",
        ),
        (
            declaring(observation=ObservationSpec([Block("a", (1,), 0, 0, "all")])),
            "the block 'a' has no bounds",
        ),
        (
            declaring(observation=ObservationSpec([Block("a", (1,), 0, 1, "")])),
            "the block 'a' has no meaning",
        ),
        (declaring(pointers=(Pointer(0, (("nothing", 1),)),)), "points at 1 of 0 'nothing'"),
        (broken.forgets_options, "a game made from the config of another has other options"),
        (broken.unspeakable_options, "the config is no plain JSON"),
        (
            broken.with_record(("players", "i1"), ("seed", "u8"), ("to_move", "i1")),
            "the record must begin with the seed, uint64, not with 'players'",
        ),
        (broken.with_record(("seed", "i8"), ("players", "i1")), "the record must begin with the"),
        (broken.with_record(("seed", "u8"), ("players", "i1")), "the record needs a field 'to_mo"),
        (broken.another_blank, r"blank\(\) has another number of players"),
        (broken.starts_with_points, "the points at the start do not allow shaping"),
        (with_attributes(agents={"best": Path("x.safetensors")}), "'best' has no file x.safet"),
    ],
)
def test_a_wrong_declaration(
    base: type[Game], breaks: Breaks, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AssertionError, match=message):
        check_declarations(broken_game(base, breaks, monkeypatch), players=2)


@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        (declaring(score_range=(-1.0, 1.0)), "pays -1, which must be below every score"),
        (
            declaring(scripted={"helper": np.zeros(0), "random": np.zeros(0)}),
            "the first policy is 'helper', not 'random'",
        ),
        (
            declaring(scripted={"random": np.zeros(1), "helper": np.zeros(2)}),
            "must be float64, all of one length",
        ),
    ],
)
def test_a_wrong_declaration_of_a_shared_game(
    breaks: Breaks, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AssertionError, match=message):
        check_declarations(broken_game(SignalGame, breaks, monkeypatch))


def test_a_wrong_declaration_of_a_zero_sum_game(monkeypatch: pytest.MonkeyPatch) -> None:
    broken_ = broken_game(DreamFactory, declaring(score_range=(0.0, 1.0)), monkeypatch)
    with pytest.raises(AssertionError, match="on both sides of 0"):
        check_declarations(broken_)


@BOTH
@pytest.mark.parametrize(
    ("check", "breaks", "message"),
    [
        (check_masks, broken.shares_copies, "seed 0, move 0: playing a copy changes the game"),
        (check_masks, declaring(max_length=3), "seed 0: the game is longer than its max_length"),
        (check_masks, broken.hides_a_move, "seed 0, move 0: mask and legal moves differ"),
        (check_masks, broken.never_over, "move .*: the phase is 'turn'"),
        (check_determinism, broken.loads_another, "game 0: a saved position is another one"),
        (check_determinism, broken.one_setup, "game 0: a given set-up has a seed"),
        (check_information, shows("view", secret=deal_of), "player 0: the view tells what is"),
        (check_information, shows("view", secret=Game.fingerprint), "the view tells what is hidd"),
        (check_information, shows("view", secret=lambda game: (1,)), "the view is no plain JSON"),
        (check_information, shows("view", secret=lambda game: np.int8(1)), "no plain JSON: Object"),
        (check_information, shows("view", secret=lambda game: np.nan), "no plain JSON: Out of ra"),
        (check_information, shows("text", secret=deal_of), "the text tells what is hidden"),
        (check_information, shows("narrate", secret=deal_of), "the narration tells what is"),
        (check_information, broken.sees_nothing, r"view\(None\) is the same for two different"),
        (check_information, broken.keeps_seed, "a redrawn game still has its seed"),
        (check_information, broken.redraws_nothing, "a redraw depends on what is hidden"),
        (
            check_information,
            broken.redraws_the_turn,
            "a redraw changes whose turn it is",
        ),
        (
            check_credit,
            broken.wins(lambda game, found: [0]),
            "move .*: there are winners before the end",
        ),
        (
            check_credit,
            broken.pays(lambda returns, offender: returns + (np.arange(len(returns)) == 0)),
            "reward .*: .* (does not sum to zero|is not shared)|an illegal action pays",
        ),
        (
            check_credit,
            broken.pays(lambda returns, offender: returns * (offender is None)),
            "an illegal action pays -?0.0",
        ),
        (
            check_credit,
            declaring(score_range=(0.55, 0.56)),
            r"is out of the score range \(0.55, 0.56\)",
        ),
        (check_credit, broken.scores(lambda points: points[:-1]), "move .*: . scores"),
    ],
)
def test_a_broken_game(
    base: type[Game], check: Any, breaks: Breaks, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AssertionError, match=message):
        check(broken_game(base, breaks, monkeypatch), 6, 0, players=2)


@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        (
            broken.wins(lambda game, found: [0] if game.over else []),
            r"\[0\] have won a shared game",
        ),
        (broken.scores(lambda points: [1, *points[1:]]), "the seats of a shared game have"),
        (
            broken.pays(lambda returns, offender: returns - 2 * (offender is None)),
            "an illegal action is not the worst outcome for all",
        ),
        (
            broken.pays(lambda returns, offender: returns * (2 if offender is None else 1)),
            "a win pays 1, a loss 0, not|is out of the score range",
        ),
    ],
)
def test_a_broken_shared_game(
    breaks: Breaks, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AssertionError, match=message):
        check_credit(broken_game(SignalGame, breaks, monkeypatch), 40, 0, players=2)


def test_a_zero_sum_game_that_nobody_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    broken_ = broken_game(DreamFactory, broken.wins(lambda game, found: []), monkeypatch)
    with pytest.raises(AssertionError, match="a game is over that nobody has won"):
        check_credit(broken_, 1, 0, players=2)


# ---------------------------------------------------------------------------- compiled functions


@jit
def observe_own_card(s: rules.State, params: rules.Params, player: int, out: Array) -> None:
    rules.observe(s, params, player, out)
    out[rules.COURSE + 3 + rules.rank_of(s, player)] = 1


@jit
def observe_too_much(s: rules.State, params: rules.Params, player: int, out: Array) -> None:
    rules.observe(s, params, player, out)
    out[0] = s.points


@jit
def observe_the_last_player(
    s: rules.State, params: rules.Params, player: int, cache: Any, out: Array
) -> None:
    """Reuses what it has kept of another position."""
    cache.unused = (cache.unused + 1) % 3
    if cache.unused == 1:
        rules.observe(s, params, player, out)


@jit
def decide_by_own_card(
    s: rules.State,
    params: rules.Params,
    code: int,
    weights: Array,
    legal_actions: Array,
    count: int,
    stream: Any,
    moves: int,
) -> int:
    return rules.rank_of(s, int(s.to_move)) if code == 1 else int(legal_actions[0])


@pytest.mark.parametrize(
    ("check", "functions", "message"),
    [
        (
            check_information,
            {"observe": observe_own_card},
            "'seats' of the observation tells what is hidden",
        ),
        (check_information, {"decide": decide_by_own_card}, "helper knows what is hidden"),
        (
            check_observations,
            {"observe": observe_too_much},
            "'course' of the observation is out of its bounds",
        ),
        (
            check_observations,
            {"observe_cached": observe_the_last_player},
            "the cached observation is another one",
        ),
    ],
)
def test_a_broken_compiled_function(
    check: Any, functions: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_ = broken_game(SignalGame, with_kernels(**functions), monkeypatch)
    with pytest.raises(AssertionError, match=message):
        check(broken_, 10, 0)


# ---------------------------------------------------------------------------- counts


def changed_stats(base: type[Game], **changes: Any) -> Any:
    def stats(self: Game) -> GameStats:
        return replace(base.stats(self), **{k: of(base.stats(self)) for k, of in changes.items()})

    return with_attributes(stats=stats)(base)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parts": lambda stats: stats.parts[:-1]}, r"seed .*: the parts add up to \[.*\], not to"),
        (
            {"roles": lambda stats: [replace(role, words=role.words[:1]) for role in stats.roles]},
            "seed .*: a turn has no words",
        ),
        (
            {"seats": lambda stats: (replace(stats.seats[0], places=np.array(99)),)},
            "the stat 'films finished' is not among the numbers",
        ),
        (
            {"seats": lambda stats: (replace(stats.seats[0], places=np.array([1])),)},
            "the stat 'films finished' has other places than its axes",
        ),
        ({"table": lambda stats: stats.seats[:1]}, "the stat 'films finished' has 0 axes"),
    ],
)
def test_counts_that_do_not_add_up(
    changes: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_ = broken_game(DreamFactory, lambda base: changed_stats(base, **changes), monkeypatch)
    with pytest.raises(AssertionError, match=message):
        check_stats(broken_, 2, 0, players=3)


def test_the_whole_suite_runs_every_check(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    names = [
        *("declarations", "masks", "determinism", "information", "observations"),
        *("stats", "credit", "agreement", "copies"),
    ]
    for name in names:
        monkeypatch.setattr(
            f"dreamfactory_env.testing.checks.check_{name}",
            lambda game_cls, *given, _name=name, **options: ran.append(_name),
        )
    check_game(SignalGame)
    assert ran == names
