package tenbin.hdfs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Sources and targets together, so that the nodes' loads are as even as can be: a semi-matching
 * whose neighbours are not written down. In Rust {@code both_ends}, which says why it is optimal.
 * Task 2i is the source of copy i, task 2i + 1 its target.
 */
final class EvenOut {
  private static final int NONE = -1;

  private final List<Ends> copies;
  private final int[] load;
  /** By task: who does it. */
  private final int[] doer;
  /** By node: what it does. */
  private final List<List<Integer>> tasks = new ArrayList<>();
  /** By task: its place among those of its doer. */
  private final int[] place;
  private final ByLoad open;
  private final Unseen unseen;
  /** By node: no path through it can make the loads more even. */
  private final boolean[] closed;
  /** By node: the pass that saw it last, and the task by which that came to it. */
  private final int[] seenIn;
  private final int[] seenBy;
  private int pass;

  private EvenOut(List<Ends> copies, int[][] racks, int[] load) {
    this.copies = copies;
    this.load = load;
    doer = new int[2 * copies.size()];
    Arrays.fill(doer, NONE);
    place = new int[doer.length];
    for (int node = 0; node < load.length; node++) {
      tasks.add(new ArrayList<>());
    }
    open = new ByLoad(racks, load);
    unseen = new Unseen(racks, load.length);
    closed = new boolean[load.length];
    seenIn = new int[load.length];
    seenBy = new int[load.length];
    Arrays.fill(seenBy, NONE);
  }

  /**
   * Source and target of each copy, such that the sum of squares of {@code load} is least. Every
   * copy has a source and an open target. {@code racks}: the open nodes of each.
   */
  static int[][] solve(List<Ends> copies, int[][] racks, int[] load) {
    EvenOut state = new EvenOut(copies, racks, load);
    state.spread();
    for (int level = Arrays.stream(load).max().orElse(0); level >= 2; level--) {
      while (state.relieveAll(level)) {
        continue;
      }
    }
    int[][] ends = new int[copies.size()][];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = new int[] {state.doer[2 * i], state.doer[2 * i + 1]};
    }
    return ends;
  }

  /** Each task to the least loaded node that may do it: sources first, the only ones before all. */
  private void spread() {
    for (boolean forced : new boolean[] {true, false}) {
      for (int copy = 0; copy < copies.size(); copy++) {
        int[] sources = copies.get(copy).sources;
        if ((sources.length == 1) == forced) {
          int least = sources[0];
          for (int node : sources) {
            least = load[node] < load[least] ? node : least;
          }
          give(2 * copy, least);
        }
      }
    }
    for (int copy = 0; copy < copies.size(); copy++) {
      give(2 * copy + 1, open.least(copies.get(copy), Integer.MAX_VALUE));
    }
  }

  private void give(int task, int to) {
    doer[task] = to;
    place[task] = tasks.get(to).size();
    tasks.get(to).add(task);
    weigh(to, load[to] + 1);
  }

  private void take(int task) {
    int from = doer[task];
    List<Integer> here = tasks.get(from);
    int last = here.remove(here.size() - 1);
    if (last != task) {
      here.set(place[task], last);
      place[last] = place[task];
    }
    weigh(from, load[from] - 1);
  }

  private void weigh(int node, int now) {
    open.weigh(node, load[node], now);
    load[node] = now;
  }

  /** Searches once from every node with this load, looking at each node once in all. */
  private boolean relieveAll(int level) {
    pass++;
    unseen.restart();
    boolean relieved = false;
    List<Integer> visited = new ArrayList<>();
    for (int node = 0; node < load.length; node++) {
      boolean searched = !closed[node];
      while (searched && load[node] == level && relieve(node, visited)) {
        relieved = true;
      }
    }
    if (!relieved) {
      visited.forEach(node -> closed[node] = true);
      unseen.keep();
    }
    return relieved;
  }

  /** Takes one task from {@code start} along a path that makes the loads more even. */
  private boolean relieve(int start, List<Integer> visited) {
    int most = load[start] - 2;
    see(start, NONE);
    Deque<Integer> line = new ArrayDeque<>();
    // Targets' tasks lead to nearly all nodes: they are taken when there is nothing else.
    Deque<Integer> putOff = new ArrayDeque<>();
    line.add(start);
    for (int node = start; node != NONE; node = line.isEmpty() ? anyTarget(putOff) : line.peek()) {
      line.poll();
      visited.add(node);
      for (int at = 0; at < tasks.get(node).size(); at++) {
        int end = expand(tasks.get(node).get(at), most, line, putOff);
        if (end != NONE) {
          passAlong(end);
          line.forEach(this::forget);
          return true;
        }
      }
    }
    return false;
  }

  /** Sees who could do a task, or puts a target's task off; the first light one ends the path. */
  private int expand(int task, int most, Deque<Integer> line, Deque<Integer> putOff) {
    Ends copy = copies.get(task / 2);
    boolean isSource = task % 2 == 0;
    int end = isSource
        ? Arrays.stream(copy.sources).filter(node -> load[node] <= most).findFirst().orElse(NONE)
        : open.least(copy, most);
    if (end != NONE) {
      seenIn[end] = pass;
      seenBy[end] = task;
      return end;
    }
    if (!isSource) {
      putOff.add(task);
      return NONE;
    }
    for (int next : copy.sources) {
      if (!closed[next] && seenIn[next] != pass) {
        see(next, task);
        line.add(next);
      }
    }
    return NONE;
  }

  /** The next node that one of the tasks put off could go to. */
  private int anyTarget(Deque<Integer> putOff) {
    while (!putOff.isEmpty()) {
      int task = putOff.peek();
      int node = unseen.next(copies.get(task / 2));
      if (node != NONE) {
        see(node, task);
        return node;
      }
      putOff.poll();
    }
    return NONE;
  }

  private void see(int node, int by) {
    seenIn[node] = pass;
    seenBy[node] = by;
    unseen.remove(node);
  }

  /** It stood in line and was not looked at. */
  private void forget(int node) {
    seenIn[node] = 0;
    seenBy[node] = NONE;
    unseen.putBack(node);
  }

  /** Passes one task from node to node along the path of the last search to {@code end}. */
  private void passAlong(int end) {
    int to = end;
    while (seenBy[to] != NONE) {
      int task = seenBy[to];
      int from = doer[task];
      take(task);
      give(task, to);
      to = from;
    }
  }
}
