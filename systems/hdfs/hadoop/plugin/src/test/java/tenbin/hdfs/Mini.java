package tenbin.hdfs;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Arrays;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.ExitUtil;

/** A real NameNode and DataNodes in this JVM. */
final class Mini implements AutoCloseable {
  private static final int BLOCK = 1024;

  final MiniDFSCluster cluster;
  final DistributedFileSystem files;

  Mini(int nodes, Class<?> placement, String... keysAndValues) throws IOException {
    this(oneRack(nodes), placement, keysAndValues);
  }

  /** {@code racks}: of each node. */
  Mini(String[] racks, Class<?> placement, String... keysAndValues) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.block.replicator.classname", placement.getName());
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.replication.work.multiplier.per.iteration", 4);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    ExitUtil.disableSystemExit();
    ExitUtil.resetFirstExitException();
    var folder = Files.createTempDirectory("tenbin").toFile();
    cluster = new MiniDFSCluster.Builder(conf, folder).racks(racks)
        .numDataNodes(racks.length).build();
    cluster.waitActive();
    files = cluster.getFileSystem();
  }

  private static String[] oneRack(int nodes) {
    String[] racks = new String[nodes];
    Arrays.fill(racks, "/default-rack");
    return racks;
  }

  /** A file of so many blocks. */
  Path write(String name, int blocks, int replicas) throws IOException {
    Path path = new Path(name);
    try (OutputStream out = files.create(path, true, BLOCK, (short) replicas, BLOCK)) {
      out.write(new byte[blocks * BLOCK]);
    }
    return path;
  }

  /** A file of so many groups of three data blocks and two parity blocks. */
  Path writeGroups(String folder, int groups) throws IOException {
    String coding = "RS-3-2-1024k";
    files.mkdirs(new Path(folder));
    files.enableErasureCodingPolicy(coding);
    files.setErasureCodingPolicy(new Path(folder), coding);
    Path path = new Path(folder, "file");
    int bytes = 1 << 20;
    try (OutputStream out = files.create(path, true, BLOCK, (short) 1, bytes)) {
      out.write(new byte[3 * groups * bytes]);
    }
    return path;
  }

  void lose(int node) throws IOException {
    var id = cluster.getDataNodes().get(node).getDatanodeId();
    cluster.stopDataNode(node);
    cluster.setDataNodeDead(id);
  }

  /** Waits until each block has so many live replicas; meanwhile the NameNode has to serve. */
  void waitFor(Path file, int replicas) throws IOException, InterruptedException {
    long end = System.nanoTime() + 300_000_000_000L;
    for (int turn = 0; System.nanoTime() < end; turn++) {
      assertFalse("the NameNode has ended", ExitUtil.terminateCalled());
      assertTrue(files.mkdirs(new Path("/serves/" + turn)));
      var blocks = files.getFileBlockLocations(file, 0, Long.MAX_VALUE);
      if (Arrays.stream(blocks).allMatch(block -> hosts(block) == replicas)) {
        return;
      }
      Thread.sleep(200);
    }
    throw new AssertionError(file + " is still short of replicas");
  }

  private static int hosts(BlockLocation block) {
    try {
      return block.getHosts().length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What JMX shows. */
  static Object counter(String name) throws JMException {
    var bean = new ObjectName("Hadoop:service=NameNode,name=TenbinRereplication");
    return ManagementFactory.getPlatformMBeanServer().getAttribute(bean, name);
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
