import functools
import random
import signal
import threading
import time

import pytest

import tenbin as tb
from tenbin.policies import Block, Draw, Report, Task, View


def first_fit(block: Block, view: View, draw: Draw) -> tuple[int, int] | None:
    """The first ready holder to the idlest of two fit nodes."""
    ready = [source.node for source in block.sources if source.ready]
    if not ready or not view.fit:
        return None
    drawn = [view.fit[draw(len(view.fit))] for _ in range(2)]
    return ready[0], min(drawn, key=lambda node: view.node(node).receiving)


def test_a_policy_of_hdfs_repairs_all_blocks() -> None:
    policy = tb.policies.rereplication(first_fit)
    s = tb.Scenario.load("s0").set("policy", policy)
    run = s.run(seeds=2, advice=False)
    assert run.metrics["blocks_copied"].mean == 560 and run.objective.mean > 150
    assert s.run(seeds=2, advice=False).hash == run.hash
    assert policy.name in s.settings["policy.rereplication"]
    compared = tb.compare("s0", variants=[{"policy": policy}, {"policy": "ring"}], seeds=2)
    assert compared.rows[1].set == {"policy.rereplication": policy.name}


def test_the_name_has_the_hash_of_the_source() -> None:
    def withhold(report: Report, task: Task) -> bool:
        return sum(report.disks) > 0.9

    one = tb.policies.rule(withhold)

    def withhold(report: Report, task: Task) -> bool:  # type: ignore[no-redef]
        return sum(report.disks) > 0.8

    other = tb.policies.rule(withhold)
    assert one.name.startswith("python:withhold@") and one.name != other.name


def test_a_rule_of_mapreduce_is_that_of_rust() -> None:
    def busy(report: Report, task: Task) -> bool:
        total = 0.0
        for disk in report.disks:
            total += disk
        return task.is_map and total / max(len(report.disks), 1) > 0.3

    s = tb.Scenario.load("mapreduce-lab")
    ours, rust = (
        s.set("policy", f"fair+{rule}").run(advice=False).objective.mean
        for rule in (tb.policies.rule(busy), "disk-rate")
    )
    assert ours == rust


def test_a_placement_of_ppmds_is_that_of_rust() -> None:
    def on_all(directory: int, servers: int, home: int) -> list[int]:
        return list(range(servers))

    s = tb.Scenario.load("ppmds-mix").set("workload.creates_per_client", 20)
    ours, rust = (
        s.set("policy.metadata", policy).run(advice=False).objective.mean
        for policy in (tb.policies.placement(on_all), "hash")
    )
    assert ours == rust


def test_what_a_policy_must_not_return() -> None:
    def random_pair(block: Block, view: View, draw: Draw) -> tuple[int, int]:
        return block.sources[0].node, random.choice(view.fit)

    def to_itself(block: Block, view: View, draw: Draw) -> tuple[int, int]:
        return block.sources[0].node, block.sources[0].node

    def a_word(block: Block, view: View, draw: Draw) -> str:
        return "ring"

    def raises(block: Block, view: View, draw: Draw) -> tuple[int, int]:
        raise KeyError("source")

    wrong = [(random_pair, "two calls"), (to_itself, "view.fit"), (a_word, "expected .source")]
    s = tb.Scenario.load("s0")
    listed = tb.policies.rereplication(lambda block, view, draw: None)
    assert "not safe" in s.set("policy", listed).run(advice=False).headline
    for function, words in wrong:
        policy = tb.policies.rereplication(function)  # type: ignore[arg-type]
        with pytest.raises(tb.PolicyError, match=words) as e:
            s.set("policy", policy).run()
        assert policy.name in str(e.value)
    with pytest.raises(KeyError, match="source"):
        s.set("policy", tb.policies.rereplication(raises)).run()
    assert s.run(advice=False).hash


def test_a_copy_for_a_rack_goes_to_another_rack() -> None:
    policy = tb.policies.rereplication(first_fit)
    s = tb.Scenario.load("scenarios/policies/second-loss.toml").set("policy", policy)
    assert s.measure(seeds=3)[0][0]["value"] > 0


def test_ctrl_c_ends_a_policy_that_never_returns() -> None:
    def endless(block: Block, view: View, draw: Draw) -> tuple[int, int]:
        while True:
            time.sleep(0.01)

    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tb.Scenario.load("s0").set("policy", tb.policies.rereplication(endless)).run()


def test_a_policy_must_be_a_function() -> None:
    with pytest.raises(TypeError, match="expected a function"):
        tb.policies.rereplication(functools.partial(first_fit))
    one = tb.policies.rule(lambda report, task: 1)  # type: ignore[arg-type,return-value]
    with pytest.raises(tb.PolicyError, match="True or False"):
        tb.Scenario.load("mapreduce-lab").set("policy", f"fair+{one}").run()


def test_an_unknown_policy_is_named() -> None:
    with pytest.raises(tb.BadInput, match="policy.rereplication"):
        tb.Scenario.load("s0").set("policy", "python:none@0")
