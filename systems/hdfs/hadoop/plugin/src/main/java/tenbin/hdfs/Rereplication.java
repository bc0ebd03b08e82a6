package tenbin.hdfs;

import java.util.List;

/**
 * Which surviving holder sends a lost replica, and where to: pure decisions, one policy a class.
 * The same rules in Rust are in {@code systems/hdfs/policy/src/rereplication}, and
 * {@code systems/hdfs/policy/vectors} holds both to the same answers.
 */
public interface Rereplication {
  /** As the configuration calls it. */
  String name();

  /** Looks at blocks that are short before the first of them is repaired. */
  default void plan(List<LostBlock> lost, View view, Memory memory) {}

  /** Does {@link #plan} gain by seeing many blocks at once? */
  default boolean plansAhead() {
    return false;
  }

  /** Blocks with a smaller value should be taken first. Used where sources are chosen. */
  default int urgency(LostBlock lost, View view) {
    return 0;
  }

  /** One copy. Changes {@code memory} only where it decides. */
  Answer repair(LostBlock lost, View view, Memory memory, Dice dice);
}
