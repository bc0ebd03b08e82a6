package tenbin.yarn;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;

/** What a node's last heartbeat carried: read once, since each request is asked about each node. */
final class Heard {
  final String node;
  /** Null: nothing of Tenbin's. */
  final NodeFigures figures;
  private final ResourceUtilization from;
  private final AtomicInteger given = new AtomicInteger();

  Heard(String node, ResourceUtilization from) {
    this.node = node;
    this.from = from;
    figures = from == null ? null : NodeFigures.of(from.getCustomResources());
  }

  Heard(String node, NodeFigures figures) {
    this.node = node;
    this.figures = figures;
    from = null;
  }

  /** Containers that disk rules cover, given to the node since this heartbeat. */
  int given() {
    return given.get();
  }

  void give() {
    given.incrementAndGet();
  }

  /** Whether no heartbeat came since. */
  boolean isFrom(ResourceUtilization now) {
    return from == now;
  }
}
