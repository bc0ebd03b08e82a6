package tenbin.hdfs;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * A ring in each rack; copies that must leave their rack are dealt out in turn. Decides as
 * {@link Ring} does, and says that the latter copies should come first. In Rust
 * {@code ring-priority}.
 */
public final class MultiRackRing implements Rereplication {
  @Override
  public String name() {
    return "multi-rack-ring";
  }

  @Override
  public int urgency(LostBlock lost, View view) {
    return lost.onlyHome(view) < 0 ? 1 : 0;
  }

  @Override
  public Answer repair(LostBlock lost, View view, Memory memory, Dice dice) {
    return decide(lost, view, memory);
  }

  static Answer decide(LostBlock lost, View view, Memory memory) {
    int home = lost.onlyHome(view);
    if (home < 0) {
      Answer inside = Ring.within(lost, view, memory);
      return inside.kind != Answer.Kind.NO_TARGET ? inside
          : across(lost, view, memory, view.node(lost.sources.get(0).node).rack);
    }
    Answer outside = across(lost, view, memory, home);
    return outside.kind == Answer.Kind.NO_TARGET && !lost.onlyRack
        ? Ring.within(lost, view, memory) : outside;
  }

  /** A repair to another rack than {@code home}. */
  private static Answer across(LostBlock lost, View view, Memory memory, int home) {
    if (lost.sources.isEmpty()) {
      return Answer.NO_SOURCE;
    }
    Comparator<Source> turns = Ring.turns(memory.outside);
    Source source = lost.sources.stream().min(turns).get();
    if (!source.ready) {
      return Answer.busy(source.node);
    }
    Set<Integer> barred = new HashSet<>();
    boolean waits = false;
    for (int rack = quietest(view, memory, home, barred); rack >= 0;
        rack = quietest(view, memory, home, barred)) {
      int[] nodes = view.racks[rack];
      for (int turn = 0; turn < nodes.length; turn++) {
        int at = (memory.cursor[rack] + turn) % nodes.length;
        Fitness fitness = view.fitness(nodes[at], lost);
        if (fitness == Fitness.FIT) {
          memory.cursor[rack] = (at + 1) % nodes.length;
          memory.toRack[rack]++;
          memory.outside[source.node]++;
          return Answer.copy(source.node, nodes[at]);
        }
        waits |= fitness == Fitness.LOADED;
      }
      barred.add(rack);
    }
    return waits ? Answer.TARGETS_LOADED : Answer.NO_TARGET;
  }

  /** Of the other racks the one with the fewest blocks promised per node in service, or -1. */
  private static int quietest(View view, Memory memory, int home, Set<Integer> barred) {
    int best = -1;
    long bestPromised = 0;
    long bestServing = 1;
    int racks = view.racks.length;
    for (int step = 1; step < racks; step++) {
      int rack = (home + step) % racks;
      long promised = memory.toRack[rack];
      // A rack can only be better with all its nodes counted. Counting those in service is slow.
      int all = view.racks[rack].length;
      if (barred.contains(rack) || best >= 0 && promised * bestServing >= bestPromised * all) {
        continue;
      }
      long serving = Arrays.stream(view.racks[rack])
          .filter(id -> view.node(id).inService()).count();
      boolean quieter = best < 0 || promised * bestServing < bestPromised * serving;
      if (serving > 0 && quieter) {
        best = rack;
        bestPromised = promised;
        bestServing = serving;
      }
    }
    return best;
  }
}
