package tenbin.hdfs;

import java.util.Arrays;

/** The cluster at one moment. Nodes and racks are numbers from 0 on. */
public abstract class View {
  /** By rack: its nodes in the order of ids, which is the order of a ring; dead ones included. */
  public final int[][] racks;
  /** Nodes without a fresh heartbeat receive nothing. */
  public final boolean avoidStale;
  /** Nodes with more transfer threads than that receive nothing for the moment. */
  public final double mostXceivers;

  /** With infinity as {@code mostXceivers} where load is not considered. */
  protected View(int[][] racks, boolean avoidStale, double mostXceivers) {
    this.racks = racks;
    this.avoidStale = avoidStale;
    this.mostXceivers = mostXceivers;
  }

  /** How many nodes there are. */
  public abstract int size();

  /** One node. */
  public abstract NodeView node(int id);

  /** May a node receive this block now? */
  public final Fitness fitness(int id, LostBlock lost) {
    return lost.isTaken(id) ? Fitness.UNFIT : fitness(id, lost.bytes);
  }

  /** May a node receive so many bytes now? */
  public final Fitness fitness(int id, long bytes) {
    NodeView node = node(id);
    if (!node.inService() || (avoidStale && node.stale) || node.free < bytes) {
      return Fitness.UNFIT;
    }
    return node.xceivers > mostXceivers ? Fitness.LOADED : Fitness.FIT;
  }

  /** Does any live node of the rack stay? */
  public final boolean isPeopled(int rack) {
    return Arrays.stream(racks[rack]).mapToObj(this::node).anyMatch(n -> n.alive && !n.leaving);
  }
}
