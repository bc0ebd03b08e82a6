package tenbin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.Test;

/** Streams between three racks of two nodes. */
public class UplinksTest {
  private static final int MOST = 2;

  private final Cluster cluster = cluster();
  private final AtomicBoolean isUnderWay = new AtomicBoolean(true);

  private static Cluster cluster() {
    NetworkTopology topology = NetworkTopology.getInstance(new Configuration(false));
    for (int i = 0; i < 6; i++) {
      var node = DFSTestUtil.getDatanodeDescriptor("10.0.0." + i, "/r" + i / 2, "host-" + i);
      node.setAlive(true);
      topology.add(node);
    }
    return Cluster.of(topology, new Cluster.Load(false, 1, 0));
  }

  private Uplinks.Flow flow(int to, int... from) {
    List<DatanodeDescriptor> sources = new ArrayList<>();
    IntStream.of(from).forEach(id -> sources.add(cluster.descriptor(id)));
    return new Uplinks.Flow(isUnderWay::get, sources, cluster.descriptor(to));
  }

  private static LostBlock on(int... holders) {
    List<Source> sources = new ArrayList<>();
    IntStream.of(holders).forEach(id -> sources.add(new Source(id, true)));
    return new LostBlock(1, 0, 3, false, holders, sources, holders);
  }

  private Uplinks uplinks(int most) {
    Uplinks uplinks = new Uplinks(most);
    uplinks.beginRound(cluster);
    return uplinks;
  }

  @Test
  public void whatLeavesARackIsLimited() {
    Uplinks uplinks = uplinks(MOST);
    assertSame(cluster, uplinks.view(on(0, 1)));
    uplinks.start(flow(2, 0));
    uplinks.start(flow(4, 1));
    View full = uplinks.view(on(0, 1));
    assertEquals("inside the rack", cluster.node(1).xceivers, full.node(1).xceivers);
    IntStream.range(2, 6).forEach(id -> assertTrue(full.node(id).xceivers > full.mostXceivers));
    assertSame("another rack", cluster, uplinks.view(on(2, 3)));
    isUnderWay.set(false);
    uplinks.beginRound(cluster);
    assertSame(cluster, uplinks.view(on(0, 1)));
  }

  @Test
  public void aRingWaitsForAFullUplinkAndRepairsOtherwise() {
    Uplinks uplinks = uplinks(1);
    uplinks.start(flow(2, 0));
    Memory memory = new Memory(6, 3);
    Ring ring = new Ring();
    LostBlock together = on(0, 1);
    assertEquals(Answer.Kind.TARGETS_LOADED,
        ring.repair(together, uplinks.view(together), memory, n -> 0).kind);
    LostBlock elsewhere = on(4, 5);
    Answer answer = ring.repair(elsewhere, uplinks.view(elsewhere), memory, n -> 0);
    assertEquals("rack 1 receives already", 0, cluster.node(answer.target).rack);
  }

  @Test
  public void readsOfAGroupCount() {
    Uplinks uplinks = uplinks(MOST);
    Uplinks.Flow group = flow(0, 1, 2, 3, 4);
    assertTrue("larger than the limit, alone", uplinks.carry(group));
    uplinks.start(group);
    assertFalse(uplinks.carry(flow(0, 5)));
    assertTrue("inside a rack", uplinks.carry(flow(2, 3)));
    assertFalse("rack 1 sends two", uplinks.carry(flow(5, 3)));
    assertTrue("rack 2 sends one", uplinks.carry(flow(2, 4)));
  }

  @Test
  public void withoutALimitNothingIsCounted() {
    Uplinks uplinks = uplinks(Integer.MAX_VALUE);
    uplinks.start(flow(2, 0));
    assertSame(cluster, uplinks.view(on(0, 1)));
  }
}
