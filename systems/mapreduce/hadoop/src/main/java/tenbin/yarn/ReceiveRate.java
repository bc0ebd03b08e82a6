package tenbin.yarn;

/** A node that receives much is given only what asked for it, as data-local maps do. */
final class ReceiveRate extends Rule {
  ReceiveRate(double threshold) {
    super("receive-rate", threshold);
  }

  @Override
  boolean covers(Request request) {
    return !request.local;
  }

  @Override
  double figure(NodeFigures figures) {
    return figures.receiveRate;
  }
}
