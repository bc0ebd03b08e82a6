package tenbin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.Test;

/** The Rust policies' decisions, line by line. */
public class VectorsTest {
  private static final Path FOLDER = Path.of("../../policy/vectors");
  private static final int MIB = 1 << 20;

  @Test
  public void ring() throws IOException {
    agree(new Ring());
  }

  @Test
  public void multiRackRing() throws IOException {
    agree(new MultiRackRing());
  }

  @Test
  public void joint() throws IOException {
    agree(new Joint());
  }

  private static void agree(Rereplication policy) throws IOException {
    int lines = 0;
    for (String line : Files.readAllLines(FOLDER.resolve(policy.name() + ".tsv"))) {
      if (!line.startsWith("#") && !line.startsWith("load\t")) {
        String[] columns = line.split("\t");
        String decided = String.join("\t", decide(policy, columns));
        String expected = String.join("\t", Arrays.asList(columns).subList(5, columns.length));
        assertEquals(policy.name() + " of seed " + columns[4], expected, decided);
        lines++;
      }
    }
    assertTrue(lines + " lines say little", lines >= 100);
  }

  /** The columns from {@code urgency} on. */
  private static List<String> decide(Rereplication policy, String[] columns) {
    View view = new DrawnView(columns);
    String[] drawn = columns[3].split(" ");
    List<LostBlock> blocks = new ArrayList<>();
    for (int i = 0; i < drawn.length; i++) {
      blocks.add(block(i, drawn[i].split(":")));
    }
    Memory memory = new Memory(view.size(), view.racks.length);
    Dice dice = new SplitMix(Long.parseLong(columns[4]));
    String urgency = joined(blocks, " ", lost -> policy.urgency(lost, view));
    policy.plan(blocks, view, memory);
    String answers = joined(blocks, " ", lost -> answer(policy.repair(lost, view, memory, dice)));
    return List.of(urgency, answers, numbers(memory.inside), numbers(memory.outside),
        numbers(memory.toRack));
  }

  private static <T> String joined(List<T> of, String between, Function<T, ?> f) {
    return of.stream().map(part -> f.apply(part).toString()).collect(Collectors.joining(between));
  }

  private static String numbers(int[] of) {
    return IntStream.of(of).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  private static String answer(Answer answer) {
    return switch (answer.kind) {
      case COPY -> answer.source + ">" + answer.target;
      case SOURCE_BUSY -> "busy>" + answer.source;
      case NO_SOURCE -> "no-source";
      case NO_TARGET -> "no-target";
      case TARGETS_LOADED -> "loaded";
    };
  }

  private static LostBlock block(int number, String[] parts) {
    List<Source> sources = new ArrayList<>();
    for (String source : parts[3].equals("-") ? new String[0] : parts[3].split(",")) {
      boolean ready = !source.endsWith("!");
      sources.add(new Source(Integer.parseInt(source.replace("!", "")), ready));
    }
    return new LostBlock(number, 64L * MIB, Integer.parseInt(parts[0]), parts[1].equals("1"),
        ids(parts[2]), sources, ids(parts[4]));
  }

  private static int[] ids(String list) {
    return list.equals("-") ? new int[0]
        : Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  /** A cluster as a line draws it. */
  private static final class DrawnView extends View {
    private final List<NodeView> nodes;

    DrawnView(String[] columns) {
      this(columns, Arrays.stream(columns[2].split(" ")).map(n -> drawn(n.split(":"))).toList());
    }

    private DrawnView(String[] columns, List<NodeView> nodes) {
      super(racks(nodes, columns[9].split(",").length), columns[1].equals("1"),
          most(columns[0], nodes));
      this.nodes = nodes;
    }

    private static NodeView drawn(String[] parts) {
      NodeView node = new NodeView();
      node.rack = Integer.parseInt(parts[0]);
      node.free = Long.parseLong(parts[1]) * MIB;
      node.xceivers = Integer.parseInt(parts[2]);
      node.alive = !parts[3].contains("d");
      node.stale = parts[3].contains("s");
      node.leaving = parts[3].contains("l");
      node.sending = Integer.parseInt(parts[4]);
      node.receiving = Integer.parseInt(parts[5]);
      return node;
    }

    private static int[][] racks(List<NodeView> nodes, int racks) {
      return IntStream.range(0, racks).mapToObj(rack -> IntStream.range(0, nodes.size())
          .filter(id -> nodes.get(id).rack == rack).toArray()).toArray(int[][]::new);
    }

    private static double most(String load, List<NodeView> nodes) {
      List<NodeView> serving = nodes.stream().filter(NodeView::inService).toList();
      double sum = serving.stream().mapToInt(node -> node.xceivers).sum();
      return load.equals("-") || sum == 0 ? Double.POSITIVE_INFINITY
          : Double.parseDouble(load) * sum / serving.size();
    }

    @Override
    public int size() {
      return nodes.size();
    }

    @Override
    public NodeView node(int id) {
      return nodes.get(id);
    }
  }

  /** SplitMix64 (Steele, Lea, Flood, 2014). */
  private static final class SplitMix implements Dice {
    private long state;

    SplitMix(long seed) {
      state = seed;
    }

    @Override
    public int below(int n) {
      state += 0x9e37_79b9_7f4a_7c15L;
      long z = state;
      z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
      z ^= z >>> 31;
      return (int) (Math.multiplyHigh(z, n) + ((z >> 63) & n));
    }
  }
}
