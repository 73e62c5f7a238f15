"""Options that commands share: groups as typer sees them, and options of games as text."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from dreamfactory_env import DreamFactory
from dreamfactory_env.cli.options import GameChange, TableOptions, read_options, with_groups
from dreamfactory_env.games import DEFAULT_GAME
from dreamfactory_env.utils.errors import GameError, OptionError
from tests.toy_game import SignalGame

Call = tuple[Any, ...]


@dataclass(frozen=True)
class Colours:
    """A group of options."""

    front: Annotated[str, typer.Option(help="The front.")] = "red"
    back: Annotated[int | None, typer.Option("--behind", "-b", help="The back.")] = None


def command_into(calls: list[Call]) -> Any:
    @with_groups
    def paint(
        wall: Annotated[str, typer.Argument()],
        coats: Annotated[int, typer.Option(help="How many coats.")] = 1,
        *,
        colours: Colours,
    ) -> None:
        """Paint a wall."""
        calls.append((wall, coats, colours))

    return paint


def test_the_fields_of_a_group_are_options_of_the_command() -> None:
    calls: list[Call] = []
    app = typer.Typer()
    app.command()(command_into(calls))
    for words in (["north"], ["south", "--coats", "2", "--front", "blue", "-b", "7"]):
        assert CliRunner().invoke(app, words).exit_code == 0
    assert calls == [("north", 1, Colours()), ("south", 2, Colours("blue", 7))]
    shown = CliRunner().invoke(app, ["--help"]).output
    for text in ("Paint a wall.", "The front.", "--behind", "[default: red]"):
        assert text in shown


def test_a_command_with_groups_can_be_called_as_a_function() -> None:
    calls: list[Call] = []
    paint = command_into(calls)
    paint("north")
    paint("south", 2, back=7)
    assert calls == [("north", 1, Colours()), ("south", 2, Colours(back=7))]
    assert list(inspect.signature(paint).parameters) == ["wall", "coats", "front", "back"]
    with pytest.raises(TypeError, match="colours"):
        paint("north", colours=Colours())


# ---------------------------------------------------------------------------- options of a game


def test_options_are_read_as_the_types_that_the_spec_declares() -> None:
    texts = ["edition = traumfabrik", "choose_studio=yes", "components=a=b.yaml", "edition=x"]
    assert read_options(texts, DreamFactory.spec) == {
        "edition": "x",  # the last one counts; whether it is right shows when a game is made
        "choose_studio": True,
        "components": Path("a=b.yaml"),
    }
    assert read_options(["goal=4", "memory=0"], SignalGame.spec) == {"goal": 4, "memory": False}
    assert read_options(None, SignalGame.spec) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gaol=4", "unknown option 'gaol'; .*goal, memory; did you mean 'goal'"),
        ("goal", "^-o must be a key and a value such as goal=3, not 'goal'$"),
        ("goal=many", "^goal must be a number, not 'many'$"),
        ("memory=2", "^memory must be true or false, not '2'$"),
        ("=4", "unknown option ''"),
        ("players=3", "^players is set by --players, or by the file, not by -o$"),
    ],
)
def test_an_option_that_cannot_be_read_is_named(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        read_options([text], SignalGame.spec)


def test_a_game_is_made_from_its_name_players_and_options(toy: type[SignalGame]) -> None:
    game = TableOptions(toy.spec.name, ["goal=2"], players=3).new_game()
    assert (type(game), game.players, game.values["goal"]) == (toy, 3, 2)
    game = TableOptions().new_game()
    assert game.spec.name == DEFAULT_GAME
    assert game.players == game.spec.default_players
    for wrong, message in (
        (TableOptions("toi"), "did you mean 'toy'"),
        (TableOptions("toy", ["goal=5"]), "goal must be one of 2, 3, 4"),
        (TableOptions("toy", players=4), "players must be 2 to 3, not 4"),
    ):
        with pytest.raises(GameError, match=message):
            wrong.new_game()


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (GameChange(), {"game": "toy", "options": {"goal": 2}}, {"goal": 2}),
        (GameChange("toy"), {"game": "toy", "options": {"goal": 2}}, {"goal": 2}),
        (GameChange("toy"), {"options": {"edition": "traumfabrik"}}, None),
        (GameChange(None, ["goal=4"]), {"game": "toy"}, {"goal": 4}),
        (
            GameChange(None, ["goal=4"]),
            {"game": "toy", "options": {"goal": 2, "memory": True}},
            {"goal": 4, "memory": True},
        ),
        (GameChange("toy", ["memory=yes"]), {"options": {"edition": "x"}}, {"memory": True}),
    ],
)
def test_a_game_and_options_replace_those_of_a_file(
    toy: type[SignalGame], change: GameChange, before: dict[str, Any], after: Any
) -> None:
    data = dict(before)
    change.change(data)
    assert data["game"] == toy.spec.name
    assert data.get("options") == after


def test_files_among_options_are_texts_in_the_data_of_a_file() -> None:
    data: dict[str, Any] = {}
    GameChange(None, ["components=own.yaml"]).change(data)
    assert data == {"options": {"components": "own.yaml"}}
