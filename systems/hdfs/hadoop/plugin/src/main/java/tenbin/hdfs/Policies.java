package tenbin.hdfs;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The policies by name. */
final class Policies {
  private static final List<Rereplication> ALL =
      Arrays.asList(new Ring(), new MultiRackRing(), new Joint());

  private Policies() {}

  /**
   * One of ours, or a class of the user's, by its whole name. That is loaded in a thread of its
   * own: a NameNode that starts does not wait longer for it than this.
   */
  static Rereplication find(String name, ClassLoader loader, long mostMillis) {
    for (Rereplication policy : ALL) {
      if (policy.name().equals(name)) {
        return policy;
      }
    }
    String known = ALL.stream().map(Rereplication::name).collect(Collectors.joining(", "));
    if (name.indexOf('.') < 0) {
      throw new BadSetting(Settings.POLICY, name, "known are " + known);
    }
    FutureTask<Rereplication> made = new FutureTask<>(() -> load(name, loader));
    Thread thread = new Thread(made, "tenbin-rereplication-start");
    thread.setDaemon(true);
    thread.start();
    try {
      return made.get(mostMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new BadSetting(Settings.POLICY, name, e.getCause().toString());
    } catch (TimeoutException e) {
      thread.interrupt();
      throw new BadSetting(Settings.POLICY, name, "it is not made within " + mostMillis + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BadSetting(Settings.POLICY, name, e.toString());
    }
  }

  /** Part of this plug-in. */
  static boolean isOurs(Rereplication policy) {
    return ALL.contains(policy);
  }

  /** What a constructor throws is told apart from what finds none. */
  private static Rereplication load(String name, ClassLoader loader) throws Exception {
    try {
      Class<?> found = Class.forName(name, true, loader);
      return found.asSubclass(Rereplication.class).getDeclaredConstructor().newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("its constructor threw " + e.getCause(), e);
    }
  }
}
