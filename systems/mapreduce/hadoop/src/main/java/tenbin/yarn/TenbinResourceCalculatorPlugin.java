package tenbin.yarn;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.util.LinuxResourceCalculatorPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A NodeManager's figures travel in its heartbeat:
 * {@code yarn.nodemanager.resource-calculator.class = tenbin.yarn.TenbinResourceCalculatorPlugin}.
 * All that Hadoop asks is answered as Hadoop's own plug-in does.
 */
public class TenbinResourceCalculatorPlugin extends LinuxResourceCalculatorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger("tenbin.yarn");

  private final ShuffleLogs logs = new ShuffleLogs();
  private NodeMonitor monitor;
  private Sampler sampler;

  /** Where Linux counts; tests have a folder of their own. */
  protected Path proc() {
    return Paths.get("/proc");
  }

  /** The monitor asks for it once an interval, before it publishes. */
  @Override
  public long getPhysicalMemorySize() {
    if (NodeMonitor.asks()) {
      Guard.orStock("put figures into the heartbeat", false, this::publish);
    }
    return super.getPhysicalMemorySize();
  }

  private boolean publish() throws ReflectiveOperationException {
    Configuration conf = getConf();
    if (sampler == null) {
      monitor = NodeMonitor.asking();
      List<String> disks = Arrays.asList(conf.getTrimmedStrings(Settings.DISKS));
      List<String> nics = Arrays.asList(conf.getTrimmedStrings(Settings.NICS));
      Counters there = Counters.read(proc());
      unknown(Settings.DISKS, disks, there.busyMs.keySet()).forEach(LOG::error);
      unknown(Settings.NICS, nics, there.received.keySet()).forEach(LOG::error);
      sampler = new Sampler(proc(), disks, nics, Settings.wantsEachDisk(conf));
    }
    boolean wanted = Settings.wantsFetching(conf);
    double fetching = wanted ? logs.fetching(monitor.shuffleLogs()) : Double.NaN;
    monitor.carry(sampler.sample(System.nanoTime(), fetching));
    return true;
  }

  /** Names that the node does not have: without figures of any, no rule withholds from it. */
  static List<String> unknown(String key, List<String> wanted, Set<String> there) {
    return wanted.stream()
        .filter(name -> !there.contains(name))
        .map(name -> "tenbin: " + key + ": no " + name + " here; there are "
            + String.join(", ", new TreeSet<>(there)))
        .collect(Collectors.toList());
  }
}
