package gambit.core.feature;

import static gambit.core.testkit.RawSocket.FINAL;
import static gambit.core.testkit.RawSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An event has the time at which it was read, however long its check takes. */
class ArrivalTimeTest {
  private static final Signer ALICE = Keys.of("alice");

  @Test
  void eventsQueuedBehindSlowSignatureChecksHaveTheTimeAtWhichTheyWereRead() throws IOException {
    List<Runnable> whileChecking = Collections.synchronizedList(new ArrayList<>());
    List<Instant> arrivals = Collections.synchronizedList(new ArrayList<>());
    EventVerifier slow =
        new EventVerifier() {
          @Override
          public boolean hasValidSignature(Event event) {
            whileChecking.forEach(Runnable::run);
            return super.hasValidSignature(event);
          }
        };
    try (TestRelay relay =
            new TestRelay(
                slow,
                builder ->
                    builder.gate(
                        submission -> {
                          arrivals.add(submission.arrivedAt());
                          return Optional.empty();
                        }));
        RawSocket raw = RawSocket.upgraded(relay.uri())) {
      Instant start = relay.time().instant();
      whileChecking.add(() -> relay.time().advance(Duration.ofMinutes(1)));
      ByteArrayOutputStream frames = new ByteArrayOutputStream();
      for (int i = 0; i < 3; i++) {
        Event event = ALICE.sign(relay.now(), 20_001, Tags.NONE, "event " + i);
        String text = "[\"EVENT\"," + event + "]";
        frames.writeBytes(
            RawSocket.maskedFrame(FINAL | TEXT, text.getBytes(StandardCharsets.US_ASCII)));
      }
      assertThat(frames.size()).as("that is read at once").isLessThan(4 * 1024);
      raw.write(frames.toByteArray());
      for (int i = 0; i < 3; i++) {
        assertThat(raw.read().text()).endsWith(",true,\"\"]");
      }
      assertThat(relay.time().instant()).isEqualTo(start.plusSeconds(180));
      assertThat(arrivals).containsExactly(start, start, start);
    }
  }

  @Test
  void fenceRunsAfterAllEventsReadBeforeItHoweverLongTheirChecksTake() throws Exception {
    CountDownLatch checking = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    Fences fences = new Fences(order);
    assertThat(fences.atInstallation).isFalse();
    try (TestRelay relay = new TestRelay(stalled(checking, goOn), fences);
        Client client = relay.connect()) {
      assertThat(fences.atInstallation).as("run at once").isTrue();
      client.publish(ALICE.sign(relay.now(), 20_001, Tags.NONE, "move"));
      checking.await();
      CountDownLatch passed = new CountDownLatch(1);
      fences.set(
          () -> {
            order.add("fence");
            passed.countDown();
          });
      assertThat(passed.getCount()).as("while it is checked").isEqualTo(1);
      goOn.countDown();
      assertThat(passed.await(2, TimeUnit.MINUTES)).isTrue();
      assertThat(order).containsExactly("move", "fence");
    }
  }

  private static EventVerifier stalled(CountDownLatch checking, CountDownLatch goOn) {
    return new EventVerifier() {
      @Override
      public boolean hasValidSignature(Event event) {
        checking.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        return super.hasValidSignature(event);
      }
    };
  }

  /** Sets fences, and records the events that are handled. */
  private static final class Fences implements Feature, EventHandler {
    private final List<String> order;
    private Consumer<Runnable> fence = then -> {};
    private boolean atInstallation;

    Fences(List<String> order) {
      this.order = order;
    }

    @Override
    public void install(RelayBuilder relay) {
      fence = relay::afterArrivals;
      relay.afterArrivals(() -> atInstallation = true);
      relay.handleEvents(this);
    }

    void set(Runnable then) {
      fence.accept(then);
    }

    @Override
    public Optional<ClaimedEvent> claim(Event event) {
      return Optional.of(this::handle);
    }

    private void handle(Submission submission) {
      order.add(submission.event().content());
      submission.pass();
    }
  }
}
