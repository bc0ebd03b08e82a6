package tenbin.yarn;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes of map output that a node's reducers fetch now, from what they log. YARN knows nothing of
 * it, and MapReduce's shuffle says it nowhere else.
 */
final class ShuffleLogs {
  /** Of each look no more is read of a log: a reducer logs 300 bytes a fetch. */
  private static final int MOST = 1 << 20;
  private static final Pattern STARTS = Pattern.compile(
      "fetcher#(\\d+) about to shuffle output of map (\\S+) decomp: \\d+ len: (\\d+)");
  private static final Pattern ENDS = Pattern.compile("bytes from map-output for (\\S+)");
  private static final Pattern FREED = Pattern.compile("freed by fetcher#(\\d+)");

  private final Map<Path, Tail> tails = new HashMap<>();

  /** What the reducers fetch whose logs these are, as far as these are written. */
  double fetching(Collection<Path> logs) {
    tails.keySet().retainAll(logs);
    double fetching = 0;
    for (Path log : logs) {
      fetching += tails.computeIfAbsent(log, Tail::new).read();
    }
    return fetching;
  }

  /** One reducer's log, as far as it was read. */
  private static final class Tail {
    private final Path log;
    private final Map<String, Fetch> under = new HashMap<>();
    private long at;

    Tail(Path log) {
      this.log = log;
    }

    double read() {
      try {
        if (Files.isRegularFile(log) && Files.size(log) > at) {
          advance();
        }
      } catch (IOException e) {
        // Its container has ended and its log is gone.
        under.clear();
      }
      return under.values().stream().mapToDouble(fetch -> fetch.bytes).sum();
    }

    /** Reads whole lines that were added; the last may be half written. */
    private void advance() throws IOException {
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
        if (file.length() - at > MOST) {
          at = file.length() - MOST;
          under.clear();
        }
        file.seek(at);
        byte[] bytes = new byte[(int) (file.length() - at)];
        file.readFully(bytes);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.lastIndexOf('\n') + 1;
        at += end;
        for (String line : text.substring(0, end).split("\n")) {
          follow(line);
        }
      }
    }

    private void follow(String line) {
      Matcher starts = STARTS.matcher(line);
      if (starts.find()) {
        under.put(starts.group(1), new Fetch(starts.group(2), Long.parseLong(starts.group(3))));
        return;
      }
      Matcher freed = FREED.matcher(line);
      if (freed.find()) {
        under.remove(freed.group(1));
        return;
      }
      Matcher ends = ENDS.matcher(line);
      if (ends.find()) {
        under.values().removeIf(fetch -> fetch.map.equals(ends.group(1)));
      }
    }
  }

  /** A map's output on its way. */
  private static final class Fetch {
    final String map;
    final long bytes;

    Fetch(String map, long bytes) {
      this.map = map;
      this.bytes = bytes;
    }
  }
}
