package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Hadoop's queue of blocks short of replicas, with a {@link Scheduler} in front. A round of Hadoop
 * looks at {@code most} blocks. This looks at more, since some blocks wait for their source, and
 * keeps those that wait: Hadoop's queue returns them only after all others.
 */
final class ScheduledQueue extends LowRedundancyBlocks {
  /** Blocks looked at for each one that a round may start. */
  private static final int LOOKS = 4;

  private final Map<BlockInfo, QueuedBlock> waiting = new LinkedHashMap<>();
  private final OpenBlockManager manager;
  private Scheduler scheduler;

  ScheduledQueue(OpenBlockManager manager) {
    this.manager = manager;
  }

  synchronized void use(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  synchronized void clear() {
    super.clear();
    waiting.clear();
  }

  @Override
  synchronized List<List<BlockInfo>> chooseLowRedundancyBlocks(int most, boolean reset) {
    if (scheduler == null || !scheduler.isOn()) {
      waiting.clear();
      return super.chooseLowRedundancyBlocks(most, reset);
    }
    look(Math.max(most, LOOKS * most - waiting.size()), reset);
    scheduler.schedule(new ArrayList<>(waiting.values()), most);
    return settle(LOOKS * most);
  }

  private void look(int blocks, boolean reset) {
    List<List<BlockInfo>> found = super.chooseLowRedundancyBlocks(blocks, reset);
    for (int level = 0; level < found.size(); level++) {
      for (BlockInfo block : found.get(level)) {
        waiting.put(block, new QueuedBlock(manager, block, level));
      }
    }
  }

  /** Keeps the blocks that wait, the first ones; returns those left to Hadoop, by level. */
  private List<List<BlockInfo>> settle(int kept) {
    List<List<BlockInfo>> left = new ArrayList<>();
    for (int level = 0; level < LEVEL - 1; level++) {
      left.add(new ArrayList<>());
    }
    int seen = 0;
    for (Iterator<QueuedBlock> all = waiting.values().iterator(); all.hasNext();) {
      QueuedBlock block = all.next();
      if (block.isLeft()) {
        left.get(block.level).add(block.info());
      }
      if (!block.isWaiting() || ++seen > kept) {
        all.remove();
      }
    }
    return left;
  }
}
