"""Runs on several machines: by Ray, or as files for a batch system."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from . import _native, policies
from ._call import On, Report, watched
from .errors import BadInput, RunFailed

TASK_S = 1.0
"""Aimed length of a Ray task, which has several runs [s]. Ray itself needs about 1 ms for one."""
RETRIES = 5
"""Workers that a task may lose."""
FLYING = 3
"""Ray tasks under way for each CPU, so that they do not fill the driver's memory."""


def elsewhere(
    on: On, report: Report | None = None
) -> Callable[[list[str]], list[str | None]] | None:
    """What performs runs: None: this process. "ray" starts a local cluster if none is there.

    Raises:
        BadInput: another word, no Ray, or no cluster at this address.
    """
    if on is None or callable(on):
        return on
    if on != "ray" and not on.startswith("ray://"):
        raise BadInput(f'--on {on}: expected "ray" or "ray://HOST:PORT"')
    return RayCluster(on, report)


def perform(
    version: str, given: list[policies.Policy], tasks: list[str]
) -> tuple[list[str], float]:
    """Performs tasks in a worker, on one thread. Returns their results and the time [s]."""
    import socket

    if version != _native.__version__:
        raise BadInput(
            f"worker {socket.gethostname()} has tenbin {_native.__version__}, this machine "
            f"{version}: install one version on all"
        )
    for policy in given:
        policies.give(policy)
    began = time.perf_counter()
    results = json.loads(watched(lambda _: _native.perform_tasks(tasks, 1), None))
    return results, time.perf_counter() - began


class RayCluster:
    """Tasks on a Ray cluster. Results do not depend on it."""

    def __init__(self, on: str, report: Report | None = None) -> None:
        try:
            import ray
        except ImportError as e:
            raise BadInput(f'--on {on}: Ray is missing: pip install "tenbin[ray]"') from e
        self._ray: Any = ray
        self._report = report
        if on != "ray":
            _reach(on)
        if not ray.is_initialized():
            self._join(on)
        self._task: Any = ray.remote(num_cpus=1, max_retries=RETRIES)(perform)
        # Of a run [s]; None: not known yet.
        self._each: float | None = None

    def _join(self, on: str) -> None:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if on != "ray":
                self._ray.init(address=on, **quiet)
                return
            try:
                self._ray.init(address="auto", **quiet)
            except ConnectionError:
                self._ray.init(**quiet)
        except (ConnectionError, TimeoutError, RuntimeError) as e:
            first = str(e).splitlines()[0] if str(e) else type(e).__name__
            raise _dead(on, first) from e

    def __call__(self, tasks: list[str]) -> list[str | None]:
        given, done = policies.used_in(tasks), [None] * len(tasks)
        results: list[str | None] = list(done)
        left, flying = deque(range(len(tasks))), dict[Any, list[int]]()
        cpus = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        while left or flying:
            while left and len(flying) < FLYING * cpus:
                part = [left.popleft() for _ in range(self._together(len(left), cpus))]
                line = (_native.__version__, given, [tasks[place] for place in part])
                flying[self._task.remote(*line)] = part
            ready, _ = self._ray.wait(list(flying), timeout=0.2)
            if _native.is_interrupted():
                for future in flying:
                    self._ray.cancel(future, force=True)
                return results
            for future in ready:
                part = flying.pop(future)
                found, took = self._result(future)
                self._each = took / len(part)
                for place, result in zip(part, found, strict=True):
                    results[place] = result
            if self._report and ready:
                count = len(tasks) - len(left) - sum(map(len, flying.values()))
                self._report("ray", count, len(tasks), f"{cpus} CPUs")
        return results

    def _together(self, left: int, cpus: int) -> int:
        """Runs of one task: enough for TASK_S, and few enough to keep all CPUs busy."""
        by_time = int(TASK_S / self._each) if self._each else 1
        return min(left, max(1, min(by_time, left // (2 * cpus))))

    def _result(self, future: Any) -> tuple[list[str], float]:
        try:
            found: tuple[list[str], float] = self._ray.get(future)
            return found
        except self._ray.exceptions.RayTaskError as e:
            cause = getattr(e, "cause", None)
            if isinstance(cause, BadInput | RunFailed):
                raise cause from e
            raise RunFailed(f"a worker failed: {e}") from e
        except self._ray.exceptions.RayError as e:
            raise RunFailed(f"Ray: {str(e).splitlines()[0]}") from e


def _dead(on: str, why: object) -> BadInput:
    return BadInput(f"--on {on}: no Ray cluster answers there ({why}). Start one: ray start --head")


def _reach(on: str) -> None:
    """Ray itself waits 30 s for an address that is dead."""
    import socket

    host, _, port = on.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise BadInput(f'--on {on}: expected "ray" or "ray://HOST:PORT"')
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as e:
        raise _dead(on, e) from e
