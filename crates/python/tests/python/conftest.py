import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def program() -> str:
    """The command line of the same build."""
    return os.environ["TENBIN"]
