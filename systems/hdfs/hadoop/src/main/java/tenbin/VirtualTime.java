package tenbin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.server.blockmanagement.RealNameNode;
import org.apache.hadoop.hdfs.server.blockmanagement.RealNameNode.Copy;

/**
 * The DataNodes and the clock around the real NameNode: heartbeats and rounds every 3 s from drawn phases, and
 * copies that take a fixed time. Starts when the loss is declared, or the node told to leave; time in microseconds.
 */
public final class VirtualTime {
  private static final long PERIOD = 3_000_000;
  /** No case needs a tenth of it. */
  private static final long GIVE_UP = 4 * 3600 * 1_000_000L;

  private interface Action {
    void run() throws IOException;
  }

  private record Event(long at, long order, Action action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final World world;
  private final RealNameNode nameNode;
  private final boolean adapted;
  private final int[] sending;
  private final int[] receiving;
  private final Map<Long, Long> decided = new HashMap<>();
  private final Set<Long> undecided = new TreeSet<>();
  private final List<String> copies = new ArrayList<>();
  private long now;
  private long order;

  /**
   * With {@code adapted} two things are as Tenbin's model had them, to see whether they explain the differences: a
   * copy is a transfer thread of its source too, and a leaving node takes up to the hard limit home.
   */
  public VirtualTime(World world, boolean adapted) throws IOException {
    this.world = world;
    this.adapted = adapted;
    nameNode = new RealNameNode(world);
    sending = new int[world.racks.size()];
    receiving = new int[world.racks.size()];
    world.blocks.forEach(block -> undecided.add(block.id()));
  }

  /** Loses the node, runs until all is well again, and tells the copies in {@code file}. */
  public void run(long seed, Path file) throws IOException {
    boolean leaves = world.setting("leaving") == 1;
    for (int node = 0; world.isGone(node); node++) {
      if (leaves) {
        nameNode.decommission(node);
      } else {
        nameNode.declareDead(node);
      }
    }
    SplittableRandom random = new SplittableRandom(seed);
    for (int node = 0; node < sending.length; node++) {
      int one = node;
      if (leaves || !world.isGone(node)) {
        after(random.nextLong(PERIOD), () -> heartbeat(one));
      }
    }
    after(random.nextLong(PERIOD), this::round);
    while (!nameNode.isDone() && now < GIVE_UP) {
      Event next = events.remove();
      now = next.at();
      next.action().run();
    }
    Files.write(file, copies);
  }

  private void after(long delay, Action action) {
    events.add(new Event(now + delay, order++, action));
  }

  private void round() {
    nameNode.round();
    undecided.removeIf(block -> {
      boolean pending = nameNode.isPending(block);
      if (pending) {
        decided.put(block, now);
      }
      return pending;
    });
    after(PERIOD, this::round);
  }

  private void heartbeat(int node) throws IOException {
    int xceivers = world.setting("others") + receiving[node] + (adapted ? sending[node] : 0);
    boolean more = adapted && world.isGone(node);
    int beyond = more ? world.setting("hard_limit") - world.setting("max_streams") : 0;
    for (Copy copy : nameNode.heartbeat(node, sending[node] - beyond, xceivers)) {
      long handed = now;
      sending[copy.source()]++;
      copy.targets().forEach(target -> receiving[target]++);
      after(world.setting("copy_ms") * 1000L, () -> copied(copy, handed));
    }
    after(PERIOD, () -> heartbeat(node));
  }

  private void copied(Copy copy, long handed) throws IOException {
    int sender = copy.source();
    sending[sender]--;
    for (int target : copy.targets()) {
      receiving[target]--;
      nameNode.received(copy.block(), target);
      copies.add(String.format("%d\t%.3f\t%.3f\t%.3f\t%d\t%d", copy.block(),
          decided.get(copy.block()) / 1e3, handed / 1e3, now / 1e3, sender, target));
      // In a pipeline each target sends on to the next.
      sender = target;
    }
    undecided.add(copy.block());
  }
}
