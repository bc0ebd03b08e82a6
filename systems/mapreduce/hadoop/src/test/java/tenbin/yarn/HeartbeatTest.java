package tenbin.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitorImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The NodeManager's own monitor, with the plug-in. */
public class HeartbeatTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static Configuration conf(String... pairs) {
    Configuration conf = new YarnConfiguration();
    conf.set(YarnConfiguration.NM_MON_RESOURCE_CALCULATOR,
        TenbinResourceCalculatorPlugin.class.getName());
    conf.setLong(YarnConfiguration.NM_RESOURCE_MON_INTERVAL_MS, 50);
    for (int i = 0; i < pairs.length; i += 2) {
      conf.set(pairs[i], pairs[i + 1]);
    }
    return conf;
  }

  /** What a heartbeat carries, as soon as it is like this. */
  private static Map<String, Float> carried(
      Configuration conf, Context context, Predicate<Map<String, Float>> wanted) throws Exception {
    NodeResourceMonitorImpl monitor = new NodeResourceMonitorImpl(context);
    monitor.init(conf);
    monitor.start();
    try {
      long end = System.nanoTime() + 20_000_000_000L;
      Map<String, Float> carried = monitor.getUtilization().getCustomResources();
      while (!wanted.test(carried) && System.nanoTime() < end) {
        Thread.sleep(20);
        carried = monitor.getUtilization().getCustomResources();
      }
      assertTrue(carried.toString(), wanted.test(carried));
      assertTrue("Hadoop's own", monitor.getUtilization().getPhysicalMemory() > 0);
      return carried;
    } finally {
      monitor.stop();
    }
  }

  @Test
  public void figuresTravelWithHadoopsOwn() throws Exception {
    Map<String, Float> carried =
        carried(conf(), mock(Context.class), map -> map.containsKey("tenbin.rx"));
    assertTrue(carried.toString(), carried.containsKey("yarn.io/gpu"));
    assertTrue(carried.toString(), carried.get("tenbin.rx") >= 0);
    assertTrue("nobody asked for it", !carried.containsKey("tenbin.fetch"));
    assertTrue(NodeFigures.of(carried).receiveRate >= 0);
  }

  @Test
  public void whatReducersFetchTravelsWhereItsRuleIsOn() throws Exception {
    ContainerId container = ContainerId.newContainerId(
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(7, 1), 1), 3);
    Context context = mock(Context.class);
    LocalDirsHandlerService folders = mock(LocalDirsHandlerService.class);
    when(context.getLocalDirsHandler()).thenReturn(folders);
    when(folders.getLogDirs()).thenReturn(List.of(folder.getRoot().toString()));
    ConcurrentHashMap<ContainerId, Container> running = new ConcurrentHashMap<>();
    running.put(container, mock(Container.class));
    when(context.getContainers()).thenReturn(running);
    writeLog(folder.getRoot().toPath().resolve("application_7_0001").resolve(container.toString()));
    Map<String, Float> carried = carried(
        conf(Settings.RECEPTION, "1B"), context, map -> map.containsKey("tenbin.fetch"));
    assertEquals(4321, carried.get("tenbin.fetch"), 0);
  }

  private static void writeLog(Path logs) throws IOException {
    Files.createDirectories(logs);
    Files.writeString(logs.resolve("syslog.shuffle"), "2026-11-26 17:00:00,123 INFO [fetcher#1] "
        + "org.apache.hadoop.mapreduce.task.reduce.Fetcher: fetcher#1 about to shuffle output of "
        + "map attempt_7_0001_m_000001_0 decomp: 9000 len: 4321 to MEMORY\n");
  }

  @Test
  public void whereThePlugInFailsHeartbeatsAreHadoopsOwn() throws Exception {
    // A mock without folders: the plug-in cannot find logs.
    Map<String, Float> carried = carried(conf(Settings.RECEPTION, "1B"), mock(Context.class),
        map -> map.containsKey("yarn.io/gpu"));
    assertEquals(Map.of("yarn.io/gpu", 0f), carried);
  }
}
