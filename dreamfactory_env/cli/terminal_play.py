"""``dreamfactory play --terminal``: a game against policies, or with them, in the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from dreamfactory_env.cli.records import with_names
from dreamfactory_env.cli.terminal import console as terminal
from dreamfactory_env.games.game import Game, Line
from dreamfactory_env.policies import Policy, policy_named, view_of
from dreamfactory_env.policies.memory import SeatMemory
from dreamfactory_env.records.files import read_records
from dreamfactory_env.records.format import make_record, replay_moves, start_of
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.locks import Lock
from dreamfactory_env.utils.validation import did_you_mean
from dreamfactory_env.viewer.judging import Judge

#: What the seat of the person is called in the record.
PERSON = "person"
#: Who gives hints, and on how many deals its moves are compared.
ADVISER, HINT_DEALS = "mcts:0.5s", 100
#: So many moves does a hint name.
HINTED_MOVES = 3
HELP = """Type a move in words, or the number before it; the beginning of the words is enough if \
only one move begins so.
  table   the table again
  moves   what you may play
  hint    what a search finds best here, if hints are allowed
  back    take your last move back, if that is allowed
  help    this
  quit    stop; --resume FILE continues the game later"""


class Table(NamedTuple):
    """A game in the terminal.

    Attributes:
        start: The game before its first move.
        policies: Who sits where; the name at the seat of the person is not used.
        seat: The seat of the person.
        path: The file of the record, which is written after every move.
        hints: Whether hints are allowed.
        take_back: Whether moves can be taken back.
    """

    start: Game
    policies: Sequence[str]
    seat: int
    path: Path
    hints: bool = False
    take_back: bool = False


class _Quit(Exception):
    """The person has had enough for now."""


class _Back(Exception):
    """The person takes the last move back."""


def run(table: Table, console: Console = terminal) -> bool:
    """Plays a game, or continues the one of its file, until it is over or the person quits.

    Args:
        table: What is played, and by whom.
        console: Where it is shown, and moves are typed.

    Returns:
        Whether the game is over.

    Raises:
        GameError: There is no such seat or policy, or the file is that of another game, is being
            written by another process, or cannot be written.
    """
    table.start.check_seat(table.seat)
    if len(table.policies) != table.start.players:
        raise OptionError(f"{table.start.players} seats need as many names, not {table.policies}")
    with Lock(table.path):
        return _Play(table, console).run()


class _Play:
    """A game that is being played; see :func:`run`."""

    def __init__(self, table: Table, console: Console) -> None:
        self.table, self.console = table, console
        self.agents = list(table.policies)
        self.agents[table.seat] = PERSON
        self.start, self.actions = table.start, list[int]()
        if table.path.exists():
            self.start, self.actions = self._resumed()
        self.game = self.start.copy()
        self.others: dict[int, Policy] = {
            seat: policy_named(name, self.start)
            for seat, name in enumerate(table.policies)
            if seat != table.seat
        }
        seed = self.start.seed or 0
        self.memories = {
            seat: SeatMemory(policy, self.start, seat, seed) for seat, policy in self.others.items()
        }

    def _resumed(self) -> tuple[Game, list[int]]:
        """Returns the game of the file before its first move, and what was played.

        Raises:
            GameError: It is that of another game.
        """
        record = next(iter(read_records(self.table.path)), None)
        if record is None:
            raise OptionError(f"{self.table.path} is empty; remove it, or name another file")
        replay_moves(record)
        start = start_of(record)
        same = (start.spec.name, start.config(), record["agents"]) == (
            *(self.table.start.spec.name, self.table.start.config()),
            self.agents,
        )
        if not same:
            raise OptionError(f"{self.table.path} is the record of another game; name another file")
        return start, [action for _, action, _ in record["moves"]]

    def run(self) -> bool:
        """Plays; returns whether the game is over."""
        told = len(self.actions)
        if told:
            self._say(f"The game of {self.table.path} goes on after {told} moves.", "bold")
            told = max(told - 2 * self.start.players, 0)
        self._write()
        self._say("Type help for help.", "dim")
        while True:
            try:
                self._narrate(told)
            except _Back:
                told = self._taken_back()
            except (_Quit, KeyboardInterrupt, EOFError):
                self.console.print()
                path = self.table.path
                self._say(f"The game is kept in {path}; --resume {path} continues it.")
                return False
            else:
                self._say(f"The game is kept in {self.table.path}.", "dim")
                return True

    def _narrate(self, told: int) -> None:
        """Plays from the start, silently as far as it was told before, and then aloud."""
        self.game = self.start.copy()
        self.played = 0
        for line in self.game.narrate(self._moves(), self.table.seat):
            if self.played >= told or self.game.over:
                self._tell(line)

    def _moves(self) -> Iterator[int]:
        """Gives the moves that were played, and then asks whoever is to move."""
        for action in list(self.actions):
            self.played += 1
            yield action
        while not self.game.over:
            action = self._asked() if self.game.to_move == self.table.seat else self._answered()
            self.actions.append(action)
            self._write()
            self.played += 1
            yield action

    def _answered(self) -> int:
        """Returns the move of a policy."""
        seat = self.game.to_move
        assert seat is not None
        view = view_of(
            self.game,
            seed=self.start.seed or 0,
            moves=len(self.actions),
            memory=self.memories[seat].at(self.actions),
        )
        with self.console.status(f"player {seat} is thinking"):
            action = self.others[seat].act(view)
        if action not in self.game.legal_actions().values():
            raise self.game.illegal_move(action, where=f"{self.agents[seat]}: ")
        return action

    def _write(self) -> None:
        """Writes the record."""
        record = make_record(self.start, self.actions, self.agents)
        try:
            text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
            atomic_write(self.table.path, text.encode() + b"\n")
        except OSError as error:
            path = self.table.path
            raise OptionError(f"{path} cannot be written: {error.strerror or error}") from error

    def _taken_back(self) -> int:
        """Takes moves back up to the person's last one; returns how many are left."""
        game, own = self.start.copy(), []
        for number, action in enumerate(self.actions):
            if game.to_move == self.table.seat:
                own.append(number)
            game.play(action)
        del self.actions[own[-1] :]
        self._write()
        self._say("Your last move is taken back.", "bold")
        return len(self.actions) + 1  # nothing of what is left is told again

    # ------------------------------------------------------------------ talking with the person

    def _asked(self) -> int:
        """Returns the move that the person types."""
        self._show_table()
        self._show_moves()
        while True:
            words = " ".join(self.console.input(Text("your move> ", "bold cyan")).split())
            command = words.lower()
            if command in ("quit", "exit", "q"):
                raise _Quit
            if command in ("", "help", "?"):
                self._say(HELP)
            elif command == "table":
                self._show_table()
            elif command == "moves":
                self._show_moves()
            elif command == "hint":
                self._hint()
            elif command == "back":
                self._try_back()
            else:
                try:
                    return read_move(words, self.game.legal_actions())
                except OptionError as error:
                    self._say(str(error), "red")

    def _try_back(self) -> None:
        """Takes the last move back if it may be.

        Raises:
            _Back: It may.
        """
        game, own = self.start.copy(), False
        for action in self.actions:
            own = own or game.to_move == self.table.seat
            game.play(action)
        if not self.table.take_back:
            self._say("This game was begun without taking moves back.", "red")
        elif not own:
            self._say("There is no move of yours to take back.", "red")
        else:
            raise _Back

    def _hint(self) -> None:
        """Says what a search finds best, and how sure that is."""
        if not self.table.hints:
            self._say("This game was begun without hints.", "red")
            return
        with self.console.status("looking for a good move"):
            judge = Judge(self.game, ADVISER, deals=HINT_DEALS)
            found = judge.decision(self.game, len(self.actions))
        for move in found["moves"][:HINTED_MOVES]:
            about = f"{move['visits']:,} games" if move.get("visits") else "the only move"
            if move.get("se") is not None:
                about += f", {move['mean']:+.1f} ± {2 * move['se']:.1f} points"
            self._say(f"  {move['words']}: {about}", "green")
        whose = "of the team" if self.game.spec.shared else "above the mean of all players"
        self._say(
            f"  Points at the end, {whose}, in games that a search has played from here over "
            "redraws of what you cannot see; no promise for this deal.",
            "dim",
        )

    def _show_table(self) -> None:
        lines = self.game.text(self.table.seat).splitlines()
        if all(words in lines[-1] for words in self.game.legal()):
            lines.pop()  # they are listed below
        text = with_names("\n".join(lines), self._names())
        title = f"{self.game.spec.title}, you are player {self.table.seat}"
        self.console.print(Panel(Text(text), title=Text(title), expand=False))

    def _show_moves(self) -> None:
        moves = [Text(f"{number} {words}") for words, number in self.game.legal_actions().items()]
        self.console.print(Columns(moves, padding=(0, 3), column_first=True))

    def _names(self) -> list[str]:
        return ["you" if k == self.table.seat else name for k, name in enumerate(self.agents)]

    def _tell(self, line: Line) -> None:
        self._say(with_names(line.text, self._names()), line.style)

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style), soft_wrap=True)


def read_move(words: str, legal: dict[str, int]) -> int:
    """Returns the legal action that somebody means.

    Args:
        words: The words of a move, their beginning if no other begins so, or its number.
        legal: Every legal move in words, with its action.

    Raises:
        OptionError: It is none of them, or could be several.
    """
    if words in legal:
        return legal[words]
    if words.isdecimal():
        if int(words) in legal.values():
            return int(words)
        raise OptionError(f"no move has the number {words[:20]}; type moves to see them")
    lower = words.lower()
    for fits in (str.startswith, str.__contains__):
        found = [known for known in legal if fits(known.lower(), lower)]
        if len(found) == 1:
            return legal[found[0]]
        if found:
            raise OptionError(f"that could be {', '.join(found[:6])}{' …' if found[6:] else ''}")
    raise OptionError(f"no such move{did_you_mean(words, legal)}; type moves to see them")
