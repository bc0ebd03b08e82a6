"""On a real Ray cluster of two nodes."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import tenbin as tb
from tenbin import campaign

ray = pytest.importorskip("ray")
RAY = shutil.which("ray", path=str(Path(sys.executable).parent)) or "ray"
PORT = 26_379
Node = subprocess.Popen[bytes]


def node(*words: str) -> Node:
    """A node with one CPU, in the foreground, so that it can be killed."""
    line = [RAY, "start", *words, "--num-cpus=1", "--block", "--include-dashboard=false"]
    line += ["--object-store-memory=100000000", "--disable-usage-stats"]
    if "--head" not in words:
        line.remove("--include-dashboard=false")
    return subprocess.Popen(
        line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


@pytest.fixture(scope="module")
def nodes() -> Iterator[list[Node]]:
    # A token that another cluster of this user has left would be asked for.
    os.environ.update(RAY_ADDRESS=f"127.0.0.1:{PORT}", RAY_AUTH_MODE="disabled")
    head = node("--head", f"--port={PORT}")
    for _ in range(100):
        done = subprocess.run([RAY, "status", f"--address=127.0.0.1:{PORT}"], capture_output=True)
        if done.returncode == 0:
            break
        time.sleep(0.2)
    worker = node(f"--address=127.0.0.1:{PORT}")
    campaign.elsewhere("ray")
    for _ in range(600):
        if ray.cluster_resources().get("CPU") == 2:
            break
        time.sleep(0.1)
    assert ray.cluster_resources().get("CPU") == 2, "the second node did not join"
    yield [head, worker]
    ray.shutdown()
    for process in (worker, head):
        with_children(process, signal.SIGKILL)
    subprocess.run([RAY, "stop", "--force"], capture_output=True)
    del os.environ["RAY_ADDRESS"]


def with_children(process: Node, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)
    process.wait()


@pytest.mark.parametrize(
    "name", ["s0", "mapreduce-racks", "ozone-small-files", "ppmds", "xor-write", "echo"]
)
def test_a_comparison_on_ray_is_that_of_one_machine(name: str, nodes: list[Node]) -> None:
    alone, on_two = (tb.compare(name, seeds=3, on=on) for on in (None, "ray"))
    assert {**alone.json, "wall_s": 0} == {**on_two.json, "wall_s": 0}
    pages = [
        (of.folder / "report.json").read_text().replace(str(of.folder), "")
        for of in (alone, on_two)
    ]
    assert pages[0] == pages[1]


def test_the_winner_is_the_same_on_ray(nodes: list[Node]) -> None:
    over = {"policy": ["default", "ring"], "cluster.nodes_per_rack": "5..10"}
    alone = tb.tune("s0", over, trials=8, seeds=3)
    assert tb.tune("s0", over, trials=8, seeds=3, on="ray").best == alone.best


def test_a_policy_in_python_goes_to_the_workers(nodes: list[Node]) -> None:
    def eager(report: tb.policies.Report, task: tb.policies.Task) -> bool:
        return sum(report.disks) > 1.5

    s = tb.Scenario.load("mapreduce-lab").set("policy", f"fair+{tb.policies.rule(eager)}")
    assert s.measure(seeds=range(1, 5), on="ray") == s.measure(seeds=range(1, 5))


# The last on the cluster: it takes a node away.
def test_a_killed_node_changes_nothing(nodes: list[Node]) -> None:
    scenario = tb.Scenario.load("mapreduce-lab")
    rows = [{"task.slow_start": value} for value in (0.05, 0.5, 1.0)]
    alone = scenario.measure(rows, seeds=range(1, 41))
    killer = threading.Timer(0.5, with_children, (nodes[1], signal.SIGKILL))
    killer.start()
    assert scenario.measure(rows, seeds=range(1, 41), on="ray") == alone
    killer.join()


def test_a_dead_address_is_named() -> None:
    with pytest.raises(tb.BadInput, match="no Ray cluster answers there"):
        tb.Scenario.load("s0").measure(on="ray://127.0.0.1:9")
    with pytest.raises(tb.BadInput, match="ray://HOST:PORT"):
        tb.compare("s0", on="slurm")


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(tb.BadInput, match="install one version"):
        campaign.perform("0.0.1", [], [])
