package tenbin.hdfs;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The policies by name. */
final class Policies {
  private static final List<Rereplication> ALL =
      Arrays.asList(new Ring(), new MultiRackRing(), new Joint());

  private Policies() {}

  /** One of ours, or a class of the user's, by its whole name. */
  static Rereplication find(String name, ClassLoader loader) {
    for (Rereplication policy : ALL) {
      if (policy.name().equals(name)) {
        return policy;
      }
    }
    String known = ALL.stream().map(Rereplication::name).collect(Collectors.joining(", "));
    if (name.indexOf('.') < 0) {
      throw new BadSetting(Settings.POLICY, name, "known are " + known);
    }
    try {
      Class<?> found = Class.forName(name, true, loader);
      return found.asSubclass(Rereplication.class).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw new BadSetting(Settings.POLICY, name, e.toString());
    }
  }
}
