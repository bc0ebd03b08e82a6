package tenbin.hdfs;

/** Whether a node may receive. */
public enum Fitness {
  /** Yes. */
  FIT,
  /** All is well but its load: too many transfer threads for the moment. */
  LOADED,
  /** Dead, on its way out, stale where stale nodes are avoided, or too full. */
  UNFIT
}
