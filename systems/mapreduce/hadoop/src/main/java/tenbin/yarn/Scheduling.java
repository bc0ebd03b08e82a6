package tenbin.yarn;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** What a ResourceManager's allocators share: its rules, and since when its jobs wait. */
final class Scheduling {
  private static final Map<RMContext, Scheduling> ALL =
      Collections.synchronizedMap(new WeakHashMap<>());

  final Withholding withholding;
  private final Map<NodeId, Heard> nodes = new ConcurrentHashMap<>();
  private final Map<AppSchedulingInfo, Waits> waits =
      Collections.synchronizedMap(new WeakHashMap<>());

  private Scheduling(Withholding withholding) {
    this.withholding = withholding;
  }

  static Scheduling of(RMContext context) {
    return ALL.computeIfAbsent(
        context, of -> new Scheduling(new Withholding(source(of)).registered()));
  }

  /** What a node's last heartbeat carried. */
  Heard heard(SchedulerNode node) {
    ResourceUtilization now = node.getNodeUtilization();
    Heard heard = nodes.get(node.getNodeID());
    if (heard == null || !heard.isFrom(now)) {
      heard = new Heard(node.getNodeID().toString(), now);
      nodes.put(node.getNodeID(), heard);
    }
    return heard;
  }

  /** Of a job. */
  Waits waits(AppSchedulingInfo job) {
    return waits.computeIfAbsent(job, of -> new Waits(System.nanoTime()));
  }

  /** Of a context that is forgotten when its ResourceManager no longer serves. */
  private static Supplier<Configuration> source(RMContext context) {
    WeakReference<RMContext> served = new WeakReference<>(context);
    return () -> lastRead(served.get());
  }

  /** As the scheduler last read it: {@code yarn rmadmin -refreshQueues} makes another one. */
  private static Configuration lastRead(RMContext context) {
    if (context == null) {
      return null;
    }
    ResourceScheduler scheduler = context.getScheduler();
    if (scheduler instanceof CapacityScheduler) {
      return ((CapacityScheduler) scheduler).getConfiguration();
    }
    return scheduler instanceof Rereads
        ? ((Rereads) scheduler).lastRead() : context.getYarnConfiguration();
  }
}
