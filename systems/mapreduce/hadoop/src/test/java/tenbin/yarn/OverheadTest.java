package tenbin.yarn;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What figures cost: {@code mvn test -Dtest=OverheadTest && cat target/overhead.txt}. */
public class OverheadTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static double cpuMicros(int times, Runnable work) {
    for (int i = 0; i < times; i++) {
      work.run();
    }
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < times; i++) {
      work.run();
    }
    long after = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    return (after - before) / 1e3 / times;
  }

  private static int bytes(Map<String, Float> carried) {
    ResourceUtilization utilization = ResourceUtilization.newInstance(0, 0, 0, carried);
    return ((ResourceUtilizationPBImpl) utilization).getProto().getSerializedSize();
  }

  private static int bytesOf(int disks, boolean perDisk) {
    Map<String, Double> busy = new TreeMap<>();
    for (int disk = 0; disk < disks; disk++) {
      busy.put("sd" + (char) ('a' + disk), 0.5);
    }
    Map<String, Float> none = Map.of("yarn.io/gpu", 0f);
    Pressure pressure = new Pressure(0.1, 0.1, 0.1);
    Map<String, Float> ours =
        new TreeMap<>(NodeFigures.carried(1e8, 1e8, pressure, busy, perDisk));
    ours.putAll(none);
    return bytes(ours) - bytes(none);
  }

  @Test
  public void figuresCostLittle() throws IOException {
    Sampler sampler = new Sampler(Path.of("/proc"), List.of(), List.of(), false);
    long[] now = {0};
    double sample = cpuMicros(2000, () -> sampler.sample(now[0] += 1_000_000, Double.NaN));
    ShuffleLogs logs = new ShuffleLogs();
    List<Path> reducers = reducers(8);
    double fetching = cpuMicros(200, () -> {
      grow(reducers, 10);
      logs.fetching(reducers);
    }) - cpuMicros(200, () -> grow(reducers, 10));
    Configuration conf = new Configuration(false);
    conf.set(Settings.DISK_RATE, "40 %");
    conf.set(Settings.RECEIVE_RATE, "300Mbit/s");
    Withholding rules = new Withholding(() -> conf);
    Heard heard = new Heard("n1:45454", new NodeFigures(1, 1, new Pressure(1, 1, 1), 0.5));
    Waits waits = new Waits(0);
    double asked = cpuMicros(100_000, () -> rules.rule(heard, Request.REDUCE, waits, 1));
    String text = String.format(Locale.ROOT, """
        NodeManager, CPU a sample: %.0f us; with 8 reducers that log 10 fetches each: + %.0f us
        heartbeat: + %d bytes (12 disks in the mean), + %d bytes (each of 12 disks)
        ResourceManager, CPU a request and node: %.2f us
        """, sample, fetching, bytesOf(12, false), bytesOf(12, true), asked);
    Files.writeString(Path.of("target/overhead.txt"), text);
    assertTrue(text, sample < 10_000 && fetching < 20_000 && asked < 100);
    assertTrue(text, bytesOf(12, false) < 150 && bytesOf(12, true) < 400);
  }

  private List<Path> reducers(int count) throws IOException {
    List<Path> logs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      logs.add(folder.newFile("syslog" + i).toPath());
    }
    return logs;
  }

  private static void grow(List<Path> logs, int fetches) {
    String text = ("2026-11-26 17:00:00,123 INFO [fetcher#1] org.apache.hadoop.mapreduce.task."
        + "reduce.Fetcher: fetcher#1 about to shuffle output of map attempt_7_0001_m_000001_0 "
        + "decomp: 9000 len: 4321 to MEMORY\n").repeat(fetches);
    try {
      for (Path log : logs) {
        Files.writeString(log, text, java.nio.file.StandardOpenOption.APPEND);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
