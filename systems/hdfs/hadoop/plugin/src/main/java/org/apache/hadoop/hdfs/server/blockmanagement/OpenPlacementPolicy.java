package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;

/**
 * Hadoop's default placement for subclasses elsewhere. It stands in Hadoop's package because only
 * there may a class name {@link Host2NodesMap}, with which Hadoop starts a placement policy.
 */
public abstract class OpenPlacementPolicy extends BlockPlacementPolicyDefault {
  @Override
  public final void initialize(Configuration conf, FSClusterStats stats,
      NetworkTopology clusterMap, Host2NodesMap host2datanodeMap) {
    super.initialize(conf, stats, clusterMap, host2datanodeMap);
    start(conf, stats);
  }

  /** Reads the settings. Fsck and the Balancer, which repair nothing, have no {@code stats}. */
  protected abstract void start(Configuration conf, FSClusterStats stats);
}
