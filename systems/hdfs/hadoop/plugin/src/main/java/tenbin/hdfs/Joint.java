package tenbin.hdfs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Sources and targets of all planned blocks chosen together, so that the largest number of copies
 * that a node sends and receives is least. In Rust {@code min-max}.
 */
public final class Joint implements Rereplication {
  @Override
  public String name() {
    return "joint";
  }

  @Override
  public boolean plansAhead() {
    return true;
  }

  @Override
  public void plan(List<LostBlock> lost, View view, Memory memory) {
    long largest = lost.stream().mapToLong(block -> block.bytes).max().orElse(0);
    int[][] open = new int[view.racks.length][];
    for (int rack = 0; rack < open.length; rack++) {
      open[rack] = IntStream.of(view.racks[rack])
          .filter(id -> view.fitness(id, largest) != Fitness.UNFIT).toArray();
    }
    List<LostBlock> blocks = new ArrayList<>();
    List<Ends> copies = new ArrayList<>();
    for (LostBlock block : lost) {
      Ends ends = ends(block, open, view);
      if (ends != null) {
        blocks.add(block);
        copies.add(ends);
      }
    }
    int[][] planned = EvenOut.solve(copies, open, promised(lost, view, memory));
    for (int i = 0; i < planned.length; i++) {
      memory.plan.put(blocks.get(i).block, planned[i]);
    }
  }

  @Override
  public Answer repair(LostBlock lost, View view, Memory memory, Dice dice) {
    int[] plan = memory.plan.getOrDefault(lost.block, new int[] {-1, -1});
    Source source = lost.sources.stream().filter(s -> s.node == plan[0]).findFirst().orElse(null);
    Answer answer;
    if (source == null) {
      answer = LeastLoaded.repair(lost, view, memory, dice);
    } else if (!source.ready) {
      answer = Answer.busy(source.node);
    } else if (stillFits(plan[1], lost, view)) {
      memory.inside[source.node]++;
      answer = Answer.copy(source.node, plan[1]);
    } else {
      answer = LeastLoaded.sendTo(source.node, lost, view, memory, dice);
    }
    if (answer.kind == Answer.Kind.COPY) {
      memory.plan.remove(lost.block);
    }
    return answer;
  }

  /** Null: no source, or nowhere to go by the rack rule. */
  private static Ends ends(LostBlock lost, int[][] open, View view) {
    int barred = lost.onlyHome(view);
    boolean somewhere = IntStream.range(0, open.length).filter(rack -> rack != barred)
        .flatMap(rack -> IntStream.of(open[rack])).anyMatch(id -> !lost.isTaken(id));
    return somewhere && !lost.sources.isEmpty() ? new Ends(lost, barred) : null;
  }

  /** What each node has to do when what was decided and planned before is done. */
  private static int[] promised(List<LostBlock> lost, View view, Memory memory) {
    Set<Long> again = new HashSet<>();
    lost.forEach(block -> again.add(block.block));
    int[] load = IntStream.range(0, view.size()).map(id -> LeastLoaded.load(id, view)).toArray();
    memory.plan.forEach((block, ends) -> {
      if (!again.contains(block)) {
        load[ends[0]]++;
        load[ends[1]]++;
      }
    });
    return load;
  }

  private static boolean stillFits(int target, LostBlock lost, View view) {
    return view.fitness(target, lost) == Fitness.FIT
        && view.node(target).rack != lost.onlyHome(view);
  }
}
