package tenbin.yarn;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** An application of Spark, in a JVM with Spark's own classpath; `spark/` has its code. */
final class SparkApplication {
  private static final Path BUILT = Path.of("spark/target").toAbsolutePath();
  /** What Spark's own start script opens for Java 17. */
  private static final List<String> OPENED = List.of("java.lang", "java.lang.invoke",
      "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util", "java.util.concurrent",
      "java.util.concurrent.atomic", "sun.nio.ch", "sun.nio.cs", "sun.security.action",
      "sun.util.calendar");

  private final Path folder;
  private final Map<String, String> settings = new TreeMap<>();

  /** Files are below the folder. */
  SparkApplication(Path folder, Configuration cluster, int executors) throws IOException {
    this.folder = Files.createDirectories(folder);
    try (OutputStream site = Files.newOutputStream(folder.resolve("yarn-site.xml"))) {
      cluster.writeXml(site);
    }
    settings.put("spark.master", "yarn");
    settings.put("spark.submit.deployMode", "client");
    settings.put("spark.app.name", "executors");
    settings.put("spark.executor.instances", "" + executors);
    settings.put("spark.executor.memory", "512m");
    settings.put("spark.yarn.am.memory", "512m");
    // All executors are there before the first task.
    settings.put("spark.scheduler.minRegisteredResourcesRatio", "1");
    settings.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "200s");
    settings.put("spark.ui.enabled", "false");
    settings.put("spark.driver.host", "localhost");
    settings.put("spark.yarn.stagingDir", folder.resolve("staging").toUri().toString());
  }

  /** Executors that ran tasks, by node; the application succeeds. */
  Map<String, Long> executorsByNode() throws Exception {
    Path places = folder.resolve("places");
    Path log = folder.resolve("log");
    ProcessBuilder driver = new ProcessBuilder(command(places));
    driver.environment().put("HADOOP_CONF_DIR", folder.toString());
    driver.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process run = driver.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      boolean ended = run.waitFor(300, TimeUnit.SECONDS);
      assertEquals(Files.readString(log), 0, ended ? run.exitValue() : -1);
    } finally {
      run.destroyForcibly();
    }
    return Files.readAllLines(places).stream().map(line -> line.split(" ")[1])
        .collect(Collectors.groupingBy(node -> node, TreeMap::new, Collectors.counting()));
  }

  private List<String> command(Path places) throws IOException {
    String jar = BUILT.resolve("tenbin-yarn-spark.jar").toString();
    String classpath = jar + ":" + Files.readString(BUILT.resolve("classpath.txt")).trim();
    settings.put("spark.yarn.jars",
        "local:" + String.join(",local:", classpath.split(":")));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.add("-Xmx512m");
    OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(
        List.of("-cp", folder + ":" + classpath, "tenbin.yarn.spark.Executors", places.toString()));
    return command;
  }
}
