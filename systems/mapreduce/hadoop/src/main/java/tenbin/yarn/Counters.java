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
  /** µs in which something waited for I/O; NaN: this kernel does not say. */
  final double stalledUs;

  private Counters(Map<String, Double> busyMs, Map<String, Double> received, double stalledUs) {
    this.busyMs = busyMs;
    this.received = received;
    this.stalledUs = stalledUs;
  }

  /** As they are now, below this folder: {@code /proc}. */
  static Counters read(Path proc) {
    return new Counters(disks(text(proc.resolve("diskstats"))),
        nics(text(proc.resolve("net/dev"))), stalled(text(proc.resolve("pressure/io"))));
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

  /** The part of the time in which something waited for I/O since then; NaN: not known. */
  double stalledSince(Counters before, double seconds) {
    return Math.min(Math.max(stalledUs - before.stalledUs, 0) / seconds / 1e6, 1);
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

  /** µs behind "total=" in the line of "some": `pressure/io`. */
  private static double stalled(String text) {
    for (String line : text.split("\n")) {
      int total = line.lastIndexOf("total=");
      if (line.startsWith("some") && total >= 0) {
        return Double.parseDouble(line.substring(total + 6).trim());
      }
    }
    return Double.NaN;
  }

  private static String[] words(String line) {
    return line.trim().split("\\s+");
  }

  private static double number(String word) {
    try {
      return Double.parseDouble(word);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** No counter at all: what comes next has nothing to be compared with. */
  static Counters none() {
    return new Counters(Collections.emptyMap(), Collections.emptyMap(), Double.NaN);
  }
}
