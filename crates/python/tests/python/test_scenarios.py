import json
import math
import pickle
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import tenbin as tb

# Measured by the clock, or of one process only.
VARYING = {"wall_s", "peak_rss_bytes", "spent", "out"}


def same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    parts = ({key: value for key, value in one.items() if key not in VARYING} for one in (a, b))
    return next(parts) == next(parts)


def of_program(program: str, *words: str) -> dict[str, Any]:
    done = subprocess.run([program, *words, "--json"], capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


SCENARIOS = ["s0", "echo", "ppmds-names", "ozone-small-files", "xor-write", "mapreduce-racks"]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_run_is_that_of_the_command_line(name: str, program: str, tmp_path: Path) -> None:
    run = tb.Scenario.load(name).run(seeds=2, advice=False)
    line = ("run", name, "--seeds", "2", "--quick", "-o", str(tmp_path / "out"))
    assert same(run.json, of_program(program, *line))
    assert run.page.is_file() and "objectives" in run.tables


def test_a_comparison_is_that_of_the_command_line(program: str, tmp_path: Path) -> None:
    by_name = tb.compare("s0", vary={"policy": ["default", "ring"]}, seeds=4)
    vary = ("--vary", "policy.rereplication=default,ring", "--seeds", "4")
    assert same(
        by_name.json, of_program(program, "compare", "s0", *vary, "-o", str(tmp_path / "out"))
    )
    now, ring = by_name.rows
    assert (now.against, len(ring.values)) == (None, 4)
    assert by_name.headline and [row["variant"] for row in by_name.table()] == [now.name, ring.name]


def test_variants_of_several_keys() -> None:
    both: dict[str, str | int] = {"cluster.nodes_per_rack": 12, "policy": "ring"}
    compared = tb.compare("s0", variants=[both], seeds=2)
    assert [row.set for row in compared.rows] == [
        {},
        {"cluster.nodes_per_rack": "12", "policy.rereplication": "ring"},
    ]


def test_keys_change_a_copy() -> None:
    s = tb.Scenario.load("s0")
    key = "cluster.nodes_per_rack"
    more = s.set(key, 12)
    assert (s.settings[key], more.settings[key]) == ("8", "12")
    assert more.run(advice=False).hash != s.run(advice=False).hash


def test_a_scenario_is_pickled_by_its_file_and_keys() -> None:
    s = tb.Scenario.load("s0").set("policy", "ring")
    s.measure()
    assert pickle.loads(pickle.dumps(s)) == s


def test_the_objective_is_over_seeds() -> None:
    objective = tb.Scenario.load("s0").run(seeds=3, advice=False).objective
    assert (objective.metric, objective.unit, objective.better) == ("recovery_s", "s", "less")
    assert len(objective.values) == 3
    assert objective.mean == pytest.approx(sum(objective.values) / 3)
    assert objective.min == min(objective.values)


def test_one_seed_has_no_interval_and_decides_nothing() -> None:
    compared = tb.compare("s0", vary={"policy": "default,ring"}, seeds=1)
    against = compared.rows[1].against
    assert against and math.isnan(against.ci95) and against.verdict == "not decided"
    assert math.isnan(tb.Scenario.load("s0").run(advice=False).objective.ci95)
    compared.plot().to_dict()


def test_threads_write_to_one_place() -> None:
    s, errors = tb.Scenario.load("s0"), list[BaseException]()

    def work() -> None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                s.run(advice=False, out=Path(folder) / "out")
                s.run(advice=False, out=shared)
        except tb.TenbinError as e:
            errors.append(e)

    with tempfile.TemporaryDirectory() as place:
        shared = Path(place) / "shared"
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors and (shared / "report.html").is_file()


def test_the_disk_holds_the_repair_up() -> None:
    run = tb.Scenario.load("s0").run(advice=False)
    first = run.held_up_by[0]
    assert (first.name, first.kind) == ("Disk", "resource")
    assert sum(one.share for one in run.held_up_by) == pytest.approx(1.0)


def test_tables_go_to_polars_and_pyarrow() -> None:
    run = tb.Scenario.load("s0").run(advice=False)
    for name in run.tables:
        table = run.trace(name)
        frame, arrow = pl.DataFrame(table), pa.table(table)
        read = pl.read_parquet(run.folder / "trace" / f"{name}.parquet")
        assert frame.equals(read) and pl.DataFrame(arrow).equals(read)
        assert (len(table), table.column_names) == (read.height, read.columns)
    with pytest.raises(KeyError, match="expected one of .*intervals"):
        run.trace("interval")


def test_a_folder_of_ones_own_stays(tmp_path: Path) -> None:
    given, temporary = tmp_path / "kept", tb.Scenario.load("s0").run(advice=False)
    tb.Scenario.load("s0").run(advice=False, out=given)
    assert (given / "report.html").is_file() and "<iframe" in temporary._repr_html_()
    folder = temporary.folder
    del temporary
    assert not folder.exists()


@pytest.mark.parametrize(
    ("key", "value", "found", "words"),
    [
        ("cluster.nodes", 3, "cluster.nodes", "did you mean"),
        ("hardware.disk", "65MB", "hardware.disk", "expected"),
        ("policy", "rings", "policy.rereplication", "expected"),
    ],
)
def test_a_wrong_key_names_its_place(key: str, value: Any, found: str, words: str) -> None:
    with pytest.raises(tb.BadInput, match=words) as e:
        tb.Scenario.load("s0").set(key, value)
    assert (e.value.file, e.value.line, e.value.key) == ("command line", None, found)


def test_a_wrong_file_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[cluster]\nracks = 1\nnodes_per_rack = 8\n[hardware]\ndisk = "65MB"\n')
    with pytest.raises(tb.BadInput) as e:
        tb.Scenario.load(file)
    assert (e.value.file, e.value.line, e.value.key) == (str(file), 5, "hardware.disk")
    assert {one.key for one in e.value.problems} >= {
        "hardware.disk",
        "workload.blocks_on_lost_node",
    }
    with pytest.raises(tb.BadInput, match="expected a file"):
        tb.compare("--help")
    with pytest.raises(tb.BadInput, match="seeds 0"):
        tb.Scenario.load("s0").measure(seeds=0)
    with pytest.raises(tb.BadInput, match="missing.toml"):
        tb.Scenario.load(tmp_path / "missing.toml")


def test_a_full_folder_is_no_place_for_a_result(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(tb.BadInput, match="--out"):
        tb.Scenario.load("s0").run(out=tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_progress_is_reported_and_may_stop_a_run() -> None:
    seen: list[tuple[str, int, int | None, str]] = []
    tb.compare("mapreduce-lab", seeds=2, progress=lambda *standing: seen.append(standing))
    assert {what for what, *_ in seen} >= {"compare"}
    assert all(total is None or done <= total for _, done, total, _ in seen)

    def stop(*_: object) -> None:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        tb.compare("mapreduce-ec2", seeds=40, progress=stop)


def test_ctrl_c_stops_a_run_and_nothing_is_half_written(tmp_path: Path) -> None:
    timer = threading.Timer(1.0, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as e:
        tb.compare("mapreduce-ec2", seeds=400, out=tmp_path / "out")
    assert isinstance(e.value, tb.Interrupted)
    assert not (tmp_path / "out").exists()
    assert tb.Scenario.load("s0").run(advice=False).hash


def test_the_lock_of_the_interpreter_is_free_during_a_run() -> None:
    counted, over = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1
            over.wait(0.001)

    other = threading.Thread(target=count)
    other.start()
    tb.compare("mapreduce-racks", seeds=2)
    over.set()
    other.join()
    assert counted > 20


def test_measured_rows_are_those_of_runs() -> None:
    s = tb.Scenario.load("s0")
    now, ring = s.measure([{}, {"policy": "ring"}], seeds=range(1, 4))
    run = s.set("policy", "ring").run(seeds=3, advice=False)
    assert [one["value"] for one in ring] == list(run.objective.values)
    assert [one["seed"] for one in now] == [1, 2, 3]
    with pytest.raises(tb.BadInput, match="policy.rereplication"):
        s.measure([{"policy": "rings"}])
