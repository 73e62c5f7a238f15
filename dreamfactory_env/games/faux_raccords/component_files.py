"""Component files: read, and checked with every mistake named at once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dreamfactory_env.games.faux_raccords.component_checker import ComponentChecker
from dreamfactory_env.games.faux_raccords.components import Components
from dreamfactory_env.utils.configs import ConfigKind, find_config
from dreamfactory_env.utils.errors import ComponentsError
from dreamfactory_env.utils.yaml_lines import Document, read_yaml

#: The file of the components that come with the package.
STANDARD = Path(__file__).with_name("components.yaml")


@cache
def standard_components() -> Components:
    """Returns the components that come with the package."""
    return check_components(read_yaml(STANDARD.read_text("utf-8")), STANDARD.name)


def load_components(path: str | Path) -> Components:
    """Reads a component file.

    Raises:
        ComponentsError: The file cannot be read, or has mistakes; all of them are named.
        OptionError: There is no such file.
    """
    path = find_config(path, ConfigKind.COMPONENTS)
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise ComponentsError(str(path), [f"cannot be read: {error}"]) from error
    return check_components(read_yaml(text), str(path))


def check_components(document: Document, name: str) -> Components:
    """Returns the components that a document describes.

    Args:
        document: What was read, from a file or from a record.
        name: How to call it in an error.

    Raises:
        ComponentsError: It has mistakes; all of them are named.
    """
    if document.data is not None or not document.problems:
        components = ComponentChecker(document).components()
        if not document.problems:
            return components
    raise ComponentsError(name, document.problems)
