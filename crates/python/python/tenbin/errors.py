"""Errors, as the command line has them by exit code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

# "FILE:LINE: KEY: PROBLEM", where line and key can be missing.
_PLACE = re.compile(
    r"(?P<file>[^\n]+?)(?::(?P<line>\d+))?: (?:(?P<key>[\w.\[\]-]+\.[\w.\[\]-]+): )?(?P<text>.+)"
)


@dataclass(frozen=True)
class Problem:
    """One problem of an input."""

    file: str
    """As given, or "command line" for a key set by Python."""
    line: int | None
    """From 1."""
    key: str | None
    text: str
    """What is wrong, and what was expected."""


class TenbinError(Exception):
    """A command ended without a result."""


class BadInput(TenbinError, ValueError):
    """Input that cannot be used; nothing was written. Exit code 2 of the command line.

    `file`, `line` and `key` are those of the first problem with a line, else of the first.
    """

    problems: tuple[Problem, ...]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        found = (_PLACE.fullmatch(line) for line in message.splitlines())
        self.problems = tuple(
            Problem(one["file"], int(one["line"]) if one["line"] else None, one["key"], one["text"])
            for one in found
            if one and (one["line"] or one["key"] or _is_place(one["file"]))
        )
        first = next((one for one in self.problems if one.line), (self.problems or (None,))[0])
        self.file = first.file if first else None
        self.line = first.line if first else None
        self.key = first.key if first else None


def _is_place(name: str) -> bool:
    return name == "command line" or Path(name).exists()


class RunFailed(TenbinError, RuntimeError):
    """The run itself failed, as with a full disk. Exit code 1 of the command line."""


class PolicyError(RunFailed):
    """A policy in Python returned what it must not, or two different results."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; the message states what was kept. Exit code 130 of the command line."""


class TenbinWarning(UserWarning):
    """A note of a run that succeeded."""
