package tenbin.yarn;

import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.*;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Hadoop's own allocator, but for requests that a rule withholds from a node:
 * {@code yarn.scheduler.app-placement-allocator.class = tenbin.yarn.TenbinAppPlacementAllocator}.
 * CapacityScheduler asks it about each node; under FairScheduler {@link Offer} says which.
 */
public class TenbinAppPlacementAllocator<N extends SchedulerNode>
    extends LocalityAppPlacementAllocator<N> {
  private Scheduling scheduling;
  private Waits waits;
  private String type;
  private boolean hasMaster;

  @Override
  public void initialize(
      AppSchedulingInfo job, SchedulerRequestKey key, RMContext context) {
    super.initialize(job, key, context);
    Guard.orStock("set rules up", false, () -> {
      scheduling = Scheduling.of(context);
      waits = scheduling.waits(job);
      return true;
    });
  }

  @Override
  public boolean precheckNode(
      SchedulerNode node, SchedulingMode mode, Optional<DiagnosticsCollector> diagnostics) {
    return super.precheckNode(node, mode, diagnostics) && !isWithheld(node, diagnostics);
  }

  /** FairScheduler asks first how much is asked for anywhere: if nothing is, the node is passed. */
  @Override
  public PendingAsk getPendingAsk(String place) {
    SchedulerNode node = place.equals(ResourceRequest.ANY) ? Offer.node() : null;
    boolean withheld = node != null && isWithheld(node, Optional.empty());
    return withheld ? PendingAsk.ZERO : super.getPendingAsk(place);
  }

  @Override
  public PendingAskUpdateResult updatePendingAsk(
      Collection<ResourceRequest> requests, boolean recovers) {
    boolean waited = getOutstandingAsksCount(ResourceRequest.ANY) > 0;
    PendingAskUpdateResult result = super.updatePendingAsk(requests, recovers);
    if (!waited) {
      restart();
    }
    return result;
  }

  @Override
  public ContainerRequest allocate(SchedulerRequestKey key, NodeType type, SchedulerNode node) {
    ContainerRequest request = super.allocate(key, type, node);
    restart();
    count(node);
    return request;
  }

  private boolean isWithheld(SchedulerNode node, Optional<DiagnosticsCollector> diagnostics) {
    return Guard.orStock("ask the rules", false, () -> {
      boolean local = getOutstandingAsksCount(node.getNodeName()) > 0;
      Request request = request(local);
      if (request == null || !scheduling.withholding.covers(type)) {
        return false;
      }
      Heard heard = scheduling.heard(node);
      Rule rule = scheduling.withholding.rule(heard, request, waits, System.nanoTime());
      if (rule != null && diagnostics.isPresent()) {
        diagnostics.get().collect("tenbin: " + rule.name, heard.figures.toString());
      }
      return rule != null;
    });
  }

  /** Null: no rule is about it. */
  private Request request(boolean local) {
    if (scheduling == null || isMaster() || !knowsType()) {
      return null;
    }
    return Request.of(type, schedulerRequestKey.getPriority().getPriority(), local);
  }

  private boolean knowsType() {
    if (type == null) {
      RMApp job = rmContext.getRMApps().get(appSchedulingInfo.getApplicationId());
      type = job == null ? null : job.getApplicationType();
    }
    return type != null;
  }

  /** The attempt's first container is its master. Spark asks for executors at its priority. */
  private boolean isMaster() {
    hasMaster = hasMaster || scheduling.hasMaster(appSchedulingInfo.getApplicationAttemptId());
    return !hasMaster;
  }

  private void count(SchedulerNode node) {
    Guard.orStock("count a container", false, () -> {
      Request request = request(false);
      if (request != null && !request.isReduce() && scheduling.withholding.covers(type)) {
        scheduling.heard(node).give();
      }
      return true;
    });
  }

  private void restart() {
    Guard.orStock("start a job's clock", false, () -> {
      Request request = request(false);
      if (request != null) {
        waits.restart(request.kind, System.nanoTime());
      }
      return true;
    });
  }
}
