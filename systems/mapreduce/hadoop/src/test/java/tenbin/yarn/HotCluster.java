package tenbin.yarn;

import static org.junit.Assert.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;

/** A real ResourceManager and two real NodeManagers, one of them hot. */
public abstract class HotCluster {
  static final int HOT = 0;
  static final int NODES = 2;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  MiniMRYarnCluster cluster;

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

  final RMContext context() {
    return cluster.getResourceManager().getRMContext();
  }

  final Withholding rules() {
    return Scheduling.of(context()).withholding;
  }

  final NodeId hot() {
    return cluster.getNodeManager(HOT).getNMContext().getNodeId();
  }

  /** As {@code yarn rmadmin -refreshQueues} does, once heartbeats have said who is hot. */
  final void reread(String... pairs) throws Exception {
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
}
