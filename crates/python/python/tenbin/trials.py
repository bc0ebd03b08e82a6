"""What a search tried, and its result."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from .results import Comparison
from .space import Goal


@dataclass(frozen=True)
class Trial:
    """Settings with what they gave."""

    number: int
    set: dict[str, str]
    state: str
    """"complete": all seeds; "cut": not among the best third; "failed": a run had no value."""
    seeds: int
    values: tuple[float, ...]
    """Means of the objectives."""
    excess: tuple[float, ...]
    """By limit: above 0 is not met."""
    per_seed: tuple[float, ...]
    """The first objective by seed."""


@dataclass
class Tuned:
    """The result of a search."""

    best: Trial | None
    """Of all that were tried, the random search's included; None: none meets the limits."""
    now: Trial
    """The scenario as it is, with all seeds."""
    front: list[Trial]
    """Of several objectives: settings that no others beat in all; else only the best."""
    random: Trial | None
    """The best of a random search with as many runs."""
    runs: int
    """Runs of the search, without those of the random search and the judge."""
    comparison: Comparison | None
    """The judge: the scenario, the best settings and the random search's, with all seeds."""
    trials: list[Trial] = field(repr=False)
    goals: list[Goal] = field(repr=False, default_factory=list)

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        if not self.trials:
            return "No settings were tried: give the search more time."
        if not self.best or not self.comparison:
            return "No settings meet the limits."
        if len(self.goals) > 1:
            return f"{len(self.front)} settings that no other beats in all objectives."
        if self._is_now_best(self.best):
            return (
                f"Nothing found is better than the scenario as it is: {self.goals[0].metric} "
                f"{self.now.values[0]:.4g}, and {self.best.values[0]:.4g} at best."
            )
        return self._best(self.best, self.comparison)

    def _best(self, best: Trial, comparison: Comparison) -> str:
        """The best settings against the scenario as it is, by the judge."""
        settings = ", ".join(f"{key} = {value}" for key, value in best.set.items())
        said = f"{settings}: {comparison.metric} {best.values[0]:.4g}"
        rows = (row for row in comparison.rows if row.set == best.set)
        against = next((row.against for row in rows), None)
        if not against or not self.now.values:
            return f"{said}; the scenario as it is has no value."
        less = "less" if against.mean < 0 else "more"
        by = f"{abs(against.mean):.3g} ± {against.ci95:.2g} {less}, {best.seeds} seeds"
        if best.seeds == 1:
            by = "one seed"
        doubt = {"not decided": ", possibly by chance", "no difference": ", below 5 %"}
        by += f"{doubt.get(against.verdict, '')}, the best of {len(self.trials)} settings"
        return f"{said} instead of {self.now.values[0]:.4g} ({by})."

    def _is_now_best(self, best: Trial) -> bool:
        loss = self.goals[0].loss
        is_allowed = bool(self.now.values) and all(excess <= 0 for excess in self.now.excess)
        return is_allowed and loss(self.now.values[0]) <= loss(best.values[0])

    def json(self) -> dict[str, Any]:
        """The object that `tenbin tune --json` prints."""
        return {
            "headline": self.headline,
            "best": self.best and asdict(self.best),
            "front": [asdict(trial) for trial in self.front],
            "now": asdict(self.now),
            "random": self.random and asdict(self.random),
            "runs": self.runs,
            "trials": len(self.trials),
            "objectives": [asdict(goal) for goal in self.goals],
            "comparison": self.comparison and self.comparison.json,
        }
