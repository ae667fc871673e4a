package gambit.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Floods of worthless events that are expensive for the relay. */
@ThoroughOnly
class HostileEventsIT {
  private static final String BUSY = "OK false rate-limited: the relay is busy, try again";

  private static final Signer MALLORY = Keys.of("mallory");
  private static final int CONNECTIONS = 5;

  @TempDir static Path data;
  private static AttackedRelay relay;
  private static final Random random = new Random(6);
  private static int signed;

  @BeforeAll
  static void start() throws Exception {
    relay = AttackedRelay.start(data);
  }

  @AfterAll
  static void end() throws IOException {
    relay.close();
  }

  @Test
  void everyInvalidSignatureIsVerifiedAndRefused() throws Exception {
    int each = TestEffort.of(150, 3_000);
    FrameBatch burst = new FrameBatch();
    Event event = event(Tags.NONE, "x");
    for (int i = 0; i < each; i++) {
      burst.text("[\"EVENT\"," + badlySigned(event) + "]");
    }
    relay.survives(
        () ->
            assertEachIsAnswered(
                burst, Map.of("OK false invalid: the signature does not verify", each)),
        AttackMetrics.events("invalid"));
  }

  @Test
  void wrongIdsAreRefusedWithoutVerifyingTheSignature() throws Exception {
    int each = TestEffort.of(400, 10_000);
    FrameBatch burst = new FrameBatch();
    String event = event(Tags.NONE, "right").toString().replace("right", "wrong");
    for (int i = 0; i < each; i++) {
      burst.text("[\"EVENT\"," + event + "]");
    }
    relay.survives(
        () ->
            assertEachIsAnswered(
                burst, Map.of("OK false invalid: the id is not the hash of the event", each)),
        AttackMetrics.events("invalid"));
  }

  @Test
  void aStoredEventSentRepeatedlyIsADuplicateEachTime() throws Exception {
    int each = TestEffort.of(400, 10_000);
    Event event = event(Tags.NONE, "known");
    try (Client client = new Client(relay.url())) {
      client.publishAccepted(event);
    }
    FrameBatch burst = new FrameBatch();
    for (int i = 0; i < each; i++) {
      burst.text("[\"EVENT\"," + event + "]");
    }
    relay.survives(
        () ->
            assertEachIsAnswered(burst, Map.of("OK true duplicate: already have this event", each)),
        AttackMetrics.events("duplicate"));
  }

  @Test
  void loginsAreLimitedInKeysAndInvalidOnesAreRefused() throws Exception {
    int bad = TestEffort.of(100, 2_000);
    List<Signer> keys = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      keys.add(Keys.of("key " + i));
    }
    relay.survives(
        () ->
            assertEachIsAnswered(
                challenge -> {
                  FrameBatch burst = new FrameBatch();
                  for (int i = 0; i < bad; i++) {
                    burst.text("[\"AUTH\"," + badlySigned(login(MALLORY, challenge)) + "]");
                  }
                  for (Signer key : keys) {
                    burst.text("[\"AUTH\"," + login(key, challenge) + "]");
                  }
                  return burst.bytes();
                },
                Map.of(
                    "OK false invalid: the signature does not verify", bad,
                    "OK true ", 100,
                    "OK false error: more than 100 keys on a connection", 50)),
        AttackMetrics.messages("auth"));
  }

  @Test
  void eventsWithTensOfThousandsOfTagValuesDoNotExhaustTheHeap() throws Exception {
    int each = 25;
    Tags tags = new Tags(List.of(Collections.nCopies(32_000, "x")));
    relay.survives(
        () -> {
          Deque<byte[]> bursts = new ArrayDeque<>();
          for (int i = 0; i < CONNECTIONS; i++) {
            FrameBatch burst = new FrameBatch();
            for (int j = 0; j < each; j++) {
              burst.text("[\"EVENT\"," + event(tags, "giant") + "]");
            }
            bursts.add(burst.bytes());
          }
          answerCounts(challenge -> bursts.remove(), each)
              .forEach(
                  // A machine that is slow to write refuses what exceeds the bytes under way.
                  counts ->
                      assertThat(counts)
                          .containsKey("OK true ")
                          .satisfies(it -> assertThat(it.keySet()).isSubsetOf("OK true ", BUSY)));
        });
  }

  private static Event login(Signer key, String challenge) {
    return Client.loginEvent(
        key, Instant.now().getEpochSecond(), relay.url().toString(), challenge);
  }

  private static Event event(Tags tags, String content) {
    return MALLORY.sign(Instant.now().getEpochSecond(), 1, tags, content + signed++);
  }

  /** The same event with a valid id and an invalid signature. */
  private static Event badlySigned(Event event) {
    byte[] signature = new byte[64];
    random.nextBytes(signature);
    return EventEncoder.encode(
        event.id(),
        event.pubkey(),
        event.createdAt(),
        event.kind(),
        event.tags(),
        event.content(),
        signature);
  }

  private static void assertEachIsAnswered(FrameBatch burst, Map<String, Integer> answers)
      throws Exception {
    byte[] bytes = burst.bytes();
    assertEachIsAnswered(challenge -> bytes, answers);
  }

  private static void assertEachIsAnswered(
      Function<String, byte[]> bytes, Map<String, Integer> answers) throws Exception {
    int count = answers.values().stream().mapToInt(Integer::intValue).sum();
    assertThat(answerCounts(bytes, count)).allSatisfy(it -> assertThat(it).isEqualTo(answers));
  }

  /** The answers to each connection's events, of which there are {@code count}, by their text. */
  private static List<Map<String, Integer>> answerCounts(Function<String, byte[]> bytes, int count)
      throws Exception {
    List<Map<String, Integer>> answers = new ArrayList<>();
    try (ClientGroup<FloodingConnection> floods = new ClientGroup<>()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        floods.add(new FloodingConnection(relay.url(), bytes));
      }
      for (FloodingConnection flood : floods) {
        answers.add(flood.answers(count));
      }
    }
    return answers;
  }
}
