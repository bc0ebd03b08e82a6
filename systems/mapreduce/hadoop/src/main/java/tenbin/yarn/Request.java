package tenbin.yarn;

/** A request for a container, as rules see it. */
enum Request {
  /** A map whose block is stored on the node. */
  LOCAL_MAP(Kind.MAP, true),
  /** A map whose block must come over the network. */
  REMOTE_MAP(Kind.MAP, false),
  REDUCE(Kind.REDUCE, false),
  /** Another application's, which asked for this node. */
  LOCAL_CONTAINER(Kind.CONTAINER, true),
  /** Another application's, for any node. */
  REMOTE_CONTAINER(Kind.CONTAINER, false);

  /** Each kind of a job has its own `tenbin.withhold.limit`. */
  enum Kind { MAP, REDUCE, CONTAINER }

  private static final String MAPREDUCE = "MAPREDUCE";
  /** Priorities at which MapReduce's application master asks (its RMContainerAllocator). */
  private static final int REDUCES = 10;
  private static final int MAPS = 20;

  final Kind kind;
  /** Data on the node is why it is asked for. */
  final boolean local;

  Request(Kind kind, boolean local) {
    this.kind = kind;
    this.local = local;
  }

  /** The only requests that disk rules never withhold: Watanabe 2014. */
  boolean isReduce() {
    return kind == Kind.REDUCE;
  }

  /** Null: no rule covers the request. Priorities of other applications have no common meaning. */
  static Request of(String applicationType, int priority, boolean local) {
    if (MAPREDUCE.equalsIgnoreCase(applicationType)) {
      return ofMapReduce(priority, local);
    }
    return local ? LOCAL_CONTAINER : REMOTE_CONTAINER;
  }

  /** Null for the master, and for maps that run again (5): reduces wait for these already. */
  private static Request ofMapReduce(int priority, boolean local) {
    switch (priority) {
      case MAPS:
        return local ? LOCAL_MAP : REMOTE_MAP;
      case REDUCES:
        return REDUCE;
      default:
        return null;
    }
  }
}
