"""Policies in Python: functions of plain data, by the name that a scenario gives them.

A function is called twice with the same arguments, and both results must be equal. Its name ends
with a hash of its source, so that the hashes of scenario and run say which source made them. What
the function uses from outside of its source is not covered.
"""

from __future__ import annotations

import hashlib
import inspect
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _native
from ._native import Block, Node, Report, Source, Task, View

__all__ = [
    "Block",
    "Draw",
    "Node",
    "Policy",
    "Report",
    "Source",
    "Task",
    "View",
    "placement",
    "rereplication",
    "rule",
]

Draw = Callable[[int], int]
"""draw(n): a whole number from 0 to n - 1, at most 16 times."""


@dataclass(frozen=True)
class Policy:
    """A policy that scenarios can name: `scenario.set("policy", policy)`."""

    name: str
    """"python:FUNCTION@HASH"."""
    kind: str
    function: Callable[..., Any]

    def __str__(self) -> str:
        return self.name


_GIVE = {
    "rereplication": _native.give_rereplication,
    "rule": _native.give_rule,
    "placement": _native.give_placement,
}
_given: dict[str, Policy] = {}


def rereplication(
    function: Callable[[Block, View, Draw], tuple[int, int] | None],
) -> Policy:
    """HDFS: who sends a lost replica to whom; `policy.rereplication`.

    The function gets a block that needs one copy, the cluster, and draws. It returns (source,
    target): a ready node of `block.sources`, and a node of `view.fit`; or None: the block waits.
    """
    return _named("rereplication", function)


def rule(function: Callable[[Report, Task], bool]) -> Policy:
    """MapReduce: whether a heartbeat does not get a task: "fair+NAME" in `policy.scheduling`.

    The function gets what the node reported and a task that it could get. True: withheld.
    """
    return _named("rule", function)


def placement(function: Callable[[int, int, int], Sequence[int]]) -> Policy:
    """PPMDS: the servers of a directory; `policy.metadata`.

    The function gets the directory's number, the number of servers, and the server of the
    directory's own row. It returns different servers; names are spread over them by hash.
    """
    return _named("placement", function)


def _named(kind: str, function: Callable[..., Any]) -> Policy:
    if not inspect.isfunction(function):
        raise TypeError(f"a policy: {function!r}: expected a function, made by def or lambda")
    try:
        source = textwrap.dedent(inspect.getsource(function)).encode()
    except OSError:
        # Typed into an interpreter that keeps no source.
        code = function.__code__
        source = code.co_code + repr(code.co_consts).encode()
    name = f"python:{function.__name__.strip('<>')}@{hashlib.sha256(source).hexdigest()[:12]}"
    return give(Policy(name, kind, function))


def give(policy: Policy) -> Policy:
    """Makes a policy known in this process, as Ray's workers need it."""
    _GIVE[policy.kind](policy.name, inspect.getdoc(policy.function) or policy.name, policy.function)
    _given[policy.name] = policy
    return policy


def used_in(texts: Iterable[str]) -> list[Policy]:
    """Those that texts name."""
    whole = [text for text in texts if "python:" in text]
    return [one for name, one in _given.items() if any(name in text for text in whole)]
