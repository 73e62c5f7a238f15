"""Faux Raccords as plain text: the table, and a move in words, both made from a view."""

from __future__ import annotations

from collections.abc import Sequence

from dreamfactory_env.games.faux_raccords.actions import PLAYER, Words, is_secret
from dreamfactory_env.games.faux_raccords.shapes import outline_of, spot_of
from dreamfactory_env.games.faux_raccords.state import Mode, Phase
from dreamfactory_env.games.faux_raccords.view_types import (
    CardView,
    FilmCardView,
    GenreView,
    HazardView,
    TableView,
)

#: What the player to move does, by the phase.
DOES = {
    "action": "chooses an action",
    "place": "places a card",
    "look": "chooses a card to look at",
    "move clap": "moves a Clap",
    "reuse": "may reuse a card of the Cut",
    "take": "may take a card of the Film",
    "take more": "may take a second card",
    "put": "puts a card back",
    "swap": "may swap a card of the Cut",
    "swap for": "chooses the card of the Film to swap",
    "give": "may give a card of the Film away",
    "give to": "chooses who gets the card",
    "show": "may show a card",
    "show at": "places the shown card",
    "hint": "may give a hint",
    "hint on": "lays the hint",
    "take clap": "takes a Clap back",
    "lose": "chooses the card that is lost",
    "clash": "chooses a card that clashes",
    "clash with": "chooses the other card",
    "reshoot": "chooses the card to shoot again",
    "pass": "passes a card on",
    "cover": "turns a card face down",
    "bin": "bins a card",
    "over": "ended the game",
}
#: What is asked for, in the words of the rules, by the mode.
ASKED = {
    "tutorial": "a line of 12, rising",
    "feature": "a line of 16, rising, no value twice",
    "shorts": "two lines of 8, each rising, no value twice in both",
    "series": "16 in a grid, rising to the right and downwards, no value twice",
    "arcs": "16 in a losange, rising to the right, no value twice",
    "studio": "15 in a pyramid, two symbols a level at most, none on two levels",
}
GAP = 2  # blanks between two cards of the Film


def board_and_moves(view: TableView) -> list[str]:
    """Returns the table as lines of text, and what the viewer may do if it is to move."""
    lines = board(view)
    if view["legal"]:
        moves = [f"{action}: {words}" for words, action in view["legal"].items()]
        lines.append(f"  you may play {', '.join(moves)}")
    return lines


def board(view: TableView) -> list[str]:
    """Returns the table as lines of text.

    In the Film `7 love` lies face up, `(7 love)` face down and is seen by the viewer, `(?)` is not
    seen, `(7 love*)` is remembered; `c02` are Claps of the players 0 and 2, `+1` and `-1` a good
    and a bad hint of player 1, `<` marks the card that something is being done with.
    """
    lines = [headline(view), f"  wanted: {ASKED[view['options']['mode']]}"]
    lines += [f"  {_genre(genre)}" for genre in view["genres"]]
    lines += [f"  hazard, {_hazard(hazard)}" for hazard in view["hazards"]]
    lines.append(f"  Film, {counted(len(view['film']), 'card')}:")
    lines += [f"    {row}" for row in _film_rows(view)]
    if view["taken"]:
        taken = [film_card(card) for card in view["taken"]]
        lines.append(f"  taken by the editor: {in_words(taken)}")
    lines.append(f"  Cut: {_cut(view)}")
    known = f" ({in_words([card['card'] for card in view['bin_cards']])})"
    lines.append(f"  pile: {view['pile']}; bin: {view['bin']}{known if view['bin_cards'] else ''}")
    lines += [_player(view, seat) for seat in range(len(view["players"]))]
    return lines


def headline(view: TableView) -> str:
    """Returns who does what, or how the game has ended."""
    if view["phase"] == "over":
        return outcome_words(view)
    turn, seat = view["turn"], view["to_move"]
    who = "who" if seat == turn else f"player {seat}"
    now = [hazard["name"] for hazard in view["hazards"] if hazard["now"]]
    why = f" ({now[0]})" if now else ""
    return f"Turn of player {turn}, {who} {DOES[view['phase']]}{why}."


def outcome_words(view: TableView) -> str:
    """Returns how the game has ended."""
    result = view["result"]
    assert result is not None
    how = "said that the Film is finished" if result["ending"] == "end" else "has no card left"
    won = "Won" if result["winners"] else "Lost"
    missed = [condition for condition, met in result["conditions"].items() if not met]
    why = f"; not met: {', '.join(missed)}" if missed else ""
    return f"{won}: player {result['player']} {how}{why}; score {result['score']} of 100."


# ---------------------------------------------------------------------------- the Film


def _film_rows(view: TableView) -> list[str]:
    """Returns the Film in the shape of its mode, as rows of text."""
    mode = view["options"]["mode"]
    cells = dict.fromkeys(outline_of(mode), ".") if mode == "series" else {}
    for hazard in view["hazards"]:
        if hazard["place"]:
            cells[spot_of(mode, hazard["place"])] = "hazard"
    for card in view["film"]:
        assert card["place"] is not None
        cells[spot_of(mode, card["place"])] = f"{card['place']}: {film_card(card)}"
    if not cells:
        return ["-"]
    width = max(map(len, cells.values())) + GAP
    # A column of a shape is half a card wide where rows are shifted against each other.
    half = (width + 1) // 2
    rows: dict[int, str] = {}
    left = min(spot.x for spot in cells)
    for spot in sorted(cells, key=lambda spot: (spot.y, spot.x)):
        row = rows.get(spot.y, "")
        rows[spot.y] = row.ljust((spot.x - left) * half) + cells[spot]
    return list(rows.values())


def film_card(card: FilmCardView) -> str:
    """Returns a card of the Film with all that lies on it."""
    shown = card["card"] or card["sure"]
    words = f"{shown['card']} {shown['symbol']}" if shown else "?"
    if shown and not card["card"]:
        words += "*"
    if not card["face_up"]:
        words = f"({words})"
    if card["claps"]:
        words += " c" + "".join(map(str, card["claps"]))
    for hint in card["hints"]:
        words += f" {'+' if hint['good'] else '-'}{hint['player']}"
    return words + (" <" if card["chosen"] else "")


# ---------------------------------------------------------------------------- all else


def _genre(genre: GenreView) -> str:
    name = f"{genre['name']}: " if genre["name"] else ""
    return f"genre, {name}{' and '.join(genre['moods'])}, {genre['needed']} cards"


def _hazard(hazard: HazardView) -> str:
    if not hazard["happened"]:
        return f"{hazard['due']}: face down"
    return f"{hazard['due']}: {hazard['name']}{', now' if hazard['now'] else ', done'}"


def _cut(view: TableView) -> str:
    cut = view["cut"]
    words = []
    for card in cut["cards"]:
        called = " (called)" if card["card"] == cut["called"] else ""
        words.append(card_words(card) + called + (" <" if card["card"] == cut["chosen"] else ""))
    return in_words(words)


def _player(view: TableView, seat: int) -> str:
    player = view["players"][seat]
    if player["hand"] is None:
        hand = counted(player["count"], "card")
        if player["sure"]:
            hand += f", surely {in_words([card_words(card) for card in player['sure']])}"
    else:
        hand = in_words([card_words(card) for card in player["hand"]])
    words = f"  player {seat}: {hand}; {counted(player['claps_left'], 'Clap')}"
    words += ", hint" if player["hint_left"] else ""
    if player["pending"]:
        words += f"; has chosen {player['pending']['card']}"
    elif player["has_passed"]:
        words += "; has chosen"
    return words + ("; began" if view["first_player"] == seat else "")


# ---------------------------------------------------------------------------- shared words


def in_words(words: Sequence[str]) -> str:
    """Returns texts as a list with commas."""
    return ", ".join(words) or "-"


def counted(number: int, what: str) -> str:
    """Returns a number of things in words."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def card_words(card: CardView) -> str:
    """Returns all that a card shows."""
    return f"{card['card']} {card['symbol']} {card['member']}"


def action_to_string(view: TableView, action: int) -> str:
    """Returns the words of a legal action, as the viewer learns of it (F25)."""
    phase = Phase[view["phase"].upper().replace(" ", "_")]
    seat = view["to_move"]
    assert seat is not None
    if action >= PLAYER:  # counted from the player to move
        action = PLAYER + (seat + action - PLAYER) % len(view["players"])
    key = int(phase) * 256 + action
    words = Words(Mode[view["options"]["mode"].upper()])[key]
    if view["viewer"] not in (None, seat) and is_secret(key):
        return f"{words.rpartition(' ')[0]} a card"
    return words
