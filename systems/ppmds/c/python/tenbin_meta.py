"""The metadata service: `libtenbin_meta` through ctypes.

    from tenbin_meta import Service

    with Service("meta.toml") as service:
        service.create("/greeting")
        service.write("/greeting", b"hello")
        assert service.read("/greeting") == b"hello"

The library is loaded from `TENBIN_META_LIBRARY`, from this file's folder, or from the system's
folders. `tenbin_meta.h` documents the functions. Several threads may use one service. A failed
operation raises OSError or a subclass of it (FileNotFoundError, TimeoutError and others), with
`errno` and `filename`.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, NamedTuple, Optional, Tuple, Union

__all__ = ["MOST_CONTENTS", "Entry", "Inode", "Service"]

#: The library's version that this module needs.
VERSION = "0.2.0"

#: Longest contents of a file, in bytes.
MOST_CONTENTS = 262144

AnyPath = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
#: User and group.
Owner = Optional[Tuple[int, int]]


class Inode(NamedTuple):
    ino: int
    #: In bytes.
    size: int
    #: Last change of the contents, by the server's clock, in ns since 1970.
    modified: int
    #: Last change of the inode, in ns since 1970.
    changed: int
    #: Type and permissions, for the functions of `stat`.
    mode: int
    #: Names of a file; 1 for a directory.
    links: int
    owner: int
    group: int


class Entry(NamedTuple):
    #: As of `os.fsdecode`.
    name: str
    ino: int
    #: As of `stat.S_IFMT`: `stat.S_ISDIR(entry.type)`.
    type: int


class _Inode(ctypes.Structure):
    _fields_ = [(name, c_uint64 if at < 4 else c_uint32) for at, name in enumerate(Inode._fields)]


class _Change(ctypes.Structure):
    _fields_ = [(name, c_uint32) for name in ("set", "mode", "owner", "group")]
    _fields_ += [("size", c_uint64), ("modified", c_uint64)]


_NAMES = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_uint64, c_uint32)

#: Arguments behind the session and a path.
_FUNCTIONS: dict[str, list[Any]] = {
    "mkdir": [c_uint32] * 3, "create": [c_uint32] * 3, "stat": [POINTER(_Inode)],
    "readdir": [_NAMES, c_void_p], "rename": [c_char_p], "link": [c_char_p],
    "unlink": [], "rmdir": [], "setattr": [POINTER(_Change)],
    "read": [c_char_p, c_size_t, POINTER(c_size_t)], "write": [c_char_p, c_size_t],
}


def _loaded() -> ctypes.CDLL:
    name = "libtenbin_meta.so"
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    chosen = os.environ.get("TENBIN_META_LIBRARY")
    library = ctypes.CDLL(chosen or (beside if os.path.exists(beside) else name))
    for function in ("version", "error"):
        getattr(library, "tenbin_meta_" + function).restype = c_char_p
    version = library.tenbin_meta_version().decode()
    if version != VERSION:
        raise ImportError(f"libtenbin_meta is {version}, this module is for {VERSION}")
    library.tenbin_meta_open.argtypes = [c_char_p, c_char_p, c_uint32, POINTER(c_uint64)]
    library.tenbin_meta_close.argtypes = [c_uint64]
    for function, arguments in _FUNCTIONS.items():
        getattr(library, "tenbin_meta_" + function).argtypes = [c_uint64, c_char_p, *arguments]
    return library


_LIBRARY = _loaded()


def _bytes(path: AnyPath) -> bytes:
    """A path for C, which would end at its first NUL."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError(f"{path!r} has a NUL")
    return encoded


def _number(what: str, value: int, bits: int) -> int:
    if not 0 <= value < 1 << bits:
        raise ValueError(f"{what} is {value}: expected 0 to {(1 << bits) - 1}")
    return value


class Service:
    """A session with the service.

    `cluster` is the cluster file, `keys` the client's folder of `tenbin relay keys add`. An
    operation without an answer in `deadline` seconds raises TimeoutError; it may still take effect.
    """

    _session: int | None = None

    def __init__(self, cluster: AnyPath, keys: AnyPath | None = None, *, deadline: float = 30.0):
        session, folder = c_uint64(), None if keys is None else _bytes(keys)
        wait = max(1, _number("deadline in ms", int(deadline * 1000), 32))
        code = _LIBRARY.tenbin_meta_open(_bytes(cluster), folder, wait, byref(session))
        self._check(code, cluster)
        self._session = session.value

    def mkdir(self, path: AnyPath, mode: int = 0o755, owner: Owner = None) -> None:
        """Makes a directory. `owner` None: this process's."""
        self._make("mkdir", path, mode, owner)

    def create(self, path: AnyPath, mode: int = 0o644, owner: Owner = None) -> None:
        """Makes an empty file, as `mkdir` a directory."""
        self._make("create", path, mode, owner)

    def _make(self, how: str, path: AnyPath, mode: int, owner: Owner) -> None:
        user, group = owner or (os.geteuid(), os.getegid())
        ids = _number("the owner", user, 32), _number("the group", group, 32)
        self._call(how, path, _number("the mode", mode, 32), *ids)

    def stat(self, path: AnyPath) -> Inode:
        inode = _Inode()
        self._call("stat", path, byref(inode))
        return Inode(*(getattr(inode, field) for field in Inode._fields))

    def readdir(self, path: AnyPath) -> list[Entry]:
        """All entries of a directory, sorted by the bytes of their names."""
        entries: list[Entry] = []

        def take(_context: Any, name: bytes, ino: int, kind: int) -> int:
            entries.append(Entry(os.fsdecode(name), ino, kind))
            return 0

        self._call("readdir", path, _NAMES(take), None)
        return entries

    def rename(self, source: AnyPath, target: AnyPath) -> None:
        """Replaces an existing target, as `os.rename` on POSIX."""
        self._call("rename", source, _bytes(target), second=target)

    def link(self, source: AnyPath, target: AnyPath) -> None:
        self._call("link", source, _bytes(target), second=target)

    def unlink(self, path: AnyPath) -> None:
        self._call("unlink", path)

    def rmdir(self, path: AnyPath) -> None:
        self._call("rmdir", path)

    def setattr(
        self, path: AnyPath, *, mode: int | None = None, owner: Owner = None,
        size: int | None = None, modified: int | None = None,
    ) -> None:
        """Changes attributes together; `size` in bytes, `modified` in ns since 1970."""
        change, (user, group) = _Change(), owner or (None, None)
        ids = ("mode", mode, 1, 32), ("owner", user, 2, 32), ("group", group, 2, 32)
        for name, value, bit, bits in (*ids, ("size", size, 4, 64), ("modified", modified, 8, 64)):
            if value is not None:
                setattr(change, name, _number(name, value, bits))
                change.set |= bit
        self._call("setattr", path, byref(change))

    def read(self, path: AnyPath) -> bytes:
        """All bytes of a file, or the target of a symbolic link."""
        buffer, length = ctypes.create_string_buffer(MOST_CONTENTS), c_size_t()
        self._call("read", path, buffer, MOST_CONTENTS, byref(length))
        return ctypes.string_at(buffer, length.value)

    def write(self, path: AnyPath, data: Any) -> None:
        """Replaces all contents of an existing file by at most `MOST_CONTENTS` bytes."""
        contents = data if isinstance(data, bytes) else bytes(memoryview(data))
        self._call("write", path, contents, len(contents))

    def close(self) -> None:
        """Ends the session once the calls of other threads are done. Twice is allowed."""
        session, self._session = self._session, None
        if session is not None:
            _LIBRARY.tenbin_meta_close(session)

    def _call(self, name: str, path: AnyPath, *rest: Any, second: AnyPath | None = None) -> None:
        session = self._session
        if session is None:
            raise ValueError("the service is closed")
        function = getattr(_LIBRARY, "tenbin_meta_" + name)
        self._check(function(session, _bytes(path), *rest), path, second)

    @staticmethod
    def _check(code: int, path: AnyPath, second: AnyPath | None = None) -> None:
        if code:
            words = _LIBRARY.tenbin_meta_error().decode()
            raise OSError(code, words, os.fspath(path), None, second and os.fspath(second))

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
