package tenbin.yarn;

/**
 * Disk Rate, plus a fraction of a disk for each container given since the rate was measured: one
 * heartbeat does not fill an idle node.
 */
final class PredictedLoad extends Rule {
  /** Busy fraction that one container adds to a disk. */
  private final double share;

  PredictedLoad(double threshold, double share) {
    super("predicted-load", threshold);
    this.share = share;
  }

  @Override
  boolean covers(Request request) {
    return !request.isReduce();
  }

  @Override
  double figure(NodeFigures figures) {
    return figures.diskRate();
  }

  @Override
  double figure(Heard heard) {
    return figure(heard.figures) + share * heard.given() / heard.figures.diskCount;
  }
}
