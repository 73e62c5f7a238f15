"""The benchmark of a shared game: its variants, its ceiling, what it counts, and pools of seeds."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dreamfactory_env import FauxRaccords
from dreamfactory_env.arena.benchmark import CEILING, MATRIX, Benchmark, Cell, page, picture
from dreamfactory_env.arena.benchmark.data import as_text
from dreamfactory_env.arena.benchmark.sections import sections_of
from dreamfactory_env.cli.main import app
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.utils.errors import ConfigError, OptionError
from tests.arena.test_benchmark import read
from tests.toy_game import SignalGame

TUTORIAL = (("mode", "tutorial"), ("memory", "perfect"))
COMMAND = [
    *("benchmark", "--game", "faux_raccords", "-o", "memory=perfect", "-o", "mode=tutorial"),
    *("--players", "2", "--processes", "1", "--games"),
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the file of a small benchmark with a ceiling, that the command has played."""
    file = tmp_path_factory.mktemp("benchmark") / "small.json"
    benchmark = Benchmark(file, "faux_raccords", options=dict(TUTORIAL))
    benchmark.data["policies"] = ["random", "careful"]
    for cell in [*benchmark.ceilings([2], 12), *benchmark.matrix([2], 12, 1)]:
        assert benchmark.play(cell) is not None
    benchmark.close()
    return file


def test_every_variant_is_played_unless_one_is_asked_for(tmp_path: Path) -> None:
    every = Benchmark(tmp_path / "new.json", "faux_raccords")
    modes = FauxRaccords.spec.option("mode").values
    assert [dict(variant) for variant in every.field.variants] == [
        {"mode": mode, "memory": memory} for mode in modes for memory in ("none", "perfect")
    ]
    every.data["policies"] = ["random", "careful"]
    assert len(every.matrix([2, 4], 10, 1)) == 2 * 6 * 2 * 3
    assert len(every.ceilings([2, 4], 10)) == 2 * 6 * 2
    one = Benchmark(tmp_path / "new.json", "faux_raccords", options={"mode": "arcs"})
    assert {dict(variant)["mode"] for variant in one.field.variants} == {"arcs"}
    assert "config" not in one.data  # it may hold other variants
    assert Benchmark(tmp_path / "two.json").ceilings([2], 10) == []


def test_variants_are_chosen_by_what_their_options_come_to(tmp_path: Path) -> None:
    def variants(**options: Any) -> list[dict[str, Any]]:
        benchmark = Benchmark(tmp_path / "new.json", "fabrique_a_reves", options=options)
        assert "config" not in benchmark.data
        return [dict(variant) for variant in benchmark.field.variants]

    assert len(variants()) == 16
    assert variants(noise=12) == [{"mode": "base", "noise": 12}]
    assert variants(mode="sunday") == [{"mode": "sunday"}]
    unseen = [{"mode": "base", "level": level} for level in (0, 2, 3)]
    assert [found for found in variants(mode="base") if "level" in found] == unseen
    assert {"mode": "base"} in variants(level=1)  # which it has by default
    assert not any("level" in found for found in variants(level=1))
    with pytest.raises(OptionError, match=r"no variant of La Fabrique à rêves .* has noise=13"):
        variants(noise=13)
    same = Benchmark(tmp_path / "same.json", "fabrique_a_reves", options={"minds": "same"})
    assert len(same.field.variants) == 16  # an option of none of them is one of all
    assert same.data["config"]["minds"] == "same"


def test_a_cell_of_no_variant_is_refused(played: Path, tmp_path: Path) -> None:
    data = read(played)
    data["cells"][0]["options"] = {"mode": "tutorial"}
    path = tmp_path / "other.json"
    path.write_text(as_text(data), "utf-8")
    with pytest.raises(ConfigError, match=r"options.* must be values of mode, memory that are mea"):
        Benchmark(path, "faux_raccords")


def test_a_file_holds_several_variants_each_with_its_own_cells(played: Path) -> None:
    data = read(played)
    assert {tuple(cell["options"].items()) for cell in data["cells"]} == {TUTORIAL}
    benchmark = Benchmark(played, "faux_raccords", options={"mode": "tutorial"})
    cell = Cell(MATRIX, 2, "random", "random", 12, TUTORIAL)
    other = Cell(MATRIX, 2, "random", "random", 12, (TUTORIAL[0], ("memory", "none")))
    assert (benchmark.is_done(cell), benchmark.is_done(other)) == (True, False)
    assert benchmark.changed() == []
    benchmark.data["cells"][-1]["fingerprints"] = ["another", "another"]
    assert benchmark.changed() == ["all_seeing"]
    cells = len(benchmark.data["cells"])
    benchmark.drop_changed()  # the others stay
    assert len(benchmark.data["cells"]) == cells - 1


def test_the_ceiling_can_be_played_alone(tmp_path: Path) -> None:
    out = tmp_path / "ceiling.json"
    result = CliRunner().invoke(app, [*COMMAND, "8", "--only", "all_seeing", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert [(cell["part"], cell["row"]) for cell in read(out)["cells"]] == [(CEILING, "all_seeing")]


def test_the_ceiling_sees_everything_and_is_far_above(played: Path) -> None:
    cells = {(cell["part"], cell["row"], cell["column"]): cell for cell in read(played)["cells"]}
    ceiling = cells[CEILING, "all_seeing", "all_seeing"]
    assert ceiling["win_rate"] >= 0.9 > cells[MATRIX, "careful", "careful"]["win_rate"]
    assert ceiling["score"] > cells[MATRIX, "careful", "careful"]["score"] > 0.5
    assert cells[MATRIX, "random", "random"]["win_rate"] == 0


def test_what_the_game_counts_is_kept_and_shown(played: Path) -> None:
    data = read(played)
    for cell in data["cells"]:
        ended, right, without = cell["rates"].values()
        assert ended[1] == cell["games"]
        assert (right[1], without[1]) == (ended[0], cell["games"] - ended[0])
        assert right[0] + without[0] == pytest.approx(cell["win_rate"] * cell["games"])
    text = page(data, played.name, FauxRaccords(seed=0))
    assert "| wins in % | games that a player ended | `end` was right | won without `end` |" in text
    random = next(cell for cell in data["cells"] if cell["row"] == "random")
    ended, right, _ = random["rates"].values()
    assert right[0] == 0 < right[1]
    assert f"| {ended[0]} of {ended[1]} | 0 of {right[1]} |" in text  # too few for an interval


def test_the_picture_has_a_square_for_every_cell(played: Path) -> None:
    data = read(played)
    drawn = ElementTree.fromstring(str(picture(data, FauxRaccords(seed=0))))
    space = "{http://www.w3.org/2000/svg}"
    squares = [node.text for node in drawn.iter(f"{space}title")]
    cells = {(c["row"], c["column"]): c for c in data["cells"] if c["part"] == MATRIX}
    assert len(squares) == 4
    score = cells["careful", "random"]["score"]
    assert sum(str(text).endswith(f": {score:.3f}, won 0.0%") for text in squares) == 2
    titles = [node.text for node in drawn.iter(f"{space}text") if node.get("class") == "title"]
    assert titles == ["mode tutorial, memory perfect, 2 players"]


def test_the_command_writes_page_and_picture(played: Path) -> None:
    finished = CliRunner().invoke(
        app, [*COMMAND, "12", "--only", "random,careful", "--out", str(played)]
    )
    assert finished.exit_code == 0, finished.output
    assert "cell" not in finished.stdout  # all was played
    assert played.with_suffix(".md").read_text("utf-8").count("![") == 1
    assert played.with_suffix(".svg").read_text("utf-8").startswith("<svg ")


# ---------------------------------------------------------------------------- pools


@pytest.fixture
def pool(toy: type[SignalGame], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Gives the toy game a pool of two makers with two seeds each."""
    names = [f"made_{maker}_{seed}" for maker in ("low", "high") for seed in (1, 2)]
    monkeypatch.setattr(toy, "pool", {name: Path(name) for name in names})
    return names


def test_seeds_of_a_pool_meet_all_but_the_search(
    toy: type[SignalGame], pool: list[str], tmp_path: Path
) -> None:
    benchmark = Benchmark(tmp_path / "toy.json", "toy")
    assert benchmark.data["policies"] == ["random", "helper", "mcts:50", *pool]
    assert benchmark.absent() == pool  # there are no such files
    for name in pool:
        benchmark.field._policies[(), name] = ScriptedPolicy(benchmark.game, "helper")
    cells = {(cell.row, cell.column) for cell in benchmark.matrix([2], 10, 10)}
    assert ("made_high_2", "made_low_1") in cells
    assert ("made_low_1", "helper") in cells
    assert ("made_low_1", "mcts:50") not in cells
    assert len(cells) == 7 * 8 // 2 - 4


def test_a_pool_has_self_play_cross_play_between_seeds_and_with_others(
    toy: type[SignalGame], pool: list[str], tmp_path: Path
) -> None:
    benchmark = Benchmark(tmp_path / "toy.json", "toy")
    scores = {
        ("made_low_1", "made_low_1"): 0.8,
        ("made_low_2", "made_low_2"): 0.6,
        ("made_low_2", "made_low_1"): 0.2,
        ("made_low_1", "helper"): 0.5,
        ("made_low_2", "helper"): 0.3,
        ("helper", "helper"): 0.9,
    }
    benchmark.data["cells"] = [_cell(*names, score) for names, score in scores.items()]
    (section,) = sections_of(benchmark.data, toy.pool)
    assert section.seeds == {"made_low": ["made_low_1", "made_low_2"]}
    assert section.single == ["helper"]
    text = page(benchmark.data, "toy.json", benchmark.game)
    shown = (
        "0.700 (0.600 to 0.800) | 70.0 (60.0 to 80.0) | 0.200 | 0.200 | 0.400 | 0.300 | `helper`"
    )
    assert f"| `made_low` | 2 | {shown} |" in text
    assert re.search(r"\| `helper` \| 0\.900 \| 90\.0 ± 10\.0 \| – \| – \| – \|", text)
    assert "| 2 players | 0.900 ± 0.100<br>90.0 ± 10.0 % | 0.700<br>70.0 % |" in text
    pools = "0.700 ± 0.100 | 0.200 ± 0.100 | 0.500 | 0.400 ± 0.100"
    assert "| | pool | self-play | between seeds | lost | with `helper` |" in text.replace(
        "|  |", "| |"
    )
    assert f"| 2 players | `made_low` | {pools} |" in text


def _cell(row: str, column: str, score: float) -> Any:
    """Returns a cell made by hand."""
    return {
        "part": MATRIX,
        "players": 2,
        "row": row,
        "column": column,
        "games": 10,
        "deals": 10,
        "score": score,
        "score_half_width": 0.1,
        "win_rate": score,
        "half_width": 0.1,
        "fouls": 0,
        "move_seconds": [None, None],
        "fingerprints": ["", ""],
        "package": "0",
    }
