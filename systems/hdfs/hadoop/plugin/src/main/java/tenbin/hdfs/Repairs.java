package tenbin.hdfs;

import java.util.Collections;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/** From a NameNode's question to the policy, and back. */
final class Repairs {
  /** Between two questions of one round there is less. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Settings settings;
  private final Counters counters;
  private final Ledger ledger;
  private final Guard guard;
  private final Patience patience;
  private long asked;

  Repairs(Settings settings, Counters counters, Supplier<Cluster> clusters) {
    this.settings = settings;
    this.counters = counters;
    ledger = new Ledger(clusters);
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
    LostBlock lost = call.lost(ledger.cluster);
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
        storage = storages.of(ledger.cluster.descriptor(answer.target));
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
      ledger.cluster.decided(answer);
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
    ledger.memory.plan.remove(lost.block);
    counters.stockAfterRefusals.incrementAndGet();
    return null;
  }

  private Answer ask(LostBlock lost) {
    Cluster view = ledger.cluster;
    Memory mine = ledger.memory;
    Answer answer = guard.ask(() -> {
      mine.limitPlan();
      if (!mine.plan.containsKey(lost.block)) {
        settings.policy.plan(Collections.singletonList(lost), view, mine);
      }
      return settings.policy.repair(lost, view, mine, n -> ThreadLocalRandom.current().nextInt(n));
    });
    if (answer == null) {
      ledger.forget();
    }
    return answer;
  }

  /** Did the drawn source get a node that may receive? */
  private boolean isPossible(Answer answer, LostBlock lost) {
    return answer.target >= 0 && answer.target < ledger.cluster.size()
        && !lost.isTaken(answer.target)
        && lost.sources.stream().anyMatch(s -> s.ready && s.node == answer.source);
  }

  private void fail(String why) {
    guard.fail(counters.answeredBadly, why);
    ledger.forget();
  }

  private void refresh() {
    if (ledger.cluster != null && System.nanoTime() - asked > PAUSE_NANOS) {
      ledger.cluster.beginRound();
      guard.beginRound();
    }
    ledger.refresh();
  }
}
