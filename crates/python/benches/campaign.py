"""2 000 runs of the shop, 40 settings with 50 seeds each: their time and the memory.

Bounds: at most 1.05 times the sum of the runs over the cores; at most 20 kB of memory for the
results of a run. `python crates/python/benches/campaign.py`, with the module installed, an idle
machine, and examples/shop/shop.toml from `make run`.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import time

import tenbin as tb

SEEDS = 50
SITE = "hdfs-site.dfs.namenode.replication."
ROWS = [
    {SITE + "work.multiplier.per.iteration": work, SITE + "max-streams": streams}
    for work in (2, 3, 4, 6, 8, 10, 12, 16)
    for streams in (2, 4, 6, 8, 12)
]
PAIRS = 3


def seconds(scenario: tb.Scenario, seeds: int, threads: int | None) -> float:
    rows = [scenario.row(row) for row in ROWS]
    began = time.perf_counter()
    scenario.bench.measure(rows, list(range(1, seeds + 1)), threads)
    return time.perf_counter() - began


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    scenario, cpus = tb.Scenario.load("scenarios/shop.toml"), os.cpu_count() or 1
    ratios, few, took = [], 0.0, 0.0
    for _ in range(PAIRS):
        # All cores are busy on both sides: they share caches and clocks.
        few_seeds = seconds(scenario, 5, None)
        few = few or peak_mb()
        took = seconds(scenario, SEEDS, None)
        ratios.append(took / (few_seeds * SEEDS / 5))
    alone = seconds(scenario, 1, 1) * SEEDS / cpus
    many, ratio = peak_mb(), statistics.median(ratios)
    runs = len(ROWS) * SEEDS
    print(f"{runs} runs: {took:.1f} s; single runs over {cpus} cores: {alone:.1f} s")
    print(f"ten times as many runs take {ratio:.3f} times ten times as long (bound 1.05)")
    each_kb = 1024 * (many - few) / (runs - len(ROWS) * 5)
    print(
        f"peak memory: {few:.0f} MB after {len(ROWS) * 5} runs, {many:.0f} MB after all: ", end=""
    )
    print(f"{each_kb:.0f} kB a run (bound 20)")
    return 1 if ratio > 1.05 or each_kb > 20 else 0


if __name__ == "__main__":
    sys.exit(main())
