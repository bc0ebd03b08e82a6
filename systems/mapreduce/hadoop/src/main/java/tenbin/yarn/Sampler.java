package tenbin.yarn;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What a node did between two looks at its counters. */
final class Sampler {
  private final Path proc;
  private final List<String> disks;
  private final List<String> nics;
  private final boolean perDisk;
  private Counters before = Counters.none();
  private long then;

  Sampler(Path proc, List<String> disks, List<String> nics, boolean perDisk) {
    this.proc = proc;
    this.disks = disks;
    this.nics = nics;
    this.perDisk = perDisk;
  }

  /** Figures for the heartbeat, of the time since the call before. */
  Map<String, Float> sample(long nowNanos, double fetching) {
    Counters now = Counters.read(proc);
    double seconds = Math.max(nowNanos - then, 1_000_000) / 1e9;
    Map<String, Double> received = now.receivedSince(before, seconds, nics);
    Map<String, Double> busy = now.busySince(before, seconds, disks);
    Pressure pressure = now.pressureSince(before, seconds);
    before = now;
    then = nowNanos;
    double rate = received.isEmpty() ? Double.NaN : sum(received.values());
    return NodeFigures.carried(rate, fetching, pressure, busy, perDisk);
  }

  private static double sum(Collection<Double> all) {
    return all.stream().mapToDouble(Double::doubleValue).sum();
  }
}
