package tenbin.hdfs;

import java.util.Collections;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/** From a NameNode's question to the policy, and back. */
final class Repairs {
  /** As old may be what is known of who is in the cluster. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Between two questions of one round there is less. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  /** Blocks that were planned and deleted before their turn are not kept for ever. */
  private static final int MOST_PLANNED = 100_000;

  private final Settings settings;
  private final Counters counters;
  private final Supplier<Cluster> clusters;
  private final Guard guard;
  private final Patience patience;
  private Cluster cluster;
  private long made;
  private long asked;
  /** Of the nodes that there are now: counts start over when one joins or goes. */
  private Memory memory;

  Repairs(Settings settings, Counters counters, Supplier<Cluster> clusters) {
    this.settings = settings;
    this.counters = counters;
    this.clusters = clusters;
    guard = new Guard(settings, counters);
    patience = new Patience(settings.refusals);
  }

  /** By Hadoop's rules, where a node would put a replica; null where it may not. */
  interface Storages {
    DatanodeStorageInfo of(DatanodeDescriptor target) throws Exception;
  }

  /** Targets, none where the block has to wait, and null where stock behaviour decides. */
  synchronized DatanodeStorageInfo[] decide(Call call, Storages storages) {
    try {
      return decided(call, storages);
    } catch (Throwable e) {
      fail("the plug-in threw " + e);
      return null;
    }
  }

  private DatanodeStorageInfo[] decided(Call call, Storages storages) throws Exception {
    refresh();
    LostBlock lost = call.lost(cluster);
    Answer answer = ask(lost);
    asked = System.nanoTime();
    if (answer == null) {
      return null;
    }
    DatanodeStorageInfo storage = null;
    switch (answer.kind) {
      case COPY:
        if (!isPossible(answer, lost)) {
          fail("it answered " + answer.source + " to " + answer.target);
          return null;
        }
        storage = storages.of(cluster.descriptor(answer.target));
        break;
      case NO_SOURCE:
      case NO_TARGET:
        guard.succeeded();
        patience.settled(lost.block);
        counters.stockWithoutTarget.incrementAndGet();
        return null;
      default:
    }
    guard.succeeded();
    if (storage != null) {
      patience.settled(lost.block);
      cluster.decided(answer);
      counters.decided.incrementAndGet();
      return new DatanodeStorageInfo[] {storage};
    }
    return waits(lost);
  }

  private DatanodeStorageInfo[] waits(LostBlock lost) {
    if (patience.mayWait(lost.block)) {
      counters.refused.incrementAndGet();
      return DatanodeStorageInfo.EMPTY_ARRAY;
    }
    memory.plan.remove(lost.block);
    counters.stockAfterRefusals.incrementAndGet();
    return null;
  }

  private Answer ask(LostBlock lost) {
    Cluster view = cluster;
    Memory mine = memory;
    Answer answer = guard.ask(() -> {
      if (mine.plan.size() > MOST_PLANNED) {
        mine.plan.clear();
      }
      if (!mine.plan.containsKey(lost.block)) {
        settings.policy.plan(Collections.singletonList(lost), view, mine);
      }
      return settings.policy.repair(lost, view, mine, n -> ThreadLocalRandom.current().nextInt(n));
    });
    if (answer == null) {
      forget();
    }
    return answer;
  }

  /** Did the drawn source get a node that may receive? */
  private boolean isPossible(Answer answer, LostBlock lost) {
    return answer.target >= 0 && answer.target < cluster.size() && !lost.isTaken(answer.target)
        && lost.sources.stream().anyMatch(s -> s.ready && s.node == answer.source);
  }

  private void fail(String why) {
    guard.fail(counters.answeredBadly, why);
    forget();
  }

  /** A thread that is late may still write to the old memory. */
  private void forget() {
    if (cluster != null) {
      memory = new Memory(cluster.size(), cluster.racks.length);
    }
  }

  private void refresh() {
    long now = System.nanoTime();
    if (cluster != null && now - asked > PAUSE_NANOS) {
      cluster.beginRound();
      guard.beginRound();
    }
    if (cluster != null && now - made < FRESH_NANOS) {
      return;
    }
    Cluster before = cluster;
    cluster = clusters.get();
    made = now;
    if (before != null && cluster.hasNodesOf(before)) {
      cluster.goOnFrom(before);
    } else {
      forget();
    }
  }
}
