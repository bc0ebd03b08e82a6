from pathlib import Path

import jupytext
import nbclient
import pytest

NOTEBOOKS = sorted(Path("examples/notebooks").glob("*.py"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(notebook: Path) -> None:
    """Its assertions are its findings."""
    cells = jupytext.read(notebook)
    place = {"metadata": {"path": str(notebook.parent)}}
    nbclient.NotebookClient(cells, timeout=80, kernel_name="python3", resources=place).execute()


def test_there_is_one_for_each_system() -> None:
    assert [file.stem.split("_")[0] for file in NOTEBOOKS] == [
        "hdfs",
        "mapreduce",
        "ozone",
        "ppmds",
        "xor",
    ]
