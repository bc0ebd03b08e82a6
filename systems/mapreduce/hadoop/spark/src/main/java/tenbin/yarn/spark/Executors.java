package tenbin.yarn.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Runs tasks until every executor had some; writes a line for each: container, node. */
public final class Executors {
  private static final int TASKS = 12;

  private Executors() {}

  public static void main(String[] args) throws IOException {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      List<Integer> tasks = IntStream.range(0, TASKS).boxed().toList();
      List<String> places = spark.parallelize(tasks, TASKS).map(task -> place()).collect();
      Files.write(Path.of(args[0]), new TreeSet<>(places));
    }
  }

  private static String place() throws InterruptedException {
    Thread.sleep(300);
    return System.getenv("CONTAINER_ID") + " "
        + System.getenv("NM_HOST") + ":" + System.getenv("NM_PORT");
  }
}
