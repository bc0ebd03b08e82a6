package tenbin.yarn;

/** What a job asks for, as rules see it. */
enum Request {
  /** A map whose block lies on the node. */
  LOCAL_MAP,
  /** A map whose block must come over the network. */
  REMOTE_MAP,
  REDUCE;

  /** Priorities at which MapReduce's application master asks (its RMContainerAllocator). */
  private static final int REDUCES = 10;
  private static final int MAPS = 20;

  /** Whether it is a map. */
  boolean isMap() {
    return this != REDUCE;
  }

  /**
   * Of MapReduce's priority; null for what no rule is about: the master itself, and maps that run
   * again (5), for which reduces wait already.
   */
  static Request of(int priority, boolean local) {
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
