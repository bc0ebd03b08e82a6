package tenbin.yarn;

/**
 * Since when a job has got no task of a kind. Rules are lifted for a job that waits too long, until
 * it gets one: so n tasks are withheld for n times the limit at most, whatever nodes do.
 */
final class Waits {
  private long maps;
  private long reduces;

  Waits(long now) {
    maps = now;
    reduces = now;
  }

  /** It got a task of this kind, or could begin to: the clock starts again. */
  synchronized void restart(boolean map, long now) {
    if (map) {
      maps = now;
    } else {
      reduces = now;
    }
  }

  synchronized boolean isOver(boolean map, long now, double limitSeconds) {
    return now - (map ? maps : reduces) >= limitSeconds * 1e9;
  }
}
