package tenbin.yarn;

/**
 * Disk Rate whose threshold follows the nodes' mean: a node's disks must be busy for more than half
 * of the time, where requests begin to wait for longer than they are served, and for a tenth more
 * than the mean. If all nodes are equally busy, nothing is withheld.
 */
final class AutoDiskRate extends Rule {
  /** Up to here a node is given all. */
  private static final double FLOOR = 0.5;
  /** So much busier than the mean: less is what two heartbeats of one node differ by. */
  private static final double MARGIN = 0.1;

  AutoDiskRate() {
    super("disk-rate-auto", FLOOR);
  }

  @Override
  boolean covers(Request request) {
    return !request.isReduce();
  }

  @Override
  double figure(NodeFigures figures) {
    return figures.diskRate();
  }

  /** While no node's figure is known, nothing is above it. */
  @Override
  double threshold(double mean) {
    return Double.isNaN(mean) ? 1 : Math.max(FLOOR, mean + MARGIN);
  }
}
