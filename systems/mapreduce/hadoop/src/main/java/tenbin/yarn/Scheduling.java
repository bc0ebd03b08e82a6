package tenbin.yarn;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** What a ResourceManager's allocators share: its rules, and since when its jobs wait. */
final class Scheduling {
  private static final Map<RMContext, Scheduling> ALL =
      Collections.synchronizedMap(new WeakHashMap<>());

  final Withholding withholding;
  private final WeakReference<RMContext> context;
  private final Map<NodeId, Heard> nodes = new ConcurrentHashMap<>();
  private final Map<AppSchedulingInfo, Waits> waits =
      Collections.synchronizedMap(new WeakHashMap<>());

  private Scheduling(RMContext context) {
    this.context = new WeakReference<>(context);
    withholding = new Withholding(source(context)).registered();
  }

  static Scheduling of(RMContext context) {
    return ALL.computeIfAbsent(context, Scheduling::new);
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

  /**
   * Whether an attempt's master has its container: an attempt's first. `isWaitingForAMContainer`
   * would lock the attempt, whose reports lock the scheduler's application.
   */
  boolean hasMaster(ApplicationAttemptId attempt) {
    RMContext served = context.get();
    if (served == null || !(served.getScheduler() instanceof AbstractYarnScheduler)) {
      return false;
    }
    SchedulerApplicationAttempt known =
        ((AbstractYarnScheduler<?, ?>) served.getScheduler()).getApplicationAttempt(attempt);
    return known != null && (known.getUnmanagedAM() || known.getLiveContainersMap().keySet()
        .stream().anyMatch(container -> container.getApplicationAttemptId().equals(attempt)));
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
