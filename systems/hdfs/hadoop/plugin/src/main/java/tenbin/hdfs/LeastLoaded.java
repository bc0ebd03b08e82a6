package tenbin.hdfs;

import java.util.Comparator;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The holder with the least work sends to the emptier of two random nodes: what {@link Joint} does
 * where it has no plan. In Rust {@code least-loaded}.
 */
final class LeastLoaded {
  /** In scopes up to this size every node is looked at; in larger ones so many are drawn first. */
  private static final int FEW = 16;

  private LeastLoaded() {}

  static Answer repair(LostBlock lost, View view, Memory memory, Dice dice) {
    Source source = lost.sources.stream().min(byWork(view, memory)).orElse(null);
    if (source == null) {
      return Answer.NO_SOURCE;
    }
    return source.ready ? sendTo(source.node, lost, view, memory, dice) : Answer.busy(source.node);
  }

  private static Comparator<Source> byWork(View view, Memory memory) {
    return Comparator.<Source, Boolean>comparing(s -> !s.ready)
        .thenComparingInt(s -> view.node(s.node).sending)
        .thenComparingInt(s -> view.node(s.node).receiving)
        .thenComparingInt(s -> memory.inside[s.node])
        .thenComparingInt(s -> s.node);
  }

  /** To the less loaded of two drawn where the racks of the survivors let them be. */
  static Answer sendTo(int source, LostBlock lost, View view, Memory memory, Dice dice) {
    int home = lost.onlyHome(view);
    int[] all = IntStream.range(0, view.size()).toArray();
    int[] first = home < 0 ? view.racks[view.node(source).rack] : all;
    Answer answer = twoChoices(source, first, id -> view.node(id).rack != home, lost, view, dice);
    if (answer.kind == Answer.Kind.NO_TARGET && !lost.onlyRack) {
      int[] second = home < 0 ? all : view.racks[home];
      answer = twoChoices(source, second, id -> true, lost, view, dice);
    }
    if (answer.kind == Answer.Kind.COPY) {
      memory.inside[source]++;
    }
    return answer;
  }

  private static Answer twoChoices(int source, int[] scope, IntPredicate inside, LostBlock lost,
      View view, Dice dice) {
    IntFunction<Fitness> fitness =
        id -> inside.test(id) ? view.fitness(id, lost) : Fitness.UNFIT;
    int first = draw(scope, fitness, dice);
    if (first < 0) {
      boolean waits = IntStream.of(scope).anyMatch(id -> fitness.apply(id) == Fitness.LOADED);
      return waits ? Answer.TARGETS_LOADED : Answer.NO_TARGET;
    }
    int second = draw(scope, fitness, dice);
    return Answer.copy(source, load(second, view) < load(first, view) ? second : first);
  }

  /** A fit node, each with the same probability; -1 where there is none. */
  private static int draw(int[] scope, IntFunction<Fitness> fitness, Dice dice) {
    for (int i = 0; scope.length > FEW && i < FEW; i++) {
      int id = scope[dice.below(scope.length)];
      if (fitness.apply(id) == Fitness.FIT) {
        return id;
      }
    }
    int[] fit = IntStream.of(scope).filter(id -> fitness.apply(id) == Fitness.FIT).toArray();
    return fit.length == 0 ? -1 : fit[dice.below(fit.length)];
  }

  /** Copies of either direction. */
  static int load(int id, View view) {
    NodeView node = view.node(id);
    return node.sending + node.receiving;
  }
}
