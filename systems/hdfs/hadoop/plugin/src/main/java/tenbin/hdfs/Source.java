package tenbin.hdfs;

/** A holder that may be asked to send. */
public final class Source {
  /** Who. */
  public final int node;
  /** May be used now. Another one may be waited for, never used. */
  public final boolean ready;

  /** One holder. */
  public Source(int node, boolean ready) {
    this.node = node;
    this.ready = ready;
  }
}
