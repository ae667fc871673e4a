package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gambit.core.model.Event;
import gambit.core.model.PackedEvent;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.wire.RelayMessage.Ok;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an event that a follower forwards costs between the nodes, beside the event. */
class ForwardedEventCostTest {
  private static final int ROUNDS = 20;
  private static final int RUNS = 1000;
  private static final long NODE = Long.MAX_VALUE / 3;

  /** Of the numbers of the node, the session, the message, the request and the connection. */
  private static final int MAX_BYTES_BESIDE = 40;

  /** Of the leader: the fields of the message, the event's, and the event's encoding. */
  private static final int MAX_ALLOCATED_BY_READING = 2_100;

  /** Of the leader: both effects have the event by its place. */
  private static final int MAX_BYTES_OF_EFFECTS = 100;

  private static final int MAX_ALLOCATED_BY_EFFECTS = 480;

  private static final Event EVENT =
      Keys.of("alice")
          .sign(
              1_700_000_000,
              1,
              new Tags(List.of(List.of("e", "0".repeat(64)), List.of("p", "1".repeat(64)))),
              "x".repeat(200));

  private final byte[] message =
      BusMessage.encode(
          NODE,
          new BusMessage.LinkMessage(
              System.currentTimeMillis(),
              1_000_000,
              new LinkPayload.Submit(1_000_000, 10_000, 3, false, false, EVENT)));
  private final EffectCodec effects = new EffectCodec();

  @Test
  void itsMessageIsHardlyLargerThanTheEventAndReadWithoutCopies() {
    assertThat(message.length - PackedEvent.sizeInBytes(EVENT)).isBetween(1, MAX_BYTES_BESIDE);
    assertThat(allocatedBy(() -> BusMessage.decode(message)))
        .isLessThanOrEqualTo(MAX_ALLOCATED_BY_READING);
  }

  @Test
  void itsDeliveryAndItsAnswerDoNotRepeatIt() {
    Effect broadcast = new Effect.Broadcast(EVENT, List.of());
    Effect answer = new Effect.Answer(new Effect.Client(NODE, 10_000), Ok.accepted(EVENT, ""));
    long allocated =
        allocatedBy(
            () -> {
              effects.begin(List.of(EVENT));
              effects.write(broadcast);
              effects.write(answer);
            });
    assertThat(effects.size()).isLessThanOrEqualTo(MAX_BYTES_OF_EFFECTS);
    assertThat(allocated).isLessThanOrEqualTo(MAX_ALLOCATED_BY_EFFECTS);
  }

  /** The bytes that this thread allocates for each run. */
  private static long allocatedBy(Runnable task) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) { // the first ones load classes
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < RUNS; i++) {
        task.run();
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least / RUNS;
  }
}
