package tenbin.hdfs;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Between a policy and the NameNode. The policy answers in a thread of its own and within a time
 * limit, and whatever it throws stays here. After a failure stock behaviour stands in for it for a
 * while. Each change between the two is one line in the log.
 */
final class Guard {
  private static final Logger LOG = LoggerFactory.getLogger(TenbinPlacementPolicy.class);
  /** So many time limits has a policy for all blocks of a round. */
  private static final int LIMITS_PER_ROUND = 10;

  private final Counters counters;
  private final Settings settings;
  private final ThreadPoolExecutor worker =
      new ThreadPoolExecutor(1, 1, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
        Thread thread = new Thread(task, "tenbin-rereplication");
        thread.setDaemon(true);
        return thread;
      });
  /** Who works on a question that has no answer yet. */
  private volatile Thread busy;
  private long pausedUntil;
  private long microsInRound;

  Guard(Settings settings, Counters counters) {
    this.settings = settings;
    this.counters = counters;
    worker.allowCoreThreadTimeOut(true);
    counters.policy = settings.policyName;
    counters.state = State.ON;
    LOG.info("tenbin.rereplication: {} decides who repairs lost replicas", counters.policy);
  }

  void beginRound() {
    microsInRound = 0;
  }

  /** The policy's answer; null where stock behaviour has to stand in for it. */
  Answer ask(Callable<Answer> question) {
    if (counters.state == State.PAUSED && (System.nanoTime() < pausedUntil || busy != null)) {
      counters.stockAfterFailure.incrementAndGet();
      return null;
    }
    long start = System.nanoTime();
    try {
      Answer answer = start(question).get(settings.limitMillis, TimeUnit.MILLISECONDS);
      long micros = (System.nanoTime() - start) / 1000;
      counters.slowestMicros.accumulateAndGet(micros, Math::max);
      microsInRound += micros;
      long mostMillis = LIMITS_PER_ROUND * settings.limitMillis;
      if (answer == null) {
        fail(counters.answeredBadly, "it answered nothing");
      } else if (microsInRound > 1000 * mostMillis) {
        fail(counters.slow, "it took longer than " + mostMillis + " ms for the blocks of a round");
        return null;
      }
      return answer;
    } catch (TimeoutException e) {
      Thread late = busy;
      if (late != null) {
        late.interrupt();
      }
      fail(counters.slow, "it took longer than " + settings.limitMillis + " ms");
    } catch (ExecutionException e) {
      fail(counters.threw, "it threw " + e.getCause());
    } catch (InterruptedException e) {
      // The NameNode stops: its thread has to hear of it.
      Thread.currentThread().interrupt();
    }
    return null;
  }

  private CompletableFuture<Answer> start(Callable<Answer> question) {
    CompletableFuture<Answer> future = new CompletableFuture<>();
    worker.execute(() -> {
      busy = Thread.currentThread();
      Answer answer = null;
      Throwable thrown = null;
      try {
        answer = question.call();
      } catch (Throwable e) {
        thrown = e;
      }
      busy = null;
      // One that came too late for this question is not for the next.
      Thread.interrupted();
      if (thrown == null) {
        future.complete(answer);
      } else {
        future.completeExceptionally(thrown);
      }
    });
    return future;
  }

  /** An answer was good. */
  void succeeded() {
    if (counters.state == State.PAUSED) {
      counters.state = State.ON;
      LOG.info("tenbin.rereplication: {} decides again", counters.policy);
    }
  }

  /** Does stock behaviour stand in for the policy? */
  boolean isPaused() {
    return counters.state == State.PAUSED && System.nanoTime() < pausedUntil;
  }

  /** Something went wrong: stock behaviour from now on, for a while. */
  void fail(AtomicLong kind, String why) {
    kind.incrementAndGet();
    counters.stockAfterFailure.incrementAndGet();
    counters.reason = why;
    pausedUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.pauseMillis);
    if (counters.state != State.PAUSED) {
      counters.state = State.PAUSED;
      LOG.warn("tenbin.rereplication: {} failed: {}. Stock placement repairs lost replicas until"
          + " it works again; next try in {} ms", counters.policy, why, settings.pauseMillis);
    }
  }
}
