package tenbin.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** What Tenbin's simulated rules and its monitor say, this side says too. */
public class VectorsTest {
  private static final Path VECTORS = Path.of("../vectors");

  /** Lines without comments. */
  private static List<String[]> lines(String name) throws IOException {
    List<String[]> lines = new ArrayList<>();
    for (String line : Files.readAllLines(VECTORS.resolve(name))) {
      if (!line.startsWith("#")) {
        lines.add(line.split("\t"));
      }
    }
    assertTrue(name, lines.size() > 10);
    return lines;
  }

  private static Rule rule(String name, String[] thresholds) {
    switch (name) {
      case "receive-rate":
        return new ReceiveRate(Double.parseDouble(thresholds[1]));
      case "potential-reception":
        return new PotentialReception(Double.parseDouble(thresholds[2]));
      case "disk-rate":
        return new DiskRate(Double.parseDouble(thresholds[3]));
      case "per-disk":
        return new PerDisk(Double.parseDouble(thresholds[3]));
      default:
        throw new IllegalArgumentException(name);
    }
  }

  @Test
  public void rulesWithholdWhatTheSimulatedOnesDo() throws IOException {
    String[] thresholds =
        Files.readAllLines(VECTORS.resolve("rules.tsv")).get(0).split("\t");
    for (String[] line : lines("rules.tsv")) {
      double[] disks =
          Arrays.stream(line[3].split(" ")).mapToDouble(Double::parseDouble).toArray();
      NodeFigures figures = new NodeFigures(
          Double.parseDouble(line[1]), Double.parseDouble(line[2]), Pressure.UNKNOWN, disks);
      Request request =
          Request.valueOf(line[4].replace('-', '_').toUpperCase(java.util.Locale.ROOT));
      List<Rule> rules =
          Arrays.stream(line[0].split("\\+")).map(name -> rule(name, thresholds)).toList();
      boolean lifted = Boolean.parseBoolean(line[5]);
      Rule by = Withholding.first(rules, new Heard("n", figures), request, Double.NaN);
      assertEquals(String.join(" ", line), line[6], by == null || lifted ? "-" : by.name);
    }
  }

  @Test
  public void aThresholdThatFollowsTheMeanIsTheSimulatedOne() throws IOException {
    for (String[] line : lines("auto.tsv")) {
      MeanDiskRate mean = new MeanDiskRate();
      NodeFigures own = null;
      int nodes = 0;
      for (String node : line[0].split(", ")) {
        double[] disks =
            Arrays.stream(node.split(" ")).mapToDouble(Double::parseDouble).toArray();
        NodeFigures figures = new NodeFigures(0, Double.NaN, Pressure.UNKNOWN, disks);
        own = own == null ? figures : own;
        mean.hear("n" + nodes++, figures, 0);
      }
      Rule rule = new AutoDiskRate();
      double now = mean.now(0);
      assertEquals(line[0], Double.parseDouble(line[2]), rule.threshold(now), 1e-12);
      Request request =
          Request.valueOf(line[1].replace('-', '_').toUpperCase(java.util.Locale.ROOT));
      Rule by = Withholding.first(List.of(rule), new Heard("n", own), request, now);
      assertEquals(String.join(" ", line), line[3], by == null ? "-" : by.name);
    }
  }

  @Test
  public void aPredictedLoadIsTheSimulatedOne() throws IOException {
    String[] thresholds =
        Files.readAllLines(VECTORS.resolve("predicted.tsv")).get(0).split("\t");
    Rule rule = new PredictedLoad(
        Double.parseDouble(thresholds[1]), Double.parseDouble(thresholds[2]));
    for (String[] line : lines("predicted.tsv")) {
      double[] disks =
          Arrays.stream(line[0].split(" ")).mapToDouble(Double::parseDouble).toArray();
      Heard heard = new Heard("n", new NodeFigures(0, Double.NaN, Pressure.UNKNOWN, disks));
      for (int given = Integer.parseInt(line[1]); given > 0; given--) {
        heard.give();
      }
      Request request =
          Request.valueOf(line[2].replace('-', '_').toUpperCase(java.util.Locale.ROOT));
      Rule by = Withholding.first(List.of(rule), heard, request, Double.NaN);
      assertEquals(String.join(" ", line), line[3], by == null ? "-" : by.name);
    }
  }

  @Test
  public void countersGiveTheFiguresOfTheMonitor() throws IOException {
    for (String[] line : lines("figures.tsv")) {
      Path sample = VECTORS.resolve("proc").resolve(line[0]);
      Counters before = Counters.read(sample.resolve("before"));
      Counters after = Counters.read(sample.resolve("after"));
      double seconds = Double.parseDouble(line[1]) / 1e3;
      String[] figure = line[2].split(" ");
      List<String> only = List.of(figure[1]);
      Map<String, Double> all = figure[0].equals("disk")
          ? after.busySince(before, seconds, only) : after.receivedSince(before, seconds, only);
      double ours = figure[0].equals("pressure")
          ? after.pressureSince(before, seconds).io : all.get(figure[1]);
      double theirs = line[3].equals("-") ? Double.NaN : Double.parseDouble(line[3]);
      assertEquals(String.join(" ", line), theirs, ours, 1e-12 * Math.abs(theirs));
    }
  }

  /** And no disk or NIC more than the monitor has. */
  @Test
  public void nothingElseHasFigures() throws IOException {
    for (String sample : List.of("many-disks", "no-pressure", "wrapped")) {
      Path folder = VECTORS.resolve("proc").resolve(sample);
      Counters before = Counters.read(folder.resolve("before"));
      Counters after = Counters.read(folder.resolve("after"));
      List<String> known = new ArrayList<>();
      List<String> disks = new ArrayList<>(after.busyMs.keySet());
      disks.removeIf(name -> !Counters.isWhole(name));
      after.busySince(before, 1, disks).keySet().forEach(name -> known.add("disk " + name));
      List<String> nics = new ArrayList<>(after.received.keySet());
      after.receivedSince(before, 1, nics).keySet().forEach(name -> known.add("nic " + name));
      known.add("pressure io");
      List<String> expected = lines("figures.tsv").stream()
          .filter(line -> line[0].equals(sample)).map(line -> line[2]).sorted().toList();
      assertEquals(sample, expected, known.stream().sorted().toList());
    }
  }

  @Test
  public void disksAndNicsThatAreMadeOfOthersAreNotCountedTwice() {
    Path folder = VECTORS.resolve("proc/many-disks");
    Counters before = Counters.read(folder.resolve("before"));
    Counters after = Counters.read(folder.resolve("after"));
    assertEquals(List.of("eth0", "eth1", "eth2"),
        List.copyOf(after.receivedSince(before, 1, List.of()).keySet()));
    assertEquals(List.of("mmcblk0", "nvme0n1", "sda", "sdaa", "sdb", "sdc"),
        List.copyOf(after.busySince(before, 1, List.of()).keySet()));
    assertEquals(List.of("sdb"), List.copyOf(after.busySince(before, 1, List.of("sdb")).keySet()));
  }

  /** A testbed's disks are loop devices; an operator may give a partition to HDFS. */
  @Test
  public void namedDisksCountWhateverTheyAre() {
    Path folder = VECTORS.resolve("proc/many-disks");
    Counters before = Counters.read(folder.resolve("before"));
    Counters after = Counters.read(folder.resolve("after"));
    List<String> named = List.of("loop0", "sda1");
    assertEquals(named, List.copyOf(after.busySince(before, 1, named).keySet()));
  }
}
