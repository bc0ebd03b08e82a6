"""What Ray costs: runs of 1 s and of 50 ms on a local cluster of all CPUs; many tasks in a driver.

Bounds: efficiency of at least 0.9 with runs of 1 s, 0.5 with 50 ms; 10 000 tasks in a driver below
500 MB. `python crates/python/benches/on_ray.py`, with the module installed and an idle machine.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import time
from dataclasses import dataclass

import ray

import tenbin as tb
from tenbin import campaign

PAIRS = 3


@dataclass
class Length:
    name: str
    scenario: tb.Scenario
    runs: int
    bound: float


def seconds(scenario: tb.Scenario, runs: int, on: str | None) -> float:
    began = time.perf_counter()
    scenario.measure(seeds=range(1, runs + 1), on=on)
    return time.perf_counter() - began


def of_length(aim: float) -> tb.Scenario:
    """PPMDS's creates, as many as take `aim` seconds."""
    creates = 100
    scenario = tb.Scenario.load("ppmds").set("workload.creates_per_client", creates)
    one = min(seconds(scenario, 1, None) for _ in range(3))
    return scenario.set("workload.creates_per_client", max(1, round(creates * aim / one)))


def main() -> int:
    cpus, missed = os.cpu_count() or 1, 0
    ray.init(num_cpus=cpus, logging_level="ERROR", log_to_driver=False)
    tb.Scenario.load("s0").measure(seeds=range(1, 4 * cpus), on="ray")
    print("| runs | all cores of one process [s] | Ray [s] | efficiency |")
    print("|---|---|---|---|")
    lengths = [
        Length("1 s", of_length(1.0), 12 * cpus, 0.9),
        Length("50 ms", of_length(0.05), 100 * cpus, 0.5),
    ]
    for length in lengths:
        pairs = [
            [seconds(length.scenario, length.runs, on) for on in (None, "ray")]
            for _ in range(PAIRS)
        ]
        efficiency = statistics.median(alone / on_ray for alone, on_ray in pairs)
        alone, on_ray = (statistics.median(side) for side in zip(*pairs, strict=True))
        missed += efficiency < length.bound
        print(
            f"| {length.runs} of {length.name} | {alone:.1f} | {on_ray:.1f} | {efficiency:.2f} "
            f"(bound {length.bound}) |"
        )
    # Each run a task of its own.
    campaign.TASK_S = 0.0
    echo = tb.Scenario.load("echo").set("workload.requests", 10)
    took = seconds(echo, 10_000, "ray")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    missed += peak > 500
    each = 1e3 * took / 1e4
    print(f"\n10 000 tasks: {took:.0f} s, {each:.1f} ms each; driver {peak:.0f} MB (bound 500)")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
