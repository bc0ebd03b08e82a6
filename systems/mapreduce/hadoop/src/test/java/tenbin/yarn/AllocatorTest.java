package tenbin.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ApplicationPlacementAllocatorFactory;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.ResourceCalculatorPlugin;
import org.junit.Before;
import org.junit.Test;

/** A ResourceManager that is not there asks real allocators. */
public class AllocatorTest {
  private static final int MAPS = 20;
  private static final int REDUCES = 10;

  private final ApplicationId id = ApplicationId.newInstance(1, 1);
  private final Configuration conf = new Configuration(false);
  private final RMApp app = mock(RMApp.class);
  private final RMContext context = mock(RMContext.class);
  private final AppSchedulingInfo job = mock(AppSchedulingInfo.class);
  private final FSAppAttempt attempt = mock(FSAppAttempt.class);

  @Before
  public void submitJob() {
    when(app.getApplicationType()).thenReturn("MAPREDUCE");
    ConcurrentHashMap<ApplicationId, RMApp> apps = new ConcurrentHashMap<>(Map.of(id, app));
    when(context.getRMApps()).thenReturn(apps);
    when(context.getYarnConfiguration()).thenReturn(conf);
    when(job.getApplicationId()).thenReturn(id);
    FairScheduler scheduler = mock(FairScheduler.class);
    ApplicationAttemptId first = ApplicationAttemptId.newInstance(id, 1);
    when(job.getApplicationAttemptId()).thenReturn(first);
    when(scheduler.getApplicationAttempt(first)).thenReturn(attempt);
    runsContainerOfAttempt(1);
    when(context.getScheduler()).thenReturn(scheduler);
  }

  private void runsContainerOfAttempt(int number) {
    ContainerId container =
        ContainerId.newContainerId(ApplicationAttemptId.newInstance(id, number), 1);
    when(attempt.getLiveContainersMap()).thenReturn(Map.of(container, mock(RMContainer.class)));
  }

  private LocalityAppPlacementAllocator<SchedulerNode> asks(int priority, String... places) {
    LocalityAppPlacementAllocator<SchedulerNode> allocator = new TenbinAppPlacementAllocator<>();
    List<ResourceRequest> requests = new ArrayList<>();
    for (String place : places) {
      requests.add(ask(priority, place));
    }
    allocator.initialize(job, SchedulerRequestKey.create(requests.get(0)), context);
    allocator.updatePendingAsk(requests, false);
    return allocator;
  }

  private static ResourceRequest ask(int priority, String place) {
    return ResourceRequest.newInstance(
        Priority.newInstance(priority), place, Resource.newInstance(1024, 1), 3);
  }

  private static SchedulerNode node(String name, Map<String, Float> carried) {
    SchedulerNode node = mock(SchedulerNode.class);
    when(node.getNodeID()).thenReturn(NodeId.newInstance(name, 45454));
    when(node.getNodeName()).thenReturn(name);
    when(node.getRackName()).thenReturn("/rack");
    when(node.getPartition()).thenReturn("");
    when(node.getNodeUtilization())
        .thenReturn(ResourceUtilization.newInstance(0, 0, 0, carried));
    return node;
  }

  private static boolean gets(
      LocalityAppPlacementAllocator<SchedulerNode> allocator, SchedulerNode node) {
    return allocator.precheckNode(node, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY);
  }

  @Test
  public void aBusyNodeGetsNoMapAndAllElse() {
    conf.set(Settings.DISK_RATE, "40 %");
    SchedulerNode hot = node("hot", Map.of("tenbin.disk", 0.9f, "yarn.io/gpu", 0f));
    SchedulerNode cold = node("cold", Map.of("tenbin.disk", 0.1f));
    SchedulerNode unknown = node("unknown", Map.of("yarn.io/gpu", 0f));
    assertFalse(gets(asks(MAPS, "*"), hot));
    assertTrue(gets(asks(MAPS, "*"), cold));
    assertTrue(gets(asks(MAPS, "*"), unknown));
    assertTrue("a reduce", gets(asks(REDUCES, "*"), hot));
    assertTrue("the job's master", gets(asks(0, "*"), hot));
    assertTrue("a map that runs again", gets(asks(5, "*"), hot));
    assertEquals(Map.of("disk-rate hot:45454", 1L),
        Scheduling.of(context).withholding.getWithheld());
  }

  @Test
  public void rulesAreAboutTheTypesThatAreListed() {
    conf.set(Settings.DISK_RATE, "40 %");
    assertEquals(List.of(false, true, true), givenToBusyNode("MAPREDUCE", "SPARK", "TEZ"));
    conf.set(Settings.APPLICATIONS, "Spark, MapReduce");
    readAgain();
    assertEquals(List.of(false, false, true), givenToBusyNode("MAPREDUCE", "SPARK", "TEZ"));
    conf.set(Settings.APPLICATIONS, "*");
    readAgain();
    assertEquals(List.of(false, false, false), givenToBusyNode("MAPREDUCE", "SPARK", "TEZ"));
  }

  /** A change of the configuration is seen by another object, as the scheduler's. */
  private void readAgain() {
    when(context.getYarnConfiguration()).thenReturn(new Configuration(conf));
  }

  private List<Boolean> givenToBusyNode(String... types) {
    List<Boolean> given = new ArrayList<>();
    for (String type : types) {
      when(app.getApplicationType()).thenReturn(type);
      given.add(gets(asks(MAPS, "*"), node("hot", Map.of("tenbin.disk", 0.9f))));
    }
    return given;
  }

  /** Spark asks for executors at priority 0, as YARN does for any master. */
  @Test
  public void aMasterIsNeverWithheld() {
    conf.set(Settings.APPLICATIONS, "*");
    conf.set(Settings.DISK_RATE, "40 %");
    when(app.getApplicationType()).thenReturn("SPARK");
    SchedulerNode hot = node("hot", Map.of("tenbin.disk", 0.9f));
    when(attempt.getLiveContainersMap()).thenReturn(Map.of());
    assertTrue(gets(asks(0, "*"), hot));
    runsContainerOfAttempt(0);
    assertTrue("containers of a former master are kept", gets(asks(0, "*"), hot));
    when(attempt.getUnmanagedAM()).thenReturn(true);
    assertFalse("the master runs elsewhere", gets(asks(0, "*"), hot));
    when(attempt.getUnmanagedAM()).thenReturn(false);
    runsContainerOfAttempt(1);
    assertFalse("an executor", gets(asks(0, "*"), hot));
  }

  @Test
  public void otherApplicationsContainersAreSubjectToNodesFigures() {
    conf.set(Settings.APPLICATIONS, "TEZ");
    conf.set(Settings.RECEIVE_RATE, "300Mbit/s");
    conf.set(Settings.RECEPTION, "1B");
    conf.set(Settings.PRESSURE_MEMORY, "10 %");
    when(app.getApplicationType()).thenReturn("TEZ");
    SchedulerNode hot = node("hot", Map.of("tenbin.rx", 4e7f));
    assertFalse(gets(asks(REDUCES, "*"), hot));
    assertTrue("asked for here", gets(asks(REDUCES, "hot", "/rack", "*"), hot));
    assertTrue("of MapReduce's reduces",
        gets(asks(REDUCES, "*"), node("fetches", Map.of("tenbin.fetch", 9f))));
    assertFalse(gets(asks(1, "*"), node("stalled", Map.of("tenbin.mem", 0.2f))));
  }

  @Test
  public void aNodeThatReceivesMuchGetsItsOwnBlocksMaps() {
    conf.set(Settings.RECEIVE_RATE, "300Mbit/s");
    SchedulerNode hot = node("hot", Map.of("tenbin.rx", 4e7f));
    assertTrue(gets(asks(MAPS, "hot", "/rack", "*"), hot));
    assertFalse(gets(asks(MAPS, "another", "/rack", "*"), hot));
    assertFalse(gets(asks(REDUCES, "*"), hot));
  }

  @Test
  public void underFairSchedulerNothingIsAskedForOfAnOfferThatIsWithheld() {
    conf.set(Settings.DISK_RATE, "40 %");
    LocalityAppPlacementAllocator<SchedulerNode> allocator = asks(MAPS, "*");
    Offer.open(node("hot", Map.of("tenbin.disk", 0.9f)));
    assertEquals(0, allocator.getPendingAsk("*").getCount());
    Offer.open(node("cold", Map.of("tenbin.disk", 0.1f)));
    assertEquals(3, allocator.getPendingAsk("*").getCount());
    Offer.close();
    assertEquals(3, allocator.getPendingAsk("*").getCount());
  }

  @Test
  public void aTaskThatIsGivenStartsTheClockAgain() {
    conf.set(Settings.DISK_RATE, "40 %");
    conf.set(Settings.LIMIT, "200ms");
    LocalityAppPlacementAllocator<SchedulerNode> allocator = asks(MAPS, "*");
    SchedulerNode hot = node("hot", Map.of("tenbin.disk", 0.9f));
    assertFalse(gets(allocator, hot));
    long end = System.nanoTime() + 10_000_000_000L;
    while (!gets(allocator, hot)) {
      assertTrue("it is lifted", System.nanoTime() < end);
    }
    SchedulerRequestKey key = SchedulerRequestKey.create(ask(MAPS, "*"));
    allocator.allocate(key, NodeType.OFF_SWITCH, hot);
    assertFalse(gets(allocator, hot));
  }

  /** Two disks, of which each container is to take half of one. */
  @Test
  public void whatANodeWasGivenSinceItsHeartbeatCounts() {
    conf.set(Settings.PREDICTED_LOAD, "40 %");
    Map<String, Float> idle = Map.of("tenbin.disk", 0f, "tenbin.n", 2f);
    SchedulerNode node = node("idle", idle);
    LocalityAppPlacementAllocator<SchedulerNode> allocator = asks(MAPS, "*");
    SchedulerRequestKey key = SchedulerRequestKey.create(ask(MAPS, "*"));
    for (int given = 0; given < 2; given++) {
      assertTrue(given + " given", gets(allocator, node));
      allocator.allocate(key, NodeType.OFF_SWITCH, node);
    }
    assertFalse("two given", gets(allocator, node));
    assertTrue("a reduce", gets(asks(REDUCES, "*"), node));
    ResourceUtilization next = ResourceUtilization.newInstance(0, 0, 0, idle);
    when(node.getNodeUtilization()).thenReturn(next);
    assertTrue("the next heartbeat", gets(allocator, node));
  }

  @Test
  public void yarnsActivitiesSayWhichRuleWithheld() {
    conf.set(Settings.DISK_RATE, "40 %");
    DiagnosticsCollector collector = mock(DiagnosticsCollector.class);
    asks(MAPS, "*").precheckNode(node("hot", Map.of("tenbin.disk", 0.9f)),
        SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY, Optional.of(collector));
    verify(collector).collect(contains("disk-rate"), contains("0.9"));
  }

  @Test
  public void whateverIsThrownHadoopDecides() {
    conf.set(Settings.DISK_RATE, "0 %");
    SchedulerNode odd = node("odd", Map.of("tenbin.disk", 0.9f));
    when(odd.getNodeUtilization()).thenThrow(new IllegalStateException("no such figure"));
    assertTrue(gets(asks(MAPS, "*"), odd));
    when(context.getYarnConfiguration()).thenThrow(new NoSuchMethodError("an old Hadoop"));
    assertTrue(gets(asks(MAPS, "*"), node("hot", Map.of("tenbin.disk", 0.9f))));
  }

  /** What the README says of jars that are not there. */
  @Test
  public void aClassThatIsMissingIsHadoopsOwnAffair() {
    SchedulerRequestKey key = SchedulerRequestKey.create(ask(MAPS, "*"));
    assertSame(LocalityAppPlacementAllocator.class,
        ApplicationPlacementAllocatorFactory
            .getAppPlacementAllocator("tenbin.yarn.Missing", job, key, context).getClass());
    conf.set(YarnConfiguration.NM_MON_RESOURCE_CALCULATOR, "tenbin.yarn.Missing");
    assertThrows(RuntimeException.class,
        () -> ResourceCalculatorPlugin.getNodeResourceMonitorPlugin(conf));
  }
}
