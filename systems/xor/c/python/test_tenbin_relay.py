"""Tests of `tenbin_relay` on a cluster: `TENBIN_RELAY_NODES` are its addresses, with commas."""

import hashlib
import io
import os
import threading
import unittest

from tenbin_relay import Busy, Cluster, NotFound, RelayError, Stopped

NODES = os.environ["TENBIN_RELAY_NODES"].split(",")
CONTENT = bytes(at * 7 % 251 for at in range(1_000_003))
NOWHERE = ["127.0.0.1:1"] * 3


class Objects(unittest.TestCase):
    def setUp(self):
        self.cluster = Cluster(NODES, block=4096)
        self.addCleanup(self.cluster.close)

    def test_what_is_put_is_got(self):
        self.cluster.put("a/é", CONTENT)
        self.assertEqual(self.cluster.get("a/é"), CONTENT)
        found = self.cluster.stat("a/é")
        self.assertEqual(found.sha256, hashlib.sha256(CONTENT).hexdigest())
        self.assertEqual((found.length, found.block_bytes), (len(CONTENT), 4096))
        self.assertEqual(found.lacking, 0)
        self.assertEqual(self.cluster.list()["a/é"], found)
        self.cluster.remove("a/é")
        self.assertNotIn("a/é", self.cluster.list())

    def test_any_bytes_may_be_put(self):
        for data in (b"", bytearray(b"abc"), memoryview(CONTENT)[5:105]):
            self.cluster.put("bytes", data)
            self.assertEqual(self.cluster.get("bytes"), bytes(data))
        for wrong in (5, "text", None):
            with self.assertRaises(TypeError):
                self.cluster.put("bytes", wrong)

    def test_files_go_in_and_out(self):
        source, target = io.BytesIO(b"head" + CONTENT), io.BytesIO()
        source.seek(4)
        self.cluster.put("file", source)
        self.cluster.get("file", target)
        self.assertEqual(target.getvalue(), CONTENT)
        source.seek(0)
        self.cluster.put("file", source, length=4)
        self.assertEqual(self.cluster.get("file"), b"head")

    def test_an_exception_in_a_callback_comes_through(self):
        class Full(io.RawIOBase):
            def write(self, _):
                raise OSError("the disk is full")

        self.cluster.put("kept", b"as it was")
        with self.assertRaisesRegex(EOFError, "ends too early"):
            self.cluster.put("kept", io.BytesIO(b"short"), length=100)
        with self.assertRaisesRegex(OSError, "disk is full"):
            self.cluster.get("kept", Full())
        self.assertEqual(self.cluster.get("kept"), b"as it was")

    def test_what_is_wrong_is_said(self):
        for work in (self.cluster.get, self.cluster.stat, self.cluster.remove):
            with self.assertRaisesRegex(NotFound, "no object has the name"):
                work("none")
        with self.assertRaisesRegex(ValueError, "empty"):
            self.cluster.put("", b"a")
        with self.assertRaisesRegex(ValueError, "NUL"):
            self.cluster.put("a\0b", b"a")
        with Cluster(NODES, block=100) as odd, self.assertRaisesRegex(ValueError, "size 100"):
            odd.put("a", b"a")

    def test_a_cluster_that_is_at_work_is_busy(self):
        seen = []

        def other():
            try:
                self.cluster.list()
            except Busy as busy:
                seen.append(str(busy))

        class Target(io.RawIOBase):
            def write(self, _):
                thread = threading.Thread(target=other)
                thread.start()
                thread.join()

        self.cluster.put("busy", b"a")
        self.cluster.get("busy", Target())
        self.assertEqual(seen, ["another call is using this handle"])

    def test_who_watches_may_stop(self):
        seen = []
        # Several times what is on its way at once: he is asked before all of it is there.
        content = CONTENT * 12

        def watch(_done, total):
            seen.append(total)
            return False

        with Cluster(NODES, block=4096, schedule="naive", watch=watch) as watched:
            with self.assertRaises(Stopped):
                watched.put("stopped", content)
            with self.assertRaises(NotFound):
                watched.stat("stopped")
        self.assertEqual(seen, [len(content)])


class Opening(unittest.TestCase):
    def test_a_cluster_that_is_down_says_so(self):
        with self.assertRaisesRegex(RelayError, "0 of 3 nodes answer"):
            Cluster(NOWHERE)

    def test_one_node_may_be_down(self):
        with Cluster(NODES) as cluster:
            cluster.put("degraded", CONTENT)
            self.assertEqual(cluster.missing(), (0, ""))
        with Cluster(NODES[:2] + NOWHERE[:1]) as cluster:
            missing, why = cluster.missing()
            self.assertEqual(missing, 1)
            self.assertIn("no process listens there", why)
            self.assertEqual(cluster.stat("degraded").lacking, 1)
            self.assertEqual(cluster.get("degraded"), CONTENT)
            with self.assertRaisesRegex(RelayError, "needs all nodes"):
                cluster.put("degraded", b"")
            cluster.reconnect()

    def test_bad_arguments_are_value_errors(self):
        for addresses, options in (
            ([], {}),
            (NODES[0], {}),
            (NODES, {"schedule": "best"}),
            (NODES, {"block": -1}),
            (NODES, {"keys": "/nowhere"}),
        ):
            with self.subTest(addresses=addresses, **options), self.assertRaises(ValueError):
                Cluster(addresses, **options)

    def test_what_is_closed_stays_closed(self):
        cluster = Cluster(NODES)
        cluster.close()
        cluster.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            cluster.list()


if __name__ == "__main__":
    unittest.main()
