package tenbin.hdfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** Streams between racks, limited in each direction of a rack's uplink. */
final class Uplinks {
  private final int most;
  private final List<Flow> flows = new ArrayList<>();
  private Cluster cluster;
  /** By rack: streams that leave it, and that enter it. */
  private int[] leaving;
  private int[] entering;

  /** {@link Integer#MAX_VALUE} for no limit. */
  Uplinks(int most) {
    this.most = most;
  }

  /** What one repair reads. */
  static final class Flow {
    private final BooleanSupplier isUnderWay;
    private final List<DatanodeDescriptor> sources;
    private final DatanodeDescriptor target;

    Flow(BooleanSupplier isUnderWay, List<DatanodeDescriptor> sources,
        DatanodeDescriptor target) {
      this.isUnderWay = isUnderWay;
      this.sources = sources;
      this.target = target;
    }
  }

  boolean areLimited() {
    return most < Integer.MAX_VALUE;
  }

  /** Counts again: nodes may have joined, and repairs ended. */
  void beginRound(Cluster cluster) {
    this.cluster = cluster;
    leaving = new int[cluster.racks.length];
    entering = new int[cluster.racks.length];
    flows.removeIf(flow -> !flow.isUnderWay.getAsBoolean());
    flows.forEach(this::count);
  }

  void start(Flow flow) {
    if (areLimited()) {
      flows.add(flow);
      count(flow);
    }
  }

  private void count(Flow flow) {
    int to = rack(flow.target);
    for (int from : crossing(flow, to)) {
      leaving[from]++;
      entering[to]++;
    }
  }

  /** The racks that its streams leave, one for each stream. */
  private int[] crossing(Flow flow, int to) {
    return flow.sources.stream().filter(Objects::nonNull).mapToInt(this::rack)
        .filter(from -> from >= 0 && to >= 0 && from != to).toArray();
  }

  private int rack(DatanodeDescriptor node) {
    int id = cluster.id(node);
    return id < 0 ? -1 : cluster.node(id).rack;
  }

  /** Is there room for it? A repair larger than the limit runs alone. */
  boolean carry(Flow flow) {
    int to = rack(flow.target);
    int[] crossing = crossing(flow, to);
    if (crossing.length == 0) {
      return true;
    }
    return fits(entering[to], crossing.length) && Arrays.stream(crossing).allMatch(from ->
        fits(leaving[from], (int) Arrays.stream(crossing).filter(rack -> rack == from).count()));
  }

  private boolean fits(int now, int more) {
    return now == 0 || now + more <= most;
  }

  /** As a policy sees the cluster: nodes beyond full uplinks are loaded for the moment. */
  View view(LostBlock lost) {
    if (!areLimited()) {
      return cluster;
    }
    int[] homes = lost.sources.stream().mapToInt(source -> cluster.node(source.node).rack)
        .distinct().toArray();
    boolean mayLeave = Arrays.stream(homes).anyMatch(home -> leaving[home] < most);
    boolean[] closed = new boolean[cluster.racks.length];
    boolean isAnyClosed = false;
    for (int rack = 0; rack < closed.length; rack++) {
      int here = rack;
      closed[rack] = (!mayLeave || entering[rack] >= most)
          && IntStream.of(homes).noneMatch(home -> home == here);
      isAnyClosed |= closed[rack];
    }
    return isAnyClosed ? new Limited(cluster, closed) : cluster;
  }

  private static final class Limited extends View {
    private static final double MOST_XCEIVERS = Integer.MAX_VALUE - 1.0;

    private final View all;
    private final boolean[] closed;

    Limited(View all, boolean[] closed) {
      super(all.racks, all.avoidStale, Math.min(all.mostXceivers, MOST_XCEIVERS));
      this.all = all;
      this.closed = closed;
    }

    @Override
    public int size() {
      return all.size();
    }

    @Override
    public NodeView node(int id) {
      NodeView node = all.node(id);
      return closed[node.rack] ? node.loaded() : node;
    }
  }
}
