package tenbin.hdfs;

import java.util.HashMap;
import java.util.Map;

/** What a policy remembers from block to block. */
public final class Memory {
  /** Plans for deleted blocks are not kept for ever. */
  private static final int MOST_PLANNED = 100_000;

  /** By node: copies sent inside its rack. */
  public final int[] inside;
  /** By node: copies sent because they had to leave the survivors' rack. */
  public final int[] outside;
  /** By rack: whose turn it is among its nodes to receive from another rack. */
  public final int[] cursor;
  /** By rack: copies that had to come from another rack. */
  public final int[] toRack;
  /** By block: the source and the target decided ahead. */
  public final Map<Long, int[]> plan = new HashMap<>();

  /** Of so many nodes and racks, before the first decision. */
  public Memory(int nodes, int racks) {
    inside = new int[nodes];
    outside = new int[nodes];
    cursor = new int[racks];
    toRack = new int[racks];
  }

  void limitPlan() {
    if (plan.size() > MOST_PLANNED) {
      plan.clear();
    }
  }
}
