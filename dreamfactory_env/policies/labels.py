"""Short names of policies, for tables and plots: those of files and classes are often long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath

from dreamfactory_env.policies.network import SUFFIX

#: A label of more letters is cut in its middle.
LONGEST = 20


def labels_of(names: Iterable[str]) -> dict[str, str]:
    """Returns a short label for each of some names that stand together; no two are the same.

    That of a file is its stem, that of a class its own name: ``demo/agent.safetensors`` is
    ``agent``, ``package.module:Class`` is ``Class``. Where several would be the same, they keep as
    much of their folders or modules as tells them apart. All other names are labels as they are.

    Args:
        names: The names of policies, as whoever plays was called.
    """
    forms = {name: _forms(name) for name in names}
    labels = {name: options.pop(0) for name, options in forms.items()}
    while same := _same(labels):
        for name in same:
            if forms[name]:
                labels[name] = forms[name].pop(0)
    for end in range(LONGEST // 2 + 1, LONGEST - 2):
        cut = {name: _cut(label, end) for name, label in labels.items()}
        if not _same(cut):
            return cut
    for number, name in enumerate(_same(cut), 1):  # they differ only where they were cut
        cut[name] = f"{number} {cut[name][: LONGEST - 4]}"
    return cut


def _forms(name: str) -> list[str]:
    """Returns what a name could be called, from the shortest to the name itself."""
    module, colon, attribute = name.partition(":")
    if name.endswith(SUFFIX):
        path = PurePath(name)
        parts = [*path.parent.parts, path.name.removesuffix(SUFFIX)]
        joined = ["/".join(parts[-count:]) for count in range(1, len(parts) + 1)]
        forms = [text for text in joined if text and not text.startswith("//")]
    elif colon and attribute.isidentifier():  # unlike the budget of a search
        parts = module.split(".")
        joined = [".".join(parts[-count:]) for count in range(1, len(parts) + 1)]
        forms = [attribute, *(f"{text}:{attribute}" for text in joined)]
    else:
        forms = []
    return [form for form in forms if form != name] + [name]


def _same(labels: dict[str, str]) -> list[str]:
    """Returns the names whose labels others have, too."""
    counts = Counter(labels.values())
    return [name for name, label in labels.items() if counts[label] > 1]


def _cut(label: str, end: int) -> str:
    """Returns a label with so many letters of its end, and none of its middle if it is too long."""
    if len(label) <= LONGEST:
        return label
    return f"{label[: LONGEST - 1 - end]}…{label[-end:]}"
