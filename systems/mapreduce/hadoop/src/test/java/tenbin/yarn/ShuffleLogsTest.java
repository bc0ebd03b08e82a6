package tenbin.yarn;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ShuffleLogsTest {
  private static final String HEAD = "2026-11-26 17:00:00,123 INFO [fetcher#1] "
      + "org.apache.hadoop.mapreduce.task.reduce.";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Path log;

  @Before
  public void makeLog() throws IOException {
    log = folder.newFile("syslog.shuffle").toPath();
  }

  private void says(String text) throws IOException {
    Files.writeString(log, text, StandardOpenOption.APPEND);
  }

  private static String starts(int fetcher, int map, long bytes) {
    return HEAD + "Fetcher: fetcher#" + fetcher + " about to shuffle output of map " + map(map)
        + " decomp: " + 2 * bytes + " len: " + bytes + " to MEMORY\n";
  }

  private static String ends(int map, long bytes) {
    return HEAD + "InMemoryMapOutput: Read " + 2 * bytes + " bytes from map-output for "
        + map(map) + "\n";
  }

  private static String map(int number) {
    return "attempt_1795197685182_0001_m_00000" + number + "_0";
  }

  @Test
  public void whatHasStartedAndNotEndedIsOnItsWay() throws IOException {
    ShuffleLogs logs = new ShuffleLogs();
    assertEquals(0, logs.fetching(List.of(log)), 0);
    says(starts(1, 1, 700) + starts(2, 2, 50));
    assertEquals(750, logs.fetching(List.of(log)), 0);
    says(ends(1, 700) + starts(1, 3, 4));
    assertEquals(54, logs.fetching(List.of(log)), 0);
    // One that failed: its host is freed.
    says(HEAD + "ShuffleSchedulerImpl: n2:13562 freed by fetcher#2 in 9ms\n");
    assertEquals(4, logs.fetching(List.of(log)), 0);
  }

  @Test
  public void aLineThatIsHalfWrittenIsReadWhenItIsWhole() throws IOException {
    ShuffleLogs logs = new ShuffleLogs();
    String line = starts(1, 1, 700);
    says(line.substring(0, line.length() - 20));
    assertEquals(0, logs.fetching(List.of(log)), 0);
    says(line.substring(line.length() - 20));
    assertEquals(700, logs.fetching(List.of(log)), 0);
  }

  @Test
  public void aReducerThatHasEndedFetchesNothing() throws IOException {
    ShuffleLogs logs = new ShuffleLogs();
    says(starts(1, 1, 700));
    assertEquals(700, logs.fetching(List.of(log)), 0);
    assertEquals(0, logs.fetching(List.of()), 0);
    Files.delete(log);
    assertEquals(0, logs.fetching(List.of(log)), 0);
  }

  @Test
  public void ofALongLogTheEndIsRead() throws IOException {
    says((HEAD + "x".repeat(1000) + "\n").repeat(2000));
    says(starts(1, 1, 700));
    assertEquals(700, new ShuffleLogs().fetching(List.of(log)), 0);
  }
}
