package tenbin.yarn;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whatever goes wrong in here, Hadoop goes on as without it, and says so once. */
final class Guard {
  private static final Logger LOG = LoggerFactory.getLogger("tenbin.yarn");
  private static final Set<String> SAID = Collections.newSetFromMap(new ConcurrentHashMap<>());

  private Guard() {}

  /** The value of what is tried ("ask the rules"); or Hadoop's own, if anything is thrown. */
  static <T> T orStock(String what, T stock, Callable<T> ours) {
    try {
      return ours.call();
    } catch (Exception | LinkageError e) {
      if (SAID.add(what + e)) {
        LOG.error("tenbin: cannot {}, Hadoop goes on as without it: {}", what, e.toString());
        LOG.debug("tenbin: cannot {}", what, e);
      }
      return stock;
    }
  }
}
