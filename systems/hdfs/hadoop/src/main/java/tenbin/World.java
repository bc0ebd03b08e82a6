package tenbin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A cluster, its blocks and settings, as {@code namenode_timeline} writes them. */
public final class World {
  /** A block and the nodes that hold it, in storage order. */
  public record Block(long id, long bytes, List<Integer> nodes) {}

  public final List<String> racks = new ArrayList<>();
  public final List<Block> blocks = new ArrayList<>();
  private final Map<String, Integer> settings = new HashMap<>();

  public World(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      String[] f = line.split("\t");
      switch (f[0]) {
        case "node" -> racks.add(f[2]);
        case "block" -> blocks.add(new Block(Long.parseLong(f[1]), Long.parseLong(f[2]),
            Arrays.stream(f[4].split(" ")).map(Integer::valueOf).toList()));
        default -> settings.put(f[0], Integer.valueOf(f[1]));
      }
    }
  }

  /** Whether a node is lost, or leaves: the first ones are. */
  public boolean isGone(int node) {
    return node < setting("lost");
  }

  public int setting(String name) {
    Integer value = settings.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the world has no setting " + name);
    }
    return value;
  }
}
