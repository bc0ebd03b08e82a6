package tenbin.yarn;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.util.LinuxResourceCalculatorPlugin;

/**
 * A NodeManager's figures travel in its heartbeat:
 * {@code yarn.nodemanager.resource-calculator.class = tenbin.yarn.TenbinResourceCalculatorPlugin}.
 * All that Hadoop asks is answered as Hadoop's own plug-in does.
 */
public class TenbinResourceCalculatorPlugin extends LinuxResourceCalculatorPlugin {
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
      sampler = new Sampler(proc(), disks, nics, Settings.wantsEachDisk(conf));
    }
    boolean wanted = Settings.wantsFetching(conf);
    double fetching = wanted ? logs.fetching(monitor.shuffleLogs()) : Double.NaN;
    monitor.carry(sampler.sample(System.nanoTime(), fetching));
    return true;
  }
}
