package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tenbin.yarn.Offer;
import tenbin.yarn.Rereads;
import tenbin.yarn.TenbinAppPlacementAllocator;

/**
 * FairScheduler, but for requests that a rule withholds from a node:
 * {@code yarn.resourcemanager.scheduler.class =
 * org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TenbinFairScheduler}.
 * It is here because what it overrides is seen in this package alone.
 */
public class TenbinFairScheduler extends FairScheduler implements Rereads {
  private static final Logger LOG = LoggerFactory.getLogger("tenbin.yarn");

  private volatile Configuration lastRead;

  @Override
  public void serviceInit(Configuration conf) throws Exception {
    lastRead = conf;
    if (!isAllocatorRead()) {
      LOG.error("tenbin: Hadoop {} knows no {}: this is FairScheduler as it is, no rule is on",
          VersionInfo.getVersion(), YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS);
    }
    conf.setIfUnset(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS,
        TenbinAppPlacementAllocator.class.getName());
    super.serviceInit(conf);
  }

  /** Hadoop 3.3 and older have not even its name. */
  private static boolean isAllocatorRead() {
    try {
      YarnConfiguration.class.getField("APPLICATION_PLACEMENT_TYPE_CLASS");
      return true;
    } catch (NoSuchFieldException e) {
      return false;
    }
  }

  @Override
  public void reinitialize(Configuration conf, RMContext context) throws IOException {
    super.reinitialize(conf, context);
    lastRead = conf;
  }

  @Override
  void attemptScheduling(FSSchedulerNode node) {
    Offer.open(node);
    try {
      super.attemptScheduling(node);
    } finally {
      Offer.close();
    }
  }

  @Override
  public Configuration lastRead() {
    return lastRead;
  }
}
