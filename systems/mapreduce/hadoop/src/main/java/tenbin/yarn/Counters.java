package tenbin.yarn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The kernel's counters at a time. The same text gives the figures that {@code tenbin monitor}
 * writes: both are tested on the samples in {@code systems/mapreduce/vectors}.
 */
final class Counters {
  /** Beginnings of the names of NICs and disks that are made of others, or hold no data. */
  private static final List<String> MADE_NICS =
      Arrays.asList("bond", "br", "docker", "team", "veth", "virbr");
  private static final List<String> MADE_DISKS = Arrays.asList("dm-", "fd", "md", "sr", "zram");

  /** ms in which a disk was busy, by its name. */
  final Map<String, Double> busyMs;
  /** Bytes that a NIC received, by its name. */
  final Map<String, Double> received;
  /** Totals of the kernel [µs]. */
  private final Pressure stalledUs;

  private Counters(Map<String, Double> busyMs, Map<String, Double> received, Pressure stalledUs) {
    this.busyMs = busyMs;
    this.received = received;
    this.stalledUs = stalledUs;
  }

  /** As they are now, below this folder: {@code /proc}. */
  static Counters read(Path proc) {
    return new Counters(disks(text(proc.resolve("diskstats"))),
        nics(text(proc.resolve("net/dev"))), pressure(proc.resolve("pressure")));
  }

  private static Pressure pressure(Path folder) {
    return new Pressure(stalled(text(folder.resolve("io"))),
        stalled(text(folder.resolve("memory"))), stalled(text(folder.resolve("cpu"))));
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** The part of the time in which each disk was busy since then; disks that are named count
   * whatever they are, also loop devices and partitions. */
  Map<String, Double> busySince(Counters before, double seconds, List<String> only) {
    Predicate<String> counts = name -> only.isEmpty()
        ? isWhole(name) && !isMade(name, MADE_DISKS) : only.contains(name);
    Map<String, Double> rates = rates(busyMs, before.busyMs, seconds, counts);
    rates.replaceAll((name, rate) -> Math.min(rate / 1e3, 1));
    return rates;
  }

  /** Bytes a second that each NIC received since then. */
  Map<String, Double> receivedSince(Counters before, double seconds, List<String> only) {
    Predicate<String> counts =
        name -> only.isEmpty() ? !isMade(name, MADE_NICS) : only.contains(name);
    return rates(received, before.received, seconds, counts);
  }

  /**
   * Of totals, not of `avg10`: over the same time as other figures, which a mean of 10 s would
   * outlast.
   */
  Pressure pressureSince(Counters before, double seconds) {
    Pressure then = before.stalledUs;
    return new Pressure(part(stalledUs.io - then.io, seconds),
        part(stalledUs.memory - then.memory, seconds), part(stalledUs.cpu - then.cpu, seconds));
  }

  private static double part(double us, double seconds) {
    return Math.min(Math.max(us, 0) / seconds / 1e6, 1);
  }

  private static Map<String, Double> rates(Map<String, Double> now, Map<String, Double> then,
      double seconds, Predicate<String> counts) {
    Map<String, Double> rates = new TreeMap<>();
    now.forEach((name, count) -> {
      Double before = then.get(name);
      if (before != null && counts.test(name)) {
        rates.put(name, Math.max(count - before, 0) / seconds);
      }
    });
    return rates;
  }

  /** Busy ms, by disk: `diskstats`. */
  private static Map<String, Double> disks(String text) {
    Map<String, Double> disks = new LinkedHashMap<>();
    for (String line : text.split("\n")) {
      String[] words = words(line);
      if (words.length >= 14) {
        disks.put(words[2], number(words[12]));
      }
    }
    return disks;
  }

  /** Neither memory, nor a file, nor a part of another. */
  static boolean isWhole(String name) {
    return !name.startsWith("loop") && !name.startsWith("ram") && !isPartition(name);
  }

  /** sda1, nvme0n1p2: a part of a disk that stands there itself. */
  private static boolean isPartition(String name) {
    String bare = name.replaceAll("[0-9]+$", "");
    boolean hasNumber = bare.length() < name.length();
    if (name.startsWith("nvme") || name.startsWith("mmcblk")) {
      return hasNumber && bare.endsWith("p");
    }
    return hasNumber && (bare.startsWith("sd") || bare.startsWith("vd") || bare.startsWith("hd")
        || bare.startsWith("xvd"));
  }

  /** "eth0.100" is a part of eth0. */
  private static boolean isMade(String name, List<String> made) {
    return name.contains(".") || made.stream().anyMatch(name::startsWith);
  }

  /** Received bytes, by NIC: `net/dev`. */
  private static Map<String, Double> nics(String text) {
    Map<String, Double> nics = new LinkedHashMap<>();
    for (String line : text.split("\n")) {
      int colon = line.indexOf(':');
      if (colon >= 0) {
        String name = line.substring(0, colon).trim();
        String[] words = words(line.substring(colon + 1));
        if (words.length >= 9 && !name.equals("lo")) {
          nics.put(name, number(words[0]));
        }
      }
    }
    return nics;
  }

  /** µs behind "total=" in the line of "some"; NaN: none. */
  private static double stalled(String text) {
    for (String line : text.split("\n")) {
      int total = line.lastIndexOf("total=");
      if (line.startsWith("some") && total >= 0) {
        return numberOr(line.substring(total + 6).trim(), Double.NaN);
      }
    }
    return Double.NaN;
  }

  private static String[] words(String line) {
    return line.trim().split("\\s+");
  }

  private static double number(String word) {
    return numberOr(word, 0);
  }

  private static double numberOr(String word, double other) {
    try {
      return Double.parseDouble(word);
    } catch (NumberFormatException e) {
      return other;
    }
  }

  /** No counter at all: what comes next has nothing to be compared with. */
  static Counters none() {
    return new Counters(Collections.emptyMap(), Collections.emptyMap(), Pressure.UNKNOWN);
  }
}
