"""The help of the commands: examples below it, and nothing behind options that take no value."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

from dreamfactory_env.games import DEFAULT_GAME

#: Examples of each command: ``--help`` shows them, and so does docs/commands.md.
EXAMPLES = {
    "games": ["", DEFAULT_GAME],
    "policies": ["", f"--game {DEFAULT_GAME}"],
    "configs": ["", "--copy quick mine.yaml"],
    "components": ["--print > mine.yaml", "--check mine.yaml"],
    "simulate": [
        "--players 4 --games 1000 --policies random --out games.jsonl",
        "--players 2 --policies greedy,expert --games 500 --json",
        "--players 2 -o components=tiny",
    ],
    "replay": ["games.jsonl"],
    "show": ["games.jsonl --number 3"],
    "view": [
        "games.jsonl",
        "games.jsonl --game 3 --export game.html",
        "runs/ladder-1",
    ],
    "play": [
        "--players 4 --with expert,pretrained,mcts:0.5s --seat 2 --hints",
        "--players 3 --with person,expert --take-back",
        f"--resume {DEFAULT_GAME}-1.jsonl",
        "--terminal --players 2 --with greedy",
    ],
    "review": ["games.jsonl --by mcts:1s --game 3", "games.jsonl --by pretrained --out page.html"],
    "evaluate": [
        "builder --against greedy --players 4 --games 20000 --until ±1%",
        "agent.safetensors --against pretrained,expert,expert --players 4 --games 2000",
        "mcts:200 --players 2 --games 100 --quiet --json",
    ],
    "tournament": ["ladder", "mine.yaml --out runs/mine --processes 2"],
    "benchmark": [
        "--only greedy,expert --players 2,3 --games 500",
        "--out mine.json --from benchmark.json --add agent.safetensors",
    ],
    "train": [
        "quick",
        "mine.yaml --set total_timesteps=500000 --set ppo.learning_rate=1e-3",
        "--resume runs/quick-1",
    ],
    "export": ["runs/quick-1 --out agent.safetensors"],
    "tune": ["quick --space tuning --trials 40 --minutes 5"],
    "describe": ["pretrained", "agent.safetensors"],
    "compile": ["", f"--game {DEFAULT_GAME}"],
}


def examples_of(command: str | None) -> list[str]:
    """Returns the examples of a command, as they are typed."""
    return [f"dreamfactory {command} {words}".strip() for words in EXAMPLES.get(str(command), [])]


class _PlainFlags:
    """Shows nothing behind options that take no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Returns all parameters, that of ``--help`` among them."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False) and param.metavar is None:
                param.metavar = ""
        return params


class HelpfulCommand(_PlainFlags, TyperCommand):
    """A command with examples at the end of its help."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the help."""
        super().format_help(ctx, formatter)
        if examples := examples_of(self.name):
            # Neither wrapped nor joined: they are there to be copied.
            formatter.write("\n".join([" Examples:", *(f"   {line}" for line in examples), ""]))


class HelpfulGroup(_PlainFlags, TyperGroup):
    """All commands together."""
