package tenbin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.Test;

/** A NameNode's nodes as policies see them. */
public class ClusterViewTest {
  private final NetworkTopology topology = NetworkTopology.getInstance(new Configuration(false));

  private void add(String address, String rack) {
    var node = DFSTestUtil.getDatanodeDescriptor(address, rack, "host-" + address);
    node.setAlive(true);
    topology.add(node);
  }

  private Cluster cluster() {
    return Cluster.of(topology, new Cluster.Load(false, 1, 0));
  }

  @Test
  public void nodesStandInTheOrderOfRacksAndNames() {
    add("10.0.0.3", "/a");
    add("10.0.0.2", "/b");
    add("10.0.0.1", "/a");
    Cluster cluster = cluster();
    assertArrayEquals(new int[][] {{0, 1}, {2}}, cluster.racks);
    assertEquals("10.0.0.1", cluster.descriptor(0).getIpAddr());
    assertTrue(cluster().hasNodesOf(cluster));
    add("10.0.0.4", "/b");
    assertFalse(cluster().hasNodesOf(cluster));
  }

  @Test
  public void whatARoundDecidesCountsAtOnce() {
    add("10.0.0.1", "/a");
    add("10.0.0.2", "/a");
    Cluster cluster = cluster();
    cluster.decided(Answer.copy(0, 1));
    Cluster later = cluster();
    later.goOnFrom(cluster);
    assertEquals(1, later.node(0).sending);
    assertEquals(1, later.node(1).receiving);
    later.beginRound();
    assertEquals(0, later.node(0).sending + later.node(1).receiving);
  }
}
