package tenbin.yarn;

/**
 * Disk Rate of a node's idlest disk. YARN does not know which disk has a map's block: then the
 * simulated rule uses the idlest disk, too.
 */
final class PerDisk extends Rule {
  PerDisk(double threshold) {
    super("per-disk", threshold);
  }

  @Override
  boolean covers(Request request) {
    return !request.isReduce();
  }

  @Override
  double figure(NodeFigures figures) {
    return figures.idlestDisk();
  }
}
