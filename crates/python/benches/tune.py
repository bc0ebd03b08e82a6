"""How near a search gets to the best of all settings, in how many runs.

Bound: within 2 % of the best in at most a quarter of the runs that all settings need, in six
scenarios. `python crates/python/benches/tune.py`, with the module installed.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import tenbin as tb
from tenbin.scenario import Value
from tenbin.tune import BATCH

SEEDS = 9
NEAR = 0.02
PART = 0.25


@dataclass
class Space:
    name: str
    scenario: tb.Scenario
    over: dict[str, list[Value]]
    rows: list[dict[str, Value]] = field(init=False)

    def __post_init__(self) -> None:
        self.rows = [{}]
        for key, values in self.over.items():
            self.rows = [{**row, key: value} for row in self.rows for value in values]


def spaces() -> list[Space]:
    site = "hdfs-site.dfs.namenode.replication."
    loss = Path(tempfile.mkdtemp()) / "loss.toml"
    loss.write_text(tb.command(["example", "s0"]))
    rounds = tb.Scenario.load(loss).set("policy.pacing", "hdfs3").set("hardware.disks_per_node", 4)
    ozone = tb.Scenario.load("ozone-small-files").set("workload.objects", 600)
    listed = tb.Scenario.load("scenarios/ppmds/listed.toml").set("policy.metadata", "hash-k")
    xor = tb.Scenario.load("xor-write").set("workload.bytes", "5MB")
    policies: list[Value] = ["default", "ring", "ring-priority", "optimised", "least-loaded"]
    return [
        Space(
            "HDFS, event by event",
            tb.Scenario.load("s0"),
            {"policy": [*policies, "min-max"], "policy.streams_per_source": [1, 2, 3, 4, 6, 8]},
        ),
        Space(
            "HDFS, rounds",
            rounds,
            {
                site + "work.multiplier.per.iteration": [1, 2, 3, 4, 6, 8, 12, 16],
                site + "max-streams": [2, 3, 4, 6, 8, 12],
            },
        ),
        Space(
            "MapReduce",
            tb.Scenario.load("mapreduce-lab"),
            {
                "task.slow_start": [n / 20 for n in range(1, 21)],
                "policy": ["fair", "fair+disk-rate", "fair+per-disk"],
            },
        ),
        Space(
            "Ozone",
            ozone,
            {
                "ozone-site.ozone.scm.datanode.pipeline.limit": list(range(1, 13)),
                "policy.leader": ["as-elected", "fewest", "even"],
            },
        ),
        Space(
            "PPMDS",
            listed,
            {
                "policy.servers_per_directory": list(range(1, 9)),
                "store.latency": ["0.25ms", "0.5ms", "1ms"],
                "network.startup": ["5us", "10us"],
            },
        ),
        Space(
            "xor",
            xor,
            {
                "workload.block": [f"{1 << n}kB" for n in range(9)],
                "policy.schedule": ["auto", "naive", "chain", "pivot"],
            },
        ),
    ]


def main() -> int:
    missed = 0
    print("| scenario | settings | all: runs | search: runs | of all | gap | random search: gap |")
    print("|---|---|---|---|---|---|---|")
    for space in spaces():
        every = space.scenario.measure(space.rows, range(1, SEEDS + 1))
        means = [sum(run["value"] for run in row) / SEEDS for row in every]
        less = space.scenario.run(advice=False).objective.better == "less"
        best = min(means) if less else max(means)
        runs, gaps = len(space.rows) * SEEDS, []
        trials = BATCH * max(1, len(space.rows) * 3 // 4 // BATCH)
        tuned = tb.tune(space.scenario, space.over, trials=trials, seeds=SEEDS)
        for trial in (tuned.best, tuned.random):
            assert trial
            gaps.append(abs(trial.values[0] / best - 1))
        part = tuned.runs / runs
        missed += gaps[0] > NEAR or part > PART
        print(
            f"| {space.name} | {len(space.rows)} | {runs} | {tuned.runs} | {part:.0%} | "
            f"{gaps[0]:.1%} | {gaps[1]:.1%} |"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
