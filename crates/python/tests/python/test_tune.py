import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import tenbin as tb
from tenbin.space import Axis, Limit
from tenbin.tune import rungs, seconds_of

NODES = "cluster.nodes_per_rack"
S0 = {"policy": "default,ring,ring-priority", NODES: "5..16"}


def test_the_seeds_of_a_bad_setting_are_cut() -> None:
    tuned = tb.tune("s0", S0, trials=24, seeds=9)
    assert len(tuned.trials) == 24 and len({tuple(t.set.values()) for t in tuned.trials}) == 24
    assert {trial.seeds for trial in tuned.trials} == {1, 3, 9}
    assert tuned.runs < 24 * 9 / 2
    assert tuned.best and tuned.best.seeds == 9
    assert tuned.headline.startswith("policy.rereplication = ring")
    assert "9 seeds, the best of 24 settings)" in tuned.headline


def test_all_settings_are_tried_where_they_are_few() -> None:
    tuned = tb.tune("s0", {"policy": ["default", "ring"]}, seeds=3)
    assert [trial.set["policy.rereplication"] for trial in tuned.trials] in (
        ["default", "ring"],
        ["ring", "default"],
    )


def test_limits_exclude_settings() -> None:
    over = {"cluster.clients": "11,44,88"}
    free = tb.tune("ppmds", over, seeds=1)
    limited = tb.tune("ppmds", over, seeds=1, subject_to="latency_ms_p99<1.4ms")
    clients = [tuned.best and tuned.best.set["cluster.clients"] for tuned in (free, limited)]
    assert clients == ["88", "44"]
    assert {t.set["cluster.clients"]: t.excess[0] > 0 for t in limited.trials} == {
        "11": False,
        "44": False,
        "88": True,
    }


def test_two_objectives_give_a_front() -> None:
    over = {"policy": ["default", "ring"], NODES: "5..8"}
    tuned = tb.tune("s0", over, objective=["recovery_s", "busiest_disk:less"], trials=8, seeds=2)
    losses = [trial.values for trial in tuned.front]
    assert losses == sorted(losses) and len({values for values in losses}) == len(losses)
    assert all(a[1] > b[1] for a, b in itertools.pairwise(losses))


def test_a_search_that_was_killed_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    line = [
        sys.executable,
        "-m",
        "tenbin",
        "tune",
        "mapreduce-lab",
        "--trials",
        "24",
        "--seeds",
        "3",
    ]
    line += ["--over", "task.slow_start=0.05..1.0", "-o", str(out)]
    line += ["--json"]
    child = subprocess.Popen(line, stdout=subprocess.DEVNULL)
    trials = tmp_path / "out.trials"
    while child.poll() is None and len(list(trials.glob("*.parquet"))) < 1:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    before = pl.concat(map(pl.read_parquet, sorted(trials.glob("*.parquet"))))
    assert 8 <= before.height < 24
    again = json.loads(subprocess.run(line, check=True, capture_output=True).stdout)
    after = pl.concat(map(pl.read_parquet, sorted(trials.glob("*.parquet"))))
    assert after.height == again["trials"] == 24 and after.head(before.height).equals(before)
    whole = json.loads(
        subprocess.run(
            [*line[:-2], str(tmp_path / "whole"), "--json"], check=True, capture_output=True
        ).stdout
    )
    assert whole["best"] == again["best"]


def test_the_trials_of_another_search_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    tb.tune("s0", {"policy": ["default", "ring"]}, seeds=1, out=out)
    with pytest.raises(tb.BadInput, match="another search"):
        tb.tune("s0", {"policy": ["default", "ring"]}, seeds=2, out=out)


@pytest.mark.parametrize(
    ("over", "more", "words"),
    [
        ({}, {}, "at least one"),
        ({"cluster.nodes": "1..3"}, {}, "did you mean"),
        ({"cluster.nodes_per_rack": "3..1"}, {}, "LOW..HIGH"),
        ({"cluster.nodes_per_rack": "0..3"}, {}, "cluster.nodes_per_rack"),
        (S0, {"objective": "speed"}, "expected one of"),
        (S0, {"objective": "busiest_disk"}, "busiest_disk:less or busiest_disk:more"),
        (S0, {"subject_to": "busiest_disk=1"}, "METRIC<VALUE"),
        (S0, {"subject_to": "recovery_s<5MB"}, "in s, not in MB"),
        (S0, {"on": "slurm"}, "ray"),
        (S0, {"seeds": 0}, "at least 1"),
        (S0, {"trials": 0}, "from 1 on"),
        (S0, {"budget": -1}, "10m"),
        (S0, {"out": "docs"}, "other files"),
        ({"policy": []}, {}, "at least one value"),
        (S0, {"budget": "soon"}, "10m"),
    ],
)
def test_bad_input_is_named(over: dict[str, str], more: dict[str, object], words: str) -> None:
    with pytest.raises(tb.BadInput, match=words):
        tb.tune("s0", over, **more)  # type: ignore[arg-type]


def test_no_setting_may_meet_the_limits() -> None:
    tuned = tb.tune("s0", {"policy": ["default", "ring"]}, subject_to="recovery_s<1ms", seeds=1)
    assert tuned.best is None and tuned.headline == "No settings meet the limits."


def test_the_scenario_as_it_is_may_be_the_best() -> None:
    tuned = tb.tune("s0", {"hardware.disk_seek": "1ms..10ms"}, trials=3, seeds=2)
    assert tuned.best and tuned.now.values[0] < tuned.best.values[0]
    assert tuned.headline.startswith(
        "Nothing found is better than the scenario as it is: recovery_s"
    )


def test_values_have_units() -> None:
    axis = Axis.of("a.b", "5s..60s")
    assert (axis.low, axis.high, axis.unit, axis.whole, str(axis)) == (
        5,
        60,
        "s",
        True,
        "a.b=5s..60s",
    )
    assert Axis.of("a.b", "0.1..0.9").size == float("inf")
    limit = Limit.of("p99<5ms", {"p99_s": 1.0})
    assert (limit.metric, limit.bound, limit.excess(0.004) < 0) == ("p99_s", 0.005, True)
    assert [seconds_of(text) for text in ("90", "90s", "1.5m", "2h")] == [90, 90, 90, 7200]
    assert [rungs(n) for n in (1, 2, 3, 9, 10)] == [[1], [1, 2], [1, 3], [1, 3, 9], [1, 3, 9, 10]]


def test_the_command_prints_the_answer(tmp_path: Path) -> None:
    line = [
        sys.executable,
        "-m",
        "tenbin",
        "tune",
        "s0",
        "--over",
        "policy=default,ring",
        "--seeds",
        "2",
    ]
    done = subprocess.run(
        [*line, "-o", str(tmp_path / "out")], capture_output=True, text=True, check=True
    )
    assert "2 settings in" in done.stdout and str(tmp_path / "out" / "report.html") in done.stdout
    wrong = subprocess.run(
        [*line, "--objective", "speed"], capture_output=True, text=True, env={**os.environ}
    )
    assert wrong.returncode == 2 and wrong.stderr.startswith(
        "error: --objective speed: expected one of"
    )
    assert not Path("out/tune-s0.trials").exists()
