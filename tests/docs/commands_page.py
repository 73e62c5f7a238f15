"""The page of the commands, made from the command line itself."""

from __future__ import annotations

from typing import Any

from typer.main import get_command

from dreamfactory_env.cli import arena, simulation_report
from dreamfactory_env.cli.help import examples_of
from dreamfactory_env.cli.main import app
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import Game
from tests.docs.game_page import option_rows

PAGE = """# Commands

`dreamfactory` is installed with the package; `dreamfactory COMMAND --help` shows what stands here.
(This page is made from the code by `make docs`.)

| command | |
|---|---|
{summary}

- `dreamfactory policies` lists who can play, by name, and `dreamfactory configs` the trainings,
  tournaments and so on that come with the package. Where a command takes such a file, it takes the
  name, too; a file of that name that is there comes first.
- `--game` chooses the game and `-o KEY=VALUE` one of [its options](#options-of-the-games), such as
  `-o {example}`. They mean the same in every command. Where a file says what is played,
  they replace what it says; `show` counts only such games.
- A wrong input ends a command with one message on the error stream and exit code 2, before anything
  is written. Code 1 means that something was found to be wrong, such as a record that `replay` does
  not verify, and 130 that Ctrl-C has stopped the command.
- Ctrl-C lets what is being played be finished and written; a second one drops it. Commands that
  write files continue where they were stopped, and play nothing twice.
- Networks play with one thread in each process of `simulate`, `evaluate`, `tournament` and
  `benchmark`: more gain little, and lose much on a machine that does other things, too.
- `dreamfactory --install-completion` lets bash, zsh and fish complete commands, options and the
  names of configurations; `--show-completion` prints what it would install.

{commands}

## Results for programs

`simulate`, `evaluate` and `tournament` print their result as one JSON object with `--json`, and
nothing else to standard output. Progress and messages go to the error stream; `--quiet` shows no
progress. Keys may be added, and change their meaning only with the number in `format`. What cannot
be known, such as an interval from one deal, is `null`.

| `simulate` | `{simulation}` |
|---|---|
| `game`, `version`, `config`, `seed` | what was played, as in a [record](records.md) |
| `utility` | `zero_sum` or `shared` |
| `games`, `decisions`, `seconds` | what was played now; with `--resume` not what was there before |
| `policies` | zero-sum games: for each its `name`, its `seats`, `win_rate` and `points` |
| `seats` | zero-sum games: for each its `seat`, its `policy`, `win_rate` and `points` |
| `team` | shared games: the `policies` by seat, `win_rate` and `points` |
| `complete` | whether all games are played that were asked for |
| `records` | the `file` of records and how many `games` it has; `null` without one |

A `win_rate` is a share of games, the mean over the seats of a policy; a win that is shared counts
as a part. `points` have the keys {spread}.

| `evaluate` | `{evaluation}` |
|---|---|
| `policy`, `others` | who was evaluated, and with whom |
| `win_rate`, `half_width` | how often it wins, and half the width of the 95 % interval |
| `score`, `score_half_width` | the same for what the reward `score` pays it |
| `enough` | whether the interval is as narrow as `--until` wants it; true without |
| `report` | all other figures, as `tournament` prints them |

`tournament` prints the [report](arena.md) that it also leaves in `report.json`.

## Options of the games

{options}
"""


def commands_page() -> str:
    """Returns the page of the commands."""
    commands: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]
    summary = [f"| [`{name}`](#{name}) | {command.help} |" for name, command in commands.items()]
    options = next(iter(GAMES.values())).spec.options
    return PAGE.format(
        summary="\n".join(summary),
        example=f"{options[0].name}={options[0].values[-1]}",
        commands="\n\n".join(_section(name, command) for name, command in commands.items()),
        simulation=simulation_report.FORMAT,
        spread=", ".join(f"`{key}`" for key in simulation_report.SPREAD),
        evaluation=arena.FORMAT,
        options="\n\n".join(_options_of(game_cls) for game_cls in GAMES.values()),
    )


def _section(name: str, command: Any) -> str:
    """Returns what there is to say of a command."""
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    words = [_argument(p) for p in arguments] + ["[OPTIONS]"] * bool(options)
    lines = [f"## {name}", "", command.help, "", "```text"]
    lines += [f"dreamfactory {' '.join([name, *words])}", "```", ""]
    lines += ["| argument or option | default | |", "|---|---|---|"]
    lines += [f"| `{_metavar(p)}` | | {p.help} |" for p in arguments]
    lines += [f"| {_names(p)} | {_default(p)} | {p.help} |" for p in options]
    lines += ["", "```console", *(f"$ {line}" for line in examples_of(name)), "```"]
    return "\n".join(lines)


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def _argument(parameter: Any) -> str:
    return _metavar(parameter) if parameter.required else f"[{_metavar(parameter)}]"


def _names(option: Any) -> str:
    """Returns the names of an option, and what is given behind it."""
    value = f" {option.metavar}" if option.metavar else ""
    return ", ".join(f"`{name}{value}`" for name in option.opts)


def _default(option: Any) -> str:
    """Returns what is meant if an option is not given; nothing where its help says it."""
    if option.is_flag or option.default is None:
        return "must be given" if option.required else ""
    return f"`{option.default}`"


def _options_of(game_cls: type[Game]) -> str:
    """Returns the options of a game as a table."""
    spec = game_cls.spec
    rows = option_rows(spec) or ["| none | | | |"]
    head = f"[{spec.title}]({spec.name}/index.md), `--game {spec.name}`:"
    return "\n".join([head, "", "| KEY | VALUE | default | |", "|---|---|---|---|", *rows])
