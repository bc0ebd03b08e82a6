package tenbin.hdfs;

/** What a policy decides for one copy: who sends it to whom, or why nobody does now. */
public final class Answer {
  /** Of which kind it is. */
  public enum Kind {
    /** {@link #source} sends to {@link #target}. */
    COPY,
    /** {@link #source} must send and cannot now. */
    SOURCE_BUSY,
    /** No readable replica is left. */
    NO_SOURCE,
    /** Nobody may receive it. */
    NO_TARGET,
    /** Those who may receive it have too much to do for the moment. */
    TARGETS_LOADED
  }

  /** No readable replica is left. */
  public static final Answer NO_SOURCE = new Answer(Kind.NO_SOURCE, -1, -1);
  /** Nobody may receive it. */
  public static final Answer NO_TARGET = new Answer(Kind.NO_TARGET, -1, -1);
  /** Those who may receive it have too much to do for the moment. */
  public static final Answer TARGETS_LOADED = new Answer(Kind.TARGETS_LOADED, -1, -1);

  /** Of which kind. */
  public final Kind kind;
  /** Who sends, or is waited for. */
  public final int source;
  /** Who receives. */
  public final int target;

  private Answer(Kind kind, int source, int target) {
    this.kind = kind;
    this.source = source;
    this.target = target;
  }

  /** A decision. */
  public static Answer copy(int source, int target) {
    return new Answer(Kind.COPY, source, target);
  }

  /** Waits for a holder. */
  public static Answer busy(int source) {
    return new Answer(Kind.SOURCE_BUSY, source, -1);
  }
}
