package tenbin.yarn;

/** A node whose reduces fetch much now is given data-local maps only. */
final class PotentialReception extends Rule {
  PotentialReception(double threshold) {
    super("potential-reception", threshold);
  }

  @Override
  boolean covers(Request request) {
    return !request.local && request.kind != Request.Kind.CONTAINER;
  }

  @Override
  double figure(NodeFigures figures) {
    return figures.fetching;
  }
}
