package tenbin.yarn;

import java.util.Map;

/** What rules do, in JMX: {@code Hadoop:service=ResourceManager,name=Tenbin}. */
public interface WithheldMXBean {
  /** Requests that were withheld, by "rule node". */
  Map<String, Long> getWithheld();

  /** Requests that a rule would have withheld from a job that waited too long, by "rule node". */
  Map<String, Long> getLifted();

  /** The rules that are on, and their thresholds. */
  Map<String, Double> getThresholds();

  /** What each node's last looked-at heartbeat carried. */
  Map<String, String> getFigures();
}
