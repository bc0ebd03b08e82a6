"""Search for the best settings: Optuna proposes them, and the seeds of a bad one are cut short."""

from __future__ import annotations

import itertools
import json
import random
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path as FilePath
from typing import Any

from . import campaign
from ._call import Bar, Path, Progress
from .errors import BadInput, Interrupted, RunFailed
from .results import Comparison
from .scenario import Scenario, compare
from .space import Axis, Goal, Limit, axes
from .trials import Trial, Tuned

BATCH = 8
"""Settings that are proposed together; the same on any number of machines."""
REDUCTION = 3
"""Of so many settings one gets the seeds of the next rung."""
FINALISTS = 4
"""Settings that the judge compares with all seeds."""


def tune(
    scenario: Scenario | Path,
    over: Mapping[str, Any],
    *,
    objective: str | Sequence[str] | None = None,
    subject_to: str | Sequence[str] = (),
    budget: float | str | None = None,
    trials: int | None = None,
    seeds: int = 9,
    on: str | None = None,
    out: Path | None = None,
    progress: Progress = None,
) -> Tuned:
    """Searches for the best values of keys, as `tenbin tune`.

    Every setting runs with the same seeds. After 1, 3, 9, … of them only the best third gets more.

    Args:
        over: By key a range "1..8" or "5s..60s", or a list of values.
        objective: A metric; "NAME:less" or "NAME:more". Several give a front. None: the scenario's.
        subject_to: Limits such as "p99<5ms", on the mean over seeds.
        budget: Seconds, or "10m", after which no more settings are proposed; the result then
            depends on the machine.
        trials: Number of settings; the result does not depend on the machine. None: 64, or all
            that there are, without `budget`.
        seeds: Most seeds of a setting.
        on: "ray" or "ray://HOST:PORT".
        out: Folder of the result; trials are in OUT.trials, and the same call continues a
            search that was stopped. None: nothing is kept.

    Raises:
        BadInput, RunFailed, Interrupted
    """
    one = scenario if isinstance(scenario, Scenario) else Scenario.load(scenario)
    if trials is not None and (not isinstance(trials, int) or trials < 1):
        raise BadInput(f"--trials {trials}: expected a whole number from 1 on")
    limit_s = seconds_of(budget) if budget is not None else None
    _check_place(out)
    search = Search(one, axes(one, over), _list(objective), _list(subject_to), seeds, on)
    search.keep_in(FilePath(f"{out}.trials") if out else None)
    deadline = time.monotonic() + limit_s if limit_s is not None else None
    report = Bar() if progress is True else progress
    most = trials if trials is not None else (None if deadline else 64)
    try:
        search.run(most, deadline, report)
        return search.result(out, progress)
    except KeyboardInterrupt as e:
        kept = f"finished trials are in {search.folder}; the same call continues"
        raise Interrupted(kept if out else "without out= trials are not kept") from e
    finally:
        if isinstance(report, Bar):
            report.close()


def _check_place(out: Path | None) -> None:
    """Before the search: what the judge would refuse after it."""
    place = FilePath(out) if out else None
    if place is None or not place.exists() or (place / ".tenbin-output").exists():
        return
    if not place.is_dir() or any(place.iterdir()):
        raise BadInput(
            f"--out {place}: it has other files: expected a folder that does not exist yet, is "
            "empty, or was written by tenbin"
        )


class Search:
    """The trials of a search, in batches; the same scenario gives the same trials again."""

    def __init__(
        self,
        scenario: Scenario,
        over: list[Axis],
        objectives: list[str],
        limits: list[str],
        seeds: int,
        on: str | None,
    ) -> None:
        if seeds < 1:
            raise BadInput(f"--seeds {seeds}: expected at least 1")
        self.scenario, self.axes, self.seeds = scenario, over, seeds
        self.on = on
        campaign.elsewhere(on)
        first = scenario.measured([scenario.row({})], [1])
        known, named = first["rows"][0][0]["metrics"], first["objective"]
        standard = Goal(named["metric"], named["better"] == "less")
        self.goals = [Goal.of(text, known, standard) for text in objectives] or [standard]
        self.limits = [Limit.of(text, known) for text in limits]
        self.rungs = rungs(seeds) if len(self.goals) == 1 else [seeds]
        self.trials: list[Trial] = []
        self.done: dict[tuple[str, ...], Trial] = {}
        self.runs = 0
        self.folder: FilePath | None = None
        self.about: dict[str, Any] = {}

    def keep_in(self, folder: FilePath | None) -> None:
        """Keeps each batch as Parquet; takes up the trials of an earlier start.

        Raises:
            BadInput: the trials there are those of another search.
        """
        self.folder = folder
        if folder is None:
            return
        self.about = {
            "scenario": self.scenario.hash,
            "over": [str(axis) for axis in self.axes],
            "objectives": [asdict(goal) for goal in self.goals],
            "limits": [asdict(limit) for limit in self.limits],
            "seeds": self.seeds,
        }
        file = folder / "search.json"
        if file.exists():
            if json.loads(file.read_text()) != self.about:
                raise BadInput(
                    f"{folder}: trials of another search: move it away, or give another --out"
                )
            for part in sorted(folder.glob("*.parquet")):
                self._take(part)

    def _take(self, part: FilePath) -> None:
        import polars as pl

        for row in pl.read_parquet(part).to_dicts():
            self.runs += row.pop("runs")
            self._add(Trial(**{**row, "set": json.loads(row["set"]), **_tuples(row)}))

    def _add(self, trial: Trial) -> None:
        self.trials.append(trial)
        self.done[tuple(trial.set.values())] = trial

    def run(self, most: int | None, deadline: float | None, progress: Progress) -> None:
        """Trials until there are so many, or until the deadline, or until all values were tried."""
        size = 1.0
        for axis in self.axes:
            size *= axis.size
        limit = min(size, most if most is not None else float("inf"))
        while len(self.trials) < limit and (deadline is None or time.monotonic() < deadline):
            batch = self._propose(int(min(BATCH, limit - len(self.trials))))
            if not batch:
                break
            self._batch(batch)
            if callable(progress):
                total = None if limit == float("inf") else int(limit)
                progress("tune", len(self.trials), total, self._standing())

    def _standing(self) -> str:
        best = self.ranked()
        return f"best {best[0].values[0]:.4g}" if best else "no settings meet the limits"

    def _propose(self, count: int) -> list[dict[str, str]]:
        """New settings: by Optuna, and in order if it proposes only known ones."""
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        with warnings.catch_warnings():
            # `constraints_func` is deprecated since 5.0; before, nothing replaces it.
            warnings.simplefilter("ignore", FutureWarning)
            return self._asked(count)

    def _asked(self, count: int) -> list[dict[str, str]]:
        import optuna

        seed = len(self.trials)
        if len(self.goals) == 1:
            sampler: Any = optuna.samplers.TPESampler(
                seed=seed,
                multivariate=True,
                constant_liar=True,
                n_startup_trials=BATCH,
                constraints_func=_excess if self.limits else None,
            )
        else:
            sampler = optuna.samplers.NSGAIISampler(
                seed=seed,
                constraints_func=_excess if self.limits else None,
                population_size=2 * BATCH,
            )
        study = optuna.create_study(directions=["minimize"] * len(self.goals), sampler=sampler)
        for trial in self.trials:
            if trial.state != "failed":
                study.add_trial(self._known(trial))
        fresh: dict[tuple[str, ...], dict[str, str]] = {}
        for _ in range(20 * count):
            asked = study.ask()
            proposed = {axis.key: axis.suggest(asked) for axis in self.axes}
            key = tuple(proposed.values())
            if key not in self.done and key not in fresh:
                fresh[key] = proposed
            if len(fresh) == count:
                break
        return list(fresh.values()) or self._next(count)

    def _next(self, count: int) -> list[dict[str, str]]:
        """Untried settings in order, of lists and whole numbers."""

        def all_of(axis: Axis) -> list[str]:
            if axis.values:
                return list(axis.values)
            whole = range(int(axis.low), int(axis.high) + 1) if axis.whole else ()
            return [f"{value}{axis.unit}" for value in whole]

        every = itertools.product(*(all_of(axis) for axis in self.axes))
        left = itertools.islice((one for one in every if one not in self.done), count)
        return [dict(zip((axis.key for axis in self.axes), one, strict=True)) for one in left]

    def _known(self, trial: Trial) -> Any:
        import optuna

        params: dict[str, Any] = {}
        for axis in self.axes:
            text = trial.set[axis.key].removesuffix(axis.unit)
            params[axis.key] = (
                trial.set[axis.key] if axis.values else int(text) if axis.whole else float(text)
            )
        return optuna.trial.create_trial(
            params=params,
            distributions={axis.key: axis.distribution() for axis in self.axes},
            values=[goal.loss(v) for goal, v in zip(self.goals, trial.values, strict=True)],
            system_attrs={"constraints": list(trial.excess)} if self.limits else {},
        )

    def _batch(self, batch: list[dict[str, str]]) -> None:
        """Successive halving: each rung gives more seeds to the best of the last."""
        measured: list[list[dict[str, Any]]] = [[] for _ in batch]
        left = list(range(len(batch)))
        runs, before = 0, 0
        for rung in self.rungs:
            numbers = list(range(before + 1, rung + 1))
            rows = [self.scenario.row(batch[place]) for place in left]
            for place, more in zip(left, self._measured(rows, numbers), strict=True):
                measured[place] += more
                runs += len(more)
            before = rung
            if rung == self.rungs[-1]:
                break
            losses = {place: self._loss(measured[place]) for place in left}
            order = sorted(left, key=lambda place: losses[place])
            keep = max(1, len(order) // REDUCTION)
            bound = self._bound(rung)
            left = [p for n, p in enumerate(order) if n < keep or losses[p] < bound]
        first = len(self.trials)
        for place, (keys, of) in enumerate(zip(batch, measured, strict=True)):
            self._add(self._trial(first + place, keys, of))
        self.runs += runs
        self._keep(first, runs)

    def _measured(
        self, rows: list[list[tuple[str, str]]], seeds: list[int]
    ) -> list[list[dict[str, Any]]]:
        found: list[list[dict[str, Any]]] = self.scenario.measured(rows, seeds, self.on)["rows"]
        return found

    def _bound(self, rung: int) -> float:
        """The loss of the best settings so far on the same seeds."""
        best = self.ranked()[:1]
        if not best or not best[0].per_seed:
            return float("-inf")
        return self.goals[0].loss(sum(best[0].per_seed[:rung]) / rung)

    def _loss(self, measured: list[dict[str, Any]]) -> float:
        trial = self._trial(0, {}, measured)
        if trial.state == "failed":
            return float("inf")
        penalty = sum(max(0.0, excess) for excess in trial.excess)
        return self.goals[0].loss(trial.values[0]) if not penalty else float("1e300") + penalty

    def _trial(self, number: int, keys: dict[str, str], measured: list[dict[str, Any]]) -> Trial:
        means = [_mean(measured, goal.metric) for goal in self.goals]
        limits = [_mean(measured, limit.metric) for limit in self.limits]
        seeds = len(measured)
        if None in means or None in limits:
            return Trial(number, keys, "failed", seeds, (), (), ())
        excess = tuple(
            limit.excess(v) for limit, v in zip(self.limits, limits, strict=True) if v is not None
        )
        state = "complete" if seeds >= self.seeds else "cut"
        values = tuple(v for v in means if v is not None)
        per_seed = tuple(run["metrics"][self.goals[0].metric] for run in measured)
        return Trial(number, keys, state, seeds, values, excess, per_seed)

    def _keep(self, first: int, runs: int) -> None:
        """A file that is there is whole."""
        if self.folder is None:
            return
        import polars as pl

        rows = [asdict(trial) for trial in self.trials[first:]]
        for place, row in enumerate(rows):
            row["set"], row["runs"] = json.dumps(row["set"]), runs if place == 0 else 0
        schema: dict[str, Any] = {
            "number": pl.Int64,
            "set": pl.String,
            "state": pl.String,
            "seeds": pl.Int64,
            "values": pl.List(pl.Float64),
            "excess": pl.List(pl.Float64),
            "per_seed": pl.List(pl.Float64),
            "runs": pl.Int64,
        }
        file = self.folder / f"{first:08}.parquet"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _write(self.folder / "search.json", json.dumps(self.about).encode())
            draft = self.folder / ".draft"
            pl.DataFrame(rows, schema=schema).write_parquet(draft)
            draft.replace(file)
        except OSError as e:
            raise RunFailed(
                f"cannot write {file}: {e.strerror or e}. Free space; the same call continues"
            ) from e

    def ranked(self) -> list[Trial]:
        """Trials with all seeds that meet the limits, best first."""
        good = [t for t in self.trials if t.state == "complete" and all(e <= 0 for e in t.excess)]
        return sorted(good, key=lambda trial: self.goals[0].loss(trial.values[0]))

    def front(self) -> list[Trial]:
        """Trials that no other beats in all objectives."""

        def losses(trial: Trial) -> list[float]:
            return [goal.loss(v) for goal, v in zip(self.goals, trial.values, strict=True)]

        def beats(a: Trial, b: Trial) -> bool:
            pairs = list(zip(losses(a), losses(b), strict=True))
            return all(x <= y for x, y in pairs) and any(x < y for x, y in pairs)

        good = self.ranked()
        return [one for one in good if not any(beats(other, one) for other in good)]

    def at_random(self) -> Trial | None:
        """The best of random settings with as many runs, each with all seeds."""
        rng = random.Random(1)
        count = max(1, self.runs // self.seeds)
        rows = [{axis.key: _drawn(axis, rng) for axis in self.axes} for _ in range(count)]
        of_rows = [self.scenario.row(row) for row in rows]
        found = self._measured(of_rows, list(range(1, self.seeds + 1)))
        all_trials = [
            self._trial(n, row, of) for n, (row, of) in enumerate(zip(rows, found, strict=True))
        ]
        good = [t for t in all_trials if t.state == "complete" and all(e <= 0 for e in t.excess)]
        return min(good, key=lambda trial: self.goals[0].loss(trial.values[0]), default=None)

    def result(self, out: Path | None, progress: Progress) -> Tuned:
        """Compares the finalists by the judge of `tenbin compare`."""
        drawn, front = self.at_random(), self.front()
        good = self.ranked()[:FINALISTS] if len(self.goals) == 1 else front[:FINALISTS]
        finalists = [*good, *([drawn] if drawn else [])]
        judged: Comparison | None = None
        if finalists:
            sets = {tuple(trial.set.items()): trial.set for trial in finalists}
            judged = compare(
                self.scenario,
                on=self.on,
                variants=list(sets.values()),
                seeds=self.seeds,
                out=out,
                progress=progress,
            )
        numbers = list(range(1, self.seeds + 1))
        now = self._trial(-1, {}, self._measured([self.scenario.row({})], numbers)[0])
        best = min(finalists, key=lambda one: self.goals[0].loss(one.values[0]), default=None)
        return Tuned(best, now, front, drawn, self.runs, judged, self.trials, self.goals)


def rungs(seeds: int) -> list[int]:
    """1, 3, 9, … up to all seeds."""
    found = [1]
    while found[-1] * REDUCTION < seeds:
        found.append(found[-1] * REDUCTION)
    return found if found[-1] == seeds else [*found, seeds]


def seconds_of(budget: float | str) -> float:
    """From seconds, or "90s", "10m", "2h".

    Raises:
        BadInput
    """
    unit = {"s": 1, "m": 60, "h": 3600}.get(str(budget)[-1:], 0)
    try:
        seconds = float(str(budget)[:-1]) * unit if unit else float(budget)
        if seconds > 0:
            return seconds
        raise ValueError
    except ValueError:
        raise BadInput(
            f"--budget {budget}: expected seconds, or a time such as 90s, 10m, 2h"
        ) from None


def _excess(trial: Any) -> list[float]:
    found: list[float] = trial.system_attrs.get("constraints", [])
    return found


def _mean(measured: list[dict[str, Any]], metric: str) -> float | None:
    values = [run["metrics"].get(metric) for run in measured]
    return None if None in values or not values else sum(values) / len(values)


def _drawn(axis: Axis, rng: Any) -> str:
    if axis.values:
        return str(rng.choice(axis.values))
    if axis.whole:
        return f"{rng.randint(int(axis.low), int(axis.high))}{axis.unit}"
    return f"{rng.uniform(axis.low, axis.high):.4g}{axis.unit}"


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(row[name]) for name in ("values", "excess", "per_seed")}


def _list(given: str | Sequence[str] | None) -> list[str]:
    return [given] if isinstance(given, str) else list(given or ())


def _write(file: FilePath, data: bytes) -> None:
    draft = file.with_name(".draft")
    draft.write_bytes(data)
    draft.replace(file)
