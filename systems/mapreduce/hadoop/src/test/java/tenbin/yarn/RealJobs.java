package tenbin.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.SleepJob;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** MapReduce jobs on a real ResourceManager and two real NodeManagers, one of them hot. */
public abstract class RealJobs {
  private static final int HOT = 0;
  private static final int NODES = 2;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private MiniMRYarnCluster cluster;

  /** What `yarn-site.xml` says to switch Tenbin on. */
  abstract void switchOn(Configuration conf);

  @Before
  public void startCluster() throws Exception {
    Configuration conf = new YarnConfiguration();
    conf.set(YarnConfiguration.NM_MON_RESOURCE_CALCULATOR, FakeNodes.class.getName());
    conf.set(FakeNodes.FOLDER, folder.getRoot().toString());
    conf.setBoolean("yarn.minicluster.control-resource-monitoring", true);
    conf.setInt(YarnConfiguration.NM_RESOURCE_MON_INTERVAL_MS, 300);
    conf.setInt(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 200);
    conf.setBoolean("yarn.scheduler.include-port-in-node-name", true);
    conf.setInt("yarn.minicluster.yarn.nodemanager.resource.memory-mb", 4096);
    conf.setFloat("yarn.nodemanager.disk-health-checker"
        + ".max-disk-utilization-per-disk-percentage", 100);
    conf.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
    conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 1024);
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx300m");
    conf.set("mapred.child.java.opts", "-Xmx150m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    conf.setInt("mapreduce.task.io.sort.mb", 10);
    conf.set(Settings.LIMIT, "10min");
    conf.set(Settings.RECEPTION, "1GB");
    switchOn(conf);
    cluster = new MiniMRYarnCluster(getClass().getSimpleName(), NODES);
    cluster.init(conf);
    cluster.start();
  }

  @After
  public void stopCluster() {
    if (cluster != null) {
      cluster.stop();
    }
  }

  private RMContext context() {
    return cluster.getResourceManager().getRMContext();
  }

  private Withholding rules() {
    return Scheduling.of(context()).withholding;
  }

  private NodeId hot() {
    return cluster.getNodeManager(HOT).getNMContext().getNodeId();
  }

  /** As {@code yarn rmadmin -refreshQueues} does, once heartbeats have said who is hot. */
  private void reread(String... pairs) throws Exception {
    Configuration conf = new YarnConfiguration(cluster.getConfig());
    for (int i = 0; i < pairs.length; i += 2) {
      conf.set(pairs[i], pairs[i + 1]);
    }
    cluster.getResourceManager().getResourceScheduler().reinitialize(conf, context());
    long end = System.nanoTime() + 60_000_000_000L;
    while (!isKnownToBeHot()) {
      assertTrue("no figures came", System.nanoTime() < end);
      Thread.sleep(100);
    }
  }

  private boolean isKnownToBeHot() {
    RMNode node = context().getRMNodes().get(hot());
    NodeFigures figures = node == null || node.getNodeUtilization() == null
        ? null : NodeFigures.of(node.getNodeUtilization().getCustomResources());
    return figures != null && figures.diskRate() > 0.9 && figures.receiveRate > 9e7
        && figures.fetching >= 0;
  }

  /** Maps that the hot node ran; the job succeeds. */
  private int mapsOnHotNode(int maps, int reduces, int sleepMs) throws Exception {
    SleepJob sleep = new SleepJob();
    sleep.setConf(new Configuration(cluster.getConfig()));
    Job job = sleep.createJob(maps, reduces, sleepMs, 1, 0, 1);
    assertTrue(job.waitForCompletion(false));
    int found = 0;
    int known = 0;
    for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, 1000)) {
      String from = event.getTaskTrackerHttp();
      found += event.isMapTask() && from.endsWith(":" + shufflePort(HOT)) ? 1 : 0;
      known += event.isMapTask() && from.endsWith(":" + shufflePort(1)) ? 1 : 0;
    }
    assertEquals("maps on one node or the other", maps, found + known);
    return found;
  }

  /** Where reducers fetch outputs of maps that ran on a node. */
  private int shufflePort(int node) throws IOException {
    ContainerManagerImpl containers =
        (ContainerManagerImpl) cluster.getNodeManager(node).getNMContext().getContainerManager();
    ByteBuffer port =
        containers.getAuxServiceMetaData().get(ShuffleHandler.MAPREDUCE_SHUFFLE_SERVICEID);
    return ShuffleHandler.deserializeMetaData(port.duplicate());
  }

  /** One cluster for all of it: to stop one takes as long as a job. */
  @Test
  public void rulesHoldAndStallNothing() throws Exception {
    aHotNodeGetsNoMapsUntilItsRuleIsSwitchedOff();
    reducesThatFillTheColdNodeDoNotStallAJob();
  }

  private void aHotNodeGetsNoMapsUntilItsRuleIsSwitchedOff() throws Exception {
    reread(Settings.DISK_RATE, "40 %");
    assertEquals(0, mapsOnHotNode(5, 1, 4000));
    assertEquals(Map.of("potential-reception", 1e9, "disk-rate", 0.4), rules().getThresholds());
    long withheld = rules().getWithheld().getOrDefault("disk-rate " + hot(), 0L);
    assertTrue(rules().getWithheld().toString(), withheld > 0);
    // Of two nodes one is busy all of the time: the mean is a half.
    reread(Settings.DISK_RATE, "auto");
    assertEquals(0, mapsOnHotNode(5, 0, 4000));
    assertTrue(rules().getWithheld().toString(),
        rules().getWithheld().getOrDefault("disk-rate-auto " + hot(), 0L) > 0);
    reread();
    // The cold node has room for four at a time.
    assertTrue(mapsOnHotNode(5, 0, 5000) > 0);
    assertEquals(withheld, (long) rules().getWithheld().get("disk-rate " + hot()));
  }

  /**
   * Reduces fill the cold node while maps are left, and nothing but maps of blocks of its own may
   * go to the hot one. MapReduce sees room there, so it preempts reduces after 300 s alone.
   */
  private void reducesThatFillTheColdNodeDoNotStallAJob() throws Exception {
    reread(Settings.DISK_RATE, "40 %", Settings.RECEIVE_RATE, "80MB/s", Settings.LIMIT, "3s");
    long start = System.nanoTime();
    assertTrue("no rule was lifted", mapsOnHotNode(12, 4, 1000) > 0);
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<String, Long> lifted = rules().getLifted();
    assertTrue(lifted.toString(), lifted.getOrDefault("receive-rate " + hot(), 0L) > 0);
    assertTrue(seconds + " s", seconds < 200);
  }
}
