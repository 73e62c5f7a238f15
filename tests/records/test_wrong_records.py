"""Wrong records: every one is refused, and the error names what is wrong."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamfactory_env import DreamFactory, GameError, OptionError
from dreamfactory_env.records.format import KEYS, parse_line, replay, replay_moves
from tests.games.dream_factory.referee import check_record
from tests.records.samples import (
    STANDARD,
    Path_,
    Record,
    blame,
    edited,
    games,
    some_game,
    texts,
)

# ---------------------------------------------------------------------------- edited moves

SOME_MOVES = [*range(0, 200, 23), len(some_game()["moves"]) - 1]


@pytest.mark.parametrize("number", SOME_MOVES)
def test_a_changed_seat_action_or_word_is_blamed_on_its_move(number: int) -> None:
    seat, action, words = some_game()["moves"][number]
    seats = [-1, 3, 99, (seat + 1) % 3, seat + 256, 2**63, float(seat), str(seat), bool(seat), None]
    actions = [action + step for step in (-1, 1, 2**31, 2**32, 2**64, 10**4000, -(2**32))]
    actions += [-1, -(2**63), 10**6, True, False, float(action), str(action), None]
    texts = ["", "bid 99", "bid 03", words.upper(), f"{words} ", f" {words}", "discard", None, 1]
    moves: list[Any] = [[s, action, words] for s in seats] + [[seat, a, words] for a in actions]
    moves += [[seat, action, text] for text in texts]
    moves += [None, "pass", 0, {}, [], [seat, action], [seat, action, words, 0], [[seat], 0, words]]
    for move in moves:
        error = blame(edited(some_game(), ("moves", number), move))
        assert error.move == number, move
        assert str(error).startswith(f"move {number}: ")


def first_wrong_move(record: Record) -> int | None:
    """Looks at every move in words and number, one after another."""
    game = DreamFactory.from_setup(record["config"], record["setup"])
    for number, (seat, action, words) in enumerate(record["moves"]):
        if seat != game.to_move or game.legal_actions().get(words) != action:
            return number
        game.play(words)
    return None


@pytest.mark.parametrize("edit", ["removed", "doubled", "swapped"])
@pytest.mark.parametrize("which", [0, 1])
def test_moves_removed_doubled_or_swapped_are_blamed_where_they_go_wrong(
    edit: str, which: int
) -> None:
    blamed = 0
    for number in range(0, len(some_game(which)["moves"]) - 1, 7):
        record = some_game(which)
        old = record["moves"][number : number + 2]
        new = {"removed": old[1:], "doubled": [old[0], *old], "swapped": old[::-1]}[edit]
        record["moves"][number : number + 2] = new
        expected = first_wrong_move(record)
        if expected is None:  # such as two tiles discarded in the other order
            replay_moves(record)
        else:
            blamed += 1
            assert blame(record).move == expected >= number
    assert blamed > 10


def test_a_move_after_the_end_and_a_missing_end_are_told() -> None:
    record = some_game()
    count = len(record["moves"])
    longer = blame({**record, "moves": [*record["moves"], [0, 0, "pass"]]})
    assert (longer.move, str(longer)) == (count, f"move {count}: 'pass' after the game is over")
    shorter = blame({**record, "moves": record["moves"][:-1]})
    assert f"not over after {count - 1} moves" in str(shorter)


# ---------------------------------------------------------------------------- everything else

SETUP = some_game()["setup"]
MISTAKES: list[tuple[Path_, list[Any], str]] = [
    (("format",), ["dreamfactory-record/2", None, 1], "this version reads 'dreamfactory-record/1'"),
    (("game",), ["dream_factry"], "'dream_factry'.*did you mean 'dream_factory'"),
    (("game",), [None, [], {}, 1], "unknown game"),
    (("version",), ["v1", None, 0], "this version plays 'v0'"),
    (("seed",), [-1, 2**63, 1.0, "1", True, []], "seed must be a whole number"),
    (("seed",), [8], "not the one that seed 8 deals"),
    (("agents",), [None, "abc", [], ["a"] * 2, ["a"] * 4, ["a", "b", 3]], "agents must be 3 names"),
    (("moves",), [None, {}, "pass", 3], "moves must be a list"),
    (("result",), [None, [], "won", 3], "result must be an object"),
    (("more",), [1], r"missing none, unknown \['more'\]"),
    (("config",), [None, [], "3"], "config must be an object"),
    (("config", "editon"), ["traumfabrik"], "'editon'.*did you mean 'edition'"),
    (("config", "players"), [1, 6, 3.0, True, "3", None, []], "players must be 2 to 5, not"),
    (("config", "edition"), ["traumfabric"], "'traumfabric'.*did you mean 'traumfabrik'"),
    (("config", "hidden_money"), ["maybe", None, {}], "must be one of rule, never, always, not"),
    (("config", "choose_studio"), [0, 1, "true", None], "choose_studio must be"),
    (("config", "choose_studio"), [True], "studios must be 0 different"),
    (("setup",), [None, [], {}, {**SETUP, "more": 1}], "setup must be an object with just the"),
    (("setup", "first_player"), [3, -1, True, 1.0, "1", None], "first_player must be 0 to 2, not"),
    (("setup", "studios"), [[], [1, 2], [1, 2, 3, 4]], "studios must be 3 different"),
    (("setup", "studios"), [[1, 1, 2], [0, 1, 2], [6, 1, 2]], "studios must be 3 different"),
    (("setup", "studios"), [[True, 3, 2], [1.0, 3, 2], [[1], 2, 3]], "studios must be 3 different"),
    (("setup", "studios"), [None, {}, 123], "studios must be a list"),
    (("setup", "deck"), [None, {}, "actor 3"], "deck must be a list"),
    (("setup", "deck"), [SETUP["deck"][1:]], "deck .*88 of them, not 89"),
    (("setup", "deck"), [[*SETUP["deck"], "actor 3"]], "deck .*90 of them, not 89"),
    (("setup", "deck"), [SETUP["deck"][::-1]], "not the one that seed"),
    (("setup", "deck", SETUP["deck"].index("actor 0")), ["actor 3"], "too many of actor 3"),
    (("setup", "deck", 4), ["actor 9", "director 4", "Actor 3", 7, None, []], r"deck\[4\] is"),
    (("setup", "pile"), [SETUP["pile"][1:]], "pile .*6 of them, not 7"),
    (("setup", "pile", SETUP["pile"].index("Bambi")), ["King Kong"], "too many of King Kong"),
    (("setup", "pile", 0), ["Vertigo", "Nothing", None], r"pile\[0\] is .*not in the game"),
]


@pytest.mark.parametrize(("path", "values", "message"), MISTAKES)
def test_a_wrong_header_or_setup_is_refused_and_named(
    path: Path_, values: list[Any], message: str
) -> None:
    for value in values:
        with pytest.raises(GameError, match=message) as caught:
            replay(edited(some_game(), path, value))
        assert getattr(caught.value, "move", None) is None


def test_missing_keys_are_named() -> None:
    record = some_game()
    for key in KEYS:
        error = blame({k: v for k, v in record.items() if k != key})
        assert f"missing ['{key}'], unknown none" in str(error)
    for key in record["config"]:
        config = {k: v for k, v in record["config"].items() if k != key}
        with pytest.raises(OptionError, match=f"config has no '{key}'"):
            replay({**record, "config": config})


def test_every_wrong_value_of_a_result_is_refused_and_named() -> None:
    record = next(r for r in games(30) if r["result"]["winners"] == [1] and r["result"]["films"])
    for key, value in record["result"].items():
        wrong: list[Any] = [None, [], {}, "1", 99, value + 0.0 if key == "pot" else value[1:]]
        if key in ("scores", "winners", "money"):
            wrong += [[v + 1 for v in value], [float(v) for v in value], [*value, 0]]
        elif key != "pot":
            names = [*value[0], "more"]
            wrong += [[{**value[0], name: x}, *value[1:]] for name in names for x in (-1, 1.0)]
        wrong += [[True]] if key == "winners" else []
        for other in wrong:
            error = blame(edited(record, ("result", key), other))
            assert str(error).startswith(f"result: {key} is {json.dumps(other, sort_keys=True)}, ")
        missing = {k: v for k, v in record["result"].items() if k != key}
        assert f"result: {key} is missing" in str(blame({**record, "result": missing}))
    assert "result: more is 1" in str(blame(edited(record, ("result", "more"), 1)))


def test_a_given_setup_without_a_seed_is_accepted() -> None:
    record = {**some_game(), "seed": None}
    assert replay(record).setup() == record["setup"]
    check_record(STANDARD, record)


def test_a_game_without_a_result_can_be_followed_but_is_not_verified() -> None:
    whole = {**some_game(), "result": None}
    assert replay_moves(whole).over
    assert "result must be an object, not None" in str(blame(whole))
    half = {**whole, "moves": whole["moves"][:50]}
    assert not replay_moves(half).over
    assert "not over after 50 moves, and there is no result" in str(blame(half))
    assert replay_moves({**whole, "moves": []}).to_move == whole["setup"]["first_player"]


def test_components_in_a_record_that_no_file_could_hold_are_refused() -> None:
    wrong = []
    for section in ("locations", "tiles", "tokens", "screenplays"):
        for value in json.loads('[null, 5, true, 1.5, "abc", {"a": 1}, [0], [[]], [{}], {}, []]'):
            wrong.append(edited(some_game(2), ("config", "components", section), value))
    long = {"9" * 5000: 19}  # more digits than Python makes a number of
    wrong.append(edited(some_game(2), ("config", "components", "tiles", "actor"), long))
    # Half of a surrogate pair is no UTF-8, and cannot be printed.
    wrong.append(json.loads(texts()[2].replace("M\\u00e4dchen", "M\\ud800dchen")))
    for record in wrong:
        with pytest.raises(GameError):
            replay(record)


def test_values_nested_however_deep_are_refused() -> None:
    for key in ("moves", "result", "agents", "setup", "config", "components"):
        path = ("config", key) if key == "components" else (key,)
        text = json.dumps(edited(some_game(), path, "HERE"))
        for depth in (100, *range(800, 1000), 100_000):
            line = text.replace('"HERE"', "[" * depth + "]" * depth)
            with pytest.raises(GameError):
                replay(parse_line(line.encode()))


LEAVES = st.none() | st.booleans() | st.floats() | st.text(max_size=5)
LEAVES |= st.sampled_from([0, 1, -1, 2, 5, 255, 2**31, 2**53, 2**63, 2**64, 10**30, -(2**63)])
LEAVES |= st.sampled_from(["pass", "bid 0", "actor 3", "rule", "never", "traumfabrik", "v0", "8+"])
VALUES = LEAVES | st.lists(LEAVES, max_size=3) | st.dictionaries(st.text(max_size=3), LEAVES)


def is_harmless(changed: Record, record: Record) -> bool:
    """Says whether only the names differ, or options with which the game is legal, too."""
    same = {key: changed["config"][key] for key in ("edition", "hidden_money")}
    same |= {key: changed["config"][key] for key in changed["config"] if key == "components"}
    expected = {**record, "agents": changed["agents"], "config": {**record["config"], **same}}
    expected["seed"] = record["seed"] if changed["seed"] is not None else None
    return json.dumps(changed) == json.dumps(expected)


@settings(deadline=None, max_examples=600)
@given(st.data())
def test_any_one_value_changed_deleted_or_inserted_is_refused_or_harmless(
    data: st.DataObject,
) -> None:
    record = some_game(data.draw(st.sampled_from([0, 1, 2])))
    parent: Any = copy.deepcopy(record)
    changed = parent
    key: Any = data.draw(st.sampled_from(KEYS))
    while isinstance(parent[key], dict | list) and parent[key] and data.draw(st.integers(0, 4)):
        parent = parent[key]
        keys = range(len(parent)) if isinstance(parent, list) else list(parent)
        key = data.draw(st.sampled_from(keys))
    how = data.draw(st.sampled_from(["change", "delete", "insert"]))
    if how == "delete":
        del parent[key]
    elif how == "insert" and isinstance(parent, list):
        parent.insert(key, data.draw(VALUES | st.just(parent[key])))
    else:
        parent[key if how == "change" else data.draw(st.text())] = data.draw(VALUES)
    try:
        replay(parse_line(json.dumps(changed).encode()))
    except GameError:
        return
    assert is_harmless(changed, record)


@settings(deadline=None, max_examples=600)
@given(st.sampled_from([0, 1, 2]), st.integers(0), st.binary(max_size=1), st.booleans())
def test_any_one_byte_changed_deleted_or_inserted_is_refused_or_harmless(
    which: int, place: int, new: bytes, insert: bool
) -> None:
    line = json.dumps(some_game(which), ensure_ascii=False).encode()
    place %= len(line)
    try:
        changed = parse_line(line[:place] + new + line[place + (not insert) :])
        replay(changed)
    except GameError:
        return
    assert is_harmless(changed, some_game(which))
