"""What runs and comparisons return."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

from ._folder import InFolder

if TYPE_CHECKING:
    import altair


@dataclass(frozen=True)
class Statistic:
    """A value over seeds."""

    mean: float
    ci95: float
    """Half width of the 95 % interval of the mean (Student's t); nan with one seed."""
    min: float
    max: float

    @staticmethod
    def of(json: dict[str, float], seeds: int) -> Statistic:
        return Statistic(json["mean"], _ci95(json, seeds), json["min"], json["max"])

    @staticmethod
    def one(value: float) -> Statistic:
        return Statistic(value, nan, value, value)


def _ci95(json: dict[str, Any], seeds: int) -> float:
    return float(json["ci95"]) if seeds > 1 else nan


@dataclass(frozen=True)
class Objective(Statistic):
    """What is judged."""

    metric: str
    unit: str
    """"s", "1/s"."""
    better: str
    """"less" or "more"."""
    values: tuple[float, ...]
    """By seed."""


@dataclass(frozen=True)
class Holder:
    """What held the run up."""

    name: str
    """A resource, a setting with its value, or "unexplained"."""
    kind: str
    """"resource", "setting", "interval" or "unexplained"."""
    share: float
    """Of the explained time, 0–1."""
    waited: float
    """[s]"""
    hottest: str | None
    """The most loaded resource of this kind."""


@dataclass(frozen=True)
class Difference:
    """A variant against the first, paired by seed."""

    mean: float
    """In the objective's unit; below 0: less."""
    ci95: float
    """nan with one seed, which decides nothing."""
    verdict: str
    """"better", "worse", "no difference" or "not decided"."""

    @staticmethod
    def of(json: dict[str, Any], seeds: int) -> Difference:
        verdict = json["verdict"] if seeds > 1 else "not decided"
        return Difference(json["mean"], _ci95(json, seeds), verdict)


@dataclass(frozen=True)
class Row:
    """A variant of a comparison."""

    name: str
    set: dict[str, str]
    value: Statistic | None
    """The objective; None: some runs did not end."""
    values: tuple[float, ...]
    """By seed; empty without `value`."""
    against: Difference | None
    """None for the first."""
    metrics: dict[str, Statistic]


@dataclass(frozen=True)
class Advice:
    """The change that is worth trying first, of all that were tried."""

    do: dict[str, str] | None
    """Keys with their values; None: nothing gains beyond chance."""
    gain: Difference | None
    tried: tuple[dict[str, Any], ...]
    """Each with "set", "value" and "against_now", as in `--json`."""

    @staticmethod
    def of(json: dict[str, Any]) -> Advice:
        do = json["do"]
        gain = Difference.of(do["against_now"], json["seeds"]) if do else None
        return Advice(do and do["set"], gain, tuple(json["tried"]))


class Answer(InFolder):
    """A result with an answer in one sentence, and advice."""

    def __repr__(self) -> str:
        return self.headline

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        return str(self.json["headline"])

    @property
    def advice(self) -> Advice:
        return Advice.of(self.json["advice"])


class Run(Answer):
    """A finished run."""

    @property
    def objective(self) -> Objective:
        """
        Raises:
            ValueError: some run did not end.
        """
        value, objective = self.json["value"], self.json["objective"]
        if value is None:
            raise ValueError(f"{objective['metric']}: a run did not end: {self.headline}")
        per_seed = self.json["per_seed"]
        return Objective(
            value["mean"],
            _ci95(value, len(per_seed)),
            value["min"],
            value["max"],
            metric=objective["metric"],
            unit=objective["unit"],
            better=objective["better"],
            values=tuple(per_seed),
        )

    @property
    def metrics(self) -> dict[str, Statistic]:
        """All metrics by name; units are in their names."""
        over = self.json.get("over_seeds")
        if over:
            seeds = self.json["seeds"]
            return {name: Statistic.of(value, seeds) for name, value in over.items()}
        metrics = self.json["metrics"].items()
        return {name: Statistic.one(one) for name, one in metrics if isinstance(one, int | float)}

    @property
    def held_up_by(self) -> list[Holder]:
        """Bottlenecks of the first seed, largest first."""
        return [
            Holder(one["holder"], one["kind"], one["share"], one["waited_s"], one.get("hottest"))
            for one in self.json["metrics"]["attribution"]
        ]

    @property
    def hash(self) -> str:
        """Of all events, records and final states: equal runs have equal hashes."""
        return str(self.json["trace_hash"])


class Comparison(Answer):
    """Variants over the same seeds."""

    @property
    def unit(self) -> str:
        """Of the objective."""
        return str(self.json["objective"]["unit"])

    @property
    def metric(self) -> str:
        """Name of the objective."""
        return str(self.json["objective"]["metric"])

    @property
    def rows(self) -> list[Row]:
        return [
            Row(
                name=row["name"],
                set=row["set"],
                value=Statistic.of(row["value"], row["seeds"]) if row["value"] else None,
                values=tuple(row["per_seed"]),
                against=row["against_now"] and Difference.of(row["against_now"], row["seeds"]),
                metrics={
                    name: Statistic.of(one, row["seeds"]) for name, one in row["metrics"].items()
                },
            )
            for row in self.json["rows"]
        ]

    def table(self) -> list[dict[str, Any]]:
        """One dict a variant, for `polars.DataFrame` or `pandas.DataFrame`."""
        return [
            {
                "variant": row.name,
                "mean": row.value.mean if row.value else None,
                "ci95": row.value.ci95 if row.value else None,
                "difference": row.against.mean if row.against else None,
                "difference_ci95": row.against.ci95 if row.against else None,
                "verdict": row.against.verdict if row.against else None,
            }
            for row in self.rows
        ]

    def plot(self) -> altair.LayerChart:
        """The objective by variant: each seed, mean and 95 % interval. Needs `tenbin[plot]`."""
        from .plots import comparison

        return comparison(self)
