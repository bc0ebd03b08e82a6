package tenbin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

/** What a policy does never reaches who asked. */
public class GuardTest {
  private static final Answer GOOD = Answer.copy(0, 1);
  private final Counters counters = new Counters();

  private static Configuration conf(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    conf.set(Settings.POLICY, "ring");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  private Guard guard(String limit, String pause) {
    return new Guard(new Settings(conf(Settings.TIME_LIMIT, limit, Settings.PAUSE, pause)),
        counters);
  }

  @Test
  public void whatThrowsIsPausedAndTriedAgain() throws Exception {
    Guard guard = guard("1s", "200ms");
    assertEquals(GOOD, guard.ask(() -> GOOD));
    assertNull(guard.ask(() -> {
      throw new StackOverflowError();
    }));
    assertEquals("PAUSED", counters.getState());
    assertTrue(counters.getReason(), counters.getReason().contains("StackOverflowError"));
    assertNull("nobody is asked now", guard.ask(() -> GOOD));
    Thread.sleep(250);
    assertEquals(GOOD, guard.ask(() -> GOOD));
    guard.succeeded();
    assertEquals("ON", counters.getState());
    assertEquals(1, counters.getThrew());
    assertEquals(2, counters.getStockAfterFailure());
  }

  @Test(timeout = 20_000)
  public void whatHangsIsLeftBehind() throws Exception {
    Guard guard = guard("500ms", "50ms");
    CountDownLatch end = new CountDownLatch(1);
    assertNull(guard.ask(() -> {
      // Deaf to interrupts.
      while (end.getCount() > 0) {
        Thread.onSpinWait();
      }
      return GOOD;
    }));
    Thread.sleep(100);
    long start = System.nanoTime();
    assertNull("still away", guard.ask(() -> GOOD));
    assertTrue("not waited for again", System.nanoTime() - start < 400_000_000);
    assertEquals(1, counters.getSlow());
    end.countDown();
    Answer answer = null;
    while (answer == null) {
      Thread.sleep(10);
      answer = guard.ask(() -> GOOD);
    }
    assertEquals(GOOD, answer);
  }

  @Test
  public void allBlocksOfARoundHaveALimitTogether() {
    Guard guard = guard("100ms", "60s");
    for (int round = 0; round < 2; round++) {
      int answered = 0;
      while (counters.getState().equals("ON") && answered < 8 + 20 * round) {
        assertTrue(guard.ask(() -> {
          Thread.sleep(60);
          return GOOD;
        }) != null || counters.getSlow() == 1);
        answered++;
      }
      assertEquals(round == 0 ? "ON" : "PAUSED", counters.getState());
      guard.beginRound();
    }
  }

  @Test
  public void nothingIsNoAnswer() {
    assertNull(guard("1s", "60s").ask(() -> null));
    assertEquals(1, counters.getAnsweredBadly());
    assertEquals("PAUSED", counters.getState());
  }

  @Test
  public void aBlockWaitsOnlySoOften() {
    Patience patience = new Patience(2);
    assertTrue(patience.mayWait(7) && patience.mayWait(7));
    assertFalse(patience.mayWait(7));
    assertTrue("and starts over", patience.mayWait(7));
    patience.settled(7);
    assertTrue(patience.mayWait(7) && patience.mayWait(7) && !patience.mayWait(7));
  }

  @Test(timeout = 20_000)
  public void aPolicyThatCannotBeMadeIsNamed() {
    for (Class<?> bad : new Class<?>[] {Hostile.NeverMade.class, Hostile.ThrowsWhenMade.class}) {
      Configuration conf = conf(Settings.POLICY, bad.getName(), Settings.TIME_LIMIT, "20ms");
      BadSetting e = assertThrows(BadSetting.class, () -> new Settings(conf));
      assertTrue(e.getMessage(), e.getMessage().contains(bad == Hostile.NeverMade.class
          ? "it is not made within 200 ms" : "its constructor threw java.lang.Error: on purpose"));
    }
  }

  @Test
  public void badSettingsAreNamed() {
    for (String[] bad : new String[][] {
        {Settings.POLICY, "rnig", "known are ring, multi-rack-ring, joint"},
        {Settings.POLICY, "no.such.Policy", "ClassNotFoundException"},
        {Settings.POLICY, "java.lang.String", "ClassCastException"},
        {Settings.POLICY, "", "no policy is asked for"},
        {Settings.TIME_LIMIT, "soon", "is no number"},
        {Settings.TIME_LIMIT, "0", "must be above 0"},
        {Settings.PAUSE, "-1s", "must be above 0"},
        {Settings.REFUSALS, "many", "is no number"},
        {Settings.SOURCES, "picked", "known are chosen, drawn"},
        {Settings.RACK_STREAMS, "-1", "must be above 0"}}) {
      Configuration conf = conf(bad[0], bad[1]);
      BadSetting e = assertThrows(BadSetting.class, () -> new Settings(conf));
      assertTrue(e.getMessage(), e.getMessage().startsWith(bad[0] + " = "));
      assertTrue(e.getMessage(), e.getMessage().contains(bad[2]));
    }
    assertNotNull(new Settings(conf()).policy);
    assertTrue(new Settings(conf()).choosesSources);
    assertFalse(new Settings(conf(Settings.POLICY, Hostile.class.getName())).choosesSources);
    for (Configuration conf : new Configuration[] {
        conf(Settings.POLICY, Hostile.class.getName(), Settings.SOURCES, "chosen"),
        conf(Settings.SOURCES, "drawn", Settings.RACK_STREAMS, "4")}) {
      assertThrows(BadSetting.class, () -> new Settings(conf));
    }
  }
}
