"""The folder of a result."""

import tempfile
from pathlib import Path
from typing import Any

from . import _call
from ._native import Table


class Folder:
    """Given by the user, or temporary and deleted with this object."""

    def __init__(self, given: _call.Path | None) -> None:
        self.is_temporary = not given
        self._temporary = None if given else tempfile.TemporaryDirectory(prefix="tenbin-")
        self.path = Path(given) if given else Path(self._temporary.name) / "result"  # type: ignore[union-attr]


class InFolder:
    """A result with a page, and perhaps with a trace."""

    def __init__(self, json: dict[str, Any], folder: Folder) -> None:
        self.json = json
        """The object that the command prints with `--json`."""
        self._folder = folder

    @property
    def folder(self) -> Path:
        """The folder of the result."""
        return self._folder.path

    @property
    def page(self) -> Path:
        """The page, one HTML file."""
        return self.folder / "report.html"

    @property
    def tables(self) -> list[str]:
        """Names for `trace`; docs/trace.md has their columns."""
        return sorted(file.stem for file in (self.folder / "trace").glob("*.parquet"))

    def trace(self, name: str = "intervals") -> Table:
        """A table of the trace: `polars.DataFrame(run.trace("intervals"))`. Times are in ns.

        Raises:
            KeyError: the trace has no such table.
        """
        if name not in self.tables:
            raise KeyError(f"{name}: expected one of {', '.join(self.tables)}")
        return Table(self.folder / "trace" / f"{name}.parquet")

    def _repr_html_(self) -> str:
        text = self.page.read_text(encoding="utf-8")
        text = text.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{text}" width="100%" height="720" frameborder="0"></iframe>'
