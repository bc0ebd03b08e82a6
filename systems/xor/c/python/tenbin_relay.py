"""Objects on a cluster of relays: `libtenbin_relay` through ctypes.

    from tenbin_relay import Cluster

    with Cluster(["a:7400", "b:7400", "c:7400"]) as cluster:
        cluster.put("greeting", b"hello")
        assert cluster.get("greeting") == b"hello"

The library is looked for where `TENBIN_RELAY_LIBRARY` says, beside this file, and where the system
looks for libraries. What the functions promise stands in `tenbin_relay.h`.
"""

import ctypes
import os
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import NamedTuple

__all__ = ["Bug", "Busy", "Cluster", "NotFound", "Object", "RelayError", "Stopped"]

#: The library that this module speaks to.
VERSION = "0.2.0"

_FEED = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_void_p, c_size_t)
_SINK = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)
_WATCH = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64)

_SCHEDULES = {"auto": 0, "naive": 1, "chain": 2, "pivot": 3}


class RelayError(Exception):
    """It did not work: nodes are down, a disk is full."""


class NotFound(RelayError, KeyError):
    """No object has this name."""

    __str__ = Exception.__str__


class Stopped(RelayError):
    """The watch returned False."""


class Busy(RelayError):
    """A call of this cluster runs, in another thread or around this one."""


class Bug(RelayError):
    """An error in the library: please report it. The cluster can only be closed."""


class Object(NamedTuple):
    """What is known of an object."""

    #: Bytes.
    length: int
    #: Which write of this name it is, from 1.
    generation: int
    #: Bytes of a block.
    block_bytes: int
    #: Nodes that lack it or do not answer.
    lacking: int
    #: What `sha256sum` prints.
    sha256: str


class _Object(ctypes.Structure):
    _fields_ = [
        ("length", c_uint64),
        ("generation", c_uint64),
        ("block_bytes", c_uint32),
        ("lacking", c_uint32),
        ("sha256", c_uint8 * 32),
    ]

    def seen(self):
        sha256 = bytes(self.sha256).hex()
        return Object(self.length, self.generation, self.block_bytes, self.lacking, sha256)


_NAMES = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(_Object))

_FUNCTIONS = {
    "open": [POINTER(c_char_p), c_size_t, c_char_p, POINTER(c_void_p)],
    "close": [c_void_p],
    "reconnect": [c_void_p],
    "missing": [c_void_p, POINTER(c_size_t), POINTER(c_char_p)],
    "set_block": [c_void_p, c_uint32],
    "set_schedule": [c_void_p, c_int],
    "set_watch": [c_void_p, _WATCH, c_void_p],
    "put": [c_void_p, c_char_p, c_void_p, c_size_t],
    "put_from": [c_void_p, c_char_p, c_uint64, _FEED, c_void_p],
    "get_to": [c_void_p, c_char_p, _SINK, c_void_p],
    "stat": [c_void_p, c_char_p, POINTER(_Object)],
    "list": [c_void_p, _NAMES, c_void_p],
    "remove": [c_void_p, c_char_p],
}


def _found():
    """The library, from the first place that has it."""
    name = "libtenbin_relay.so"
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    chosen = os.environ.get("TENBIN_RELAY_LIBRARY")
    return ctypes.CDLL(chosen or (beside if os.path.exists(beside) else name))


def _loaded():
    library = _found()
    for name, arguments in _FUNCTIONS.items():
        function = getattr(library, "tenbin_relay_" + name)
        function.argtypes, function.restype = arguments, c_int
    library.tenbin_relay_version.restype = c_char_p
    library.tenbin_relay_words.argtypes, library.tenbin_relay_words.restype = [c_int], c_char_p
    library.tenbin_relay_error.argtypes, library.tenbin_relay_error.restype = [c_void_p], c_char_p
    version = library.tenbin_relay_version().decode()
    if version != VERSION:
        raise ImportError(f"libtenbin_relay is {version}, this module is for {VERSION}")
    return library


_LIBRARY = _loaded()

#: By code: BAD_INPUT is a ValueError, as of any function of Python.
_ERRORS = {1: ValueError, 2: RelayError, 3: Stopped, 4: NotFound, 6: Bug}
_BUSY = 5


def _text(text):
    """A text for C, which would end at its first NUL."""
    encoded = os.fspath(text).encode()
    if b"\0" in encoded:
        raise ValueError(f"{text!r} has a NUL")
    return encoded


class _Guard:
    """Keeps an exception of a callback: it cannot pass through C."""

    def __init__(self):
        self.raised = None

    def __call__(self, work):
        """`work` as a callback: 0 unless it raises."""

        def called(_context, *arguments):
            try:
                return work(*arguments) or 0
            except BaseException as raised:  # KeyboardInterrupt, too.
                self.raised = raised
                return 1

        return called


class Cluster:
    """A client of a cluster. One thread at a time uses it.

    `addresses` are those of all nodes, always in the same order. `keys` is the client's folder of
    `tenbin relay keys add`. `block` is the size of blocks in bytes, `schedule` one of "auto",
    "naive", "chain", "pivot". `watch(done, total)` hears of the bytes of puts and gets; if it
    returns False, the call raises `Stopped`.
    """

    def __init__(self, addresses, keys=None, *, block=None, schedule="auto", watch=None):
        self._handle = c_void_p()
        if isinstance(addresses, (str, bytes)):
            raise ValueError("expected a list of addresses")
        all_of_them = [_text(address) for address in addresses]
        row = (c_char_p * len(all_of_them))(*all_of_them)
        folder = None if keys is None else _text(keys)
        self._guard = _Guard()
        try:
            self._call("open", row, len(all_of_them), folder, byref(self._handle), is_handed=False)
            if schedule not in _SCHEDULES:
                raise ValueError(f"{schedule!r}: expected one of {', '.join(_SCHEDULES)}")
            self._call("set_schedule", _SCHEDULES[schedule])
            if block is not None:
                if not 0 <= block < 1 << 32:
                    raise ValueError(f"a block of {block} bytes")
                self._call("set_block", block)
            if watch is not None:
                # ctypes frees a callback that nobody holds.
                self._watch = _WATCH(self._guard(lambda *at: int(watch(*at) is False)))
                self._call("set_watch", self._watch, None)
        except BaseException:
            self.close()
            raise

    def put(self, name, data, length=None):
        """Writes an object: `data` is bytes, or a file that is open for reading.

        A file is read from where it stands: `length` bytes of it, or all that are left. When this
        returns, the object is durable and visible on all nodes. An object of this name is replaced.
        """
        if hasattr(data, "readinto"):
            return self._put_from(_text(name), data, length)
        if not isinstance(data, bytes):
            data = bytes(memoryview(data))
        data = data[:length]
        self._call("put", _text(name), data, len(data))

    def _put_from(self, name, file, length):
        if length is None:
            here = file.tell()
            length = file.seek(0, os.SEEK_END) - here
            file.seek(here)

        def fill(_offset, buffer, count):
            place = memoryview((c_uint8 * count).from_address(buffer)).cast("B")
            while place:
                read = file.readinto(place)
                if not read:
                    raise EOFError("the file ends too early")
                place = place[read:]

        self._call("put_from", name, length, _FEED(self._guard(fill)), None)

    def get(self, name, file=None):
        """Reads an object: returns its bytes, or writes them to a file that is open for writing.

        What a file got is the object only if this returns.
        """
        pieces = []
        write = pieces.append if file is None else file.write

        def take(data, count):
            write(ctypes.string_at(data, count))

        self._call("get_to", _text(name), _SINK(self._guard(take)), None)
        return b"".join(pieces) if file is None else None

    def stat(self, name):
        """What is known of an object."""
        found = _Object()
        self._call("stat", _text(name), byref(found))
        return found.seen()

    def list(self):
        """All names in order, each with its `Object`; with None where too few nodes answer."""
        names = {}

        def take(name, found):
            names[name.decode()] = found[0].seen() if found else None

        self._call("list", _NAMES(self._guard(take)), None)
        return names

    def remove(self, name):
        """Removes an object."""
        self._call("remove", _text(name))

    def missing(self):
        """How many nodes are done without, and words to them."""
        count, why = c_size_t(), c_char_p()
        self._call("missing", byref(count), byref(why))
        return count.value, why.value.decode()

    def reconnect(self):
        """Connects to all nodes anew: one that was lost once is done without until then."""
        self._call("reconnect")

    def close(self):
        """Ends the connections. Once is enough, twice is well."""
        handle, self._handle = self._handle, c_void_p()
        code = _LIBRARY.tenbin_relay_close(handle)
        if code == _BUSY:
            self._handle = handle
            raise Busy(_LIBRARY.tenbin_relay_words(code).decode())

    def _call(self, name, *arguments, is_handed=True):
        """Calls a function of the library; raises what its code means."""
        if is_handed:
            if not self._handle:
                raise ValueError("the cluster is closed")
            arguments = (self._handle, *arguments)
        code = getattr(_LIBRARY, "tenbin_relay_" + name)(*arguments)
        if code == _BUSY:
            # All else belongs to the call that runs.
            raise Busy(_LIBRARY.tenbin_relay_words(code).decode())
        raised, self._guard.raised = self._guard.raised, None
        if raised is not None:
            raise raised
        if code:
            words = _LIBRARY.tenbin_relay_error(self._handle)
            raise _ERRORS[code]((words or _LIBRARY.tenbin_relay_words(code)).decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()
