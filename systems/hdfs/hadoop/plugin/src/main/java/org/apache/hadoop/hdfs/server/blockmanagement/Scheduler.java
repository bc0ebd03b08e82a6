package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;

/** Chooses the sources and the order of repairs. */
public interface Scheduler {
  /** False: Hadoop's own order, sources and targets. */
  boolean isOn();

  /**
   * Starts or leaves to Hadoop at most {@code most} of the waiting blocks. Called with the
   * NameNode's lock.
   */
  void schedule(List<QueuedBlock> waiting, int most);
}
