"""Scenarios, their runs and comparisons."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from . import _native, campaign
from ._call import Path, Progress, Report, object_of, watched
from ._folder import Folder
from .errors import BadInput, Interrupted
from .policies import Policy
from .results import Comparison, Run

Value = str | int | float | bool | Policy


def text_of(value: Value) -> str:
    """A value as in a scenario's file."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Scenario:
    """A scenario that was checked; `set` returns another one."""

    file: FilePath
    """A file, or a name that `tenbin list scenarios` prints."""
    sets: tuple[tuple[str, str], ...] = field(default=())

    @staticmethod
    def load(scenario: Path) -> Scenario:
        """Reads and checks a file, or a built-in scenario such as "s0".

        Raises:
            BadInput: with file, line and key, what was expected, and the nearest valid name.
        """
        if str(scenario).startswith("-"):
            raise BadInput(f"{scenario}: expected a file, or a name of `tenbin list scenarios`")
        file = FilePath(scenario)
        # A later change of the working directory changes nothing.
        return Scenario(file.absolute() if file.is_file() else file)._checked()

    def set(self, key: str, value: Value) -> Scenario:
        """The scenario with a key changed, as by `--set`. Times and sizes have units: "10s", "4MB".

        Raises:
            BadInput: an unknown key, or a value that the key does not take.
        """
        new = (self.key(key), text_of(value))
        return Scenario(self.file, (*self.sets, new))._checked()

    def __reduce__(self) -> tuple[type[Scenario], tuple[FilePath, tuple[tuple[str, str], ...]]]:
        # What was read of the file stays here.
        return Scenario, (self.file, self.sets)

    def _checked(self) -> Scenario:
        self._check  # noqa: B018 — reads the file
        return self

    @cached_property
    def _check(self) -> dict[str, Any]:
        return object_of(["check", self.file, *set_words(self.sets)])

    @property
    def settings(self) -> dict[str, str]:
        """All keys with their values."""
        return {one["key"]: one["value"] for one in self._check["settings"]}

    def key(self, name: str) -> str:
        """A key by its name; "policy" is the system's main policy, such as policy.rereplication."""
        policies = (key for key in self.settings if key.startswith("policy."))
        return next(policies, name) if name == "policy" else name

    def run(
        self,
        seeds: int = 1,
        seed: int = 1,
        *,
        advice: bool = True,
        on: str | None = None,
        out: Path | None = None,
        progress: Progress = None,
    ) -> Run:
        """Simulates the scenario and explains the result, as `tenbin run`.

        Args:
            seeds: Number of seeds, from `seed` on; the trace is that of the first.
            advice: False: only the scenario itself, without candidate changes and assumed values.
            on: "ray" or "ray://HOST:PORT": on a cluster, with the same result.
            out: Folder of the results; None: one that is deleted with the result.

        Raises:
            BadInput, RunFailed, Interrupted
        """
        folder = Folder(out)
        words: list[Path] = ["run", self.file, *set_words(self.sets), "--seeds", str(seeds)]
        words += ["--seed", str(seed), "--out", folder.path, *([] if advice else ["--quick"])]
        return Run(object_of(words, progress, on), folder)

    def measure(
        self,
        rows: Sequence[Mapping[str, Value]] = ({},),
        seeds: int | Iterable[int] = 1,
        *,
        on: str | None = None,
        progress: Progress = None,
    ) -> list[list[dict[str, Any]]]:
        """Runs the scenario with the keys of each row and each seed, on all cores.

        Returns for each row and seed {"seed", "value", "metrics"}, where `value` is the objective.
        There is no trace and no page, so a run takes about 10 kB of memory.

        Args:
            rows: The keys of each row.
            seeds: Their number, from 1 on; or the seeds themselves.
            on: "ray" or "ray://HOST:PORT": on a cluster, with the same results.
        """
        numbers = list(range(1, seeds + 1) if isinstance(seeds, int) else seeds)
        if not numbers or min(numbers) < 0:
            raise BadInput(f"seeds {seeds}: expected 1 or more, or whole numbers from 0 on")
        sets = [self.row(row) for row in rows]
        found: list[list[dict[str, Any]]] = self.measured(sets, numbers, on, progress)["rows"]
        return found

    def measured(
        self,
        rows: list[list[tuple[str, str]]],
        seeds: list[int],
        on: str | None = None,
        progress: Progress = None,
    ) -> dict[str, Any]:
        """{"objective": …, "rows": what `measure` returns}."""

        def work(report: Report | None) -> tuple[int, bytes, list[str]]:
            others = campaign.elsewhere(on, report)
            return self.bench.measure(rows, seeds, None, report, others)

        found: dict[str, Any] = json.loads(watched(work, progress))
        return found

    def row(self, keys: Mapping[str, Value]) -> list[tuple[str, str]]:
        """The keys that were set, and these."""
        return [*self.sets, *_named(self, keys)]

    @property
    def hash(self) -> str:
        """Of the file with its keys: equal scenarios have equal hashes."""
        return str(self._check["hash"])

    @cached_property
    def bench(self) -> _native.Bench:
        """The scenario's text, read once."""
        return _native.Bench(self.file)


def set_words(sets: Iterable[tuple[str, str]]) -> list[str]:
    """--set KEY=VALUE …"""
    return [word for key, value in sets for word in ("--set", f"{key}={value}")]


def compare(
    scenario: Scenario | Path,
    vary: Mapping[str, str | Sequence[Value]] | None = None,
    seeds: int | None = None,
    *,
    variants: Sequence[Mapping[str, Value]] = (),
    on: str | None = None,
    out: Path | None = None,
    progress: Progress = None,
) -> Comparison:
    """Compares variants over many seeds, as `tenbin compare`.

    Args:
        vary: Values by key, a list or "A,B", in all combinations; None: the scenario's variants.
        variants: The keys of each variant, in place of `vary`.
        seeds: Seeds 1 to N; None: `run.seeds` of the scenario.
        on: "ray" or "ray://HOST:PORT": on a cluster, with the same results.
        out: Folder of the results; None: one that is deleted with the result.

    Raises:
        BadInput, RunFailed, Interrupted: the message names the folder of finished runs.
    """
    one = scenario if isinstance(scenario, Scenario) else Scenario.load(scenario)
    folder = Folder(out)
    words: list[Path] = ["compare", one.file, *set_words(one.sets), "--out", folder.path]
    words += ["--seeds", str(seeds)] if seeds is not None else []
    for key, values in (vary or {}).items():
        given = values if isinstance(values, str) else ",".join(map(text_of, values))
        words += ["--vary", f"{one.key(key)}={given}"]
    for keys in variants:
        words += ["--variant", ",".join(f"{key}={value}" for key, value in _named(one, keys))]
    try:
        return Comparison(object_of(words, progress, on), folder)
    except Interrupted as e:
        if folder.is_temporary:
            raise Interrupted("without out= finished runs are not kept") from e
        raise


def _named(scenario: Scenario, keys: Mapping[str, Value]) -> list[tuple[str, str]]:
    return [(scenario.key(key), text_of(value)) for key, value in keys.items()]
