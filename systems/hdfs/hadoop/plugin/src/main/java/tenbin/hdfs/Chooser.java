package tenbin.hdfs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.OpenBlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.QueuedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.Scheduler;

/**
 * Chooses sources, targets and the order of repairs by a policy of this plug-in. It runs with the
 * NameNode's lock, so a user's class, which may be slow, never runs here.
 */
final class Chooser implements Scheduler {
  /** Longest time of decisions, since they hold the NameNode's lock; planning comes on top. */
  private static final long LOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Settings settings;
  private final Counters counters;
  private final OpenBlockManager manager;
  private final BlockPlacementPolicy owner;
  private final Storages storages;
  private final Ledger ledger;
  private final Guard guard;
  private final Patience patience;
  private final Uplinks uplinks;
  private Streams streams;

  Chooser(Settings settings, Counters counters, OpenBlockManager manager,
      BlockPlacementPolicy owner, Supplier<Cluster> clusters, Storages storages) {
    this.settings = settings;
    this.counters = counters;
    this.manager = manager;
    this.owner = owner;
    this.storages = storages;
    ledger = new Ledger(clusters);
    guard = new Guard(settings, counters);
    patience = new Patience(settings.refusals);
    uplinks = new Uplinks(settings.rackStreams);
  }

  /** By Hadoop's rules, where a node would put a replica; null where it may not. */
  interface Storages {
    DatanodeStorageInfo of(DatanodeDescriptor target, Call call, BlockStoragePolicy policy)
        throws Exception;
  }

  @Override
  public boolean isOn() {
    return manager.places(owner) && !guard.isPaused();
  }

  @Override
  public void schedule(List<QueuedBlock> waiting, int most) {
    long start = System.nanoTime();
    try {
      begin();
      List<Repair> repairs = ordered(waiting);
      int step = settings.policy.plansAhead() ? repairs.size() : most;
      int started = 0;
      long ends = start + LOCK_NANOS;
      for (int from = 0; from < repairs.size() && started < most && isBefore(ends);
          from += step) {
        int to = Math.min(repairs.size(), from + step);
        started += decide(prepared(repairs.subList(from, to)), most - started);
      }
      guard.succeeded();
    } catch (Throwable e) {
      guard.fail(counters.threw, "the plug-in threw " + e);
      ledger.forget();
    }
    long micros = (System.nanoTime() - start) / 1000;
    counters.slowestRoundMicros.accumulateAndGet(micros, Math::max);
  }

  private static boolean isBefore(long ends) {
    return System.nanoTime() - ends < 0;
  }

  private void begin() {
    Memory before = ledger.memory;
    ledger.refresh();
    ledger.cluster.lookOnce();
    if (streams == null || ledger.memory != before) {
      streams = new Streams(ledger.cluster.size(), settings.refusals);
    }
    uplinks.beginRound(ledger.cluster);
    streams.beginRound(id -> manager.isReady(ledger.cluster.descriptor(id)));
  }

  /** By Hadoop's priority, then by the policy's urgency. */
  private List<Repair> ordered(List<QueuedBlock> waiting) {
    List<Repair> repairs = new ArrayList<>();
    for (QueuedBlock block : waiting) {
      repairs.add(new Repair(block, urgency(block)));
    }
    repairs.sort(Comparator.<Repair>comparingInt(repair -> repair.block.level)
        .thenComparingInt(repair -> repair.urgency));
    return repairs;
  }

  private int urgency(QueuedBlock block) {
    int[] holders = block.isStriped() ? new int[0]
        : block.holders().stream().mapToInt(ledger.cluster::id).filter(id -> id >= 0).toArray();
    LostBlock lost = new LostBlock(block.id(), block.bytes(), block.expected(), false, holders,
        new ArrayList<>(), holders);
    return settings.policy.urgency(lost, ledger.cluster);
  }

  /** Those that a ready node can send; the others wait. */
  private List<Repair> prepared(List<Repair> repairs) {
    List<Repair> prepared = repairs.stream().filter(Repair::prepare)
        .collect(Collectors.toList());
    Memory memory = ledger.memory;
    memory.limitPlan();
    List<LostBlock> unplanned = prepared.stream()
        .filter(repair -> repair.call != null && !memory.plan.containsKey(repair.block.id()))
        .map(repair -> repair.lost(ledger.cluster)).collect(Collectors.toList());
    settings.policy.plan(unplanned, ledger.cluster, memory);
    return prepared;
  }

  /** The number of places of this round that were used. */
  private int decide(List<Repair> repairs, int most) throws Exception {
    int used = 0;
    long ends = System.nanoTime() + LOCK_NANOS;
    for (Repair repair : repairs) {
      if (used == most || !isBefore(ends)) {
        break;
      }
      used += repair.block.isStriped() && uplinks.areLimited() ? group(repair.block)
          : repair.call == null ? leave(repair) : decide(repair);
    }
    return used;
  }

  private int leave(Repair repair) {
    patience.settled(repair.block.id());
    repair.block.leave();
    return 1;
  }

  /** An erasure-coded group: Hadoop's choice, started if the uplinks carry its reads. */
  private int group(QueuedBlock block) {
    DatanodeDescriptor reader = block.prepare() ? block.chooseReader() : null;
    if (reader == null) {
      return 0;
    }
    Uplinks.Flow reads = flow(block, block.read(), reader);
    if (block.level > 0 && !uplinks.carry(reads)) {
      counters.refused.incrementAndGet();
      return 0;
    }
    if (block.startGroup()) {
      uplinks.start(reads);
      return 1;
    }
    return 0;
  }

  private int decide(Repair repair) throws Exception {
    LostBlock lost = repair.lost(ledger.cluster);
    View view = lost.live.length > 1 ? uplinks.view(lost) : ledger.cluster;
    long start = System.nanoTime();
    Answer answer = settings.policy.repair(lost, view, ledger.memory,
        n -> ThreadLocalRandom.current().nextInt(n));
    counters.slowestMicros.accumulateAndGet((System.nanoTime() - start) / 1000, Math::max);
    switch (answer.kind) {
      case COPY:
        return start(repair, answer);
      case SOURCE_BUSY:
        return waits(repair, streams.isStuck(answer.source));
      case TARGETS_LOADED:
        return waits(repair, view == ledger.cluster && !patience.mayWait(lost.block));
      default:
        counters.stockWithoutTarget.incrementAndGet();
        return leave(repair);
    }
  }

  private int start(Repair repair, Answer answer) throws Exception {
    DatanodeStorageInfo storage = storages.of(ledger.cluster.descriptor(answer.target),
        repair.call, manager.storagePolicy(repair.block.storagePolicy()));
    if (storage == null) {
      counters.stockWithoutTarget.incrementAndGet();
      return leave(repair);
    }
    patience.settled(repair.block.id());
    DatanodeDescriptor source = ledger.cluster.descriptor(answer.source);
    if (repair.block.start(source, storage)) {
      uplinks.start(flow(repair.block, Collections.singletonList(source),
          storage.getDatanodeDescriptor()));
      counters.decided.incrementAndGet();
      return 1;
    }
    return 0;
  }

  private static Uplinks.Flow flow(QueuedBlock block, List<DatanodeDescriptor> sources,
      DatanodeDescriptor target) {
    return new Uplinks.Flow(() -> block.isAwaitedBy(target), sources, target);
  }

  private int waits(Repair repair, boolean tooLong) {
    if (tooLong) {
      ledger.memory.plan.remove(repair.block.id());
      counters.stockAfterRefusals.incrementAndGet();
      return leave(repair);
    }
    counters.refused.incrementAndGet();
    return 0;
  }

  /** One block of a round. */
  private static final class Repair {
    final QueuedBlock block;
    final int urgency;
    /** Null before {@link #prepare}, and for what is left to Hadoop. */
    Call call;

    Repair(QueuedBlock block, int urgency) {
      this.block = block;
      this.urgency = urgency;
    }

    /** False: it waits, or there is nothing to do. */
    boolean prepare() {
      if (block.isStriped()) {
        return true;
      }
      List<DatanodeDescriptor> holders = block.holders();
      // Without holders Hadoop drops it, if it was deleted.
      boolean waits = !holders.isEmpty() && holders.stream().noneMatch(block::isReady);
      if (waits || !block.prepare()) {
        return false;
      }
      if (!block.live().isEmpty()) {
        call = new Call(block.path(), block.more(), block.drawn(), block.live(),
            block.excluded(), block.bytes());
      }
      return true;
    }

    LostBlock lost(Cluster cluster) {
      return call.lost(cluster, block.id(), block::isReady);
    }
  }
}
