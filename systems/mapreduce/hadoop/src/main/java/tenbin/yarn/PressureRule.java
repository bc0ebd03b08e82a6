package tenbin.yarn;

import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** A node whose tasks wait for a resource is given no container that needs it. */
final class PressureRule extends Rule {
  private final ToDoubleFunction<Pressure> kind;
  private final Predicate<Request> covers;

  private PressureRule(String name, double threshold, ToDoubleFunction<Pressure> kind,
      Predicate<Request> covers) {
    super(name, threshold);
    this.kind = kind;
    this.covers = covers;
  }

  /** Covers what Disk Rate covers. */
  static PressureRule io(double threshold) {
    return new PressureRule(
        "pressure-io", threshold, pressure -> pressure.io, request -> !request.isReduce());
  }

  static PressureRule memory(double threshold) {
    return new PressureRule(
        "pressure-memory", threshold, pressure -> pressure.memory, request -> true);
  }

  static PressureRule cpu(double threshold) {
    return new PressureRule("pressure-cpu", threshold, pressure -> pressure.cpu, request -> true);
  }

  @Override
  boolean covers(Request request) {
    return covers.test(request);
  }

  @Override
  double figure(NodeFigures figures) {
    return kind.applyAsDouble(figures.pressure);
  }
}
