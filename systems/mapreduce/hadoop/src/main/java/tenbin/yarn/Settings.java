package tenbin.yarn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/** Rules and their thresholds, as `yarn-site.xml` gives them: a rule without threshold is off. */
final class Settings {
  static final String RECEIVE_RATE = "tenbin.receive-rate.threshold";
  static final String RECEPTION = "tenbin.potential-reception.threshold";
  static final String DISK_RATE = "tenbin.disk-rate.threshold";
  static final String PREDICTED_LOAD = "tenbin.predicted-load.threshold";
  static final String PREDICTED_SHARE = "tenbin.predicted-load.share";
  static final String PRESSURE_IO = "tenbin.pressure-io.threshold";
  static final String PRESSURE_MEMORY = "tenbin.pressure-memory.threshold";
  static final String PRESSURE_CPU = "tenbin.pressure-cpu.threshold";
  /** A job that got no task of a kind for so long is not subject to rules until it gets one. */
  static final String LIMIT = "tenbin.withhold.limit";
  /** "MAPREDUCE,SPARK", or "*". */
  static final String APPLICATIONS = "tenbin.application-types";
  /** Disks and NICs that count, where not all do: a NodeManager's own. */
  static final String DISKS = "tenbin.disks";
  static final String NICS = "tenbin.nics";

  private static final String PER_DISK = "per-disk";
  private static final String AUTO = "auto";
  /** In simulations per-disk is never worse than no rule at this threshold. */
  private static final double PER_DISK_DEFAULT = 0.7;
  private static final double LIMIT_DEFAULT = 40;
  /** As in simulations: `policy.predicted_share`. */
  private static final double PREDICTED_DEFAULT = 0.5;

  /** In the order in which they are asked. */
  final List<Rule> rules;
  final double limitSeconds;
  final Applications applications;
  /** What could not be read, for people; each stands for a setting that is as if it were absent. */
  final List<String> problems;

  private Settings(List<Rule> rules, double limitSeconds, Applications applications,
      List<String> problems) {
    this.rules = Collections.unmodifiableList(rules);
    this.limitSeconds = limitSeconds;
    this.applications = applications;
    this.problems = Collections.unmodifiableList(problems);
  }

  static Settings of(Configuration conf) {
    List<String> problems = new ArrayList<>();
    List<Rule> rules = new ArrayList<>();
    add(rules, read(conf, RECEIVE_RATE, problems, text -> new ReceiveRate(Units.rate(text))));
    add(rules, read(conf, RECEPTION, problems, text -> new PotentialReception(Units.bytes(text))));
    add(rules, read(conf, DISK_RATE, problems, Settings::diskRule));
    Double load = read(conf, PREDICTED_SHARE, problems, Units::share);
    share(rules, conf, PREDICTED_LOAD, problems,
        threshold -> new PredictedLoad(threshold, load == null ? PREDICTED_DEFAULT : load));
    share(rules, conf, PRESSURE_IO, problems, PressureRule::io);
    share(rules, conf, PRESSURE_MEMORY, problems, PressureRule::memory);
    share(rules, conf, PRESSURE_CPU, problems, PressureRule::cpu);
    Double limit = read(conf, LIMIT, problems, Units::seconds);
    Applications types = read(conf, APPLICATIONS, problems, Applications::new);
    return new Settings(rules, limit == null ? LIMIT_DEFAULT : limit,
        types == null ? new Applications(Applications.DEFAULT) : types, problems);
  }

  /** Whether a NodeManager reads what its reducers log: it costs as much as they log. */
  static boolean wantsFetching(Configuration conf) {
    return !conf.getTrimmed(RECEPTION, "").isEmpty();
  }

  /** Whether a heartbeat has a figure of each disk. */
  static boolean wantsEachDisk(Configuration conf) {
    return conf.getTrimmed(DISK_RATE, "").startsWith(PER_DISK);
  }

  /** Of "40 %", "auto", "per-disk", "per-disk 60 %". */
  private static Rule diskRule(String text) {
    if (text.equals(AUTO)) {
      return new AutoDiskRate();
    }
    if (!text.startsWith(PER_DISK)) {
      return new DiskRate(Units.share(text));
    }
    String threshold = text.substring(PER_DISK.length()).trim();
    return new PerDisk(threshold.isEmpty() ? PER_DISK_DEFAULT : Units.share(threshold));
  }

  private static void share(List<Rule> rules, Configuration conf, String key,
      List<String> problems, DoubleFunction<Rule> rule) {
    add(rules, read(conf, key, problems, text -> rule.apply(Units.share(text))));
  }

  private static void add(List<Rule> rules, Rule rule) {
    if (rule != null) {
      rules.add(rule);
    }
  }

  private static <T> T read(
      Configuration conf, String key, List<String> problems, Function<String, T> parse) {
    String text = conf.getTrimmed(key, "");
    try {
      return text.isEmpty() ? null : parse.apply(text);
    } catch (IllegalArgumentException e) {
      problems.add(key + " = " + text + ": " + e.getMessage() + "; it is as if it were not set");
      return null;
    }
  }

  /** Thresholds by rules' names. */
  Map<String, Double> thresholds() {
    Map<String, Double> thresholds = new LinkedHashMap<>();
    rules.forEach(rule -> thresholds.put(rule.name, rule.threshold));
    return thresholds;
  }

  @Override
  public String toString() {
    return rules.isEmpty()
        ? "no rule is on"
        : "withholds above " + thresholds() + ", from a job for " + limitSeconds
            + " s at most, of " + applications;
  }
}
