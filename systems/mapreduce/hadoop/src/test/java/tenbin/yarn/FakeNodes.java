package tenbin.yarn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The plug-in in a mini-cluster, whose NodeManagers are on one machine: each has counters of its
 * own. The first node's disk is always busy, its tasks always wait for memory, and it receives
 * more than a NIC can; others are idle.
 */
public final class FakeNodes extends TenbinResourceCalculatorPlugin {
  static final String FOLDER = "tenbin.test.proc";
  private static final Pattern NODE = Pattern.compile("Dir-nm-(\\d+)_");

  private long asked;

  private int node() {
    Matcher node = NODE.matcher(getConf().get(YarnConfiguration.NM_LOG_DIRS));
    return node.find() ? Integer.parseInt(node.group(1)) : -1;
  }

  @Override
  protected Path proc() {
    return Path.of(getConf().get(FOLDER), "nm" + node());
  }

  @Override
  public long getPhysicalMemorySize() {
    if (NodeMonitor.asks()) {
      asked += node() == 0 ? 1_000_000 : 0;
      write();
    }
    return super.getPhysicalMemorySize();
  }

  private void write() {
    try {
      Files.createDirectories(proc().resolve("net"));
      Files.writeString(proc().resolve("diskstats"),
          "8 0 sda 1 0 8 0 1 0 8 0 0 " + asked + " 0\n");
      Files.writeString(proc().resolve("net/dev"),
          " eth0: " + 1_000_000 * asked + " 0 0 0 0 0 0 0 0 0\n");
      Files.createDirectories(proc().resolve("pressure"));
      Files.writeString(proc().resolve("pressure/memory"),
          "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + 1_000 * asked + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
