package tenbin.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.SleepJob;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.junit.Test;

/** MapReduce jobs. */
public abstract class RealJobs extends HotCluster {
  /** Maps that the hot node ran; the job succeeds. */
  private int mapsOnHotNode(int maps, int reduces, int sleepMs) throws Exception {
    SleepJob sleep = new SleepJob();
    sleep.setConf(new Configuration(cluster.getConfig()));
    Job job = sleep.createJob(maps, reduces, sleepMs, 1, 0, 1);
    assertTrue(job.waitForCompletion(false));
    int found = 0;
    int known = 0;
    for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, 1000)) {
      String from = event.getTaskTrackerHttp();
      found += event.isMapTask() && from.endsWith(":" + shufflePort(HOT)) ? 1 : 0;
      known += event.isMapTask() && from.endsWith(":" + shufflePort(1)) ? 1 : 0;
    }
    assertEquals("maps on one node or the other", maps, found + known);
    return found;
  }

  /** Where reducers fetch outputs of maps that ran on a node. */
  private int shufflePort(int node) throws IOException {
    ContainerManagerImpl containers =
        (ContainerManagerImpl) cluster.getNodeManager(node).getNMContext().getContainerManager();
    ByteBuffer port =
        containers.getAuxServiceMetaData().get(ShuffleHandler.MAPREDUCE_SHUFFLE_SERVICEID);
    return ShuffleHandler.deserializeMetaData(port.duplicate());
  }

  /** One cluster for all of it: to stop one takes as long as a job. */
  @Test
  public void rulesHoldAndStallNothing() throws Exception {
    aHotNodeGetsNoMapsUntilItsRuleIsSwitchedOff();
    reducesThatFillTheColdNodeDoNotStallAJob();
  }

  private void aHotNodeGetsNoMapsUntilItsRuleIsSwitchedOff() throws Exception {
    reread(Settings.DISK_RATE, "40 %");
    assertEquals(0, mapsOnHotNode(5, 1, 4000));
    assertEquals(Map.of("potential-reception", 1e9, "disk-rate", 0.4), rules().getThresholds());
    long withheld = rules().getWithheld().getOrDefault("disk-rate " + hot(), 0L);
    assertTrue(rules().getWithheld().toString(), withheld > 0);
    // Of two nodes one is busy all of the time: the mean is a half.
    reread(Settings.DISK_RATE, "auto");
    assertEquals(0, mapsOnHotNode(5, 0, 4000));
    assertTrue(rules().getWithheld().toString(),
        rules().getWithheld().getOrDefault("disk-rate-auto " + hot(), 0L) > 0);
    reread();
    // The cold node has room for four at a time.
    assertTrue(mapsOnHotNode(5, 0, 5000) > 0);
    assertEquals(withheld, (long) rules().getWithheld().get("disk-rate " + hot()));
  }

  /**
   * Reduces fill the cold node while maps are left, and nothing but maps of blocks of its own may
   * go to the hot one. MapReduce sees room there, so it preempts reduces after 300 s alone.
   */
  private void reducesThatFillTheColdNodeDoNotStallAJob() throws Exception {
    reread(Settings.DISK_RATE, "40 %", Settings.RECEIVE_RATE, "80MB/s", Settings.LIMIT, "3s");
    long start = System.nanoTime();
    assertTrue("no rule was lifted", mapsOnHotNode(12, 4, 1000) > 0);
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<String, Long> lifted = rules().getLifted();
    assertTrue(lifted.toString(), lifted.getOrDefault("receive-rate " + hot(), 0L) > 0);
    assertTrue(seconds + " s", seconds < 200);
  }
}
