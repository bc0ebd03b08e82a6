package tenbin.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class WithholdingTest {
  private static final long SECOND = 1_000_000_000L;

  private static Configuration diskRate(String threshold) {
    Configuration conf = new Configuration(false);
    conf.set(Settings.DISK_RATE, threshold);
    return conf;
  }

  private static Heard disks(double... busy) {
    return new Heard("n1:45454", new NodeFigures(0, Double.NaN, Pressure.UNKNOWN, busy));
  }

  @Test
  public void refusalsAreCountedByRuleAndNode() throws Exception {
    Configuration conf = diskRate("40 %");
    Withholding rules = new Withholding(() -> conf).registered();
    Waits waits = new Waits(0);
    assertNotNull(rules.rule(disks(0.5), Request.LOCAL_MAP, waits, 0));
    assertNotNull(rules.rule(disks(0.5), Request.REMOTE_MAP, waits, 0));
    assertNull(rules.rule(disks(0.5), Request.REDUCE, waits, 0));
    assertNull(rules.rule(disks(0.3), Request.LOCAL_MAP, waits, 0));
    assertEquals(Map.of("disk-rate n1:45454", 2L), rules.getWithheld());
    // As anybody sees it: /jmx of the ResourceManager.
    ObjectName name = new ObjectName("Hadoop:service=ResourceManager,name=Tenbin");
    Object shown = ManagementFactory.getPlatformMBeanServer().getAttribute(name, "Withheld");
    assertTrue(shown.toString(), shown.toString().contains("disk-rate n1:45454"));
  }

  @Test
  public void aNodeWithoutFiguresIsGivenAll() {
    Configuration conf = diskRate("0 %");
    Withholding rules = new Withholding(() -> conf);
    Heard nothing = new Heard("n1", (NodeFigures) null);
    assertNull(rules.rule(nothing, Request.LOCAL_MAP, new Waits(0), 0));
    assertNull(rules.rule(disks(), Request.LOCAL_MAP, new Waits(0), 0));
    conf.set(Settings.DISK_RATE, "per-disk 0 %");
    rules = new Withholding(() -> conf);
    assertNull(rules.rule(disks(), Request.LOCAL_MAP, new Waits(0), 0));
    assertNotNull(rules.rule(disks(0.1), Request.LOCAL_MAP, new Waits(0), 0));
  }

  @Test
  public void thresholdsAreReadAgainWhereTheSchedulerHasAnotherConfiguration() {
    AtomicReference<Configuration> conf = new AtomicReference<>(diskRate("40 %"));
    Withholding rules = new Withholding(conf::get);
    assertNotNull(rules.rule(disks(0.5), Request.LOCAL_MAP, new Waits(0), 0));
    conf.set(diskRate("60 %"));
    assertNull(rules.rule(disks(0.5), Request.LOCAL_MAP, new Waits(0), 0));
    conf.set(new Configuration(false));
    assertNull(rules.rule(disks(1), Request.LOCAL_MAP, new Waits(0), 0));
    conf.set(diskRate("no threshold"));
    assertNull(rules.rule(disks(1), Request.LOCAL_MAP, new Waits(0), 0));
  }

  @Test
  public void aMeanOverDisksHasTheirNumber() {
    Map<String, Float> carried = NodeFigures.carried(
        0, 0, Pressure.UNKNOWN, Map.of("sda", 0.5, "sdb", 0.0), false);
    assertEquals(0.25f, carried.get("tenbin.disk"), 0);
    assertEquals(2, NodeFigures.of(carried).diskCount);
    assertEquals(1, NodeFigures.of(Map.of("tenbin.rx", 0f)).diskCount);
  }

  @Test
  public void aChangeIsOneLine() {
    assertEquals(
        "tenbin: rule=disk-rate node=n1:45454 withholds=true figure=0.6250 threshold=0.4000",
        Withholding.change(new DiskRate(0.4), disks(0.5, 0.75), true, Double.NaN));
    assertEquals(
        "tenbin: rule=disk-rate-auto node=n1:45454 withholds=true figure=0.6250 threshold=0.5500",
        Withholding.change(new AutoDiskRate(), disks(0.5, 0.75), true, 0.45));
  }

  /** With all nodes equally busy nothing is withheld; from who is busier it is. */
  @Test
  public void anEstimatedThresholdFollowsWhatAllNodesDo() {
    Configuration conf = diskRate("auto");
    Withholding rules = new Withholding(() -> conf);
    for (int beat = 0; beat < 3; beat++) {
      long now = 2 * beat * SECOND;
      for (String node : new String[] {"n1", "n2", "n3"}) {
        Heard busy = new Heard(node, new NodeFigures(0, Double.NaN, Pressure.UNKNOWN, 0.9));
        assertNull(node, rules.rule(busy, Request.LOCAL_MAP, new Waits(now), now));
      }
    }
    long later = 8 * SECOND;
    for (String node : new String[] {"n2", "n3"}) {
      Heard idle = new Heard(node, new NodeFigures(0, Double.NaN, Pressure.UNKNOWN, 0.1));
      assertNull(rules.rule(idle, Request.LOCAL_MAP, new Waits(later), later));
    }
    Heard busy = new Heard("n1", new NodeFigures(0, Double.NaN, Pressure.UNKNOWN, 0.9));
    long then = later + 2 * SECOND;
    assertNotNull(rules.rule(busy, Request.LOCAL_MAP, new Waits(then), then));
    assertNull(rules.rule(busy, Request.REDUCE, new Waits(then), then));
    // Others are lost: after a minute it is held against itself alone.
    Heard still = new Heard("n1", new NodeFigures(0, Double.NaN, Pressure.UNKNOWN, 0.9));
    long last = then + 100 * SECOND;
    assertNull(rules.rule(still, Request.LOCAL_MAP, new Waits(last), last));
  }

  @Test
  public void aJobThatWaitsTooLongIsExemptUntilItGetsATask() {
    Configuration conf = diskRate("40 %");
    Withholding rules = new Withholding(() -> conf);
    Waits waits = new Waits(0);
    Heard hot = disks(1);
    assertNotNull(rules.rule(hot, Request.LOCAL_MAP, waits, 40 * SECOND - 1));
    assertNull(rules.rule(hot, Request.LOCAL_MAP, waits, 40 * SECOND));
    assertEquals(Map.of("disk-rate n1:45454", 1L), rules.getLifted());
    waits.restart(Request.Kind.REDUCE, 40 * SECOND);
    assertNull("a reduce is no map", rules.rule(hot, Request.LOCAL_MAP, waits, 41 * SECOND));
    waits.restart(Request.Kind.MAP, 41 * SECOND);
    assertNotNull(rules.rule(hot, Request.LOCAL_MAP, waits, 42 * SECOND));
  }

  /**
   * What the simulated rules guarantee: whatever nodes do and thresholds are, n tasks are withheld
   * for n times the limit and a beat at most.
   */
  @Test
  public void noRuleStallsAJob() {
    Random random = new Random(1);
    String[] thresholds = {"0 %", "1 %", "per-disk 30 %", "100 %", "auto"};
    for (int round = 0; round < 200; round++) {
      Configuration conf = diskRate(thresholds[random.nextInt(5)]);
      conf.set(Settings.RECEIVE_RATE, "1kB/s");
      conf.set(Settings.RECEPTION, "1B");
      int limit = 5 + random.nextInt(40);
      int beat = 1 + random.nextInt(5);
      conf.set(Settings.LIMIT, limit + "s");
      Withholding rules = new Withholding(() -> conf);
      Waits waits = new Waits(0);
      long now = 0;
      int tasks = 12;
      for (int left = tasks; left > 0; now += beat * SECOND) {
        Request request = left > 4 ? Request.REMOTE_MAP : Request.REDUCE;
        NodeFigures figures = new NodeFigures(
            random.nextInt(10_000), random.nextInt(3), Pressure.UNKNOWN, random.nextDouble(), 1);
        if (rules.rule(new Heard("n1", figures), request, waits, now) == null) {
          waits.restart(request.kind, now);
          left--;
          if (left == 4) {
            waits.restart(Request.Kind.REDUCE, now);
          }
        }
      }
      assertTrue(round + ": " + now, now <= tasks * (limit + beat) * SECOND);
    }
  }
}
