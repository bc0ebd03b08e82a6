package tenbin.yarn;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** Types of applications whose containers rules withhold. */
final class Applications {
  static final String DEFAULT = "MAPREDUCE";
  private static final String ALL = "*";

  private final Set<String> types = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  /** Of "MAPREDUCE, SPARK", "*". */
  Applications(String text) {
    Arrays.stream(text.split(",")).map(String::trim).filter(type -> !type.isEmpty())
        .forEach(types::add);
    if (types.isEmpty()) {
      throw new IllegalArgumentException("expected types, as MAPREDUCE,SPARK, or *");
    }
  }

  boolean contain(String type) {
    return types.contains(ALL) || type != null && types.contains(type);
  }

  @Override
  public String toString() {
    return types.contains(ALL) ? "all applications" : String.join(", ", types);
  }
}
