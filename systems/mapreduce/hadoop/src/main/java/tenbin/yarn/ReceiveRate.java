package tenbin.yarn;

/** A node that receives much is given data-local maps only. */
final class ReceiveRate extends Rule {
  ReceiveRate(double threshold) {
    super("receive-rate", threshold);
  }

  @Override
  boolean covers(Request request) {
    return request != Request.LOCAL_MAP;
  }

  @Override
  double figure(NodeFigures figures) {
    return figures.receiveRate;
  }
}
