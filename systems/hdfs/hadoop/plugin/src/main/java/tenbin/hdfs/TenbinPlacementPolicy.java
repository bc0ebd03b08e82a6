package tenbin.hdfs;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.OpenBlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.OpenPlacementPolicy;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's default placement, but who sends a lost replica to whom is a {@link Rereplication}'s
 * decision: {@code dfs.block.replicator.classname = tenbin.hdfs.TenbinPlacementPolicy}.
 *
 * <p>A {@link Chooser} starts the repairs that the policy decides, and leaves the rest to Hadoop.
 * With {@code tenbin.rereplication.sources = drawn} Hadoop draws the source and then asks for
 * targets. Where the policy wants another source, the answer is "none": Hadoop leaves the block in
 * its queue and draws again in a later round. Whatever goes wrong, the answer is Hadoop's own.
 */
public class TenbinPlacementPolicy extends OpenPlacementPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(TenbinPlacementPolicy.class);

  private FSClusterStats stats;
  private long staleMillis;
  /** Null: this class decides nothing when Hadoop requests targets. */
  private Repairs repairs;

  @Override
  protected void start(Configuration conf, FSClusterStats stats) {
    if (stats == null) {
      return;
    }
    Counters counters = new Counters();
    try {
      this.stats = stats;
      staleMillis = conf.getLong(DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
          DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
      requireHooks();
      start(new Settings(conf), counters);
    } catch (BadSetting e) {
      counters.reason = e.getMessage();
      LOG.warn("tenbin.rereplication: stock placement, since {}", e.getMessage());
    } catch (Throwable e) {
      counters.reason = e.toString();
      LOG.warn("tenbin.rereplication: stock placement, since the plug-in failed", e);
    }
    try {
      counters.register();
    } catch (Throwable e) {
      LOG.warn("tenbin.rereplication: no counters in JMX", e);
    }
  }

  private void start(Settings settings, Counters counters) {
    if (!settings.choosesSources) {
      repairs = new Repairs(settings, counters, this::cluster);
      return;
    }
    OpenBlockManager manager = blockManager();
    manager.use(new Chooser(settings, counters, manager, this, this::cluster, this::storage));
    counters.sources = "chosen";
  }

  private OpenBlockManager blockManager() {
    try {
      return OpenBlockManager.of(stats);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      throw new BadSetting(Settings.SOURCES, "chosen", "Hadoop " + VersionInfo.getVersion()
          + " has no way in (" + e + "); " + Settings.SOURCES + " = drawn needs none");
    }
  }

  /** Are the methods there that Hadoop calls, and that this class calls in Hadoop? */
  private static void requireHooks() {
    try {
      BlockPlacementPolicyDefault.class.getMethod("chooseTarget", String.class, int.class,
          Node.class, List.class, boolean.class, Set.class, long.class, BlockStoragePolicy.class,
          EnumSet.class);
      BlockPlacementPolicyDefault.class.getDeclaredMethod("chooseLocalOrFavoredStorage",
          Node.class, boolean.class, Set.class, long.class, int.class, List.class, boolean.class,
          EnumMap.class);
    } catch (NoSuchMethodException e) {
      throw new BadSetting("the version of Hadoop", VersionInfo.getVersion(),
          "the plug-in needs 3.3 or later");
    }
  }

  private Cluster cluster() {
    double most = considerLoad ? considerLoadFactor * stats.getInServiceXceiverAverage() : 0;
    boolean avoidStale = stats.isAvoidingStaleDataNodesForWrite();
    return Cluster.of(clusterMap, new Cluster.Load(avoidStale, staleMillis, most));
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(String srcPath, int numOfReplicas, Node writer,
      List<DatanodeStorageInfo> chosen, boolean returnChosenNodes, Set<Node> excludedNodes,
      long blocksize, BlockStoragePolicy storagePolicy, EnumSet<AddBlockFlag> flags) {
    // So calls Hadoop for a repair only; a block whose live holders all leave looks like a new one.
    boolean isRepair = !returnChosenNodes && flags == null && numOfReplicas > 0
        && chosen != null && !chosen.isEmpty() && writer instanceof DatanodeDescriptor;
    if (isRepair && repairs != null) {
      Call call = new Call(srcPath, numOfReplicas, (DatanodeDescriptor) writer, chosen,
          excludedNodes, blocksize);
      DatanodeStorageInfo[] targets =
          repairs.decide(call, target -> storage(target, call, storagePolicy));
      if (targets != null) {
        return targets;
      }
    }
    return super.chooseTarget(srcPath, numOfReplicas, writer, chosen, returnChosenNodes,
        excludedNodes, blocksize, storagePolicy, flags);
  }

  /** Where the target puts the replica, by Hadoop's own rules; null where these forbid it. */
  private DatanodeStorageInfo storage(DatanodeDescriptor target, Call call,
      BlockStoragePolicy storagePolicy) throws NotEnoughReplicasException {
    List<DatanodeStorageInfo> results = new ArrayList<>(call.chosen);
    int replicas = call.chosen.size() + call.more;
    List<StorageType> held = new ArrayList<>();
    call.chosen.forEach(storage -> held.add(storage.getStorageType()));
    EnumMap<StorageType, Integer> types = new EnumMap<>(StorageType.class);
    storagePolicy.chooseStorageTypes((short) replicas, held)
        .forEach(type -> types.merge(type, 1, Integer::sum));
    int mostPerRack = getMaxNodesPerRack(call.chosen.size(), call.more)[1];
    boolean avoidStale = stats.isAvoidingStaleDataNodesForWrite();
    return chooseLocalOrFavoredStorage(target, true, new HashSet<>(call.excluded), call.bytes,
        mostPerRack, results, avoidStale, types);
  }
}
