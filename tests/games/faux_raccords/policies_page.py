"""The page of the scripted policies of Faux Raccords, its tables made from the benchmark."""

from __future__ import annotations

import json
from typing import Any

from dreamfactory_env import FauxRaccords
from dreamfactory_env.games.faux_raccords.options import MODES
from tests.paths import DOCS

PAGE = """# Scripted policies of Faux Raccords

Three policies play without having learned anything, and a fourth one sees what nobody may. They are
compiled ([scripted/](../../dreamfactory_env/games/faux_raccords/scripted)), are named like this
wherever a policy is asked for, and different ones can sit at one table:

```console
$ dreamfactory simulate --game faux_raccords -o memory=perfect --policies convention --games 1000
```

A policy uses only what its player may know: with `memory=none` what the seat sees now, with
`memory=perfect` also what it has seen and could follow. A test redraws everything hidden in
thousands of positions and finds the same answers.

## The ladder

**`random`** plays any legal move, all equally likely. It never wins.

**`careful`** goes by its own knowledge. It imagines a dozen Films as they may lie: what it knows is
the same in all of them, all else is drawn from the cards that it misses. Every choice is worth what
the Film is worth after it, on average: the parts of the graded score, less what has to leave again.
So it finds where a card of its hand fits best, which card an editor moves, a star replaces or a
producer takes out. Against that stand the cards of which it knows nothing: looking at one is worth
the more, the more different it is in the Films that are imagined, and costs the card of the hand
that is missed least. A card that it knows to be wrong gets its hint. It ends the game when the Film
wins in all that it imagines; else the game ends by itself when a hand is empty.

**`convention`** does the same, and reads and gives signals. Nobody may speak and the game keeps no
history, so a signal is something that lies there:

- *A Clap vouches.* Who has a Clap on a card has placed or seen it, and lets it lie: it fits. So
  does a hint `good`; a hint `bad` takes it back.
- *Everybody has a range.* In lines the values are divided among the seats: of two players the first
  places the low half from the left end, the second the high half from the right end. Who places a
  range knows all of it, and nobody has to know what the others have done.
- *Every place has its card.* In `series` and `arcs` a card goes where its value stands between the
  first and the last corner, as many cards as the place has before it. In `studio` an unseen card
  under a partner's Clap is one that fits the symbols which the player knows on its level and the
  others.

**`all_seeing`** sees every card, the draw pile's too. It tries every way to play its turn and takes
the one after which a winning Film is nearest: all Films that win are weighed by what is missing of
them (cards that have to come, move or leave), and the sum decides. It looks no turn ahead, is no
player, and sits at no table but its own: it shows what greedy play could reach if nothing were
hidden.

## How strong they are

Self-play with perfect memory, [the benchmark](benchmark.md)'s: the graded score, and in brackets
how many games are won, in percent; ± is half of the 95 % interval by deal. `--games` says how many
games a cell has, 1,000 if it is not given; the page of the benchmark says how many these have.

```console
$ dreamfactory benchmark --game faux_raccords -o memory=perfect
```

{table}

How often `end` was right, of the games that a player has ended so, stands on the page of the
benchmark.

Each step of the ladder is beyond the interval of either cell in every mode with two players. With
three and four the two intervals meet in `studio` with three and in `shorts` with four; on the same
deals `convention` is ahead there by 1.0 ± 0.6 and 1.4 ± 0.5 points (1,000 other deals each). The
ceiling is low in `series` and `arcs`: one who sees everything and still goes by the next move alone
fills places there that other cards will need.

What takes long was left out: the search has played `tutorial` with perfect memory and itself only,
and the pool of [trained agents](training.md) two players only. The command of the benchmark's page
plays the rest.

## Constants

What a policy cannot know by rule, such as what an editor in hand is worth, are constants in
[weights.yaml](../../dreamfactory_env/games/faux_raccords/scripted/weights.yaml), a number for each
mode. They were found by playing:

```console
$ python training/tune_partners.py convention --modes tutorial
```

draws candidates around a mean, lets a table of each play the same deals with two to four players,
and moves the mean towards the better ones. It is written to the file if it plays better on deals of
its own.
"""


def policies_page() -> str:
    """Returns the page."""
    data = json.loads((DOCS / "faux_raccords/benchmark.json").read_text("utf-8"))
    cells = {
        (*cell["options"].values(), cell["players"], cell["row"]): cell
        for cell in data["cells"]
        if cell["row"] == cell["column"]
    }
    assert FauxRaccords.all_seeing is not None
    names = [*FauxRaccords.spec.ladder, FauxRaccords.all_seeing.name]
    names = [name for name in names if any(key[-1] == name for key in cells)]
    heads = " | ".join(f"`{name}`" for name in names)
    lines = [f"| mode, players | {heads} |", "|---|" + "---:|" * len(names)]
    for mode in MODES:
        for players in FauxRaccords.spec.player_counts:
            found = [cells.get((mode, "perfect", players, name)) for name in names]
            if any(found):
                lines.append(f"| `{mode}`, {players} | {' | '.join(map(_shown, found))} |")
    return PAGE.format(table="\n".join(lines))


def _shown(cell: Any) -> str:
    """Returns score and wins of a cell."""
    if cell is None:
        return "–"
    score, wide = 100 * cell["score"], 100 * cell["score_half_width"]
    return (
        f"{score:.1f} ± {wide:.1f} ({100 * cell['win_rate']:.1f} ± {100 * cell['half_width']:.1f})"
    )
