import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tenbin as tb
from tenbin import files

LINE = ["compare", "mapreduce-racks", "--seeds", "3", "--json"]


def test_a_campaign_gives_the_result_of_its_command(tmp_path: Path) -> None:
    folder, line = tmp_path / "runs", [*LINE, "-o", str(tmp_path / "out")]
    said = files.split(folder, line, parts=4)
    rounds = 0
    while "tenbin campaign join" in said:
        assert 1 <= len(list((folder / "tasks").glob("*.json"))) <= 4
        for number in range(len(list((folder / "tasks").glob("*.json")))):
            files.work(folder, number)
            files.work(folder, number)
        (is_done, said), rounds = files.join(folder), rounds + 1
        assert is_done != ("tenbin campaign join" in said)
        assert rounds < 5
    alone = tb.compare("mapreduce-racks", seeds=3)
    assert {**json.loads(said), "wall_s": 0} == {**alone.json, "wall_s": 0}
    assert (tmp_path / "out" / "report.html").is_file()


def test_the_job_script_runs(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    files.split(folder, LINE, parts=2)
    script = (folder / "job.sh").read_text()
    assert "#SBATCH --array=0-1" in script
    command = script.splitlines()[-1].replace("exec tenbin", f"{sys.executable} -m tenbin")
    for number in range(2):
        environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(number)}
        subprocess.run(["sh", "-c", command], check=True, env=environment)
    tasks = [json.loads(file.read_text())["tasks"] for file in (folder / "tasks").glob("*.json")]
    assert len(list((folder / "results").iterdir())) == sum(map(len, tasks)) > 0


def test_bad_input_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(tb.BadInput, match="other files"):
        files.split(tmp_path, LINE)
    files.split(tmp_path / "one", LINE)
    with pytest.raises(tb.BadInput, match="another campaign"):
        files.split(tmp_path / "one", [*LINE, "--set", "cluster.nodes=9"])
    with pytest.raises(tb.BadInput, match="no campaign"):
        files.join(tmp_path / "none")
    with pytest.raises(tb.BadInput, match=r"99\.json"):
        files.work(tmp_path / "one", 99)
    with pytest.raises(tb.BadInput, match="task.slow_start"):
        files.split(tmp_path / "two", [*LINE, "--set", "task.slow_start=2"])
    assert not (tmp_path / "two").exists()
    done = subprocess.run(
        [sys.executable, "-m", "tenbin", "campaign", "split", str(tmp_path / "x"), "why", "x"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "expected a command of run, compare" in done.stderr
