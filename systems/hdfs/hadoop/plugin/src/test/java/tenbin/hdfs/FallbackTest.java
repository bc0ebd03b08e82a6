package tenbin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.Test;
import org.mockito.Mockito;

/** Without the way into Hadoop, and after an undo, repairs are Hadoop's own. */
public class FallbackTest {
  private static final String CLASS = DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY;

  @Test
  public void aHadoopWithoutTheWayInKeepsItsOwnChoice() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(Settings.POLICY, "ring");
    new TenbinPlacementPolicy().initialize(conf, Mockito.mock(FSClusterStats.class),
        NetworkTopology.getInstance(conf), null);
    assertEquals("OFF", Mini.counter("State"));
    String reason = (String) Mini.counter("Reason");
    assertTrue(reason, reason.startsWith("tenbin.rereplication.sources = chosen: Hadoop "));
    assertTrue(reason, reason.endsWith("tenbin.rereplication.sources = drawn needs none"));
  }

  /** As {@code dfsadmin -reconfig} does. */
  private static void place(Mini mini, Class<?> placement) {
    Configuration conf = new Configuration(mini.cluster.getConfiguration(0));
    conf.set(CLASS, placement.getName());
    mini.cluster.getNamesystem().getBlockManager().refreshBlockPlacementPolicy(conf);
  }

  @Test
  public void undoneWhileItRuns() throws Exception {
    try (Mini mini = new Mini(5, TenbinPlacementPolicy.class, Settings.POLICY, "ring")) {
      Path file = mini.write("/file", 40, 3);
      mini.waitFor(file, 3);
      mini.lose(0);
      mini.waitFor(file, 3);
      long decided = (Long) Mini.counter("Decided");
      assertTrue("decided " + decided, decided > 10);
      place(mini, BlockPlacementPolicyDefault.class);
      mini.lose(0);
      mini.waitFor(file, 3);
      assertEquals(decided, ((Long) Mini.counter("Decided")).longValue());
      place(mini, TenbinPlacementPolicy.class);
      assertEquals("a new start", 0L, Mini.counter("Decided"));
      assertEquals("the queue is there already", "ON", Mini.counter("State"));
    }
  }

  @Test
  public void anotherStartIsNeeded() throws Exception {
    try (Mini mini = new Mini(3, BlockPlacementPolicyDefault.class, Settings.POLICY, "ring")) {
      place(mini, TenbinPlacementPolicy.class);
      assertEquals("OFF", Mini.counter("State"));
      String reason = (String) Mini.counter("Reason");
      assertTrue(reason, reason.contains("needs a restart of the NameNode"));
      Path file = mini.write("/file", 5, 2);
      mini.files.setReplication(file, (short) 3);
      mini.waitFor(file, 3);
    }
  }
}
