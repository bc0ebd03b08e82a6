package tenbin.hdfs;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The nodes of a cluster, and what a policy remembers of them. */
final class Ledger {
  /** Longest age of the list of nodes. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<Cluster> clusters;
  /** Null before the first {@link #refresh}. */
  Cluster cluster;
  /** Of the present nodes: counts restart when one joins or leaves. */
  Memory memory;
  private long made;

  Ledger(Supplier<Cluster> clusters) {
    this.clusters = clusters;
  }

  void refresh() {
    long now = System.nanoTime();
    if (cluster != null && now - made < FRESH_NANOS) {
      return;
    }
    Cluster before = cluster;
    cluster = clusters.get();
    made = now;
    if (before != null && cluster.hasNodesOf(before)) {
      cluster.goOnFrom(before);
    } else {
      forget();
    }
  }

  /** A new memory, since a late thread may still write to the old one. */
  void forget() {
    if (cluster != null) {
      memory = new Memory(cluster.size(), cluster.racks.length);
    }
  }
}
