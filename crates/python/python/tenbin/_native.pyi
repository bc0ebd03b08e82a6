from collections.abc import Callable
from os import PathLike

_Progress = Callable[[str, int, int | None, str], object]

__version__: str

def main(line: list[str]) -> int: ...
def execute(
    line: list[str],
    progress: _Progress | None = None,
    elsewhere: Callable[[list[str]], list[str | None]] | None = None,
) -> tuple[int, bytes, list[str]]: ...
def perform_tasks(tasks: list[str], threads: int | None = None) -> tuple[int, bytes, list[str]]: ...
def is_interrupted() -> bool: ...
def give_rereplication(name: str, doc: str, function: Callable[..., object]) -> None: ...
def give_rule(name: str, doc: str, function: Callable[..., object]) -> None: ...
def give_placement(name: str, doc: str, function: Callable[..., object]) -> None: ...

class Source:
    """A readable holder of a block."""

    node: int
    ready: bool
    """Below its stream limits now."""
    disk_streams: int
    """Copies being read from the disk with its replica."""

class Block:
    """A block that needs one copy."""

    number: int
    bytes: int
    expected: int
    """Replicas that it should have."""
    live: list[int]
    """Nodes with a live replica."""
    sources: list[Source]
    taken: list[int]
    """Nodes that hold it or will: never targets."""
    only_rack: bool
    """Enough replicas, too few racks."""

class Node:
    """A DataNode, as the NameNode knows it now."""

    rack: int
    alive: bool
    stale: bool
    in_service: bool
    free: int
    """[bytes]"""
    xceivers: int
    """Transfer threads in its last heartbeat."""
    queued: int
    """Copies that no heartbeat has fetched yet."""
    sending: int
    receiving: int

class View:
    """The cluster, as the NameNode knows it now; nodes are numbered from 0."""

    @property
    def racks(self) -> list[list[int]]: ...
    @property
    def fit(self) -> list[int]:
        """Nodes that may receive the block."""

    def node(self, number: int) -> Node: ...
    def __len__(self) -> int: ...

class Report:
    """What a node reported in its last heartbeats."""

    receive_rate: float
    """[bytes/s]"""
    fetching: int
    """Map output that its reduces are fetching [bytes]."""
    outstanding: int
    """Output of finished maps that its reduces have not fetched yet [bytes]."""
    disks: list[float]
    """Busy fraction of each disk."""
    given: int
    """Maps that it got since `disks` was measured."""

class Task:
    """A task that a node could get."""

    is_map: bool
    is_local: bool
    """Its block is on the node."""
    disk: int | None
    """The node's disk with the block."""
    waited: float
    """Wait of the job for a data-local slot [s]."""
    dice: float
    """Random, from 0 to 1."""

class Bench:
    def __init__(self, scenario: str | PathLike[str]) -> None: ...
    def measure(
        self,
        rows: list[list[tuple[str, str]]],
        seeds: list[int],
        threads: int | None = None,
        progress: _Progress | None = None,
        elsewhere: Callable[[list[str]], list[str | None]] | None = None,
    ) -> tuple[int, bytes, list[str]]: ...

class Table:
    """A table in memory, for polars, pyarrow, DuckDB and others of Arrow's C stream interface."""

    def __init__(self, path: str | PathLike[str]) -> None: ...
    @property
    def column_names(self) -> list[str]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __len__(self) -> int: ...
