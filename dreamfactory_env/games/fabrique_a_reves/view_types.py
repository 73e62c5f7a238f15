"""What a view of La Fabrique à rêves is made of: every key of ``game.view(seat)``, and its meaning.

These keys change only with the version of the game. Reservoirs and vials are numbered from 1, as in
moves, a seat is a number from 0. Where a word stands, ``word`` is its English name, as in moves and
records, and ``shown`` its name in the language of the game.
"""

from __future__ import annotations

from typing import TypedDict


class WordView(TypedDict):
    """A word.

    Attributes:
        word: Its English name, as in moves and records.
        shown: Its name in the language of the game.
    """

    word: str
    shown: str


class OptionsView(TypedDict):
    """The options of the game.

    Attributes:
        players: How many play.
        mode: ``base``, ``monday`` to ``sunday``, or ``variant``.
        level: The level of the themes, 0 to 3; None on Sunday.
        minds: ``noisy`` or ``same`` (M3).
        noise: How much minds differ (M2).
        labels: ``mind`` or ``list`` (M4).
        lexicon: The name of the lexicon.
        language: ``en`` or ``fr``.
    """

    players: int
    mode: str
    level: int | None
    minds: str
    noise: int
    labels: str
    lexicon: str
    language: str


class ThemeView(TypedDict):
    """A theme of the night.

    Attributes:
        id: Its name in records.
        title: Its title, in the language of the game.
        about: What belongs to it, likewise.
    """

    id: str
    title: str
    about: str


class ReservoirView(TypedDict):
    """A reservoir.

    Attributes:
        number: Its number, from 1.
        top: The word on top, None if it is empty.
        left: How many cards are in it.
    """

    number: int
    top: WordView | None
    left: int


class PlacedView(TypedDict):
    """A word in a vial.

    Attributes:
        word: Its English name.
        shown: Its name in the language of the game.
        player: The seat that put it there.
        written: Whether it was written with the magic quill.
    """

    word: str
    shown: str
    player: int
    written: bool


class ThoughtView(TypedDict):
    """A dream that the viewer finds close to the words of a vial.

    Attributes:
        word: Its English name.
        shown: Its name in the language of the game.
        sum: The viewer's associations summed over the words of the vial (M2).
    """

    word: str
    shown: str
    sum: int


class VialView(TypedDict):
    """A vial.

    Attributes:
        number: Its number, from 1.
        words: The words in it, in their order.
        token: ``doubt``, ``dust``, ``dust+2``, ``spill`` or ``quill``; None if there is none.
        asked: Whether it is the one for which a word is written or dreamt now.
        closest: The three dreams that are closest to its words in the viewer's mind and that R16
            does not forbid it, best first; empty for a view of everything, and for an empty vial.
    """

    number: int
    words: list[PlacedView]
    token: str | None
    asked: bool
    closest: list[ThoughtView]


class PlayerView(TypedDict):
    """What is known of a player.

    Attributes:
        passed: Whether the player has passed.
        decided: How many dreams the slate has, those left out at the flask among them.
        slate: What is written for each vial, a list of one or two words of which a second may be
            None; vials that were not asked for yet have an empty list. None for the slates of
            others before the end.
    """

    passed: bool
    decided: int
    slate: list[list[WordView | None]] | None


class VialResultView(TypedDict):
    """What a vial scored.

    Attributes:
        cards: How many words lie in it.
        token: What lies on it, or None.
        group: The size of the largest group.
        dream: What that group has written, None if the vial scores nothing.
        points: What it scores.
    """

    cards: int
    token: str | None
    group: int
    dream: str | None
    points: int


class ResultView(TypedDict):
    """How a game has ended, as a record writes it.

    Attributes:
        scores: The points, for each seat.
        winners: All seats, or none.
        points: The total.
        scale: Its place on the printed scale, 0 to 5.
        aim: What was asked for.
        vials: Each vial.
    """

    scores: list[int]
    winners: list[int]
    points: int
    scale: int
    aim: int
    vials: list[VialResultView]


class SetupView(TypedDict):
    """What was drawn, as a record writes it.

    Attributes:
        first_player: The seat that begins.
        themes: The ids of the themes.
        tools: The tools in play.
        reservoirs: The cards of each reservoir, top first.
        minds: The number of each seat's mind.
    """

    first_player: int
    themes: list[str]
    tools: list[str]
    reservoirs: list[list[str]]
    minds: list[int]


class HiddenView(TypedDict):
    """What nobody at the table knows.

    Attributes:
        seed: The seed from which the game was dealt, None if its set-up was given.
        setup: Everything that was drawn, as a record writes it; None in a game that was redrawn.
        reservoirs: The cards of each reservoir as they lie now, top first, as ``UP/DOWN``.
        minds: The number of each seat's mind.
    """

    seed: int | None
    setup: SetupView | None
    reservoirs: list[list[str]]
    minds: list[int]


class TableView(TypedDict):
    """The whole table.

    Attributes:
        game: The name of the game, ``fabrique_a_reves``.
        title: Its title.
        version: The version of its behaviour and of these keys, ``v0``.
        viewer: The seat whose view it is, None for a view of everything.
        options: The options.
        aim: The points that are asked for.
        themes: The themes of the night; none on Sunday.
        dreams: How many dreams the list has.
        phase: What is decided now: ``thoughts``, ``quill``, ``dreams`` or ``over``.
        to_move: The seat of the player to move, None when the game is over.
        first_player: The seat that began.
        proposal: Which proposal for the vial is asked for now: 1, or 2 at the flask of doubt; None
            when nobody dreams.
        tools: The tools that can still be used.
        used: Those that were used.
        reservoirs: The reservoirs.
        vials: The vials.
        players: What is known of each player, by seat.
        result: The result as a record writes it, None before the end.
        legal: The legal moves in words, each with its action number; empty unless the viewer is to
            move. A view of everything has those of whoever is to move.
        shown: For each legal move that names a word, what it is in the language of the game.
        hidden: What nobody knows, None for a seat.
    """

    game: str
    title: str
    version: str
    viewer: int | None
    options: OptionsView
    aim: int
    themes: list[ThemeView]
    dreams: int
    phase: str
    to_move: int | None
    first_player: int
    proposal: int | None
    tools: list[str]
    used: list[str]
    reservoirs: list[ReservoirView]
    vials: list[VialView]
    players: list[PlayerView]
    result: ResultView | None
    legal: dict[str, int]
    shown: dict[str, str]
    hidden: HiddenView | None
