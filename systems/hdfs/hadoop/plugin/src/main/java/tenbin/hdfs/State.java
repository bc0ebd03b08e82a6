package tenbin.hdfs;

/** Who decides. */
enum State {
  /** The policy. */
  ON,
  /** Stock behaviour, for a while, since the policy failed. */
  PAUSED,
  /** Stock behaviour. */
  OFF
}
