"""Campaigns for batch systems: a command's runs as files, one an array task."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path as FilePath

from . import _native
from ._call import Path, command
from .campaign import perform
from .errors import BadInput, RunFailed

_JOB = """\
#!/bin/sh
# Without Slurm: SLURM_ARRAY_TASK_ID=N sh job.sh, for each N from 0 to {last}.
#SBATCH --job-name=tenbin
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task=1
exec tenbin campaign work "{folder}" "$SLURM_ARRAY_TASK_ID"
"""


class Waiting(Exception):
    """The command needs results that are not there yet."""


def split(folder: Path, words: Sequence[str], parts: int = 100) -> str:
    """Writes the runs of a command as at most `parts` files, and a job script.

    Raises:
        BadInput: the folder has another campaign.
    """
    place = FilePath(folder).absolute()
    about = {"command": list(words), "parts": parts, "tenbin": _native.__version__}
    file = place / "campaign.json"
    if file.exists() and json.loads(file.read_text()) != about:
        raise BadInput(f"{place}: another campaign: expected a new folder")
    if place.exists() and any(place.iterdir()) and not file.exists():
        raise BadInput(f"{place}: the folder has other files: expected a new folder")
    is_new = not file.exists()
    for name in ("tasks", "results"):
        (place / name).mkdir(parents=True, exist_ok=True)
    _write(file, json.dumps(about))
    try:
        return join(place)[1]
    except BadInput:
        if is_new:
            shutil.rmtree(place)
        raise


def join(folder: Path) -> tuple[bool, str]:
    """Performs the campaign's command with the results that are there.

    Returns whether it is finished, and what it prints; or, if results are missing, how many runs
    wait, as files for the next array.

    Raises:
        BadInput, RunFailed, Interrupted
    """
    place = FilePath(folder).absolute()
    try:
        about = json.loads((place / "campaign.json").read_text())
    except OSError as e:
        raise BadInput(f"{place}: no campaign: expected a folder of `tenbin campaign split`") from e
    if about["tenbin"] != _native.__version__:
        raise BadInput(
            f"{place}: a campaign of tenbin {about['tenbin']}, and this is {_native.__version__}: "
            "expected one version"
        )

    def stored(tasks: list[str]) -> list[str | None]:
        results = [place / "results" / f"{_key(task)}.json" for task in tasks]
        missing = [task for task, file in zip(tasks, results, strict=True) if not file.exists()]
        if missing:
            raise Waiting(_tasks(place, missing, about["parts"]))
        return [_result(file) for file in results]

    try:
        return True, command(about["command"], on=stored)
    except Waiting as waiting:
        return False, str(waiting)


def work(folder: Path, number: int) -> None:
    """Performs the runs of one file; those that have a result are left out.

    Raises:
        BadInput: there is no such file, or it was written by another version.
    """
    place = FilePath(folder)
    file = place / "tasks" / f"{number}.json"
    try:
        part = json.loads(file.read_text())
    except OSError as e:
        raise BadInput(f"{file}: expected a file of `tenbin campaign split`") from e
    left = [
        task for task in part["tasks"] if not (place / "results" / f"{_key(task)}.json").exists()
    ]
    for task in left:
        (result,), _ = perform(part["tenbin"], [], [task])
        _write(place / "results" / f"{_key(task)}.json", result)


def _tasks(place: FilePath, missing: list[str], parts: int) -> str:
    """Replaces the files of tasks."""
    for old in (place / "tasks").glob("*.json"):
        old.unlink()
    each = -(-len(missing) // parts)
    files = [missing[first : first + each] for first in range(0, len(missing), each)]
    for number, tasks in enumerate(files):
        text = json.dumps({"tenbin": _native.__version__, "tasks": tasks})
        _write(place / "tasks" / f"{number}.json", text)
    _write(place / "job.sh", _JOB.format(folder=place, last=len(files) - 1))
    return (
        f"{len(missing)} runs wait in {len(files)} files. Submit them, then join:\n"
        f"sbatch {place}/job.sh\ntenbin campaign join {place}"
    )


def _result(file: FilePath) -> str:
    text = file.read_text()
    try:
        json.loads(text)
    except ValueError as e:
        raise BadInput(f"{file}: damaged: remove it, then `tenbin campaign join` again") from e
    return text


def _key(task: str) -> str:
    return hashlib.sha256(task.encode()).hexdigest()[:32]


def _write(file: FilePath, text: str) -> None:
    """A file that is there is whole."""
    draft = file.with_name(f".{file.name}.draft")
    try:
        draft.write_text(text)
        draft.replace(file)
    except OSError as e:
        raise RunFailed(f"cannot write {file}: {e.strerror}") from e
