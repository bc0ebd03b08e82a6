package tenbin.hdfs;

import java.util.function.IntPredicate;

/** Nodes whose streams have all been in use for too many rounds: blocks wait for them no longer. */
final class Streams {
  /** By node: rounds in succession that began without a free stream. */
  private final int[] busy;
  private final int most;

  Streams(int nodes, int most) {
    busy = new int[nodes];
    this.most = most;
  }

  void beginRound(IntPredicate isReady) {
    for (int id = 0; id < busy.length; id++) {
      busy[id] = isReady.test(id) ? 0 : busy[id] + 1;
    }
  }

  boolean isStuck(int id) {
    return busy[id] > most;
  }
}
