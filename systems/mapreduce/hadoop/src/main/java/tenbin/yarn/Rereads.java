package tenbin.yarn;

import org.apache.hadoop.conf.Configuration;

/** A scheduler that keeps the configuration that it last read. */
public interface Rereads {
  /** That configuration. */
  Configuration lastRead();
}
