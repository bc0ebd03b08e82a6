package tenbin.hdfs;

/** One DataNode, as the NameNode knows it at this moment; as it stands here, healthy and idle. */
public final class NodeView {
  /** Its rack. */
  public int rack;
  /** Not declared dead. */
  public boolean alive = true;
  /** No heartbeat for a while. */
  public boolean stale;
  /** Decommissioned or being so: what it holds does not count for the racks. */
  public boolean leaving;
  /** In maintenance or entering it: keeps what it has and gets nothing. */
  public boolean resting;
  /** Bytes free for HDFS. */
  public long free = Long.MAX_VALUE;
  /** Transfer threads reported by its last heartbeat. */
  public int xceivers;
  /** Copies to be sent, or being sent. */
  public int sending;
  /** Copies on their way to it. */
  public int receiving;

  /** Alive and not on its way out: may receive. */
  public boolean inService() {
    return alive && !leaving && !resting;
  }

  /** The same node with too much to do for the moment. */
  NodeView loaded() {
    NodeView node = new NodeView();
    node.rack = rack;
    node.alive = alive;
    node.stale = stale;
    node.leaving = leaving;
    node.resting = resting;
    node.free = free;
    node.xceivers = Integer.MAX_VALUE;
    node.sending = sending;
    node.receiving = receiving;
    return node;
  }
}
