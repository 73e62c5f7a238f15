"""The README as the description of the package: its links lead into the project's repository."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?!https?:|#)(?P<target>[^)]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Makes the links of the README absolute: a package index has nothing that they lead to."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Adds the README to the metadata of the package."""
        root = Path(self.root)
        repository = metadata["urls"]["Repository"]

        def absolute(link: re.Match[str]) -> str:
            target = link["target"]
            page = "tree" if (root / target).is_dir() else "blob"
            where = "raw" if link["image"] else page
            return f"{link['image']}[{link['text']}]({repository}/{where}/main/{target})"

        text = LINK.sub(absolute, (root / "README.md").read_text("utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
