package tenbin.yarn;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a node did since its heartbeat before. */
final class NodeFigures {
  /** Names in the heartbeat: short, since each NodeManager sends them each second. */
  private static final String RECEIVED = "tenbin.rx";
  private static final String FETCHING = "tenbin.fetch";
  private static final String STALLED_IO = "tenbin.io";
  private static final String STALLED_MEMORY = "tenbin.mem";
  private static final String STALLED_CPU = "tenbin.cpu";
  private static final String DISK = "tenbin.disk";
  private static final String DISK_COUNT = "tenbin.n";

  /** Bytes received a second; NaN: not known. */
  final double receiveRate;
  /** Bytes of map output that the node's reduces fetch now; NaN: not known. */
  final double fetching;
  final Pressure pressure;
  /** Of each disk, or of all in the mean, the part of the time in which it was busy. */
  final double[] disks;
  /** At least 1. */
  final int diskCount;

  NodeFigures(double receiveRate, double fetching, Pressure pressure, double... disks) {
    this(Math.max(disks.length, 1), receiveRate, fetching, pressure, disks);
  }

  private NodeFigures(int diskCount, double receiveRate, double fetching, Pressure pressure,
      double... disks) {
    this.diskCount = diskCount;
    this.receiveRate = receiveRate;
    this.fetching = fetching;
    this.pressure = pressure;
    this.disks = disks;
  }

  /** The mean over disks; NaN: not known. */
  double diskRate() {
    return disks.length == 0 ? Double.NaN : Arrays.stream(disks).sum() / disks.length;
  }

  /** How busy the idlest disk was; NaN: not known. */
  double idlestDisk() {
    return Arrays.stream(disks).min().orElse(Double.NaN);
  }

  /** As a heartbeat carries them: one figure of all disks, or one of each. */
  static Map<String, Float> carried(
      double receiveRate,
      double fetching,
      Pressure pressure,
      Map<String, Double> disks,
      boolean perDisk) {
    Map<String, Float> carried = new LinkedHashMap<>();
    put(carried, RECEIVED, receiveRate);
    put(carried, FETCHING, fetching);
    put(carried, STALLED_IO, pressure.io);
    put(carried, STALLED_MEMORY, pressure.memory);
    put(carried, STALLED_CPU, pressure.cpu);
    double[] busy = disks.values().stream().mapToDouble(Double::doubleValue).toArray();
    if (perDisk) {
      disks.forEach((name, part) -> put(carried, DISK + "." + name, part));
    } else {
      put(carried, DISK, new NodeFigures(receiveRate, fetching, pressure, busy).diskRate());
      put(carried, DISK_COUNT, busy.length > 1 ? busy.length : Double.NaN);
    }
    return carried;
  }

  private static void put(Map<String, Float> carried, String name, double figure) {
    if (!Double.isNaN(figure)) {
      carried.put(name, (float) figure);
    }
  }

  /** What a heartbeat carried; null if none of it is Tenbin's. */
  static NodeFigures of(Map<String, Float> carried) {
    Map<String, Float> ours = new TreeMap<>();
    if (carried != null) {
      carried.forEach((name, figure) -> {
        if (name.startsWith("tenbin.")) {
          ours.put(name, figure);
        }
      });
    }
    if (ours.isEmpty()) {
      return null;
    }
    Pressure pressure = new Pressure(
        figure(ours, STALLED_IO), figure(ours, STALLED_MEMORY), figure(ours, STALLED_CPU));
    double[] disks = ours.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(DISK))
        .mapToDouble(Map.Entry::getValue)
        .toArray();
    int count = ours.getOrDefault(DISK_COUNT, (float) Math.max(disks.length, 1)).intValue();
    return new NodeFigures(
        count, figure(ours, RECEIVED), figure(ours, FETCHING), pressure, disks);
  }

  private static double figure(Map<String, Float> carried, String name) {
    return carried.getOrDefault(name, Float.NaN);
  }

  @Override
  public String toString() {
    String busy = Arrays.stream(disks)
        .mapToObj(disk -> String.format(Locale.ROOT, "%.2f", disk))
        .collect(Collectors.joining(" "));
    return String.format(Locale.ROOT,
        "received %.0f B/s, fetching %.0f B, disks busy %s, %s",
        receiveRate, fetching, busy, pressure);
  }
}
