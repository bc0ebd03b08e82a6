package tenbin.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** From `/proc/pressure` to a rule's decision. */
public class PressureTest {
  private static final long SECOND = 1_000_000_000L;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private void write(String kind, String text) throws IOException {
    Path file = folder.getRoot().toPath().resolve("pressure").resolve(kind);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String total(long us) {
    return "some avg10=99.00 avg60=0.00 avg300=0.00 total=" + us + "\n"
        + "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
  }

  private Sampler sampler() {
    Sampler sampler = new Sampler(folder.getRoot().toPath(), List.of(), List.of(), false);
    sampler.sample(SECOND, Double.NaN);
    return sampler;
  }

  @Test
  public void aHeartbeatHasThePartOfTheTimeThatTasksWaited() throws IOException {
    write("io", total(1_000_000));
    write("memory", total(0));
    write("cpu", total(5));
    Sampler sampler = sampler();
    write("io", total(1_500_000));
    write("memory", total(250_000));
    write("cpu", total(9_000_005));
    Map<String, Float> carried = sampler.sample(3 * SECOND, Double.NaN);
    assertEquals(
        Map.of("tenbin.io", 0.25f, "tenbin.mem", 0.125f, "tenbin.cpu", 1f), carried);
  }

  /** Kernels before 4.20, and those started with `psi=0`, whose files cannot be read. */
  @Test
  public void withoutPressureThereIsNoFigureAndNothingIsWithheld() throws IOException {
    assertTrue(sampler().sample(2 * SECOND, Double.NaN).isEmpty());
    write("io", "some avg10=0.00\n");
    write("cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=many\n");
    assertTrue(sampler().sample(2 * SECOND, Double.NaN).isEmpty());
    NodeFigures none = new NodeFigures(0, 0, Pressure.UNKNOWN, 0);
    for (tenbin.yarn.Rule rule : rules(0)) {
      assertFalse(rule.withholds(new Heard("n", none), Request.REMOTE_MAP, Double.NaN));
    }
  }

  private static List<tenbin.yarn.Rule> rules(double threshold) {
    return Arrays.asList(PressureRule.io(threshold), PressureRule.memory(threshold),
        PressureRule.cpu(threshold));
  }

  @Test
  public void eachKindWithholdsByItsOwnFigure() {
    NodeFigures[] stalled = {
      new NodeFigures(0, 0, new Pressure(0.5, 0, 0)),
      new NodeFigures(0, 0, new Pressure(0, 0.5, 0)),
      new NodeFigures(0, 0, new Pressure(0, 0, 0.5)),
    };
    for (Request request : Request.values()) {
      for (int kind = 0; kind < 3; kind++) {
        for (int of = 0; of < 3; of++) {
          boolean covered = kind == of && (kind > 0 || request != Request.REDUCE);
          tenbin.yarn.Rule rule = rules(0.4).get(kind);
          assertEquals(rule.name + " " + request, covered,
              rule.withholds(new Heard("n", stalled[of]), request, Double.NaN));
        }
      }
    }
  }
}
