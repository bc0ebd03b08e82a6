"""Tenbin: which disk, link, node or setting holds a storage cluster up, and what a change brings.

>>> import tenbin as tb
>>> s = tb.Scenario.load("s0")
>>> s.run(seeds=5).objective.mean  # seconds
201.9...
"""

from . import policies
from ._call import command
from ._native import Table, __version__
from .errors import (
    BadInput,
    Interrupted,
    PolicyError,
    Problem,
    RunFailed,
    TenbinError,
    TenbinWarning,
)
from .jobs import Cause, Jobs, import_mapreduce
from .plans import Plan, plan_metadata, plan_pipelines, plan_rebuild
from .results import Advice, Comparison, Holder, Objective, Row, Run, Statistic
from .scenario import Scenario, compare
from .trials import Trial, Tuned
from .tune import tune

__all__ = [
    "Advice",
    "BadInput",
    "Cause",
    "Comparison",
    "Holder",
    "Interrupted",
    "Jobs",
    "Objective",
    "Plan",
    "PolicyError",
    "Problem",
    "Row",
    "Run",
    "RunFailed",
    "Scenario",
    "Statistic",
    "Table",
    "TenbinError",
    "TenbinWarning",
    "Trial",
    "Tuned",
    "__version__",
    "command",
    "compare",
    "import_mapreduce",
    "plan_metadata",
    "plan_pipelines",
    "plan_rebuild",
    "policies",
    "tune",
]
