package tenbin.hdfs;

/** What JMX shows as {@code Hadoop:service=NameNode,name=TenbinRereplication}. */
public interface TenbinRereplicationMXBean {
  /** The policy asked, or {@code stock}. */
  String getPolicy();

  /** {@code chosen} by the policy, or drawn by {@code hadoop}. */
  String getSources();

  /** {@code ON}, {@code PAUSED} after a failure, or {@code OFF}. */
  String getState();

  /** Why it is not on; of the last failure where it is on again. */
  String getReason();

  /** Copies that the policy decided. */
  long getDecided();

  /** Times that it let a block wait for another source or target. */
  long getRefused();

  /** Copies left to stock behaviour because the policy let their block wait too often. */
  long getStockAfterRefusals();

  /** Copies left to stock behaviour because the policy found no source or target. */
  long getStockWithoutTarget();

  /** Copies left to stock behaviour because of a failure, or while paused. */
  long getStockAfterFailure();

  /** Times that it threw. */
  long getThrew();

  /** Times that it did not answer in time. */
  long getSlow();

  /** Times that it answered what cannot be. */
  long getAnsweredBadly();

  /** The longest time that it took for one block, in microseconds. */
  long getSlowestMicros();

  /** The longest round with chosen sources, in microseconds: it holds the NameNode's lock. */
  long getSlowestRoundMicros();
}
