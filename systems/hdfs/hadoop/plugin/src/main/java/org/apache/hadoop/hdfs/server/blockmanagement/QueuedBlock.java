package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.net.Node;

/** A block short of replicas, as Hadoop's queue returned it. */
public final class QueuedBlock {
  private enum State { WAITING, DONE, LEFT }

  /** Hadoop's priority: 0 is the highest. */
  public final int level;
  private final OpenBlockManager manager;
  private final BlockInfo block;
  private State state = State.WAITING;
  private BlockReconstructionWork work;

  QueuedBlock(OpenBlockManager manager, BlockInfo block, int level) {
    this.manager = manager;
    this.block = block;
    this.level = level;
  }

  BlockInfo info() {
    return block;
  }

  boolean isWaiting() {
    return state == State.WAITING;
  }

  boolean isLeft() {
    return state == State.LEFT;
  }

  /** Hadoop repairs it in this round, with its own source and target. */
  public void leave() {
    state = State.LEFT;
  }

  public long id() {
    return block.getBlockId();
  }

  public long bytes() {
    return block.getNumBytes();
  }

  /** Replicas that the block should have. */
  public int expected() {
    return block.getReplication();
  }

  /** Erasure-coded. */
  public boolean isStriped() {
    return block.isStriped();
  }

  /** Nodes with a replica in any state. */
  public List<DatanodeDescriptor> holders() {
    List<DatanodeDescriptor> holders = new ArrayList<>();
    for (Iterator<DatanodeStorageInfo> all = block.getStorageInfos(); all.hasNext();) {
      holders.add(all.next().getDatanodeDescriptor());
    }
    return holders;
  }

  /** By Hadoop's limits of streams: may this node send the block now? */
  public boolean isReady(DatanodeDescriptor node) {
    return manager.isReady(node, level);
  }

  /** Looks for sources. False: Hadoop has none, or the block needs no repair. */
  public boolean prepare() {
    work = manager.work(block, level);
    if (work == null) {
      state = State.DONE;
    }
    return work != null;
  }

  /** After {@link #prepare}: the file. */
  public String path() {
    return work.getSrcPath();
  }

  /** After {@link #prepare}: replicas that are missing. */
  public int more() {
    return work.getAdditionalReplRequired();
  }

  /** After {@link #prepare}: Hadoop's own source. */
  public DatanodeDescriptor drawn() {
    return work.getSrcNodes()[0];
  }

  /** After {@link #prepare}: live replicas. */
  public List<DatanodeStorageInfo> live() {
    return work.getLiveReplicaStorages();
  }

  /** After {@link #prepare}: nodes that hold or await the block. */
  public Set<Node> excluded() {
    Set<Node> excluded = new HashSet<>(work.getContainingNodes());
    excluded.addAll(manager.awaiting(block));
    return excluded;
  }

  /** After {@link #prepare}: the storage policy of the file. */
  public byte storagePolicy() {
    return work.getStoragePolicyID();
  }

  /** Is a copy to this node on its way? */
  public boolean isAwaitedBy(DatanodeDescriptor target) {
    return manager.awaiting(block).contains(target);
  }

  /**
   * After {@link #prepare}, of an erasure-coded group: the node that reads and rebuilds, by
   * Hadoop's choice; null where there is none.
   */
  public DatanodeDescriptor chooseReader() {
    manager.chooseStripedTargets(work, excluded());
    DatanodeStorageInfo[] targets = work.getTargets();
    return targets == null || targets.length == 0 ? null : targets[0].getDatanodeDescriptor();
  }

  /** After {@link #prepare}, of an erasure-coded group: the nodes that are read. */
  public List<DatanodeDescriptor> read() {
    int needed = ((BlockInfoStriped) block).getRealDataBlockNum();
    List<DatanodeDescriptor> sources = Arrays.asList(work.getSrcNodes());
    return sources.subList(0, Math.min(needed, sources.size()));
  }

  /** After {@link #chooseReader}: queues the repair of the group. False: Hadoop refuses it. */
  public boolean startGroup() {
    state = State.DONE;
    return manager.start(work);
  }

  /** After {@link #prepare}: queues the copy at its source. False: Hadoop refuses it. */
  public boolean start(DatanodeDescriptor source, DatanodeStorageInfo target) {
    work.getSrcNodes()[0] = source;
    work.setTargets(new DatanodeStorageInfo[] {target});
    state = State.DONE;
    return manager.start(work);
  }
}
