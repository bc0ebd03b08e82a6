"""Tests of `tenbin_meta` on a cluster: `TENBIN_META_CLUSTER` is its file."""

import errno
import os
import pathlib
import stat
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from tenbin_meta import MOST_CONTENTS, Service

CLUSTER = os.environ["TENBIN_META_CLUSTER"]


class Operations(unittest.TestCase):
    def setUp(self):
        self.service = Service(CLUSTER)
        self.addCleanup(self.service.close)
        self.home = "/" + self.id().rsplit(".", 1)[1]
        self.service.mkdir(self.home)

    def path(self, name):
        return f"{self.home}/{name}"

    def test_attributes(self):
        path = self.path("a")
        self.service.create(path, 0o600, (5, 6))
        inode = self.service.stat(path)
        self.assertEqual((inode.owner, inode.group, inode.links, inode.size), (5, 6, 1, 0))
        self.assertEqual(stat.filemode(inode.mode), "-rw-------")
        self.assertLess(abs(time.time_ns() - inode.modified), 60 * 10**9)
        self.service.setattr(path, mode=0o755, owner=(7, 8), size=3, modified=9)
        inode = self.service.stat(path)
        self.assertEqual(stat.filemode(inode.mode), "-rwxr-xr-x")
        self.assertEqual((inode.owner, inode.group, inode.size, inode.modified), (7, 8, 3, 9))
        self.assertEqual(self.service.read(path), b"\0\0\0")
        home = self.service.stat(self.home)
        self.assertTrue(stat.S_ISDIR(home.mode))
        self.assertEqual((home.owner, home.group), (os.geteuid(), os.getegid()))

    def test_names(self):
        names = ["é", "b", os.fsdecode(b"\xff")]
        for name in names:
            self.service.create(pathlib.Path(self.home, name))
        entries = self.service.readdir(self.home)
        self.assertEqual([entry.name for entry in entries], ["b", "é", os.fsdecode(b"\xff")])
        for entry in entries:
            self.assertEqual(self.service.stat(self.path(entry.name)).ino, entry.ino)
            self.assertTrue(stat.S_ISREG(entry.type))
        self.service.rename(self.path("b"), self.path("c"))
        self.service.link(self.path("c"), self.path("d"))
        self.assertEqual(self.service.stat(self.path("c")).links, 2)
        for name in ("é", "c", "d", names[2]):
            self.service.unlink(self.path(name))
        self.service.rmdir(self.home)

    def test_contents(self):
        path = self.path("a")
        self.service.create(path)
        for data in (b"", b"a\0b", bytearray(b"abc"), bytes(range(256)) * (MOST_CONTENTS // 256)):
            self.service.write(path, data)
            self.assertEqual(self.service.read(path), data)
        with self.assertRaises(OSError) as raised:
            self.service.write(path, bytes(MOST_CONTENTS + 1))
        self.assertEqual(raised.exception.errno, errno.EFBIG)
        for wrong in (5, "text", None):
            with self.assertRaises(TypeError):
                self.service.write(path, wrong)

    def test_entries_of_other_clients(self):
        self.assertTrue(stat.S_ISLNK(self.service.stat("/link").mode))
        self.assertEqual(self.service.read("/link"), b"/target")
        for code, work in (
            (errno.EINVAL, lambda: self.service.write("/link", b"a")),
            (errno.ENOTDIR, lambda: self.service.stat("/link/a")),
            (errno.EFBIG, lambda: self.service.read("/long")),
        ):
            with self.assertRaises(OSError) as raised:
                work()
            self.assertEqual(raised.exception.errno, code)
        self.service.setattr("/long", size=5)
        self.assertEqual(self.service.read("/long"), bytes(5))

    def test_errors_are_those_of_python(self):
        path = self.path("a")
        self.service.create(path)
        for kind, work in (
            (FileNotFoundError, lambda: self.service.stat(self.path("none"))),
            (FileExistsError, lambda: self.service.create(path)),
            (NotADirectoryError, lambda: self.service.readdir(path)),
            (IsADirectoryError, lambda: self.service.read(self.home)),
            (PermissionError, lambda: self.service.link(self.home, self.path("b"))),
            (ValueError, lambda: self.service.stat("/a\0b")),
            (ValueError, lambda: self.service.setattr(path, size=-1)),
        ):
            with self.subTest(kind), self.assertRaises(kind):
                work()
        with self.assertRaises(OSError) as raised:
            self.service.rename(self.path("none"), self.path("b"))
        error = raised.exception
        self.assertEqual(error.errno, errno.ENOENT)
        self.assertEqual((error.filename, error.filename2), (self.path("none"), self.path("b")))
        self.assertIn("does not exist", str(error))
        with self.assertRaisesRegex(OSError, "expected an absolute path"):
            self.service.stat("relative")

    def test_threads_share_a_session(self):
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: self.service.create(self.path(n)), range(3_300)))

            def fail(n):
                try:
                    self.service.stat(self.path(n)) if n % 2 else self.service.mkdir(self.path(-n))
                except OSError as error:
                    return error.errno, error.strerror
                return None

            wanted = [(errno.ENOENT, "does not exist"), (errno.EEXIST, "already exists")]
            results = list(pool.map(fail, (5_001, 0) * 100))
        self.assertEqual(results, [wanted[0], wanted[1]] * 100)
        entries = self.service.readdir(self.home)
        self.assertEqual({entry.name for entry in entries}, set(map(str, range(3_300))))


class Sessions(unittest.TestCase):
    def test_a_closed_service_stays_closed(self):
        with Service(CLUSTER) as service:
            service.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            service.stat("/")

    def test_a_service_may_be_closed_while_threads_use_it(self):
        service = Service(CLUSTER)
        ends = []

        def work():
            try:
                while True:
                    service.stat("/")
                    service.readdir("/")
            except (ValueError, OSError) as end:
                ends.append(getattr(end, "errno", None))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.1)
        service.close()
        for thread in threads:
            thread.join()
        self.assertEqual(len(ends), 4)
        self.assertLessEqual(set(ends), {None, errno.EBADF})

    def test_bad_arguments(self):
        with self.assertRaisesRegex(OSError, "No such file") as raised:
            Service("/nowhere")
        self.assertEqual(raised.exception.errno, errno.EINVAL)
        with self.assertRaises(OSError):
            Service(CLUSTER, "/nowhere")
        with self.assertRaises(ValueError):
            Service(CLUSTER, deadline=-1)


if __name__ == "__main__":
    unittest.main()
