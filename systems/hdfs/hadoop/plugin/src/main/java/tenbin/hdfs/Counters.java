package tenbin.hdfs;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What happened so far, for JMX. */
final class Counters implements TenbinRereplicationMXBean {
  final AtomicLong decided = new AtomicLong();
  final AtomicLong refused = new AtomicLong();
  final AtomicLong stockAfterRefusals = new AtomicLong();
  final AtomicLong stockWithoutTarget = new AtomicLong();
  final AtomicLong stockAfterFailure = new AtomicLong();
  final AtomicLong threw = new AtomicLong();
  final AtomicLong slow = new AtomicLong();
  final AtomicLong answeredBadly = new AtomicLong();
  final AtomicLong slowestMicros = new AtomicLong();
  final AtomicLong slowestRoundMicros = new AtomicLong();
  volatile String policy = "stock";
  volatile String sources = "hadoop";
  volatile State state = State.OFF;
  volatile String reason = "";

  /** The latest takes the place of an earlier one: a NameNode may read its settings again. */
  void register() throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("Hadoop:service=NameNode,name=TenbinRereplication");
    if (server.isRegistered(name)) {
      server.unregisterMBean(name);
    }
    server.registerMBean(this, name);
  }

  @Override
  public String getPolicy() {
    return policy;
  }

  @Override
  public String getSources() {
    return sources;
  }

  @Override
  public String getState() {
    return state.name();
  }

  @Override
  public String getReason() {
    return reason;
  }

  @Override
  public long getDecided() {
    return decided.get();
  }

  @Override
  public long getRefused() {
    return refused.get();
  }

  @Override
  public long getStockAfterRefusals() {
    return stockAfterRefusals.get();
  }

  @Override
  public long getStockWithoutTarget() {
    return stockWithoutTarget.get();
  }

  @Override
  public long getStockAfterFailure() {
    return stockAfterFailure.get();
  }

  @Override
  public long getThrew() {
    return threw.get();
  }

  @Override
  public long getSlow() {
    return slow.get();
  }

  @Override
  public long getAnsweredBadly() {
    return answeredBadly.get();
  }

  @Override
  public long getSlowestMicros() {
    return slowestMicros.get();
  }

  @Override
  public long getSlowestRoundMicros() {
    return slowestRoundMicros.get();
  }
}
