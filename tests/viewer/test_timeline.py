"""Frames: whole, as differences, in both languages, and without anything that is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamfactory_env import DreamFactory, OptionError, RecordError
from dreamfactory_env.records.format import make_record
from dreamfactory_env.viewer.difference import changed, difference
from dreamfactory_env.viewer.timeline import MAX_TEXT, Timeline, seat_names
from tests.toy_game import SignalGame
from tests.viewer.difference_checks import unfolded
from tests.viewer.games import KINDS, record_of

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "é", "__proto__"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "1", "__proto__"]), inner, max_size=4)
    ),
    max_leaves=12,
)


def exactly(data: Any) -> str:
    """Returns data so that 1 and true, and keys in another order, differ."""
    return json.dumps(data)


@given(PLAIN, PLAIN)
@settings(max_examples=400, deadline=None)
def test_a_difference_makes_one_view_of_another(old: Any, new: Any) -> None:
    before = exactly(old)
    changes = json.loads(json.dumps(difference(old, new)))
    assert exactly(changed(old, changes)) == exactly(new)
    assert exactly(old) == before
    assert bool(changes) == (exactly(old) != exactly(new))


def test_a_difference_is_as_small_as_what_has_changed() -> None:
    old = {"a": [1, {"b": 2, "c": [3]}], "d": 4}
    new = {"a": [1, {"b": True, "c": [3, 3]}], "d": 4}
    assert difference(old, new) == [(["a", 1, "b"], True), (["a", 1, "c"], [3, 3])]


@pytest.mark.parametrize("kind", KINDS)
def test_frames_are_what_a_viewer_sees_after_each_move(kind: str) -> None:
    record = record_of(kind)
    timeline = Timeline.of(record)
    for viewer in (None, 0, timeline.start.players - 1):
        frames = timeline.frames(viewer)
        views = unfolded(json.loads(json.dumps(frames)))
        game = timeline.start.copy()
        assert len(frames) == len(record["moves"]) + 1
        assert exactly(views[0]) == exactly(game.view(viewer))
        assert frames[0]["lines"]
        assert frames[0]["move"] is None
        for (seat, action, words), frame, view in zip(
            record["moves"], frames[1:], views[1:], strict=True
        ):
            game.play(action)
            assert exactly(view) == exactly(game.view(viewer))
            known = viewer in (None, seat)
            assert frame["move"]["seat"] == seat
            assert frame["move"]["action"] == (action if known else None)
            assert frame["move"]["words"] in ((words,) if known else (words, ""))
            assert frame["lines"]


@pytest.mark.parametrize("kind", ["dream factory, 2", "faux raccords, shorts", "fabrique"])
def test_pieces_join_to_the_whole(kind: str) -> None:
    timeline = Timeline.of(record_of(kind))
    whole = timeline.frames(1)
    views = unfolded(whole)
    for first in range(0, len(timeline), 7):
        piece = timeline.frames(1, first, 7)
        assert exactly(unfolded(piece)) == exactly(views[first : first + 7])
        told = [(frame["move"], frame["lines"]) for frame in piece]
        expected = [(frame["move"], frame["lines"]) for frame in whole[first : first + 7]]
        # What opens a narration stands with the first frame alone.
        assert told == expected


def test_frames_that_are_not_there_are_refused() -> None:
    timeline = Timeline.of(record_of("fabrique"))
    with pytest.raises(OptionError, match="there are frames 0 to"):
        timeline.frames(None, len(timeline))
    with pytest.raises(OptionError, match="there are players 0 to 2, not 3"):
        timeline.frames(3)


@pytest.mark.parametrize("kind", KINDS)
def test_redrawing_what_is_hidden_changes_no_frame(kind: str) -> None:
    """Header and frames of a seat are the same in games that it cannot tell apart."""
    record = record_of(kind)
    timeline = Timeline.of(record)
    actions = timeline.actions
    for seat in range(timeline.start.players):
        redrawn = timeline.start.resample_hidden(seat, 5)
        if redrawn == timeline.start:
            continue
        legal = 0
        true, other = timeline.start.copy(), redrawn.copy()
        for action in actions:
            if action not in other.legal_actions().values():
                break
            true.play(action)
            other.play(action)
            if exactly(other.view(seat)) != exactly(true.view(seat)):
                break  # the move has revealed what was hidden
            legal += 1
        pieces = [
            Timeline(start, actions[:legal], timeline.agents) for start in (timeline.start, redrawn)
        ]
        ours, theirs = (exactly([p.header(seat), p.frames(seat)]) for p in pieces)
        assert ours == theirs
        assert exactly(timeline.header(None)) != exactly(pieces[1].header(None))


def test_a_game_without_a_page_has_its_text(toy: type[SignalGame]) -> None:
    game = toy(players=2, seed=1)
    timeline = Timeline(game, [next(iter(game.legal_actions().values()))], ["a", "b"])
    assert not timeline.header()["page"]
    assert [frame["text"] for frame in timeline.frames(1)] == [
        game.text(1),
        timeline.at(1).text(1),
    ]


def test_a_record_that_is_not_true_is_refused() -> None:
    record = record_of("dream factory, 2")
    seat, action, words = record["moves"][0]
    moves = [[1 - seat, action, words], *record["moves"][1:]]
    with pytest.raises(RecordError):
        Timeline.of({**record, "moves": moves})
    with pytest.raises(RecordError, match="result"):
        Timeline.of({**record, "result": {**record["result"], "winners": [0, 1]}})
    cut = {**record, "moves": record["moves"][:5], "result": None}
    assert len(Timeline.of(cut)) == 6


def test_names_are_short_and_printable() -> None:
    hostile = ["a" * 5000, "\x1b[2J\u202e<script>", "package.module:Class", "dir/agent.safetensors"]
    names = seat_names(hostile)
    assert all(len(name) <= MAX_TEXT and name.isprintable() for name in names)
    assert names[2:] == ["Class", "agent"]


def test_the_seed_is_whole_and_no_seat_gets_it() -> None:
    start = DreamFactory(2, seed=2**63 - 1)
    record = make_record(start, [], ["a", "b"])
    timeline = Timeline.of(record)
    assert timeline.header()["seed"] == str(2**63 - 1)
    assert timeline.header(0)["seed"] is None
    assert str(2**63 - 1) not in json.dumps(timeline.whole(0))
