package tenbin.hdfs;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.OpenPlacementPolicy;
import org.apache.hadoop.net.Node;

/** Who was asked to send how many copies, and who to receive them. */
final class Asked {
  static final Map<String, Integer> SENDS = new TreeMap<>();
  static final Map<String, Integer> RECEIVES = new TreeMap<>();
  static int refused;

  private Asked() {}

  static void reset(Mini mini, int lost) {
    SENDS.clear();
    RECEIVES.clear();
    refused = 0;
    for (int i = 0; i < mini.cluster.getDataNodes().size(); i++) {
      if (i != lost) {
        String name = mini.cluster.getDataNodes().get(i).getDatanodeUuid();
        SENDS.put(name, 0);
        RECEIVES.put(name, 0);
      }
    }
  }

  private static synchronized DatanodeStorageInfo[] count(Node writer,
      List<DatanodeStorageInfo> chosen, EnumSet<AddBlockFlag> flags,
      DatanodeStorageInfo[] targets) {
    if (flags == null && !chosen.isEmpty()) {
      refused += targets.length == 0 ? 1 : 0;
      for (DatanodeStorageInfo target : targets) {
        SENDS.merge(((DatanodeDescriptor) writer).getDatanodeUuid(), 1, Integer::sum);
        RECEIVES.merge(target.getDatanodeDescriptor().getDatanodeUuid(), 1, Integer::sum);
      }
    }
    return targets;
  }

  static String summary() {
    Map<String, Integer> both = new TreeMap<>(SENDS);
    RECEIVES.forEach((name, n) -> both.merge(name, n, Integer::sum));
    int copies = SENDS.values().stream().mapToInt(n -> n).sum();
    return String.format(Locale.ROOT, "%d copies, %d refusals; sent %s, received %s, both %s",
        copies, refused, spread(SENDS), spread(RECEIVES), spread(both));
  }

  private static String spread(Map<String, Integer> by) {
    double mean = by.values().stream().mapToInt(n -> n).average().orElse(0);
    double squares = by.values().stream().mapToDouble(n -> (n - mean) * (n - mean)).sum();
    String all = by.values().stream().map(String::valueOf).collect(Collectors.joining(" "));
    return String.format(Locale.ROOT, "%s (CV %.3f)", all, Math.sqrt(squares / by.size()) / mean);
  }

  /** The plug-in. */
  public static final class Plugin extends TenbinPlacementPolicy {
    @Override
    public DatanodeStorageInfo[] chooseTarget(String path, int replicas, Node writer,
        List<DatanodeStorageInfo> chosen, boolean returnChosen, Set<Node> excluded, long size,
        BlockStoragePolicy policy, EnumSet<AddBlockFlag> flags) {
      return count(writer, chosen, flags, super.chooseTarget(path, replicas, writer, chosen,
          returnChosen, excluded, size, policy, flags));
    }
  }

  /** Hadoop's default. */
  public static final class Stock extends OpenPlacementPolicy {
    @Override
    protected void start(Configuration conf, FSClusterStats stats) {}

    @Override
    public DatanodeStorageInfo[] chooseTarget(String path, int replicas, Node writer,
        List<DatanodeStorageInfo> chosen, boolean returnChosen, Set<Node> excluded, long size,
        BlockStoragePolicy policy, EnumSet<AddBlockFlag> flags) {
      return count(writer, chosen, flags, super.chooseTarget(path, replicas, writer, chosen,
          returnChosen, excluded, size, policy, flags));
    }
  }
}
