package tenbin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.BeforeClass;
import org.junit.Test;

/** The plug-in in a real NameNode with sources drawn by Hadoop: every block is repaired. */
public class ClusterTest {
  private static final int BLOCKS = 240;

  @BeforeClass
  public static void version() {
    System.out.println("Hadoop " + VersionInfo.getVersion());
  }

  @Test
  public void stock() throws Exception {
    recover(Asked.Stock.class, "stock");
  }

  @Test
  public void ring() throws Exception {
    recover(Asked.Plugin.class, "ring");
  }

  @Test
  public void multiRackRing() throws Exception {
    recover(Asked.Plugin.class, "multi-rack-ring");
  }

  @Test
  public void joint() throws Exception {
    recover(Asked.Plugin.class, "joint");
  }

  /** Prints who sent and received how much; how even that is depends on chance, so no bound. */
  private static void recover(Class<?> placement, String policy) throws Exception {
    try (Mini mini = new Mini(6, placement, Settings.POLICY, policy,
        Settings.SOURCES, "drawn")) {
      Path file = mini.write("/file", BLOCKS, 3);
      mini.waitFor(file, 3);
      Asked.reset(mini, 0);
      long start = System.nanoTime();
      mini.lose(0);
      mini.waitFor(file, 3);
      System.out.printf(Locale.ROOT, "%s: %s; %.1f s%n", policy, Asked.summary(),
          (System.nanoTime() - start) / 1e9);
      if (!policy.equals("stock")) {
        String counts = policy + ": decided " + Mini.counter("Decided") + ", refused "
            + Mini.counter("Refused") + ", stock " + Mini.counter("StockAfterRefusals")
            + " after refusals, " + Mini.counter("StockWithoutTarget")
            + " without target; slowest " + Mini.counter("SlowestMicros") + " us";
        System.out.println(counts);
        assertEquals("ON", Mini.counter("State"));
        assertEquals(counts, 0L, Mini.counter("StockAfterFailure"));
        long decided = (Long) Mini.counter("Decided");
        assertTrue(counts, decided >= BLOCKS / 4);
      }
    }
  }

  /** Whatever it does, the NameNode serves, and stock behaviour repairs the blocks. */
  @Test
  public void hostilePoliciesDoNoHarm() throws Exception {
    try (Mini mini = new Mini(4, TenbinPlacementPolicy.class, Settings.POLICY,
        Hostile.class.getName(), Settings.TIME_LIMIT, "300ms", Settings.PAUSE, "1s",
        Settings.REFUSALS, "2")) {
      for (Hostile.Way way : Hostile.Way.values()) {
        Hostile.way = way;
        long start = System.nanoTime();
        Path file = mini.write("/" + way, 20, 2);
        mini.files.setReplication(file, (short) 3);
        mini.waitFor(file, 3);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(Locale.ROOT, "%s: 20 blocks in %.1f s; %s, %s%n", way, seconds,
            Mini.counter("State"), Mini.counter("Reason"));
        assertTrue(way + " holds blocks up", seconds < 60);
      }
      assertEquals(0L, Mini.counter("Decided"));
      for (String count : new String[] {"Threw", "AnsweredBadly", "Slow", "Refused",
          "StockAfterRefusals", "StockAfterFailure"}) {
        assertTrue(count, (Long) Mini.counter(count) > 0);
      }
    }
  }

  @Test
  public void badSettingsLeaveStockBehaviour() throws Exception {
    try (Mini mini = new Mini(3, TenbinPlacementPolicy.class, Settings.POLICY, "ring",
        Settings.REFUSALS, "many")) {
      assertEquals("OFF", Mini.counter("State"));
      assertEquals("tenbin.rereplication.refusals = many: is no number", Mini.counter("Reason"));
      Path file = mini.write("/file", 5, 2);
      mini.files.setReplication(file, (short) 3);
      mini.waitFor(file, 3);
    }
  }
}
