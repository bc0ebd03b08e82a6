package tenbin.yarn;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.Context;

/**
 * The NodeManager's own monitor, whose thread asks the plug-in each interval and then publishes
 * what the heartbeat carries. Its only place for figures of others is a private field, which gets
 * another map each time, so that a disk that is gone has no figure.
 */
final class NodeMonitor {
  private static final String THREAD =
      "org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitorImpl$MonitoringThread";

  private final Object monitor;
  private final Field carried;
  private final Field context;

  private NodeMonitor(Object monitor, Field carried, Field context) {
    this.monitor = monitor;
    this.carried = carried;
    this.context = context;
  }

  /** Whether the monitor asks: others ask too, for the node's memory. */
  static boolean asks() {
    return Thread.currentThread().getClass().getName().equals(THREAD);
  }

  /** The one that asks. */
  static NodeMonitor asking() throws ReflectiveOperationException {
    Object thread = Thread.currentThread();
    Object monitor = field(thread.getClass(), "this$0").get(thread);
    Class<?> type = monitor.getClass();
    return new NodeMonitor(monitor, field(type, "customResources"), field(type, "nmContext"));
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** The next heartbeat carries these. */
  void carry(Map<String, Float> figures) throws ReflectiveOperationException {
    carried.set(monitor, new HashMap<>(figures));
  }

  /** Where containers that run now log what they fetch, if they do. */
  List<Path> shuffleLogs() throws ReflectiveOperationException {
    Context node = (Context) context.get(monitor);
    List<String> folders = node.getLocalDirsHandler().getLogDirs();
    List<Path> logs = new ArrayList<>();
    for (ContainerId container : node.getContainers().keySet()) {
      String job = container.getApplicationAttemptId().getApplicationId().toString();
      for (String folder : folders) {
        Path log = Paths.get(folder, job, container.toString(), "syslog.shuffle");
        if (log.toFile().exists()) {
          logs.add(log);
        }
      }
    }
    return logs;
  }
}
