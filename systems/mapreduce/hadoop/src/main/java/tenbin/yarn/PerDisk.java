package tenbin.yarn;

/**
 * A node is given no map if even its idlest disk is busy; reduces are never withheld. Nobody tells
 * YARN which disk has a map's block: the simulated rule, too, looks at the idlest disk then.
 */
final class PerDisk extends Rule {
  PerDisk(double threshold) {
    super("per-disk", threshold);
  }

  @Override
  boolean covers(Request request) {
    return request.isMap();
  }

  @Override
  double figure(NodeFigures figures) {
    return figures.idlestDisk();
  }
}
