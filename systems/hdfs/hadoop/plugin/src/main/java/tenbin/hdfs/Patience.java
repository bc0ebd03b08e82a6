package tenbin.hdfs;

import java.util.LinkedHashMap;
import java.util.Map;

/** How often each block has been let wait. */
final class Patience {
  /** More blocks than this are not remembered: the oldest start over. */
  private static final int MOST = 100_000;

  private final int limit;
  private final Map<Long, Integer> waited = new LinkedHashMap<Long, Integer>() {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
      return size() > MOST;
    }
  };

  Patience(int limit) {
    this.limit = limit;
  }

  /** May this block wait once more? */
  boolean mayWait(long block) {
    if (waited.merge(block, 1, Integer::sum) <= limit) {
      return true;
    }
    waited.remove(block);
    return false;
  }

  /** The block has got its copy. */
  void settled(long block) {
    waited.remove(block);
  }
}
