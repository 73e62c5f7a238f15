"""Rules for every file: what may import what, how long things are, and who may name a game.

Each test lists all places that break its rule and compares them with the exceptions below. An
exception that is no longer needed fails, too: remove it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from dreamfactory_env.games import GAMES
from tests.paths import ROOT

PACKAGE = "dreamfactory_env"
#: The packages in the order in which they may import: each those before it.
ORDER = (
    *("utils", "engine", "games", "policies", "records", "envs", "adapters", "testing"),
    *("cluster", "arena", "learning", "viewer", "cli"),
)
#: The public modules that stand above all packages: the environments of each game.
PUBLIC = re.compile(r"\w+_v\d+")
#: What is not part of the package, and may not be imported by it.
OUTSIDE = ("training", "benchmarks", "tests")

MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 60
MOST_PARAMETERS = 8

# ---------------------------------------------------------------------------- exceptions

UPWARD: dict[str, str] = {}
CYCLES = {
    "dreamfactory_env.games.dream_factory.game, dreamfactory_env.games.dream_factory.narration, "
    "dreamfactory_env.games.dream_factory.view": "back to the game for its type alone",
}
LONG_FILES = {
    "tests/games/dream_factory/referee.py": "the rules page from its top to its end, in one piece",
}
LONG_FUNCTIONS: dict[str, str] = {}
MANY_PARAMETERS: dict[str, str] = {}
STUBS: dict[str, str] = {}
NAMES_A_GAME = {
    "dreamfactory_env/__init__.py": "the public API",
    "dreamfactory_env/games/__init__.py": "the registry, and the default of --game",
}


def assert_only(found: Collection[str], exceptions: dict[str, str]) -> None:
    """Asserts that what breaks a rule is what may break it, neither more nor less."""
    new, gone = sorted({*found} - {*exceptions}), sorted({*exceptions} - {*found})
    assert not new, f"mend these, or give a reason in {Path(__file__).name}: {new}"
    assert not gone, f"these exceptions are no longer needed, remove them: {gone}"


# ---------------------------------------------------------------------------- the sources


def files(*folders: str, pattern: str = "*.py") -> dict[str, Path]:
    """Returns the files of some folders, by their paths below the root."""
    found = [path for folder in folders for path in (ROOT / folder).rglob(pattern)]
    return {path.relative_to(ROOT).as_posix(): path for path in sorted(found)}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def modules() -> dict[str, Path]:
    """Returns every module of the package, by its name in imports."""
    return {
        name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path
        for name, path in files(PACKAGE).items()
    }


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions_in(node: ast.AST, owner: str = "") -> Iterator[tuple[str, Function]]:
    """Yields all functions with their names, methods and inner functions among them."""
    for child in ast.iter_child_nodes(node):
        name = owner
        if isinstance(child, Function | ast.ClassDef):
            name = f"{owner}{child.name}"
            if not isinstance(child, ast.ClassDef):
                yield name, child
            name += "."
        yield from functions_in(child, name)


def all_functions(breaks: Callable[[Function], bool]) -> list[str]:
    """Returns the functions of the project that break a rule."""
    return [
        f"{file}: {name}"
        for file, path in files(PACKAGE, *OUTSIDE).items()
        for name, function in functions_in(tree_of(path))
        if breaks(function)
    ]


# ---------------------------------------------------------------------------- imports


def imports_in(tree: ast.Module, package: str, known: Collection[str]) -> Iterator[str]:
    """Yields the modules that are imported anywhere: at the top, in functions, for types, by name.

    Args:
        tree: The source of the module that imports.
        package: The package that it is in, or that it is.
        known: The modules that count.
    """
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            source = ".".join([*above, *filter(None, [node.module])])
            names = [f"{source}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
            names = [str(a.value) for a in node.args if isinstance(a, ast.Constant)]
        for name in names:
            source = name if name in known else name.rpartition(".")[0]
            if source in known:
                yield source
            elif name.partition(".")[0] in OUTSIDE:
                yield name.partition(".")[0]


@cache
def graph() -> dict[str, set[str]]:
    """Returns which modules each module of the package imports."""
    edges = {}
    for module, path in modules().items():
        package = module if path.stem == "__init__" else module.rpartition(".")[0]
        edges[module] = set(imports_in(tree_of(path), package, modules())) - {module}
    return edges


def height_of(module: str) -> int:
    """Returns where a module stands in the order."""
    top, _, rest = module.partition(".")
    if top in OUTSIDE:
        return len(ORDER) + 1
    folder = rest.partition(".")[0]
    return len(ORDER) if not rest or PUBLIC.fullmatch(folder) else ORDER.index(folder)


def reachable(start: str, edges: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = edges.get(waiting.pop(), set()) - found
        found |= new
        waiting.extend(new)
    return found


def cycles(edges: dict[str, set[str]]) -> set[str]:
    """Returns the groups of modules that can be reached from one another."""
    reached = {module: reachable(module, edges) for module in edges}
    return {
        ", ".join(sorted(other for other in reached[module] if module in reached.get(other, ())))
        for module in edges
        if module in reached[module]
    }


def test_every_folder_of_the_package_has_a_place_in_the_order() -> None:
    folders = {path.name for path in (ROOT / PACKAGE).iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} <= set(ORDER)


def test_nothing_imports_upward() -> None:
    steps = [
        f"{module} -> {other}"
        for module, others in graph().items()
        for other in others
        if height_of(other) > height_of(module)
    ]
    assert_only(steps, UPWARD)


def test_no_modules_import_each_other() -> None:
    assert_only(cycles(graph()), CYCLES)


def steps_between_games(edges: dict[str, set[str]], games: Collection[str]) -> list[str]:
    def game_of(module: str) -> str | None:
        found = re.match(rf"{PACKAGE}\.games\.(\w+)", module)
        return found[1] if found and found[1] in games else None

    return [
        f"{module} -> {other}"
        for module, others in edges.items()
        for other in others
        if game_of(module) and game_of(other) not in (None, game_of(module))
    ]


def test_no_game_imports_another() -> None:
    assert steps_between_games(graph(), GAMES) == []


@pytest.mark.parametrize(
    "source",
    [
        "import a.b",
        "from a.b import c",
        "from a import b",
        "from . import b",
        "from .b import c",
        "from ..a.b import c",
        "def f():\n    from a.b import c",
        "if TYPE_CHECKING:\n    import a.b",
        "importlib.import_module('a.b')",
    ],
)
def test_every_kind_of_import_is_found(source: str) -> None:
    assert list(imports_in(ast.parse(source), "a", {"a", "a.b"})) == ["a.b"]


def test_steps_upward_and_cycles_are_found() -> None:
    assert height_of(f"{PACKAGE}.utils.files") < height_of(f"{PACKAGE}.cli") < height_of(PACKAGE)
    assert height_of(f"{PACKAGE}.any_game_v2") == height_of(PACKAGE) < height_of("tests")
    edges = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"d"}, "e": set()}
    assert cycles(edges) == {"b, c", "d"}
    one, other, shared = (f"{PACKAGE}.games.{name}" for name in ("one.game", "other.game", "game"))
    edges = {one: {shared, other, f"{PACKAGE}.games.one"}, shared: {one}, other: {shared}}
    assert steps_between_games(edges, {"one", "other"}) == [f"{one} -> {other}"]


# ---------------------------------------------------------------------------- sizes


def lines_of(function: Function) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def parameters_of(function: Function) -> int:
    """Returns how many parameters a function has, ``self`` not counted."""
    a = function.args
    named = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]
    return sum(argument.arg not in ("self", "cls") for argument in named)


def test_no_file_is_too_long() -> None:
    found = files(PACKAGE, *OUTSIDE).items()
    lengths = {file: len(path.read_text("utf-8").splitlines()) for file, path in found}
    assert_only([file for file in lengths if lengths[file] > MOST_LINES], LONG_FILES)


def test_no_function_is_too_long() -> None:
    assert_only(all_functions(lambda f: lines_of(f) > MOST_LINES_OF_A_FUNCTION), LONG_FUNCTIONS)


def test_no_function_has_too_many_parameters() -> None:
    assert_only(all_functions(lambda f: parameters_of(f) > MOST_PARAMETERS), MANY_PARAMETERS)


def test_functions_are_found_and_measured_wherever_they_are() -> None:
    source = "class A:\n  def f(self, a, /, b, *c, d, **e):\n    async def g():\n      pass"
    found = dict(functions_in(ast.parse(source)))
    assert list(found) == ["A.f", "A.f.g"]
    assert [parameters_of(function) for function in found.values()] == [5, 0]
    assert [lines_of(function) for function in found.values()] == [3, 2]


# ---------------------------------------------------------------------------- names


def stubs_in(tree: ast.Module) -> list[str]:
    """Returns the names that are None at module level until something is put there."""
    return [
        ast.unparse(node.target)
        for node in tree.body
        if isinstance(node, ast.AnnAssign)
        and ast.unparse(node) == f"{ast.unparse(node.target)}: Any = None"
    ]


def test_no_module_has_stubs_of_functions() -> None:
    found = files(PACKAGE, *OUTSIDE).items()
    stubs = {file: stubs_in(tree_of(path)) for file, path in found}
    assert_only(
        [f"{file}: {', '.join(sorted(stubs[file]))}" for file in stubs if stubs[file]], STUBS
    )


def test_stubs_are_found() -> None:
    source = "a: Any = None\nb: int | None = None\nc: Any = 1\ndef f():\n  d: Any = None"
    assert stubs_in(ast.parse(source)) == ["a"]


def test_nothing_above_a_games_folder_names_a_game() -> None:
    found = set()
    for game in GAMES.values():
        spec = game.spec
        names = (spec.name, spec.title, game.__name__)
        own = (f"{PACKAGE}/games/{spec.name}/", f"{PACKAGE}/{spec.name}_v")
        for file, path in files(PACKAGE, pattern="*.*").items():
            if path.suffix != ".pyc" and not file.startswith(own):
                text = path.read_text("utf-8", errors="ignore")
                found |= {file for name in names if name in text}
    assert_only(found, NAMES_A_GAME)
