package tenbin.hdfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** Open nodes by load, rack by rack: who can take one task more? */
final class ByLoad {
  /** By node; -1 for those that are not open. */
  private final int[] rackOf;
  /** By rack: load and node. */
  private final List<TreeSet<Long>> nodes = new ArrayList<>();
  /** Least load and rack. */
  private final TreeSet<Long> racks = new TreeSet<>();

  ByLoad(int[][] open, int[] load) {
    rackOf = new int[load.length];
    Arrays.fill(rackOf, -1);
    for (int rack = 0; rack < open.length; rack++) {
      TreeSet<Long> here = new TreeSet<>();
      for (int node : open[rack]) {
        rackOf[node] = rack;
        here.add(pair(load[node], node));
      }
      nodes.add(here);
      enter(rack);
    }
  }

  private static long pair(int load, int number) {
    return (long) load << 32 | number;
  }

  private void enter(int rack) {
    if (!nodes.get(rack).isEmpty()) {
      racks.add(pair((int) (nodes.get(rack).first() >> 32), rack));
    }
  }

  /** A node's load changes; nothing happens to one that is not open. */
  void weigh(int node, int from, int to) {
    int rack = rackOf[node];
    if (rack < 0) {
      return;
    }
    TreeSet<Long> here = nodes.get(rack);
    racks.remove(pair((int) (here.first() >> 32), rack));
    here.remove(pair(from, node));
    here.add(pair(to, node));
    enter(rack);
  }

  /**
   * A node that may receive {@code copy}, with a load of at most {@code most}: the least loaded one
   * of the rack with the least loaded node, or the next that may; -1 where there is none.
   */
  int least(Ends copy, int most) {
    for (long least : racks) {
      int rack = (int) least;
      if (least >> 32 > most) {
        break;
      }
      if (rack == copy.barred) {
        continue;
      }
      for (long entry : nodes.get(rack)) {
        if (entry >> 32 > most) {
          break;
        }
        if (!copy.isTaken((int) entry)) {
          return (int) entry;
        }
      }
    }
    return -1;
  }
}
