package tenbin.yarn;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters by rule and node. */
final class Counts {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  void add(Rule rule, String node) {
    counts.computeIfAbsent(rule.name + " " + node, name -> new LongAdder()).increment();
  }

  Map<String, Long> all() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((name, count) -> all.put(name, count.sum()));
    return all;
  }
}
