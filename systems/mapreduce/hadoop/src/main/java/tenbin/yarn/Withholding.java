package tenbin.yarn;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.util.MBeans;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which requests a ResourceManager withholds from which nodes; counts and logs it. */
final class Withholding implements WithheldMXBean {
  private static final Logger LOG = LoggerFactory.getLogger("tenbin.yarn");

  private static ObjectName shown;

  private final Supplier<Configuration> source;
  private final Counts withheld = new Counts();
  private final Counts lifted = new Counts();
  private final Map<String, NodeFigures> figures = new ConcurrentHashMap<>();
  private final MeanDiskRate meanDiskRate = new MeanDiskRate();
  /** By rule and node, whether the figure was over the threshold when it was last looked at. */
  private final Map<String, Boolean> over = new ConcurrentHashMap<>();
  private volatile Configuration read;
  private volatile Settings settings;

  /** The source is asked each time; where it has another configuration, not null, that is read. */
  Withholding(Supplier<Configuration> source) {
    this.source = source;
  }

  /** Whether rules are about this type of application. */
  boolean covers(String applicationType) {
    return settings().applications.contain(applicationType);
  }

  /** The rule that withholds the request from the node; null: none does. */
  Rule rule(Heard heard, Request request, Waits waits, long nanos) {
    Settings now = settings();
    if (heard.figures == null || now.rules.isEmpty()) {
      return null;
    }
    boolean isNew = figures.put(heard.node, heard.figures) != heard.figures;
    if (isNew) {
      meanDiskRate.hear(heard.node, heard.figures, nanos);
    }
    double mean = meanDiskRate.now(nanos);
    if (isNew) {
      now.rules.forEach(rule -> follow(rule, heard, mean));
    }
    Rule rule = first(now.rules, heard, request, mean);
    if (rule == null) {
      return null;
    }
    boolean tooLong = waits.isOver(request.kind, nanos, now.limitSeconds);
    (tooLong ? lifted : withheld).add(rule, heard.node);
    return tooLong ? null : rule;
  }

  /** The first rule that withholds it; null: none does. */
  static Rule first(List<Rule> rules, Heard heard, Request request, double meanDiskRate) {
    for (Rule rule : rules) {
      if (rule.withholds(heard, request, meanDiskRate)) {
        return rule;
      }
    }
    return null;
  }

  /** Logs where a node's figure comes above a threshold, or below it again. */
  private void follow(Rule rule, Heard heard, double mean) {
    boolean is = rule.isOver(heard, mean);
    Boolean was = over.put(rule.name + " " + heard.node, is);
    if (is != Boolean.TRUE.equals(was)) {
      LOG.info(change(rule, heard, is, mean));
    }
  }

  /** A line that people and programs read. */
  static String change(Rule rule, Heard heard, boolean over, double mean) {
    return String.format(Locale.ROOT,
        "tenbin: rule=%s node=%s withholds=%s figure=%.4g threshold=%.4g",
        rule.name, heard.node, over, rule.figure(heard), rule.threshold(mean));
  }

  private Settings settings() {
    Configuration now = source.get();
    if (now != null && now != read) {
      read(now);
    }
    return settings;
  }

  private synchronized void read(Configuration now) {
    if (now == read) {
      return;
    }
    Settings next = Settings.of(now);
    boolean changed = settings == null || !next.toString().equals(settings.toString());
    if (changed) {
      LOG.info("tenbin: {}", next);
      over.clear();
    }
    next.problems.forEach(problem -> LOG.error("tenbin: {}", problem));
    settings = next;
    read = now;
  }

  /** Shows it in JMX, in the place of that of a ResourceManager that no longer serves. */
  Withholding registered() {
    synchronized (Withholding.class) {
      if (shown != null) {
        MBeans.unregister(shown);
      }
      shown = MBeans.register("ResourceManager", "Tenbin", this);
    }
    return this;
  }

  @Override
  public Map<String, Long> getWithheld() {
    return withheld.all();
  }

  @Override
  public Map<String, Long> getLifted() {
    return lifted.all();
  }

  @Override
  public Map<String, Double> getThresholds() {
    return settings().thresholds();
  }

  @Override
  public Map<String, String> getFigures() {
    Map<String, String> all = new TreeMap<>();
    figures.forEach((node, now) -> all.put(node, now.toString()));
    return all;
  }
}
