"""Commands in this process: their JSON, their notes as warnings, their failures as exceptions."""

import json
import logging
import shlex
import warnings
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal

from . import _native
from .errors import BadInput, Interrupted, RunFailed, TenbinWarning

Path = str | PathLike[str]
Report = Callable[[str, int, int | None, str], object]
On = str | Callable[[list[str]], list[str | None]] | None
Progress = Report | Literal[True] | None
"""Called as progress(what, done, total or None, text) up to 20 times a second; True: tqdm's bar."""

LOG = logging.getLogger("tenbin")


class Bar:
    """A bar of tqdm that follows a command."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm

        self._bar = tqdm(total=None)

    def __call__(self, what: str, done: int, total: int | None, text: str) -> None:
        self._bar.total = total
        self._bar.set_description(what, refresh=False)
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def watched(
    work: Callable[[Report | None], tuple[int, bytes, list[str]]], progress: Progress
) -> str:
    """What `work` printed. Raises the exception of its exit code."""
    bar = Bar() if progress is True else None
    try:
        code, text, notes = work(bar if bar else progress if callable(progress) else None)
    finally:
        if bar:
            bar.close()
    why = notes.pop() if code else ""
    for note in notes:
        if note.startswith("! "):
            warnings.warn(note.removeprefix("! "), TenbinWarning, stacklevel=4)
        else:
            LOG.info(note)
    match code:
        case 0:
            return text.decode()
        case 2:
            raise BadInput(why)
        case 130:
            raise Interrupted(why)
    raise RunFailed(why)


def command(words: str | Sequence[Path], progress: Progress = None, on: On = None) -> str:
    """What a command prints: `command("list policies")`, or a list of words.

    Args:
        on: "ray" or "ray://HOST:PORT": its runs are performed there.

    Raises:
        BadInput, RunFailed, Interrupted
    """
    from .campaign import elsewhere

    given = shlex.split(words) if isinstance(words, str) else words
    line = ["tenbin", *(str(word) for word in given)]
    return watched(lambda report: _native.execute(line, report, elsewhere(on, report)), progress)


def object_of(words: Sequence[Path], progress: Progress = None, on: On = None) -> dict[str, Any]:
    """The JSON object of a command."""
    found: dict[str, Any] = json.loads(command([*words, "--json"], progress, on))
    return found
