package tenbin.hdfs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/** What a NameNode says when it wants targets for a repair. */
final class Call {
  final String path;
  /** Replicas that are missing. */
  final int more;
  /** The source that was drawn. */
  final DatanodeDescriptor drawn;
  /** Live replicas. */
  final List<DatanodeStorageInfo> chosen;
  /** Nodes that hold the block in any state, or await it. */
  final Set<Node> excluded;
  final long bytes;

  Call(String path, int more, DatanodeDescriptor drawn, List<DatanodeStorageInfo> chosen,
      Set<Node> excluded, long bytes) {
    this.path = path;
    this.more = more;
    this.drawn = drawn;
    this.chosen = chosen;
    this.excluded = excluded == null ? Collections.emptySet() : excluded;
    this.bytes = bytes;
  }

  /**
   * The block: its file, size and holders, for a NameNode does not say more. Blocks that have all
   * of these in common are in the same position, so that it does not matter which is which.
   */
  private long block() {
    long number = 31L * String.valueOf(path).hashCode() + Long.hashCode(bytes);
    for (DatanodeStorageInfo storage : chosen) {
      number = 1_000_003 * number + storage.getDatanodeDescriptor().getDatanodeUuid().hashCode();
    }
    return number;
  }

  /**
   * As a policy sees it. The only holder that is ready is the one that was drawn: others are waited
   * for until Hadoop draws them.
   */
  LostBlock lost(Cluster cluster) {
    return lost(cluster, block(), node -> node == drawn);
  }

  /** As a policy sees it, if any ready holder may be chosen. */
  LostBlock lost(Cluster cluster, long block, Predicate<DatanodeDescriptor> isReady) {
    List<Source> sources = new ArrayList<>();
    int source = cluster.id(drawn);
    int[] live = chosen.stream().mapToInt(s -> cluster.id(s.getDatanodeDescriptor()))
        .filter(id -> id >= 0).toArray();
    boolean isLive = false;
    for (int id : live) {
      sources.add(new Source(id, isReady.test(cluster.descriptor(id))));
      isLive |= id == source;
    }
    if (!isLive && source >= 0) {
      sources.add(new Source(source, isReady.test(drawn)));
    }
    int[] taken = excluded.stream().mapToInt(cluster::id).filter(id -> id >= 0).toArray();
    return new LostBlock(block, bytes, chosen.size() + more, false, live, sources, taken);
  }
}
