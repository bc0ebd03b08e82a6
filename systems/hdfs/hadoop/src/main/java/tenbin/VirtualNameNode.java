package tenbin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs the real NameNode on every {@code CASE.SEED.world.tsv} of a folder: {@code VirtualNameNode DIRECTORY}. */
public final class VirtualNameNode {
  private VirtualNameNode() {}

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    List<Path> worlds;
    try (var files = Files.list(directory)) {
      worlds = files.filter(f -> f.toString().endsWith(".world.tsv")).sorted().toList();
    }
    for (Path file : worlds) {
      String name = file.getFileName().toString().replace(".world.tsv", "");
      long seed = Long.parseLong(name.substring(name.lastIndexOf('.') + 1));
      World world = new World(file);
      new VirtualTime(world, false).run(seed, directory.resolve(name + ".hadoop.tsv"));
      new VirtualTime(world, true).run(seed, directory.resolve(name + ".adapted.tsv"));
    }
    System.exit(0); // Hadoop's daemons live on.
  }
}
