"""The course of a game of Faux Raccords, for the referee: F11 to F21, step by step.

Every function with questions is a generator: it yields a question and is sent its answer, one of
the words in it. So a turn reads from top to bottom as it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple

from tests.games.faux_raccords.referee_film import Laid, Series
from tests.games.faux_raccords.referee_position import Position


class Question(NamedTuple):
    """A decision: who is asked, and the words that may be answered."""

    seat: int
    words: list[str]


Asking = Generator[Question, str, None]
Answer = Generator[Question, str, str]
Hazard = Generator[Question, str, bool]


def ask(seat: int, verb: str, things: Iterable[str], *others: str) -> Answer:
    """Asks a player to choose one of some things.

    Returns:
        The thing, or the other answer that was given instead.
    """
    answer = yield Question(seat, [*(f"{verb} {thing}" for thing in things), *others])
    return answer if answer in others else answer.removeprefix(f"{verb} ")


# ---------------------------------------------------------------------------- a turn


def whole_game(p: Position) -> Asking:
    """Plays turn after turn until the game is over (F11, F21)."""
    while True:
        if not p.hands[p.turn]:
            p.ending = "empty hand"
            return
        yield from action(p)
        if p.ending:
            return
        yield from hint(p)
        yield from hazards(p)
        p.end_of_turn()


def action(p: Position) -> Asking:
    """Asks for the action, and does it (F12)."""
    verbs = ["call"]
    if p.room_to_place():
        verbs.append("place")
    if p.to_view():
        verbs.append("view with")
    words = [f"{verb} {card}" for verb in verbs for card in p.hands[p.turn]]
    answer = yield Question(p.turn, [*words, "end"])
    verb, _, card = answer.rpartition(" ")
    if answer == "end":
        p.ending = "end"
    elif verb == "place":
        yield from place(p, card)
    elif verb == "view with":
        yield from view(p, card)
    else:
        yield from call(p, card)


def place(p: Position, card: str) -> Asking:
    """Puts a card face down into the Film, with a Clap (F13)."""
    where = yield from ask(p.turn, "at", p.room_to_place())
    p.let_go_unseen(p.turn)
    p.hands[p.turn].remove(card)  # F25: only now
    laid = Laid(card)
    p.film.put(where, laid)
    yield from put_clap(p, laid)


def put_clap(p: Position, laid: Laid) -> Asking:
    """Puts a Clap on a card, from the reserve or from another card (F13)."""
    if not p.reserve(p.turn):
        p.looked_at = laid  # the rulebook: one looks at it, and then moves a Clap
        p.look_around()
        old = yield from ask(p.turn, "move clap from", p.clapped(p.turn))
        p.looked_at = None
        p.film.lying()[old].claps.remove(p.turn)
    laid.claps.add(p.turn)
    p.look_around()


def view(p: Position, card: str) -> Asking:
    """Bins a card to look at one of the Film (F14)."""
    p.bin_from_hand(p.turn, card)
    where = yield from ask(p.turn, "look at", p.to_view())
    yield from put_clap(p, p.film.lying()[where])


def call(p: Position, card: str) -> Asking:
    """Puts a card into the Cut, and does what its member does (F16)."""
    p.hands[p.turn].remove(card)
    p.cut.append(card)
    p.look_around()
    yield from effect(p, card, card)


def hint(p: Position) -> Asking:
    """Lets the turn's player give their hint (F17)."""
    if not p.hint_left[p.turn] or not p.film.lying():
        return
    kind = yield from ask(p.turn, "hint", ["good", "bad"], "no hint")
    if kind != "no hint":
        where = yield from ask(p.turn, "on", p.film.lying())
        p.film.lying()[where].hints.append((p.turn, kind))
        p.hint_left[p.turn] = False


# ---------------------------------------------------------------------------- members


def effect(p: Position, card: str, called: str) -> Asking:
    """Offers the effect of a card's member, if it can be done (F16).

    Args:
        p: The position.
        card: The card whose effect it is.
        called: The card that was called this turn.
    """
    member = p.cards[card].member
    if member == "manager":
        yield from manager(p, called)
    elif member == "script":
        yield from script(p)
    elif p.film.lying():
        yield from {"editor": editor, "star": star, "producer": producer}[member](p)


def manager(p: Position, called: str) -> Asking:
    """Uses a card of the Cut again."""
    others = [card for card in p.cut if card != called]
    if not others:
        return
    card = yield from ask(p.turn, "reuse", others, "no effect")
    if card != "no effect":
        p.cut.remove(card)
        p.bin.append(card)
        yield from effect(p, card, called)


def editor(p: Position) -> Asking:
    """Takes one or two cards, and puts them somewhere else."""
    where = yield from ask(p.turn, "take", p.film.lying(), "no effect")
    if where == "no effect":
        return
    p.taken.append(p.film.take(where))
    where = yield from ask(p.turn, "take", p.film.lying(), "enough")
    if where != "enough":
        p.taken.append(p.film.take(where))
    while p.taken:
        where = yield from ask(p.turn, "put at", p.film.room_for(len(p.taken) - 1))
        p.film.put(where, p.taken.pop(0))


def star(p: Position) -> Asking:
    """Exchanges a card of the Cut and one of the Film."""
    card = yield from ask(p.turn, "swap", p.cut, "no effect")
    if card == "no effect":
        return
    where = yield from ask(p.turn, "for", p.film.lying())
    old = p.film.replace(where, Laid(card, face_up=True))
    p.cut[p.cut.index(card)] = p.leave_film(old)
    p.look_around()


def producer(p: Position) -> Asking:
    """Gives a card of the Film to another player."""
    leaving = [place for place in p.film.lying() if p.film.may_leave(place)]
    where = yield from ask(p.turn, "give", leaving, "no effect")
    if where == "no effect":
        return
    others = sorted(set(range(p.players)) - {p.turn})
    seat = yield from ask(p.turn, "to player", map(str, others))
    p.hands[int(seat)].append(p.leave_film(p.film.take(where)))
    p.look_around()


def script(p: Position) -> Asking:
    """Puts a card from the hand face up into the Film."""
    if not p.hands[p.turn] or not p.film.room():
        return
    card = yield from ask(p.turn, "show", p.hands[p.turn], "no effect")
    if card == "no effect":
        return
    for seen in p.seen:
        seen.add(card)  # named openly (F24, F25)
    where = yield from ask(p.turn, "at", p.film.room())
    p.hands[p.turn].remove(card)
    p.film.put(where, Laid(card, face_up=True))
    p.look_around()


# ---------------------------------------------------------------------------- hazards


def hazards(p: Position) -> Asking:
    """Does the hazards that are due, each time the first of them (F18)."""
    while True:
        due = [
            number
            for number, up in enumerate(p.turned)
            if not up and p.film.is_due(number, len(p.cut))
        ]
        if not due:
            return
        p.turned[due[0]] = True
        done = yield from HAZARDS[p.hazards[due[0]]](p)
        if not done:
            yield from instead(p)
        if isinstance(p.film, Series):
            p.film.blocked.remove(p.film.lie[due[0]])
        p.look_around()


def instead(p: Position) -> Asking:
    """Lets somebody bin a card, because a hazard cannot be done (F20)."""
    for seat in p.from_turn():
        if p.hands[seat]:
            p.bin_from_hand(seat, (yield from ask(seat, "bin", p.hands[seat])))
            return


def power_cut(p: Position) -> Hazard:
    """Takes a Clap back for each player who has one in the Film."""
    seats = [seat for seat in p.from_turn() if p.clapped(seat)]
    for seat in seats:
        where = yield from ask(seat, "take clap from", p.clapped(seat))
        p.film.lying()[where].claps.remove(seat)
    return bool(seats)


def face_down(p: Position) -> list[str]:
    """Returns the places of the face-down cards."""
    return [place for place, laid in p.film.lying().items() if not laid.face_up]


def lost_reel(p: Position) -> Hazard:
    """Bins a face-down card that may leave."""
    places = [place for place in face_down(p) if p.film.may_leave(place)]
    if places:
        where = yield from ask(p.turn, "lose", places)
        p.bin.append(p.leave_film(p.film.take(where)))
    return bool(places)


def ego_clash(p: Position) -> Hazard:
    """Lets two touching cards change places."""
    lying = p.film.lying()
    beside = {
        place: [other for other in lying if lying[other] in p.film.touching(lying[place])]
        for place in lying
    }
    places = [place for place in lying if beside[place]]
    if places:
        one = yield from ask(p.turn, "clash", places)
        other = yield from ask(p.turn, "with", beside[one])
        p.film.replace(one, lying[other])
        p.film.replace(other, lying[one])
    return bool(places)


def reshoot(p: Position) -> Hazard:
    """Bins a face-down card and lays the top of the pile in its place."""
    if not p.pile or not face_down(p):
        return False
    where = yield from ask(p.turn, "reshoot", face_down(p))
    p.bin.append(p.leave_film(p.film.replace(where, Laid(p.pile.pop(0)))))
    return True


def budget_cut(p: Position) -> Hazard:
    """Bins the top two cards of the pile."""
    binned = p.pile[:2]
    del p.pile[:2]
    p.bin += binned
    return bool(binned)
    yield  # no question, but a generator like the others


def walk_out(p: Position) -> Hazard:
    """Bins the whole Cut."""
    binned = list(p.cut)
    p.cut.clear()
    p.bin += binned
    return bool(binned)
    yield


def wrong_hands(p: Position) -> Hazard:
    """Passes a card of each hand to the left, all at once."""
    chosen: dict[int, str] = {}
    for seat in p.from_turn():
        if p.hands[seat]:
            chosen[seat] = yield from ask(seat, "pass", p.hands[seat])
    for seat in chosen:
        p.let_go_unseen(seat, knowing=(p.left_of(seat),))
    for seat, card in chosen.items():
        p.hands[seat].remove(card)
    for seat, card in chosen.items():
        p.hands[p.left_of(seat)].append(card)
    return bool(chosen)


def censored(p: Position) -> Hazard:
    """Turns a face-up card down."""
    places = [place for place, laid in p.film.lying().items() if laid.face_up]
    if places:
        where = yield from ask(p.turn, "cover", places)
        p.film.lying()[where].face_up = False
    return bool(places)


def spilled_coffee(p: Position) -> Hazard:
    """Takes all hints out of the game."""
    hinted = [laid for laid in p.film.lying().values() if laid.hints]
    for laid in hinted:
        laid.hints.clear()
    return bool(hinted)
    yield


def early_deadline(p: Position) -> Hazard:
    """Lets the player to the left bin a card."""
    seat = p.left_of(p.turn)
    if not p.hands[seat]:
        return False
    p.bin_from_hand(seat, (yield from ask(seat, "bin", p.hands[seat])))
    return True


HAZARDS: dict[str, Callable[[Position], Hazard]] = {
    "power cut": power_cut,
    "lost reel": lost_reel,
    "ego clash": ego_clash,
    "reshoot": reshoot,
    "budget cut": budget_cut,
    "walk-out": walk_out,
    "wrong hands": wrong_hands,
    "censored": censored,
    "spilled coffee": spilled_coffee,
    "early deadline": early_deadline,
}
