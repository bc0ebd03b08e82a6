package tenbin.yarn;

import java.util.Locale;

/**
 * Pressure-stall information: the fraction of an interval in which at least one task waited for a
 * resource, 0 to 1. NaN: the kernel does not report it.
 */
final class Pressure {
  static final Pressure UNKNOWN = new Pressure(Double.NaN, Double.NaN, Double.NaN);

  final double io;
  final double memory;
  final double cpu;

  Pressure(double io, double memory, double cpu) {
    this.io = io;
    this.memory = memory;
    this.cpu = cpu;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "I/O stalled %.2f, memory stalled %.2f, CPU stalled %.2f", io, memory, cpu);
  }
}
