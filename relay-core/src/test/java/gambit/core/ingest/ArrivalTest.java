package gambit.core.ingest;

import static gambit.core.testkit.RawSocket.FINAL;
import static gambit.core.testkit.RawSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
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
import org.junit.jupiter.api.Test;

/** An event has arrived when it was read, however long the relay takes to look at it. */
class ArrivalTest {
  private static final Signer ALICE = Keys.of("alice");

  @Test
  void whatWaitsBehindSignaturesThatTakeLongHasArrivedBeforeThem() throws IOException {
    List<Runnable> whileChecking = Collections.synchronizedList(new ArrayList<>());
    List<Instant> arrivals = Collections.synchronizedList(new ArrayList<>());
    EventVerifier slow =
        new EventVerifier() {
          @Override
          public boolean hasRightSignature(Event event) {
            whileChecking.forEach(Runnable::run);
            return super.hasRightSignature(event);
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
            RawSocket.encoded(FINAL | TEXT, text.getBytes(StandardCharsets.US_ASCII)));
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
}
