package tenbin.hdfs;

import java.util.Arrays;
import java.util.List;

/** A block short of replicas (or of racks), with one copy to be made. */
public final class LostBlock {
  /** Which: any number that tells it from others. */
  public final long block;
  /** Its length. */
  public final long bytes;
  /** Replicas that it should have. */
  public final int expected;
  /** Enough replicas, too few racks: only a target on a new rack helps. */
  public final boolean onlyRack;
  /** Holders of live replicas, in storage order. */
  public final int[] live;
  /** Readable holders, in storage order: live ones, and those on leaving nodes. */
  public final List<Source> sources;
  private final int[] taken;

  /** {@code taken}: nodes that hold or are about to receive it in any state, never targets. */
  public LostBlock(long block, long bytes, int expected, boolean onlyRack, int[] live,
      List<Source> sources, int[] taken) {
    this.block = block;
    this.bytes = bytes;
    this.expected = expected;
    this.onlyRack = onlyRack;
    this.live = live;
    this.sources = sources;
    this.taken = taken;
  }

  /** Does a node hold or await it? */
  public boolean isTaken(int id) {
    return Arrays.stream(taken).anyMatch(node -> node == id);
  }

  /** The rack of all survivors where the copy must leave it; -1 where it may stay in a rack. */
  public int onlyHome(View view) {
    int[] holders = live.length > 0 ? live : sources.stream().mapToInt(s -> s.node).toArray();
    if (holders.length == 0 || expected < 2) {
      return -1;
    }
    int home = view.node(holders[0]).rack;
    boolean together = Arrays.stream(holders).allMatch(id -> view.node(id).rack == home);
    for (int rack = 0; together && rack < view.racks.length; rack++) {
      if (rack != home && view.isPeopled(rack)) {
        return home;
      }
    }
    return -1;
  }
}
