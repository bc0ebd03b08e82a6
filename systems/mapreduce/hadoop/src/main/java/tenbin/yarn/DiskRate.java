package tenbin.yarn;

/**
 * A node whose disks are busy in the mean is given no map, and no container of other applications;
 * reduces are never withheld.
 */
final class DiskRate extends Rule {
  DiskRate(double threshold) {
    super("disk-rate", threshold);
  }

  @Override
  boolean covers(Request request) {
    return !request.isReduce();
  }

  @Override
  double figure(NodeFigures figures) {
    return figures.diskRate();
  }
}
