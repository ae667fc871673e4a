package gambit.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What reading and checking an EVENT allocates. */
class EventReadingCostTest {
  private static final int ROUNDS = 20;
  private static final int READS = 1000;

  /** The event's own objects, its tags and the reader's objects, beside the encoding. */
  private static final int MAX_ALLOCATED_BEYOND_JSON = 1950;

  private static final int MAX_ALLOCATED_FOR_THE_ID = 130;

  private static final Event EVENT =
      Keys.of("alice")
          .sign(
              1_700_000_000,
              1,
              new Tags(
                  List.of(
                      List.of("e", "0".repeat(64), "", "reply"),
                      List.of("p", "1".repeat(64)),
                      List.of("t", "chess"))),
              "two\nlines, é and \"quotes\". ".repeat(8));

  private final MessageReader reader = new MessageReader(100, 10, kind -> false);

  @Test
  void readingCopiesTheEventOnlyOnce() {
    byte[] frame = ("[\"EVENT\"," + EVENT + "]").getBytes(StandardCharsets.UTF_8);
    assertThat(allocatedByReading(frame, Event::tags) - EVENT.json().length)
        .isBetween(0L, (long) MAX_ALLOCATED_BEYOND_JSON);
  }

  @Test
  void checkOfTheIdAllocatesLittle() {
    byte[] frame = ("[\"EVENT\"," + EVENT + "]").getBytes(StandardCharsets.UTF_8);
    long withCheck =
        allocatedByReading(
            frame,
            event -> assertValid(EventEncoder.hasValidId(event) && event.tags().size() == 3));
    assertThat(withCheck - allocatedByReading(frame, Event::tags))
        .isLessThanOrEqualTo(MAX_ALLOCATED_FOR_THE_ID);
  }

  private static void assertValid(boolean isValid) {
    if (!isValid) {
      throw new AssertionError("the event is not valid");
    }
  }

  /** The bytes that this thread allocates for each event that it reads and uses. */
  private long allocatedByReading(byte[] frame, Consumer<Event> use) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) { // the first ones load classes
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < READS; i++) {
        ClientMessage message = reader.read(frame, frame.length);
        use.accept(((ClientMessage.Publish) message).event());
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least / READS;
  }
}
