package tenbin.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.junit.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Spark's executors under CapacityScheduler: {@code mvn verify}. */
public class SparkClusterIT extends HotCluster {
  private static final Logger LOG = LoggerFactory.getLogger("tenbin.yarn.test");

  private int applications;

  @Override
  void switchOn(Configuration conf) {
    conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
    conf.set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS,
        TenbinAppPlacementAllocator.class.getName());
  }

  /** Three fit on a node next to the master; four do not. */
  private Map<String, Long> executors(int count) throws Exception {
    SparkApplication spark = new SparkApplication(
        folder.getRoot().toPath().resolve("spark" + applications++), cluster.getConfig(), count);
    Map<String, Long> byNode = spark.executorsByNode();
    assertEquals(byNode.toString(), count,
        byNode.values().stream().mapToLong(Long::longValue).sum());
    LOG.info("executors {}, withheld {}", byNode, rules().getWithheld());
    return byNode;
  }

  private long withheld(String rule) {
    return rules().getWithheld().getOrDefault(rule + " " + hot(), 0L);
  }

  @Test
  public void aHotNodeGetsNoExecutorsWhereTheirTypeIsListed() throws Exception {
    reread(Settings.DISK_RATE, "40 %", Settings.APPLICATIONS, "MAPREDUCE,SPARK");
    assertEquals(0L, (long) executors(3).getOrDefault(hot().toString(), 0L));
    assertTrue(rules().getWithheld().toString(), withheld("disk-rate") > 0);
    reread(Settings.PRESSURE_MEMORY, "10 %", Settings.APPLICATIONS, "*");
    assertEquals(0L, (long) executors(3).getOrDefault(hot().toString(), 0L));
    assertTrue(rules().getWithheld().toString(), withheld("pressure-memory") > 0);
    long before = withheld("disk-rate");
    reread(Settings.DISK_RATE, "40 %");
    assertTrue("not listed", executors(4).getOrDefault(hot().toString(), 0L) > 0);
    assertEquals(before, withheld("disk-rate"));
    assertEquals(List.of("SPARK SUCCEEDED", "SPARK SUCCEEDED", "SPARK SUCCEEDED"), ends());
  }

  private List<String> ends() {
    return context().getRMApps().values().stream().map(SparkClusterIT::end)
        .collect(Collectors.toList());
  }

  private static String end(RMApp app) {
    FinalApplicationStatus status = app.getFinalApplicationStatus();
    return app.getApplicationType() + " " + status;
  }
}
