package tenbin.yarn;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TenbinFairScheduler;

/** Under FairScheduler, whose subclass is all that is set. */
public class FairClusterTest extends RealJobs {
  @Override
  void switchOn(Configuration conf) {
    conf.set(YarnConfiguration.RM_SCHEDULER, TenbinFairScheduler.class.getName());
    // Tests may run as root, whose own queue would have the name of the root of all queues.
    conf.setBoolean("yarn.scheduler.fair.user-as-default-queue", false);
  }
}
