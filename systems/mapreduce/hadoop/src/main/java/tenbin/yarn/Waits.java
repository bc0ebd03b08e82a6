package tenbin.yarn;

import java.util.Arrays;

/**
 * Since when a job has got no container of a kind. Rules are lifted for a job that waits too long,
 * until it gets one: so n tasks are withheld for n times the limit at most, whatever nodes do.
 */
final class Waits {
  private final long[] since = new long[Request.Kind.values().length];

  Waits(long now) {
    Arrays.fill(since, now);
  }

  /** It got a container of this kind, or could begin to: the clock starts again. */
  synchronized void restart(Request.Kind kind, long now) {
    since[kind.ordinal()] = now;
  }

  synchronized boolean isOver(Request.Kind kind, long now, double limitSeconds) {
    return now - since[kind.ordinal()] >= limitSeconds * 1e9;
  }
}
