package tenbin.hdfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * The NameNode's DataNodes in the order of rack, host name and port. Who there is, is as it was
 * when this was made; how a node fares is looked up when it is asked for.
 */
final class Cluster extends View {
  private final DatanodeDescriptor[] nodes;
  private final int[] rackOf;
  private final Map<String, Integer> ids;
  /** By node: copies decided in this round. Hadoop counts them only when it is over. */
  private final int[] sends;
  private final int[] receives;
  private final long staleMillis;
  /** By node, in a round with chosen sources; else null. */
  private NodeView[] looked;

  private Cluster(DatanodeDescriptor[] nodes, int[][] racks, Load load) {
    super(racks, load.avoidStale, load.mostXceivers);
    this.nodes = nodes;
    staleMillis = load.staleMillis;
    ids = new HashMap<>();
    rackOf = new int[nodes.length];
    sends = new int[nodes.length];
    receives = new int[nodes.length];
    for (int rack = 0; rack < racks.length; rack++) {
      for (int id : racks[rack]) {
        rackOf[id] = rack;
        ids.put(nodes[id].getDatanodeUuid(), id);
      }
    }
  }

  /** What the NameNode thinks of load and of silent nodes. */
  static final class Load {
    private final boolean avoidStale;
    private final long staleMillis;
    private final double mostXceivers;

    Load(boolean avoidStale, long staleMillis, double mostXceivers) {
      this.avoidStale = avoidStale;
      this.staleMillis = staleMillis;
      this.mostXceivers = mostXceivers > 0 ? mostXceivers : Double.POSITIVE_INFINITY;
    }
  }

  static Cluster of(NetworkTopology topology, Load load) {
    List<DatanodeDescriptor> found = new ArrayList<>();
    for (Node node : topology.getLeaves(NodeBase.ROOT)) {
      if (node instanceof DatanodeDescriptor) {
        found.add((DatanodeDescriptor) node);
      }
    }
    found.sort(Comparator.comparing(DatanodeDescriptor::getNetworkLocation)
        .thenComparing(DatanodeDescriptor::getHostName)
        .thenComparing(DatanodeDescriptor::getXferPort)
        .thenComparing(DatanodeDescriptor::getDatanodeUuid));
    Map<String, List<Integer>> racks = new LinkedHashMap<>();
    for (int id = 0; id < found.size(); id++) {
      String rack = found.get(id).getNetworkLocation();
      racks.computeIfAbsent(rack, name -> new ArrayList<>()).add(id);
    }
    int[][] byRack = racks.values().stream()
        .map(ids -> ids.stream().mapToInt(Integer::intValue).toArray()).toArray(int[][]::new);
    return new Cluster(found.toArray(new DatanodeDescriptor[0]), byRack, load);
  }

  /** Are these the same nodes on the same racks, so that numbers mean the same? */
  boolean hasNodesOf(Cluster other) {
    return ids.equals(other.ids) && Arrays.deepEquals(racks, other.racks);
  }

  void beginRound() {
    Arrays.fill(sends, 0);
    Arrays.fill(receives, 0);
  }

  /** Takes the place of another look at the same nodes within a round. */
  void goOnFrom(Cluster other) {
    System.arraycopy(other.sends, 0, sends, 0, sends.length);
    System.arraycopy(other.receives, 0, receives, 0, receives.length);
  }

  void decided(Answer copy) {
    sends[copy.source]++;
    receives[copy.target]++;
  }

  @Override
  public int size() {
    return nodes.length;
  }

  /** From now on each node is looked at once; only copies to be sent and received are counted. */
  void lookOnce() {
    looked = new NodeView[nodes.length];
  }

  @Override
  public NodeView node(int id) {
    if (looked == null) {
      return look(id);
    }
    if (looked[id] == null) {
      looked[id] = look(id);
    }
    looked[id].sending = nodes[id].getNumberOfReplicateBlocks();
    looked[id].receiving = nodes[id].getBlocksScheduled();
    return looked[id];
  }

  private NodeView look(int id) {
    DatanodeDescriptor from = nodes[id];
    NodeView node = new NodeView();
    node.rack = rackOf[id];
    node.alive = from.isAlive();
    node.stale = from.isStale(staleMillis);
    node.leaving = from.isDecommissionInProgress() || from.isDecommissioned();
    node.resting = from.isMaintenance();
    node.free = from.getRemaining();
    node.xceivers = from.getXceiverCount();
    node.sending = from.getNumberOfReplicateBlocks() + sends[id];
    node.receiving = from.getBlocksScheduled() + receives[id];
    return node;
  }

  /** The number of a node, or -1. */
  int id(Node node) {
    return node instanceof DatanodeDescriptor
        ? ids.getOrDefault(((DatanodeDescriptor) node).getDatanodeUuid(), -1) : -1;
  }

  /** The node of a number. */
  DatanodeDescriptor descriptor(int id) {
    return nodes[id];
  }
}
