package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NamenodeRole;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.CacheManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.namenode.ha.HAContext;
import org.apache.hadoop.hdfs.server.namenode.ha.HAState;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.util.LightWeightGSet;
import org.apache.hadoop.util.VersionInfo;
import tenbin.World;

/**
 * Hadoop's BlockManager, DatanodeManager, HeartbeatManager and placement policy as they are, without RPC,
 * threads and DataNodes: whoever calls decides when what happens. Only the namesystem around them is a mock.
 * It stands in Hadoop's package because a round is package-private there.
 */
public final class RealNameNode {
  private static final String POOL = "pool";
  private static final String PREFIX = "node-";
  private static final long CAPACITY = 100_000_000_000_000L;

  /** A copy that a heartbeat has handed out, to one target or in a pipeline to several. */
  public record Copy(long block, int source, List<Integer> targets) {}

  private final BlockManager manager;
  /** All blocks are of one file: nothing here looks at files. */
  private final BlockCollection file = file();
  private final List<DatanodeRegistration> nodes = new ArrayList<>();
  private final List<StorageReport[]> storages = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<Long, Block> blocks = new HashMap<>();

  public RealNameNode(World world) throws IOException {
    Racks.of = world.racks;
    Configuration conf = configuration(world);
    if (NameNode.getNameNodeMetrics() == null) {
      NameNode.initMetrics(conf, NamenodeRole.NAMENODE);
    }
    manager = new BlockManager(namesystem(file), false, conf);
    manager.setInitializedReplQueues(true);
    for (int node = 0; node < world.racks.size(); node++) {
      register(node, world.setting("others"));
    }
    world.blocks.forEach(this::addBlock);
  }

  private static Configuration configuration(World world) {
    Configuration conf = new HdfsConfiguration();
    String replication = "dfs.namenode.replication.";
    conf.setInt(replication + "work.multiplier.per.iteration", world.setting("multiplier"));
    conf.setInt(replication + "max-streams", world.setting("max_streams"));
    conf.setInt(replication + "max-streams-hard-limit", world.setting("hard_limit"));
    conf.setClass("net.topology.node.switch.mapping.impl", Racks.class, DNSToSwitchMapping.class);
    return conf;
  }

  private static BlockCollection file() {
    BlockCollection file = mock(BlockCollection.class, withSettings().stubOnly());
    when(file.getStoragePolicyID()).thenReturn(HdfsConstants.HOT_STORAGE_POLICY_ID);
    when(file.getName()).thenReturn("/file");
    when(file.getId()).thenReturn(1L);
    return file;
  }

  private static Namesystem namesystem(BlockCollection file) {
    HAState active = mock(HAState.class, withSettings().stubOnly());
    when(active.shouldPopulateReplQueues()).thenReturn(true);
    HAContext context = mock(HAContext.class, withSettings().stubOnly());
    when(context.getState()).thenReturn(active);
    CacheManager nothingCached = mock(CacheManager.class, withSettings().stubOnly());
    when(nothingCached.getCachedBlocks()).thenReturn(new LightWeightGSet<>(16));
    Namesystem namesystem = mock(Namesystem.class, withSettings().stubOnly());
    when(namesystem.isRunning()).thenReturn(true);
    when(namesystem.hasWriteLock()).thenReturn(true);
    when(namesystem.hasReadLock()).thenReturn(true);
    when(namesystem.getCacheManager()).thenReturn(nothingCached);
    when(namesystem.getHAContext()).thenReturn(context);
    when(namesystem.getBlockCollection(anyLong())).thenReturn(file);
    return namesystem;
  }

  private void register(int node, int others) throws IOException {
    String uuid = PREFIX + node;
    String address = "10.0." + node / 250 + "." + (node % 250 + 1);
    DatanodeID id = new DatanodeID(address, uuid, uuid, 9866, 9864, 9865, 9867);
    StorageInfo info = new StorageInfo(NodeType.DATA_NODE);
    var registration =
        new DatanodeRegistration(id, info, new ExportedBlockKeys(), VersionInfo.getVersion());
    manager.getDatanodeManager().registerDatanode(registration);
    DatanodeStorage storage = new DatanodeStorage("disk-of-" + node);
    nodes.add(registration);
    numbers.put(uuid, node);
    storages.add(
        new StorageReport[] {new StorageReport(storage, false, CAPACITY, 0, CAPACITY, 0, 0)});
    heartbeat(node, 0, others);
  }

  private void addBlock(World.Block block) {
    Block name = new Block(block.id(), block.bytes(), 1);
    BlockInfoContiguous info = new BlockInfoContiguous(name, (short) block.nodes().size());
    manager.addBlockCollection(info, file);
    for (int node : block.nodes()) {
      descriptor(node).getStorageInfos()[0].addBlock(info);
    }
    blocks.put(block.id(), name);
  }

  private DatanodeDescriptor descriptor(int node) {
    return manager.getDatanodeManager().getDatanode(nodes.get(node).getDatanodeUuid());
  }

  /** What {@code removeDeadDatanode} does once it has found the node silent for too long. */
  public void declareDead(int node) throws IOException {
    manager.getDatanodeManager().removeDatanode(nodes.get(node));
  }

  /** What {@code DatanodeAdminManager} and the first tick of its monitor do. */
  public void decommission(int node) {
    DatanodeDescriptor leaving = descriptor(node);
    manager.getDatanodeManager().getHeartbeatManager().startDecommission(leaving);
    manager.getDatanodeManager().getNetworkTopology().decommissionNode(leaving);
    for (var all = leaving.getBlockIterator(); all.hasNext();) {
      BlockInfo block = all.next();
      NumberReplicas replicas = manager.countNodes(block);
      if (manager.isNeededReconstruction(block, replicas)) {
        manager.neededReconstruction.add(block, replicas.liveReplicas(), replicas.readOnlyReplicas(),
            replicas.outOfServiceReplicas(), manager.getExpectedRedundancyNum(block));
      }
    }
  }

  /** One turn of {@code RedundancyMonitor}. */
  public void round() {
    manager.computeDatanodeWork();
    manager.processPendingReconstructions();
  }

  /** What a node takes home that sends {@code sending} copies and has {@code xceivers} threads open. */
  public List<Copy> heartbeat(int node, int sending, int xceivers) throws IOException {
    DatanodeCommand[] commands = manager.getDatanodeManager().handleHeartbeat(
        nodes.get(node), storages.get(node), POOL, 0, 0, xceivers, sending, 0, null,
        SlowPeerReports.EMPTY_REPORT, SlowDiskReports.EMPTY_REPORT);
    List<Copy> copies = new ArrayList<>();
    for (DatanodeCommand command : commands) {
      if (command instanceof BlockCommand work && work.getAction() == DatanodeProtocol.DNA_TRANSFER) {
        for (int i = 0; i < work.getBlocks().length; i++) {
          List<Integer> targets = Arrays.stream(work.getTargets()[i])
              .map(target -> numbers.get(target.getDatanodeUuid())).toList();
          copies.add(new Copy(work.getBlocks()[i].getBlockId(), node, targets));
        }
      }
    }
    return copies;
  }

  /** The target's incremental block report. */
  public void received(long block, int target) throws IOException {
    var news = new ReceivedDeletedBlockInfo(blocks.get(block), BlockStatus.RECEIVED_BLOCK, null);
    var storage = storages.get(target)[0].getStorage();
    manager.processIncrementalBlockReport(nodes.get(target),
        new StorageReceivedDeletedBlocks(storage, new ReceivedDeletedBlockInfo[] {news}));
  }

  /** Whether a copy of the block is decided and not reported. */
  public boolean isPending(long block) {
    BlockInfo info = manager.getStoredBlock(blocks.get(block));
    return manager.pendingReconstruction.getNumReplicas(info) > 0;
  }

  /** Whether no block is short, or on its way to be copied. */
  public boolean isDone() {
    return manager.neededReconstruction.getLowRedundancyBlockCount() == 0
        && manager.pendingReconstruction.size() == 0;
  }

  /** Hadoop asks by name for a class that tells racks. */
  public static final class Racks implements DNSToSwitchMapping {
    private static List<String> of = List.of();

    @Override
    public List<String> resolve(List<String> names) {
      List<String> found = new ArrayList<>();
      for (String name : names) {
        found.add(of.get(Integer.parseInt(name.substring(PREFIX.length()))));
      }
      return found;
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}
  }
}
