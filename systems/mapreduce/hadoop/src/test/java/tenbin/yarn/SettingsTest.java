package tenbin.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class SettingsTest {
  private static Configuration conf(String... pairs) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < pairs.length; i += 2) {
      conf.set(pairs[i], pairs[i + 1]);
    }
    return conf;
  }

  @Test
  public void withoutThresholdsNoRuleIsOn() {
    Settings settings = Settings.of(conf());
    assertTrue(settings.rules.isEmpty());
    assertEquals(40, settings.limitSeconds, 0);
    assertEquals("no rule is on", settings.toString());
  }

  @Test
  public void eachThresholdSwitchesItsRuleOn() {
    Settings settings = Settings.of(conf(Settings.DISK_RATE, " 40 % ", Settings.RECEIVE_RATE,
        "300Mbit/s", Settings.RECEPTION, "150MB", Settings.LIMIT, "2min"));
    assertEquals(Map.of("receive-rate", 37.5e6, "potential-reception", 150e6, "disk-rate", 0.4),
        settings.thresholds());
    assertEquals("receive-rate", settings.rules.get(0).name);
    assertEquals(120, settings.limitSeconds, 0);
    assertTrue(settings.problems.isEmpty());
  }

  @Test
  public void diskRateIsOfAllDisksOrOfEach() {
    assertEquals(Map.of("per-disk", 0.7),
        Settings.of(conf(Settings.DISK_RATE, "per-disk")).thresholds());
    Configuration own = conf(Settings.DISK_RATE, "per-disk 55%");
    assertEquals(0.55, Settings.of(own).thresholds().get("per-disk"), 1e-12);
    assertTrue(Settings.wantsEachDisk(own));
    assertFalse(Settings.wantsEachDisk(conf(Settings.DISK_RATE, "55%")));
  }

  /** Of disk rate alone. */
  @Test
  public void aThresholdMayBeEstimated() {
    Settings auto = Settings.of(conf(Settings.DISK_RATE, "auto"));
    assertEquals(Map.of("disk-rate-auto", 0.5), auto.thresholds());
    assertFalse(Settings.wantsEachDisk(conf(Settings.DISK_RATE, "auto")));
    assertEquals(3, Settings.of(conf(Settings.RECEIVE_RATE, "auto", Settings.RECEPTION, "auto",
        Settings.DISK_RATE, "per-disk auto")).problems.size());
  }

  @Test
  public void eachKindOfPressureHasItsThreshold() {
    Settings settings = Settings.of(conf(Settings.PRESSURE_IO, "20 %", Settings.PRESSURE_MEMORY,
        "0.05", Settings.PRESSURE_CPU, "most"));
    assertEquals(Map.of("pressure-io", 0.2, "pressure-memory", 0.05), settings.thresholds());
    assertEquals(1, settings.problems.size());
  }

  @Test
  public void aPredictedLoadHasAThresholdAndAShare() {
    Settings settings = Settings.of(conf(Settings.PREDICTED_LOAD, "40 %"));
    assertEquals(Map.of("predicted-load", 0.4), settings.thresholds());
    Heard heard = new Heard("n1", new NodeFigures(0, 0, Pressure.UNKNOWN, 0.125, 0.125));
    heard.give();
    assertEquals(0.375, settings.rules.get(0).figure(heard), 0);
    Settings own = Settings.of(
        conf(Settings.PREDICTED_LOAD, "40 %", Settings.PREDICTED_SHARE, "25 %"));
    assertEquals(0.25, own.rules.get(0).figure(heard), 0);
  }

  @Test
  public void typesOfApplicationsAreMapReduceByDefault() {
    assertTrue(Settings.of(conf()).applications.contain("MAPREDUCE"));
    assertFalse(Settings.of(conf()).applications.contain("SPARK"));
    Settings all = Settings.of(conf(Settings.APPLICATIONS, "*", Settings.DISK_RATE, "40 %"));
    assertTrue(all.applications.contain("Apache Flink"));
    assertEquals("withholds above {disk-rate=0.4}, from a job for 40.0 s at most, "
        + "of all applications", all.toString());
    assertEquals(1, Settings.of(conf(Settings.APPLICATIONS, ",")).problems.size());
  }

  /** Each stands in one line, and the others hold. */
  @Test
  public void whatIsNoThresholdIsAsIfItWereNotSet() {
    Settings settings = Settings.of(conf(Settings.DISK_RATE, "fast", Settings.RECEIVE_RATE, "300",
        Settings.RECEPTION, "150MB", Settings.LIMIT, "0s"));
    assertEquals(Map.of("potential-reception", 150e6), settings.thresholds());
    assertEquals(40, settings.limitSeconds, 0);
    assertEquals(3, settings.problems.size());
    assertEquals("tenbin.receive-rate.threshold = 300: expected a rate, as 300Mbit/s or 40MB/s; "
        + "it is as if it were not set", settings.problems.get(0));
  }

  @Test
  public void quantitiesAreThoseOfScenarios() {
    assertEquals(65e6, Units.rate("65MB/s"), 0);
    assertEquals(1.25e9, Units.rate("10Gbit/s"), 0);
    assertEquals(128 << 20, Units.bytes("128MiB"), 0);
    assertEquals(0.5, Units.seconds("500ms"), 0);
    for (String bad : new String[] {"", "-1MB", "MB", "1 parsec", "1e3MB", "NaN", "1.MB", "1mb"}) {
      assertThrows(bad, IllegalArgumentException.class, () -> Units.bytes(bad));
    }
    for (String bad : new String[] {"101 %", "1.1", "-5 %", "40 %%", "auto"}) {
      assertThrows(bad, IllegalArgumentException.class, () -> Units.share(bad));
    }
  }

  @Test
  public void disksThatAreNotThereAreNamed() {
    Set<String> there = new HashSet<>(Arrays.asList("sdb", "sda"));
    assertEquals(
        Collections.singletonList("tenbin: tenbin.disks: no sdz here; there are sda, sdb"),
        TenbinResourceCalculatorPlugin.unknown(
            Settings.DISKS, Arrays.asList("sda", "sdz"), there));
  }
}
