package tenbin.yarn;

/** Withholds a kind of request from a node whose figure is above a threshold. */
abstract class Rule {
  /** As `policy.scheduling` of Tenbin's scenarios names it, and logs and counters. */
  final String name;
  /** Above it the node is not given what the rule covers; where it moves, the least it can be. */
  final double threshold;

  Rule(String name, double threshold) {
    this.name = name;
    this.threshold = threshold;
  }

  /** Whether the rule is about such a request. */
  abstract boolean covers(Request request);

  /** What it looks at; NaN: not known. */
  abstract double figure(NodeFigures figures);

  /** The same for a rule that also counts what the node was given since. */
  double figure(Heard heard) {
    return figure(heard.figures);
  }

  /** The threshold where disks of all nodes are so busy in the mean; NaN: not known. */
  double threshold(double meanDiskRate) {
    return threshold;
  }

  /** An unknown figure withholds nothing. */
  final boolean isOver(Heard heard, double meanDiskRate) {
    return figure(heard) > threshold(meanDiskRate);
  }

  final boolean withholds(Heard heard, Request request, double meanDiskRate) {
    return covers(request) && isOver(heard, meanDiskRate);
  }
}
