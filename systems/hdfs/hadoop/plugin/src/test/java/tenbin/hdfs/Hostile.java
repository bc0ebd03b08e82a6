package tenbin.hdfs;

/** A policy that does what no policy should. */
public class Hostile implements Rereplication {
  /** What it does now. */
  enum Way { THROWS, ANSWERS_NULL, ANSWERS_NONSENSE, REFUSES_FOR_EVER, SLEEPS }

  static volatile Way way;

  @Override
  public String name() {
    return "hostile";
  }

  @Override
  public Answer repair(LostBlock lost, View view, Memory memory, Dice dice) {
    switch (way) {
      case THROWS:
        throw new StackOverflowError("on purpose");
      case ANSWERS_NULL:
        return null;
      case ANSWERS_NONSENSE:
        return Answer.copy(-1, view.size() + 7);
      case REFUSES_FOR_EVER:
        return Answer.TARGETS_LOADED;
      default:
        return sleep();
    }
  }

  /** A minute, whoever interrupts. */
  private static Answer sleep() {
    long end = System.nanoTime() + 60_000_000_000L;
    while (System.nanoTime() < end) {
      try {
        Thread.sleep(1000);
      } catch (InterruptedException e) {
        continue;
      }
    }
    return Answer.NO_TARGET;
  }

  /** Its constructor does not end. */
  public static final class NeverMade extends Hostile {
    public NeverMade() {
      sleep();
    }
  }

  /** Its constructor throws. */
  public static final class ThrowsWhenMade extends Hostile {
    public ThrowsWhenMade() {
      throw new Error("on purpose");
    }
  }
}
