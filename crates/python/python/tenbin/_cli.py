"""The command `tenbin` of the wheel: Rust's; and `tune`, `campaign` and `--on`, in Python."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

from . import _native
from ._call import command
from .errors import BadInput, RunFailed


def main() -> int:
    """Runs the process's command line; returns the exit code."""
    words = sys.argv[1:]
    if words[:1] == ["tune"]:
        return _guarded(lambda: _tune(_tune_arguments().parse_args(words[1:])))
    if words[:1] == ["campaign"]:
        return _guarded(lambda: _campaign(_campaign_arguments().parse_args(words[1:])))
    if words[:1] and words[0] in ON and (on := _on(words)):
        return _guarded(lambda: print(command(words, on=on), end=""))
    return _native.main(sys.argv)


ON = ["run", "compare", "plan", "reproduce"]
"""Commands with `--on`."""


def _on(words: list[str]) -> str | None:
    """The value of --on, which is removed."""
    for place, word in enumerate(words):
        if word == "--on" or word.startswith("--on="):
            value = word[5:] if "=" in word else "".join(words[place + 1 : place + 2])
            del words[place : place + (1 if "=" in word else 2)]
            return value or "-"
    return None


WAITING = 3
"""Exit code of `campaign join` while runs are missing."""


def _guarded(work: Callable[[], int | None]) -> int:
    """Performs a command of Python's; returns the exit code."""
    logging.getLogger("tenbin").addHandler(logging.StreamHandler())
    logging.getLogger("tenbin").setLevel(logging.INFO)
    warnings.showwarning = lambda message, *_, **__: print(f"! {message}", file=sys.stderr)
    try:
        return work() or 0
    except BadInput as e:
        return _failed(e, 2)
    except RunFailed as e:
        return _failed(e, 1)
    except ImportError as e:
        return _failed(BadInput(f'{e.name} is missing: pip install "tenbin[tune]"'), 2)
    except BrokenPipeError:
        # A reader such as `head` has enough.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        return 0
    except KeyboardInterrupt as e:
        why = str(e) or "nothing was written"
        print(f"interrupted: {why}", file=sys.stderr)
        return 130


def _failed(why: Exception, code: int) -> int:
    print(f"error: {why}", file=sys.stderr)
    return code


def _campaign_arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tenbin campaign",
        description="A command's runs as files, for arrays of a batch system such as Slurm.",
        epilog="Example: tenbin campaign split runs/ compare s0 --seeds 200 -o out/s0",
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    split = verbs.add_parser("split", help="write the runs of a command, and a job script")
    split.add_argument("folder", help="new folder that all machines share")
    split.add_argument("--parts", type=int, default=100, help="most files [default: 100]")
    split.add_argument(
        "command", nargs=argparse.REMAINDER, help="run, compare, plan or reproduce …"
    )
    join = verbs.add_parser("join", help="finish the command, or write the runs that it needs next")
    join.add_argument("folder")
    work = verbs.add_parser("work", help="perform the runs of one file")
    work.add_argument("folder")
    work.add_argument("number", type=int)
    return parser


def _campaign(args: argparse.Namespace) -> int:
    from . import files

    match args.verb:
        case "work":
            files.work(args.folder, args.number)
        case "join":
            is_done, text = files.join(args.folder)
            print(text.rstrip("\n"))
            return 0 if is_done else WAITING
        case _:
            if not args.command or args.command[0] not in ON or args.parts < 1:
                raise BadInput(
                    f"campaign split: expected a command of {', '.join(ON)}, 1 part or more"
                )
            print(files.split(args.folder, args.command, args.parts).rstrip("\n"))
    return 0


def _tune_arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tenbin tune",
        description="Search for the best values of keys. Optuna proposes settings, all with the "
        "same seeds; only the best third gets more seeds.",
        epilog="Example: tenbin tune s0 --over policy.rereplication=default,ring "
        "--over hdfs-site.dfs.namenode.replication.max-streams=2..16 --trials 40",
    )
    add = parser.add_argument
    add("scenario", help="scenario file, or a name of `tenbin list scenarios`")
    add(
        "--over",
        action="append",
        default=[],
        metavar="KEY=LOW..HIGH|KEY=A,B",
        help="a key with its range or values; repeatable",
    )
    add(
        "--objective",
        action="append",
        default=[],
        metavar="NAME[:less|:more]",
        help="metric to improve; several give a front [default: the scenario's]",
    )
    add(
        "--subject-to",
        action="append",
        default=[],
        metavar="METRIC<VALUE",
        help="limit on a metric's mean, such as p99<5ms; repeatable",
    )
    add(
        "--budget",
        metavar="TIME",
        help="stop after this time, such as 10m; the result depends on the machine",
    )
    add("--trials", type=int, metavar="N", help="number of settings [default: 64 without --budget]")
    add("--seeds", type=int, default=9, metavar="N", help="most seeds of a setting [default: 9]")
    add(
        "--set",
        action="append",
        default=[],
        dest="sets",
        metavar="KEY=VALUE",
        help="change a key first",
    )
    add("--on", metavar="ray|ray://HOST:PORT", help="run on a Ray cluster, with the same result")
    add(
        "-o",
        "--out",
        metavar="DIR",
        help="folder of the result; the same command continues a search "
        "that was stopped, from DIR.trials [default: out/tune-NAME]",
    )
    add("--json", action="store_true", help="print exactly one JSON object on stdout")
    return parser


def _tune(args: argparse.Namespace) -> None:
    from pathlib import Path

    from .scenario import Scenario
    from .tune import tune

    scenario = Scenario.load(args.scenario)
    for key, value in (_pair("--set", text) for text in args.sets):
        scenario = scenario.set(key, value)
    out = args.out or f"out/tune-{Path(args.scenario).stem}"
    result = tune(
        scenario,
        dict(_pair("--over", text) for text in args.over),
        objective=args.objective,
        subject_to=args.subject_to,
        budget=args.budget,
        trials=args.trials,
        seeds=args.seeds,
        on=args.on,
        out=out,
        progress=_line if sys.stderr.isatty() else None,
    )
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(json.dumps(result.json()) if args.json else _text(result, out))


def _pair(option: str, text: str) -> tuple[str, str]:
    key, between, value = text.partition("=")
    if not between or not key or not value:
        raise BadInput(f"{option} {text}: expected KEY=…")
    return key.replace('"', ""), value


def _line(what: str, done: int, total: int | None, text: str) -> None:
    of = f" of {total}" if total else ""
    print(f"\r\033[K{what}: {done}{of} settings, {text}", end="", file=sys.stderr, flush=True)


def _text(result: Any, out: str) -> str:
    lines = [result.headline, ""]
    names = [goal.metric for goal in result.goals]
    for trial in result.front[:10] if len(names) > 1 else []:
        values = ", ".join(
            f"{name} {value:.4g}" for name, value in zip(names, trial.values, strict=True)
        )
        lines.append(
            f"{values}: " + ", ".join(f"{key} = {value}" for key, value in trial.set.items())
        )
    if result.random:
        lines.append(f"Random search, as many runs: {names[0]} {result.random.values[0]:.4g}")
    states = [trial.state for trial in result.trials]
    failed = f", {states.count('failed')} without a value" if "failed" in states else ""
    whole = f"{states.count('complete')} with all seeds{failed}"
    lines.append(f"{len(states)} settings in {result.runs} runs: {whole}.")
    if result.comparison:
        lines.append(f"{out}/report.html")
    return "\n".join(lines)
