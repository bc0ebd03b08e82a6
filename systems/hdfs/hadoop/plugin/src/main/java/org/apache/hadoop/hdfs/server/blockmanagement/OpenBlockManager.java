package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.Node;
import org.slf4j.Logger;

/**
 * The parts of Hadoop's {@link BlockManager} that a scheduler needs. Most are private to Hadoop's
 * package; {@link #of} fails where a version lacks one.
 */
public final class OpenBlockManager {
  private static final Logger LOG = NameNode.blockStateChangeLog;

  private final BlockManager manager;
  private final Method validate;
  private final ScheduledQueue queue;

  private OpenBlockManager(BlockManager manager) throws ReflectiveOperationException {
    this.manager = manager;
    validate = BlockManager.class.getDeclaredMethod("validateReconstructionWork",
        BlockReconstructionWork.class);
    validate.setAccessible(true);
    requireMethods();
    queue = replaceQueue();
  }

  /** Of the NameNode with this statistics. Fails outside a NameNode's start. */
  public static OpenBlockManager of(FSClusterStats stats) throws ReflectiveOperationException {
    Object nodes = value(stats, "this$0");
    return new OpenBlockManager((BlockManager) value(nodes, "blockManager"));
  }

  private static Object value(Object of, String field) throws ReflectiveOperationException {
    Field found = of.getClass().getDeclaredField(field);
    found.setAccessible(true);
    return found.get(of);
  }

  /** Everything called below, before the first loss. */
  private static void requireMethods() throws NoSuchMethodException {
    Class<?> work = BlockReconstructionWork.class;
    BlockManager.class.getDeclaredMethod("scheduleReconstruction", BlockInfo.class, int.class);
    work.getDeclaredMethod("setTargets", DatanodeStorageInfo[].class);
    for (String name : Arrays.asList("getSrcNodes", "getContainingNodes",
        "getLiveReplicaStorages", "getAdditionalReplRequired", "getStoragePolicyID")) {
      work.getDeclaredMethod(name);
    }
    for (String name : Arrays.asList("getNumberOfBlocksToBeReplicated",
        "getNumberOfBlocksToBeErasureCoded", "decrementPendingReplicationWithoutTargets")) {
      DatanodeDescriptor.class.getDeclaredMethod(name);
    }
    PendingReconstructionBlocks.class.getDeclaredMethod("getTargets", BlockInfo.class);
    LowRedundancyBlocks.class.getDeclaredMethod("chooseLowRedundancyBlocks", int.class,
        boolean.class);
  }

  /** Only while the NameNode starts is the queue empty, and known to one thread. */
  private ScheduledQueue replaceQueue() throws ReflectiveOperationException {
    if (manager.neededReconstruction instanceof ScheduledQueue) {
      return (ScheduledQueue) manager.neededReconstruction;
    }
    if (manager.pendingReconstruction != null) {
      throw new IllegalStateException("choosing sources needs a restart of the NameNode");
    }
    ScheduledQueue mine = new ScheduledQueue(this);
    Field field = BlockManager.class.getDeclaredField("neededReconstruction");
    field.setAccessible(true);
    field.set(manager, mine);
    return mine;
  }

  /** From now on this scheduler decides. */
  public void use(Scheduler scheduler) {
    queue.use(scheduler);
  }

  /** Is this the policy by which Hadoop places replicas now? A reconfiguration may replace it. */
  public boolean places(BlockPlacementPolicy policy) {
    return manager.getBlockPlacementPolicy() == policy;
  }

  public BlockStoragePolicy storagePolicy(byte id) {
    return manager.getStoragePolicy(id);
  }

  /** By Hadoop's limits of streams: may this node send a block of normal priority? */
  public boolean isReady(DatanodeDescriptor node) {
    return isReady(node, LowRedundancyBlocks.QUEUE_LOW_REDUNDANCY);
  }

  /** As {@code BlockManager.chooseSourceDatanodes}. */
  boolean isReady(DatanodeDescriptor node, int level) {
    int streams = node.getNumberOfBlocksToBeReplicated()
        + node.getNumberOfBlocksToBeErasureCoded();
    boolean isUrgent = level == LowRedundancyBlocks.QUEUE_HIGHEST_PRIORITY
        || node.isDecommissionInProgress() || node.isEnteringMaintenance();
    int most = manager.getReplicationStreamsHardLimit();
    return streams < (isUrgent ? most : Math.min(most, manager.getMaxReplicationStreams()));
  }

  /** What Hadoop would do; null where that is nothing. */
  BlockReconstructionWork work(BlockInfo block, int level) {
    BlockReconstructionWork work = manager.scheduleReconstruction(block, level);
    if (work instanceof ReplicationWork) {
      work.getSrcNodes()[0].decrementPendingReplicationWithoutTargets();
    }
    return work;
  }

  void chooseStripedTargets(BlockReconstructionWork work, Set<Node> excluded) {
    work.chooseTargets(manager.getStriptedBlockPlacementPolicy(),
        manager.getStoragePolicySuite(), excluded);
  }

  /** Targets of copies on their way. */
  List<DatanodeDescriptor> awaiting(BlockInfo block) {
    List<DatanodeStorageInfo> targets = manager.pendingReconstruction.getTargets(block);
    if (targets == null) {
      return Collections.emptyList();
    }
    List<DatanodeDescriptor> nodes = new ArrayList<>();
    targets.forEach(target -> nodes.add(target.getDatanodeDescriptor()));
    return nodes;
  }

  boolean start(BlockReconstructionWork work) {
    try {
      boolean isStarted = (Boolean) validate.invoke(manager, work);
      if (isStarted) {
        // Hadoop's own line: readers of this log need no other.
        LOG.debug("BLOCK* ask {} to replicate {} to datanode(s) {}", work.getSrcNodes(),
            work.getBlock(), work.getTargets()[0].getDatanodeDescriptor());
      }
      return isStarted;
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
