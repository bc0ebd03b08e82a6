package tenbin.yarn;

/** A node whose disks are busy in the mean is given no map; reduces are never withheld. */
final class DiskRate extends Rule {
  DiskRate(double threshold) {
    super("disk-rate", threshold);
  }

  @Override
  boolean covers(Request request) {
    return request.isMap();
  }

  @Override
  double figure(NodeFigures figures) {
    return figures.diskRate();
  }
}
