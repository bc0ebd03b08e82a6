package tenbin.hdfs;

/** A copy to be planned. */
final class Ends {
  /** Who may send it; at least one. */
  final int[] sources;
  /** The rack that may not receive it, or -1. */
  final int barred;
  private final LostBlock lost;

  Ends(LostBlock lost, int barred) {
    this.lost = lost;
    this.barred = barred;
    sources = lost.sources.stream().mapToInt(s -> s.node).toArray();
  }

  boolean isTaken(int id) {
    return lost.isTaken(id);
  }
}
