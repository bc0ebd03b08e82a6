package tenbin.hdfs;

/** Where random choices come from. */
public interface Dice {
  /** Uniform in 0..n-1. */
  int below(int n);
}
