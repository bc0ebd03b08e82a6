package tenbin.yarn;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * The node whose room a thread hands out just now. FairScheduler does not ask an allocator about a
 * node: what a rule withholds from the node is not asked for while this is open.
 */
public final class Offer {
  private static final ThreadLocal<SchedulerNode> NODE = new ThreadLocal<>();

  private Offer() {}

  /** Until it is closed. */
  public static void open(SchedulerNode node) {
    NODE.set(node);
  }

  /** The node; null: the thread offers none. */
  static SchedulerNode node() {
    return NODE.get();
  }

  /** What is asked for is again what it is. */
  public static void close() {
    NODE.remove();
  }
}
