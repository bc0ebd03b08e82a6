package tenbin.yarn;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Under CapacityScheduler, Hadoop's default. */
public class CapacityClusterTest extends RealJobs {
  @Override
  void switchOn(Configuration conf) {
    conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
    conf.set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS,
        TenbinAppPlacementAllocator.class.getName());
  }
}
