package tenbin.hdfs;

/** What a configuration says and cannot be used. */
final class BadSetting extends RuntimeException {
  private static final long serialVersionUID = 1;

  BadSetting(String key, String value, String why) {
    super(key + " = " + value + ": " + why);
  }
}
