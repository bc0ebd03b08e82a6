package tenbin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.junit.Test;

/** Sources chosen by the policy, in a real NameNode; copies are counted by the DataNodes. */
public class ChosenTest {
  private static final int NODES = 6;
  private static final int BLOCKS = 240;
  /** Rounds with each choice, in turn. */
  private static final int ROUNDS = Integer.getInteger("rounds", 1);
  /** Copies by which the order of decisions may change the spread. */
  private static final int SLACK = 3;

  /** What a repair was like. */
  private static final class Repaired {
    final Map<Integer, Long> sent = new TreeMap<>();
    final Map<Integer, Long> received = new TreeMap<>();
    Map<Integer, Long> ruled = new TreeMap<>();
    double seconds;

    /** Of the busiest receiver, over the mean. */
    double mostReceived() {
      double mean = received.values().stream().mapToLong(n -> n).average().orElse(1);
      return received.values().stream().mapToLong(n -> n).max().orElse(0) / mean;
    }

    static long spread(Map<Integer, Long> counts) {
      return counts.values().stream().mapToLong(n -> n).max().getAsLong()
          - counts.values().stream().mapToLong(n -> n).min().getAsLong();
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "sent %s, received %s; %.1f s", sent.values(),
          received.values(), seconds);
    }
  }

  private static Map<Integer, Long> sent(Mini mini) throws ReflectiveOperationException {
    Field replicated = DataNodeMetrics.class.getDeclaredField("blocksReplicated");
    replicated.setAccessible(true);
    Map<Integer, Long> sent = new TreeMap<>();
    for (DataNode node : mini.cluster.getDataNodes()) {
      MutableCounterLong counter = (MutableCounterLong) replicated.get(node.getMetrics());
      sent.put(node.getXferPort(), counter.value());
    }
    return sent;
  }

  private static Map<Integer, Long> held(Mini mini, Path file) throws IOException {
    Map<Integer, Long> held = new TreeMap<>();
    for (BlockLocation block : mini.files.getFileBlockLocations(file, 0, Long.MAX_VALUE)) {
      for (String name : block.getNames()) {
        held.merge(Integer.valueOf(name.substring(name.indexOf(':') + 1)), 1L, Long::sum);
      }
    }
    return held;
  }

  private static Map<Integer, Long> minus(Map<Integer, Long> of, Map<Integer, Long> less) {
    Map<Integer, Long> difference = new TreeMap<>();
    of.forEach((node, n) -> difference.put(node, n - less.getOrDefault(node, 0L)));
    return difference;
  }

  private static Repaired repair(Mini mini, Path file) throws Exception {
    Map<Integer, Long> heldBefore = held(mini, file);
    Map<Integer, Long> sentBefore = sent(mini);
    Repaired repaired = new Repaired();
    int lost = mini.cluster.getDataNodes().get(0).getXferPort();
    List<int[]> blocks = lost(mini, file);
    repaired.ruled = ruled(blocks, NODES - 1);
    long start = System.nanoTime();
    mini.lose(0);
    mini.waitFor(file, 3);
    repaired.seconds = (System.nanoTime() - start) / 1e9;
    heldBefore.remove(lost);
    repaired.sent.putAll(minus(sent(mini), sentBefore));
    repaired.received.putAll(minus(held(mini, file), heldBefore));
    return repaired;
  }

  private static Repaired run(String policy, String... racks) throws Exception {
    return run(policy, 0, racks);
  }

  private static Repaired run(String policy, int rackStreams, String... racks) throws Exception {
    Class<?> placement = policy.equals("stock") ? BlockPlacementPolicyDefault.class
        : TenbinPlacementPolicy.class;
    try (Mini mini = new Mini(racks, placement, Settings.POLICY, policy, Settings.RACK_STREAMS,
        String.valueOf(rackStreams))) {
      Path file = mini.write("/file", BLOCKS, 3);
      mini.waitFor(file, 3);
      Repaired repaired = repair(mini, file);
      System.out.println(policy + " on " + Arrays.stream(racks).distinct().count() + " racks: "
          + repaired);
      if (!policy.equals("stock")) {
        verify(repaired);
      }
      return repaired;
    }
  }

  private static void verify(Repaired repaired) throws Exception {
    long copies = repaired.sent.values().stream().mapToLong(n -> n).sum();
    List<String> counts = new ArrayList<>();
    for (String name : new String[] {"Decided", "Refused", "StockAfterRefusals",
        "StockWithoutTarget", "StockAfterFailure", "SlowestMicros",
        "SlowestRoundMicros"}) {
      counts.add(name + " " + Mini.counter(name));
    }
    String all = counts.stream().collect(Collectors.joining(", "));
    System.out.println("  " + all);
    assertEquals("chosen", Mini.counter("Sources"));
    assertEquals("ON", Mini.counter("State"));
    assertEquals(all, copies, ((Long) Mini.counter("Decided")).longValue());
  }

  private static String[] racks(int racks) {
    String[] of = new String[NODES];
    Arrays.setAll(of, node -> "/rack" + node % racks);
    return of;
  }

  /** One rack of healthy nodes. */
  private static final class Healthy extends View {
    Healthy(int nodes) {
      super(new int[][] {IntStream.range(0, nodes).toArray()}, false, Double.POSITIVE_INFINITY);
    }

    @Override
    public int size() {
      return racks[0].length;
    }

    @Override
    public NodeView node(int id) {
      return new NodeView();
    }
  }

  /** The ring's decisions about these blocks, if every holder is ready: copies by source. */
  private static Map<Integer, Long> ruled(List<int[]> lost, int nodes) {
    View view = new Healthy(nodes);
    Memory memory = new Memory(nodes, 1);
    Map<Integer, Long> sent = new TreeMap<>();
    IntStream.range(0, nodes).forEach(id -> sent.put(id, 0L));
    for (int[] holders : lost) {
      List<Source> sources = IntStream.of(holders).mapToObj(id -> new Source(id, true))
          .collect(Collectors.toList());
      LostBlock block = new LostBlock(0, 0, 3, false, holders, sources, holders);
      sent.merge(new Ring().repair(block, view, memory, n -> 0).source, 1L, Long::sum);
    }
    return sent;
  }

  /** Survivors of each block of the first node, as numbers in the order of the ring. */
  private static List<int[]> lost(Mini mini, Path file) throws IOException {
    String gone = ":" + mini.cluster.getDataNodes().get(0).getXferPort();
    List<Integer> ring = mini.cluster.getDataNodes().stream().skip(1)
        .map(DataNode::getXferPort).sorted().collect(Collectors.toList());
    List<int[]> lost = new ArrayList<>();
    for (BlockLocation block : mini.files.getFileBlockLocations(file, 0, Long.MAX_VALUE)) {
      List<String> names = Arrays.asList(block.getNames());
      if (names.stream().anyMatch(name -> name.endsWith(gone))) {
        lost.add(names.stream().filter(name -> !name.endsWith(gone)).mapToInt(name ->
            ring.indexOf(Integer.valueOf(name.substring(name.indexOf(':') + 1)))).toArray());
      }
    }
    return lost;
  }

  /** In turn with stock; busy nodes change the order of the rule's decisions, not its evenness. */
  @Test
  public void aRingSendsAsItsRuleSays() throws Exception {
    List<Repaired> stock = new ArrayList<>();
    List<Repaired> ring = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      stock.add(run("stock", racks(1)));
      ring.add(run("ring", racks(1)));
      Repaired last = ring.get(round);
      assertTrue(last.sent + " against " + last.ruled,
          Repaired.spread(last.sent) <= Repaired.spread(last.ruled) + SLACK);
    }
    System.out.printf(Locale.ROOT, "ring / stock: seconds %.2f, most received %.2f%n",
        median(ring, r -> r.seconds) / median(stock, r -> r.seconds),
        median(ring, Repaired::mostReceived) / median(stock, Repaired::mostReceived));
    assertTrue("no more even than stock",
        median(ring, Repaired::mostReceived) < median(stock, Repaired::mostReceived));
  }

  private static double median(List<Repaired> of, ToDoubleFunction<Repaired> value) {
    double[] sorted = of.stream().mapToDouble(value).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  @Test
  public void severalRacks() throws Exception {
    run("stock", racks(2));
    run("multi-rack-ring", racks(2));
    run("multi-rack-ring", racks(3));
  }

  /** One copy at a time leaves and enters each rack, and all blocks are repaired. */
  @Test
  public void narrowUplinks() throws Exception {
    Repaired free = run("multi-rack-ring", racks(3));
    Repaired narrow = run("multi-rack-ring", 1, racks(3));
    assertTrue(narrow + " and " + free, narrow.seconds > free.seconds);
  }

  /** A group of five is rebuilt from three reads, which count for the uplinks. */
  @Test
  public void erasureCodedGroups() throws Exception {
    try (Mini mini = new Mini(racks(3), TenbinPlacementPolicy.class, Settings.POLICY, "ring",
        Settings.RACK_STREAMS, "1")) {
      Path file = mini.writeGroups("/groups", 6);
      mini.waitFor(file, 5);
      mini.lose(0);
      mini.waitFor(file, 5);
      assertEquals("ON", Mini.counter("State"));
      assertTrue("some waited", (Long) Mini.counter("Refused") > 0);
    }
  }

  @Test
  public void allBlocksAtOnce() throws Exception {
    Repaired joint = run("joint", racks(1));
    Map<Integer, Long> both = new TreeMap<>(joint.sent);
    joint.received.forEach((node, n) -> both.merge(node, n, Long::sum));
    System.out.println("  both " + both.values());
    assertTrue("sent and received", Repaired.spread(both) <= 4);
  }
}
