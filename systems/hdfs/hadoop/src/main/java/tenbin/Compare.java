package tenbin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A Markdown table of what the copies of both sides have in common and what not: 
 * {@code Compare CASES DIRECTORY SIDE SIDE}, as in {@code Compare cases.tsv target/compare hadoop tenbin}.
 * Means over the seeds with their 95 % intervals; a star stands where the difference is above 2.8 standard errors
 * (chance alone does that in one of 200 comparisons).
 */
public final class Compare {
  private static final double CLEAR = 2.8;

  private Compare() {}

  /** Measures of one run, by name. */
  private static Map<String, Double> measure(World world, Path file) throws IOException {
    double end = 0;
    double first = Double.MAX_VALUE;
    double waited = 0;
    List<String[]> copies = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] f = line.split("\t");
      copies.add(f);
      end = Math.max(end, Double.parseDouble(f[3]));
      first = Math.min(first, Double.parseDouble(f[1]));
      waited += Double.parseDouble(f[2]) - Double.parseDouble(f[1]);
    }
    int nodes = world.racks.size();
    double[] rounds = new double[100_000];
    double[] sent = new double[nodes];
    double[] received = new double[nodes];
    int last = 0;
    double mates = 0;
    for (String[] f : copies) {
      int round = (int) Math.round((Double.parseDouble(f[1]) - first) / 3000);
      rounds[round]++;
      last = Math.max(last, round);
      sent[Integer.parseInt(f[4])]++;
      int target = Integer.parseInt(f[5]);
      received[target]++;
      mates += world.racks.get(target).equals(world.racks.get(0)) ? 1 : 0;
    }
    double mean = copies.size() / (nodes - (double) world.setting("lost"));
    Map<String, Double> found = new LinkedHashMap<>();
    found.put("recovery, s", end / 1000);
    found.put("… from round 1, s", (end - first) / 1000);
    found.put("rounds", last + 1.0);
    found.put("in round 1", rounds[0]);
    found.put("in rounds 2–4", (rounds[1] + rounds[2] + rounds[3]) / 3);
    found.put("handout wait, s", waited / copies.size() / 1000);
    found.put("sent max/mean", max(sent) / mean);
    found.put("received max/mean", max(received) / mean);
    found.put("to rack mates, %", 100 * mates / copies.size());
    found.put("copies", (double) copies.size());
    return found;
  }

  private static double max(double[] values) {
    double most = 0;
    for (double value : values) {
      most = Math.max(most, value);
    }
    return most;
  }

  /** Mean and its standard error. */
  private record Mean(double value, double error) {
    static Mean of(List<Double> values) {
      double mean = values.stream().mapToDouble(v -> v).average().orElseThrow();
      double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
      int n = values.size();
      return new Mean(mean, Math.sqrt(squares / Math.max(1, n - 1) / n));
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.2f ± %.2f", value, 2.02 * error);
    }

    boolean differs(Mean other) {
      double error2 = error * error + other.error * other.error;
      return Math.abs(value - other.value) > CLEAR * Math.sqrt(error2) + 1e-9;
    }
  }

  private static Map<String, Mean> means(Path directory, String name, String side, int seeds)
      throws IOException {
    Map<String, List<Double>> all = new LinkedHashMap<>();
    for (int seed = 1; seed <= seeds; seed++) {
      World world = new World(directory.resolve(name + "." + seed + ".world.tsv"));
      Path file = directory.resolve(name + "." + seed + "." + side + ".tsv");
      measure(world, file).forEach((k, v) -> all.computeIfAbsent(k, x -> new ArrayList<>()).add(v));
    }
    Map<String, Mean> found = new LinkedHashMap<>();
    all.forEach((k, v) -> found.put(k, Mean.of(v)));
    return found;
  }

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[1]);
    int seeds = 0;
    System.out.printf("| case | measure | %s | %s | |%n|---|---|---|---|---|%n", args[2], args[3]);
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      if (line.startsWith("#") || line.startsWith("name\t")) {
        continue;
      }
      String name = line.split("\t")[0];
      while (Files.exists(directory.resolve(name + "." + (seeds + 1) + ".world.tsv"))) {
        seeds++;
      }
      Map<String, Mean> real = means(directory, name, args[2], seeds);
      Map<String, Mean> model = means(directory, name, args[3], seeds);
      real.forEach((measure, mean) -> System.out.printf("| %s | %s | %s | %s | %s |%n", name, measure,
          mean, model.get(measure), mean.differs(model.get(measure)) ? "\\*" : ""));
    }
    System.out.println("\n" + seeds + " seeds.");
  }
}
