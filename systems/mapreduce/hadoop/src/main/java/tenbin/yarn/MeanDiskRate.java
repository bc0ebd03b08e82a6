package tenbin.yarn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How busy disks of all nodes are in the mean, of those that were heard of lately. */
final class MeanDiskRate {
  /** What a node said is forgotten then: it is lost, or nobody asks for anything. */
  private static final long FORGOTTEN = 60_000_000_000L;
  /** The mean is taken anew so often: of thousands of nodes it takes some microseconds. */
  private static final long OFTEN = 1_000_000_000L;

  private final Map<String, Said> nodes = new ConcurrentHashMap<>();
  private volatile Mean last;

  private static final class Said {
    final double rate;
    final long at;

    Said(double rate, long at) {
      this.rate = rate;
      this.at = at;
    }
  }

  /** One value: it is read while it is replaced. */
  private static final class Mean {
    final double value;
    final long at;

    Mean(double value, long at) {
      this.value = value;
      this.at = at;
    }
  }

  /** A node's heartbeat came. */
  void hear(String node, NodeFigures figures, long nanos) {
    double rate = figures.diskRate();
    if (!Double.isNaN(rate)) {
      nodes.put(node, new Said(rate, nanos));
    }
  }

  /** NaN: no node's figure is known. */
  double now(long nanos) {
    Mean known = last;
    if (known == null || nanos - known.at >= OFTEN) {
      nodes.values().removeIf(said -> nanos - said.at > FORGOTTEN);
      known = new Mean(nodes.values().stream().mapToDouble(said -> said.rate).average()
          .orElse(Double.NaN), nanos);
      last = known;
    }
    return known.value;
  }
}
