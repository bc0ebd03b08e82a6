package tenbin.hdfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The holder that has sent least sends to its successor on the ring of its rack's nodes; with
 * several racks as {@link MultiRackRing}. In Rust {@code ring}.
 */
public final class Ring implements Rereplication {
  @Override
  public String name() {
    return "ring";
  }

  @Override
  public Answer repair(LostBlock lost, View view, Memory memory, Dice dice) {
    return MultiRackRing.decide(lost, view, memory);
  }

  /** A repair inside the rack of one of the holders. */
  static Answer within(LostBlock lost, View view, Memory memory) {
    List<Source> turns = new ArrayList<>(lost.sources);
    turns.sort(turns(memory.inside));
    boolean waits = false;
    for (Source source : turns) {
      int next = after(source.node, view).findFirst().orElse(-1);
      Fitness fitness = next < 0 ? Fitness.UNFIT : view.fitness(next, lost);
      if (fitness == Fitness.FIT) {
        return sends(source, next, memory);
      }
      waits |= fitness == Fitness.LOADED;
    }
    if (turns.isEmpty()) {
      return Answer.NO_SOURCE;
    }
    return waits ? Answer.TARGETS_LOADED : beyond(turns, lost, view, memory);
  }

  /** No successor may receive it, now or later: the next one along the ring that may. */
  private static Answer beyond(List<Source> turns, LostBlock lost, View view, Memory memory) {
    boolean waits = false;
    for (Source source : turns) {
      for (int id : after(source.node, view).toArray()) {
        Fitness fitness = view.fitness(id, lost);
        if (fitness == Fitness.FIT) {
          return sends(source, id, memory);
        }
        waits |= fitness == Fitness.LOADED;
      }
    }
    return waits ? Answer.TARGETS_LOADED : Answer.NO_TARGET;
  }

  private static Answer sends(Source source, int target, Memory memory) {
    if (!source.ready) {
      return Answer.busy(source.node);
    }
    memory.inside[source.node]++;
    return Answer.copy(source.node, target);
  }

  /** Whose turn it is: the fewest sent, then one that is ready, then the lowest id. */
  static Comparator<Source> turns(int[] sent) {
    return Comparator.<Source>comparingInt(s -> sent[s.node])
        .thenComparing(s -> !s.ready).thenComparingInt(s -> s.node);
  }

  /** The nodes in service of a node's rack in the order of the ring, from its successor on. */
  private static IntStream after(int id, View view) {
    int[] rack = view.racks[view.node(id).rack];
    int at = Arrays.binarySearch(rack, id);
    return IntStream.range(1, rack.length).map(step -> rack[(at + step) % rack.length])
        .filter(other -> view.node(other).inService());
  }
}
