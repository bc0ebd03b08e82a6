"""Logs of real MapReduce jobs: why each took its time."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._call import Path, Progress, object_of
from ._folder import Folder, InFolder

if TYPE_CHECKING:
    import altair


@dataclass(frozen=True)
class Cause:
    """A cause of a job's duration."""

    job: str
    cause: str
    """As `tenbin explain` has it: "skew", "shuffle", …"""
    share: float
    """Of the job's time, 0–1."""
    certainty: str
    holder: str
    """Nodes, tasks or settings."""
    do: str | None
    """What to try; None: nothing is known to help."""
    key: str | None
    """The setting that `do` changes."""


class Jobs(InFolder):
    """Jobs that were read from logs."""

    def __repr__(self) -> str:
        return f"Jobs({', '.join(job['id'] for job in self.json['jobs'])})"

    @property
    def causes(self) -> list[Cause]:
        """Of all jobs, each job's largest first."""
        return [
            Cause(
                job["id"],
                one["cause"],
                one["share"],
                one["certainty"],
                one["holder"],
                one.get("do", {}).get("what"),
                one.get("do", {}).get("key"),
            )
            for job in self.json["jobs"]
            for one in job["verdicts"]
        ]

    def gantt(self) -> altair.Chart:
        """Attempts by node and time. Needs `tenbin[plot]`."""
        from .plots import gantt

        return gantt(self)


def import_mapreduce(
    logs: Path | Iterable[Path], *, out: Path | None = None, progress: Progress = None
) -> Jobs:
    """Reads job histories, as `tenbin import mapreduce`.

    Args:
        logs: Files, folders, or a pattern such as "job_*.jhist".
        out: Folder of the run; None: one that is deleted with the result.

    Raises:
        BadInput, RunFailed, Interrupted
    """
    given = [logs] if isinstance(logs, str) or hasattr(logs, "__fspath__") else list(logs)
    files = [file for one in given for file in sorted(glob.glob(str(one))) or [str(one)]]
    folder = Folder(out)
    object_of(["import", "mapreduce", *files, "--out", folder.path], progress)
    return Jobs(object_of(["why", folder.path]), folder)
