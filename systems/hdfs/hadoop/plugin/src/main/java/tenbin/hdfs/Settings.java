package tenbin.hdfs;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** What {@code hdfs-site.xml} says of this plug-in. */
final class Settings {
  /** Which policy. Absent: stock behaviour. */
  static final String POLICY = "tenbin.rereplication";
  /** How long a policy may think about one block: {@code 1s}. */
  static final String TIME_LIMIT = "tenbin.rereplication.time-limit";
  /** How long stock behaviour stands in for a policy that has failed: {@code 60s}. */
  static final String PAUSE = "tenbin.rereplication.pause";
  /** How many times a policy may let one block wait before stock behaviour takes it: 16. */
  static final String REFUSALS = "tenbin.rereplication.refusals";

  /** {@code chosen}, the default for Tenbin's policies, or {@code drawn} by Hadoop. */
  static final String SOURCES = "tenbin.rereplication.sources";
  /** Most streams that leave a rack, and most that enter it; 0, the default: no limit. */
  static final String RACK_STREAMS = "tenbin.rereplication.rack-streams";

  /** So many time limits has a class of the user's to be loaded and made. */
  private static final int LIMITS_PER_START = 10;

  final Rereplication policy;
  /** As the configuration calls it: a policy is not asked for it. */
  final String policyName;
  final long limitMillis;
  final long pauseMillis;
  final int refusals;
  /** The policy chooses sources; otherwise it waits until Hadoop draws them. */
  final boolean choosesSources;
  /** {@link Integer#MAX_VALUE} for no limit. */
  final int rackStreams;

  /** Fails with a {@link BadSetting} that says what is wrong. */
  Settings(Configuration conf) {
    String name = conf.getTrimmed(POLICY, "");
    if (name.isEmpty()) {
      throw new BadSetting(POLICY, "nothing", "no policy is asked for");
    }
    limitMillis = duration(conf, TIME_LIMIT, "1s");
    pauseMillis = duration(conf, PAUSE, "60s");
    refusals = (int) positive(REFUSALS, conf.getTrimmed(REFUSALS, "16"), () -> {
      return conf.getInt(REFUSALS, 16);
    });
    policy = Policies.find(name, conf.getClassLoader(), LIMITS_PER_START * limitMillis);
    policyName = name;
    boolean isOurs = Policies.isOurs(policy);
    String sources = conf.getTrimmed(SOURCES, isOurs ? "chosen" : "drawn");
    if (!sources.equals("chosen") && !sources.equals("drawn")) {
      throw new BadSetting(SOURCES, sources, "known are chosen, drawn");
    }
    choosesSources = sources.equals("chosen");
    if (choosesSources && !isOurs) {
      throw new BadSetting(SOURCES, sources, "a class of your own needs drawn: chosen sources"
          + " are decided under the NameNode's lock");
    }
    rackStreams = rackStreams(conf, choosesSources);
  }

  private static int rackStreams(Configuration conf, boolean choosesSources) {
    String value = conf.getTrimmed(RACK_STREAMS, "0");
    if (value.equals("0")) {
      return Integer.MAX_VALUE;
    }
    if (!choosesSources) {
      throw new BadSetting(RACK_STREAMS, value, "needs " + SOURCES + " = chosen");
    }
    return (int) positive(RACK_STREAMS, value, () -> {
      return conf.getInt(RACK_STREAMS, 0);
    });
  }

  private static long duration(Configuration conf, String key, String usual) {
    return positive(key, conf.getTrimmed(key, usual), () -> {
      return conf.getTimeDuration(key, usual, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
    });
  }

  private interface Number {
    long read();
  }

  private static long positive(String key, String value, Number number) {
    try {
      if (number.read() > 0) {
        return number.read();
      }
    } catch (NumberFormatException e) {
      throw new BadSetting(key, value, "is no number");
    }
    throw new BadSetting(key, value, "must be above 0");
  }
}
