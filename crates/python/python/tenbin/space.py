"""The keys that a search varies, and what it judges by."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import BadInput
from .scenario import Scenario, Value, text_of

_NUMBER = re.compile(r"(?P<number>[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?P<unit>.*)", re.IGNORECASE)
# A range over more than this factor is searched by its logarithm.
_WIDE = 20.0


@dataclass(frozen=True)
class Axis:
    """A key with its values: a range, or a list."""

    key: str
    values: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    unit: str = ""
    whole: bool = False

    @staticmethod
    def of(key: str, given: str | Sequence[Value] | tuple[float, float]) -> Axis:
        """From "1..8", "10s..5min" is not possible: both ends have one unit; or from a list.

        Raises:
            BadInput
        """
        if not isinstance(given, str):
            if not given:
                raise BadInput(f"--over {key}: expected at least one value")
            return Axis(key, tuple(text_of(value) for value in given))
        if ".." not in given:
            return Axis(key, tuple(value.strip() for value in given.split(",")))
        low, high = (_NUMBER.fullmatch(end.strip()) for end in given.split("..", 1))
        wrong = BadInput(
            f"--over {key}={given}: expected LOW..HIGH with one unit, as in 1..8 or 5s..60s, or a "
            "list A,B,C"
        )
        if not low or not high:
            raise wrong
        unit = high["unit"].strip()
        if low["unit"].strip() not in ("", unit) or float(low["number"]) >= float(high["number"]):
            raise wrong
        whole = all(end["number"].lstrip("+-").isdigit() for end in (low, high))
        return Axis(key, (), float(low["number"]), float(high["number"]), unit, whole)

    @property
    def size(self) -> float:
        """Number of values; infinite for fractions."""
        if self.values:
            return float(len(self.values))
        return self.high - self.low + 1 if self.whole else math.inf

    def suggest(self, trial: Any) -> str:
        """The value that Optuna proposes."""
        if self.values:
            return str(trial.suggest_categorical(self.key, self.values))
        wide = self.low > 0 and self.high / self.low > _WIDE
        if self.whole:
            return (
                f"{trial.suggest_int(self.key, int(self.low), int(self.high), log=wide)}{self.unit}"
            )
        return f"{trial.suggest_float(self.key, self.low, self.high, log=wide):.4g}{self.unit}"

    def distribution(self) -> Any:
        """The distribution that `suggest` draws from."""
        from optuna import distributions as of

        wide = self.low > 0 and self.high / self.low > _WIDE
        if self.values:
            return of.CategoricalDistribution(self.values)
        if self.whole:
            return of.IntDistribution(int(self.low), int(self.high), log=wide)
        return of.FloatDistribution(self.low, self.high, log=wide)

    def __str__(self) -> str:
        if self.values:
            return f"{self.key}={','.join(self.values)}"
        ends = (int(end) if self.whole else end for end in (self.low, self.high))
        return f"{self.key}=" + "..".join(f"{end}{self.unit}" for end in ends)


@dataclass(frozen=True)
class Goal:
    """A metric to minimise or maximise."""

    metric: str
    less: bool

    @staticmethod
    def of(text: str, known: Mapping[str, float], standard: Goal) -> Goal:
        """From "NAME", "NAME:less" or "NAME:more"; the scenario's objective knows its direction."""
        name, _, direction = text.partition(":")
        metric = _metric(f"--objective {text}", name, known)
        if direction not in ("", "less", "more"):
            raise BadInput(f"--objective {text}: expected NAME:less or NAME:more")
        if not direction and metric != standard.metric:
            raise BadInput(
                f"--objective {text}: expected {metric}:less or {metric}:more, since only "
                f"the direction of {standard.metric} is known"
            )
        return Goal(metric, direction == "less" if direction else standard.less)

    def loss(self, value: float) -> float:
        """Smaller is better."""
        return value if self.less else -value


@dataclass(frozen=True)
class Limit:
    """A bound on the mean of a metric."""

    metric: str
    below: bool
    bound: float

    @staticmethod
    def of(text: str, known: Mapping[str, float]) -> Limit:
        """From "p99_ms<5", "rate_per_s>1000"; the bound is in the metric's unit.

        Raises:
            BadInput
        """
        found = re.fullmatch(r"\s*([\w.]+)\s*([<>])=?\s*(.+?)\s*", text)
        number = _NUMBER.fullmatch(found[3]) if found else None
        if not found or not number:
            raise BadInput(
                f"--subject-to {text}: expected METRIC<VALUE or METRIC>VALUE, as in p99<5ms"
            )
        metric = _metric(f"--subject-to {text}", found[1], known)
        bound = float(number["number"]) * _factor(text, metric, number["unit"].strip())
        return Limit(metric, found[2] == "<", bound)

    def excess(self, value: float) -> float:
        """Above 0: not met."""
        return value - self.bound if self.below else self.bound - value


_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}


def _factor(text: str, metric: str, unit: str) -> float:
    """What a number in `unit` is multiplied by, to be in the metric's own."""
    own = next((part for part in reversed(metric.split("_")) if part in _SECONDS), None)
    if not unit:
        return 1.0
    if own and unit in _SECONDS:
        return _SECONDS[unit] / _SECONDS[own]
    if metric.endswith(f"_{unit}"):
        return 1.0
    raise BadInput(
        f"--subject-to {text}: {metric} is {f'in {own}' if own else 'a number'}, not in {unit}"
    )


def _metric(where: str, name: str, known: Mapping[str, float]) -> str:
    """A metric by its name or by the only one that contains it."""
    if name in known:
        return name
    having = [metric for metric in known if name and name in metric]
    if len(having) == 1:
        return having[0]
    choice = having or list(known)
    raise BadInput(f"{where}: expected one of {', '.join(sorted(choice))}")


def axes(scenario: Scenario, over: Mapping[str, Any]) -> list[Axis]:
    """The keys of a search, each checked at its ends.

    Raises:
        BadInput: as `Scenario.set`; or there is no key.
    """
    if not over:
        raise BadInput("tune: expected at least one --over KEY=LOW..HIGH or --over KEY=A,B,C")
    found = [Axis.of(scenario.key(key), given) for key, given in over.items()]
    for axis in found:
        ends = axis.values or (str(axis).split("=", 1)[1].split(".."))
        for end in ends:
            scenario.set(axis.key, end)
    return found
