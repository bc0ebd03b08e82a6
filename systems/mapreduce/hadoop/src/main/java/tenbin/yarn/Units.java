package tenbin.yarn;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quantities as Tenbin's scenarios write them, and Hadoop's times. */
final class Units {
  private static final Pattern QUANTITY = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(\\S*)");
  private static final Map<String, Double> SIZES = new LinkedHashMap<>();
  private static final Map<String, Double> RATES = new LinkedHashMap<>();
  private static final Map<String, Double> SHARES = new LinkedHashMap<>();
  private static final Map<String, Double> TIMES = new LinkedHashMap<>();

  static {
    String[] prefixes = {"", "k", "M", "G", "T"};
    for (int power = 0; power < prefixes.length; power++) {
      String prefix = prefixes[power];
      double decimal = Math.pow(1000, power);
      SIZES.put(prefix + "B", decimal);
      RATES.put(prefix + "B/s", decimal);
      RATES.put(prefix + "bit/s", decimal / 8);
      if (power > 0) {
        String binary = prefix.toUpperCase(java.util.Locale.ROOT) + "iB";
        SIZES.put(binary, Math.pow(1024, power));
        RATES.put(binary + "/s", Math.pow(1024, power));
      }
    }
    SHARES.put("%", 0.01);
    SHARES.put("", 1.0);
    TIMES.put("ms", 1e-3);
    TIMES.put("s", 1.0);
    TIMES.put("m", 60.0);
    TIMES.put("min", 60.0);
    TIMES.put("h", 3600.0);
  }

  private Units() {}

  /** Bytes of "150MB", "128MiB". */
  static double bytes(String text) {
    return quantity(text, SIZES, "an amount of data, as 150MB");
  }

  /** Bytes a second of "300Mbit/s", "40MB/s". */
  static double rate(String text) {
    return quantity(text, RATES, "a rate, as 300Mbit/s or 40MB/s");
  }

  /** 0 to 1 of "40 %", "0.4". */
  static double share(String text) {
    String expected = "a share of the time, as 40 % or 0.4";
    double share = quantity(text, SHARES, expected);
    if (share > 1) {
      throw new IllegalArgumentException("expected " + expected);
    }
    return share;
  }

  /** Seconds of "40s", "500ms", "2min"; more than none. */
  static double seconds(String text) {
    String expected = "a time above 0, as 40s";
    double seconds = quantity(text, TIMES, expected);
    if (seconds <= 0) {
      throw new IllegalArgumentException("expected " + expected);
    }
    return seconds;
  }

  private static double quantity(String text, Map<String, Double> units, String expected) {
    Matcher matcher = QUANTITY.matcher(text.trim());
    Double unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new IllegalArgumentException("expected " + expected);
    }
    return Double.parseDouble(matcher.group(1)) * unit;
  }
}
