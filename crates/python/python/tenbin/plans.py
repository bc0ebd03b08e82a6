"""Searches for settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._call import Path, Progress, object_of
from ._folder import Folder, InFolder
from .scenario import Scenario, set_words


class Plan(InFolder):
    """Recommended settings, their gain, how to apply and undo them."""

    @property
    def recommended(self) -> dict[str, Any] | None:
        """The recommended settings with their figures; None: nothing gains."""
        found: dict[str, Any] | None = self.json.get("recommended")
        return found


def _plan(
    kind: str,
    cluster: Scenario | Path,
    words: list[str],
    on: str | None,
    out: Path | None,
    progress: Progress,
) -> Plan:
    file, sets = (cluster.file, cluster.sets) if isinstance(cluster, Scenario) else (cluster, ())
    folder = Folder(out)
    line = ["plan", kind, file, *set_words(sets), *words, "--out", folder.path]
    return Plan(object_of(line, progress, on), folder)


def plan_rebuild(
    cluster: Scenario | Path,
    lose: str | Sequence[str] = (),
    *,
    decommission: str | Sequence[str] = (),
    within: str | None = None,
    seeds: int | None = None,
    on: str | None = None,
    out: Path | None = None,
    progress: Progress = None,
) -> Plan:
    """Settings for the repair of a loss in HDFS, as `tenbin plan rebuild`.

    Args:
        cluster: A file of `tenbin import hdfs`, or a scenario with its own events.
        lose: "dn-r2-05", "rack=/rack3" or "disk=dn-r2-05/1".
        decommission: Nodes, "rack=/rack3", or "@dfs.hosts.exclude".
        within: Longest acceptable time, such as "30m".
        seeds: Seeds of the finalists.

    Raises:
        BadInput, RunFailed, Interrupted
    """
    words = [*_each("--lose", lose), *_each("--decommission", decommission)]
    words += ["--within", within] if within else []
    words += ["--seeds", str(seeds)] if seeds is not None else []
    return _plan("rebuild", cluster, words, on, out, progress)


def plan_pipelines(
    cluster: Path,
    *,
    workload: Path | None = None,
    fastest: bool = False,
    on: str | None = None,
    out: Path | None = None,
    progress: Progress = None,
) -> Plan:
    """Ozone's limit of pipelines a node, as `tenbin plan pipelines`.

    Args:
        cluster: A file of `tenbin import ozone`, or a scenario.
        workload: A scenario with the [workload] of the plan.
        fastest: Recommend the highest write rate, at any price.

    Raises:
        BadInput, RunFailed, Interrupted
    """
    words = ["--workload", str(workload)] if workload else []
    return _plan("pipelines", cluster, words + ["--fastest"] * fastest, on, out, progress)


def plan_metadata(
    scenario: Scenario | Path,
    target: str,
    *,
    p99: str | None = None,
    clients: int | None = None,
    seeds: int | None = None,
    on: str | None = None,
    out: Path | None = None,
    progress: Progress = None,
) -> Plan:
    """PPMDS's fewest metadata servers for a rate, as `tenbin plan metadata`.

    Args:
        target: Operations a second: "200k/s".
        p99: Goal for 99 of 100 operations: "5ms".
        clients: Clients whose NICs send the load; None: the scenario's.

    Raises:
        BadInput, RunFailed, Interrupted
    """
    words = ["--target", target]
    words += ["--p99", p99] if p99 else []
    words += ["--clients", str(clients)] if clients is not None else []
    words += ["--seeds", str(seeds)] if seeds is not None else []
    return _plan("metadata", scenario, words, on, out, progress)


def _each(option: str, values: str | Sequence[str]) -> list[str]:
    all_values = [values] if isinstance(values, str) else values
    return [word for value in all_values for word in (option, value)]
