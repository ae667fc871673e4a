package gambit.app.hostile;

import static gambit.app.hostile.FrameBatch.CONTINUATION;
import static gambit.app.hostile.FrameBatch.FINAL;
import static gambit.app.hostile.FrameBatch.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Malformed and extreme frames and messages. */
@ThoroughOnly
class HostileMessagesIT {
  private static final Signer MALLORY = Keys.of("mallory");
  private static final String EOSE_REQUEST = "[\"REQ\",\"a\",{\"limit\":0}]";

  @TempDir static Path data;
  private static AttackedRelay relay;
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
  void aMessageInFramesOfOneByteIsAnswered() throws Exception {
    relay.survives(
        () -> {
          for (int i = 0; i < TestEffort.of(1, 4); i++) {
            byte[] message = message("x".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
            FrameBatch burst = new FrameBatch().frame(TEXT, new byte[] {message[0]});
            for (int at = 1; at < message.length; at++) {
              int last = at == message.length - 1 ? FINAL : 0;
              burst.frame(last | CONTINUATION, new byte[] {message[at]});
            }
            relay.assertAnswers(burst, Map.of("OK true ", 1));
          }
        },
        AttackMetrics.messages("event"));
  }

  @Test
  void endlessEmptyFramesTakeNoMemory() throws Exception {
    byte[] request = EOSE_REQUEST.getBytes(StandardCharsets.UTF_8);
    FrameBatch burst = new FrameBatch().frame(TEXT, request);
    for (int i = 0; i < TestEffort.of(20_000, 500_000); i++) {
      burst.frame(CONTINUATION, new byte[0]);
    }
    burst.frame(FINAL | CONTINUATION, new byte[0]);
    relay.survives(() -> relay.assertAnswers(burst, Map.of("EOSE", 1)));
  }

  @Test
  void aFrameWithAnImpossibleLengthIsRefusedBeforeItArrives() throws Exception {
    relay.survives(
        () -> {
          for (int i = 0; i < TestEffort.of(10, 100); i++) {
            assertCloses(1009, frameOfLength(Long.MAX_VALUE));
            assertCloses(1009, frameOfLength(1L << 32));
            assertCloses(1002, frameOfLength(-1));
            assertCloses(1002, frameOfLength(Long.MIN_VALUE));
            assertCloses(1002, frameOfLength(5)); // has a shorter form (RFC 6455, section 5.2)
          }
        },
        AttackMetrics.closed("size"),
        AttackMetrics.closed("protocol"));
  }

  @Test
  void deeplyNestedJsonIsInvalidEverywhere() throws Exception {
    String open = "[".repeat(60_000);
    String deep = open + "]".repeat(60_000);
    String event = event("x").toString();
    String deepEvent = event.substring(0, event.length() - 1) + ",\"x\":" + deep + "}";
    relay.survives(
        () -> {
          for (int i = 0; i < TestEffort.of(2, 20); i++) {
            relay.assertAnswers(
                new FrameBatch()
                    .text(deep)
                    .text(open + open)
                    .text("{\"a\":".repeat(20_000))
                    .text("[\"EVENT\"," + deepEvent + "]")
                    .text("[\"EVENT\"," + open + open)
                    .text("[\"REQ\",\"a\",{\"kinds\":" + deep + "}]")
                    .text("[\"REQ\",\"a\",{\"#t\":[" + open)
                    .text("[\"COUNT\",\"a\"," + deep + "]")
                    .text("[\"CLOSE\"," + deep + "]")
                    .text("[\"AUTH\"," + deep + "]"),
                Map.of(
                    "NOTICE invalid: a message must begin with its verb", 2,
                    "NOTICE invalid: a message must be a JSON array", 1,
                    "OK false invalid: JSON nested too deep", 1,
                    "NOTICE invalid: an event must be an object", 2,
                    "CLOSED invalid: a kind must be a non-negative integer", 1,
                    "CLOSED invalid: #t must be an array of strings", 1,
                    "CLOSED invalid: a filter must be an object", 1,
                    "NOTICE invalid: a subscription id must be a string of 1 to 64 characters", 1));
          }
        },
        AttackMetrics.messages("invalid"),
        AttackMetrics.events("invalid"),
        AttackMetrics.queriesRefused("invalid"));
  }

  @Test
  void invalidUtf8ClosesTheConnection() throws Exception {
    byte[] end = {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80, '"', ']'};
    byte[] message = new byte[100_000];
    Arrays.fill(message, (byte) 'x');
    message[0] = '[';
    message[1] = '"';
    System.arraycopy(end, 0, message, message.length - end.length, end.length);
    byte[] frame = new FrameBatch().frame(FINAL | TEXT, message).bytes();
    relay.survives(
        () -> {
          for (int i = 0; i < TestEffort.of(10, 100); i++) {
            assertCloses(1007, frame);
          }
        },
        AttackMetrics.closed("text"));
  }

  @Test
  void duplicateKeysAreInvalid() throws Exception {
    String event = event("x").toString();
    String fields = event.substring(1, event.length() - 1);
    StringBuilder colliding = new StringBuilder("{\"x\":{");
    for (int i = 0; i < 1 << 11; i++) {
      colliding.append('"').append(collidingKey(i)).append("\":1,");
    }
    colliding.append("\"").append(collidingKey(0)).append("\":1},");
    int times = TestEffort.of(10, 100);
    relay.survives(
        () -> {
          FrameBatch burst = new FrameBatch();
          for (int i = 0; i < times; i++) {
            burst
                .text("[\"EVENT\",{" + fields + "," + fields + "}]")
                .text("[\"EVENT\"," + colliding + fields + "}]")
                .text("[\"REQ\",\"a\",{\"kinds\":[1],\"kinds\":[2]}]");
          }
          relay.assertAnswers(
              burst,
              Map.of(
                  "OK false invalid: duplicate key id", times,
                  "OK false invalid: duplicate key", times,
                  "CLOSED invalid: malformed JSON", times));
        },
        AttackMetrics.events("invalid"),
        AttackMetrics.queriesRefused("invalid"));
  }

  /** Strings with equal hash codes. */
  private static String collidingKey(int number) {
    StringBuilder key = new StringBuilder();
    for (int bit = 0; bit < 12; bit++) {
      key.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return key.toString();
  }

  @Test
  void giantTagsAreAcceptedUpToTheLimits() throws Exception {
    String tooMany = "[\"t\"]" + ",[\"t\"]".repeat(15_000);
    relay.survives(
        () -> {
          for (int i = 0; i < TestEffort.of(2, 20); i++) {
            String event = event("x").toString();
            Tags manyElements = new Tags(List.of(Collections.nCopies(10_000, "x")));
            relay.assertAnswers(
                new FrameBatch()
                    .text("[\"EVENT\"," + event(new Tags(List.of(longTag(65_536)))) + "]")
                    .text("[\"EVENT\"," + event(new Tags(List.of(longTag(65_537)))) + "]")
                    .text("[\"EVENT\"," + event(new Tags(List.of(longTag(100_000)))) + "]")
                    .text("[\"EVENT\"," + event(manyElements) + "]")
                    .text(
                        "[\"EVENT\","
                            + event.replace("\"tags\":[]", "\"tags\":[" + tooMany + "]")
                            + "]"),
                Map.of(
                    "OK true ", 2,
                    "OK false invalid: a tag has more than 65536 characters", 2,
                    "OK false invalid: more than 2000 tags", 1));
          }
        },
        AttackMetrics.events("invalid"));
  }

  private static List<String> longTag(int length) {
    return List.of("t", "x".repeat(length));
  }

  @Test
  void incompleteMessagesOfManyClientsDoNotTakeBuffersFromOthers() throws Exception {
    byte[] whole =
        new FrameBatch()
            .frame(TEXT, "x".repeat(120_000).getBytes(StandardCharsets.US_ASCII))
            .bytes();
    byte[] half = Arrays.copyOf(whole, whole.length - 1);
    byte[] pieces =
        new FrameBatch()
            .frame(TEXT, "x".repeat(60_000).getBytes(StandardCharsets.US_ASCII))
            .frame(CONTINUATION, "x".repeat(60_000).getBytes(StandardCharsets.US_ASCII))
            .bytes();
    relay.survives(
        () -> {
          try (ClientGroup<RawSocket> clients = new ClientGroup<>()) {
            for (int i = 0; i < 1_000; i++) {
              RawSocket client = clients.add(RawSocket.upgraded(relay.url()));
              client.write(i % 2 == 0 ? half : pieces);
            }
            assertThat(relay.metric("gambit_buffer_bytes")).isLessThan(128 << 20);
          }
        },
        AttackMetrics.closed("crowded"));
  }

  private static byte[] frameOfLength(long length) {
    return ByteBuffer.allocate(14)
        .put((byte) 0x81)
        .put((byte) 0xff)
        .putLong(length)
        .putInt(0)
        .array();
  }

  private static Event event(String content) {
    return MALLORY.sign(Instant.now().getEpochSecond(), 1, Tags.NONE, content + signed++);
  }

  private static Event event(Tags tags) {
    return MALLORY.sign(Instant.now().getEpochSecond(), 1, tags, "x" + signed++);
  }

  private static String message(String content) {
    return "[\"EVENT\"," + event(content) + "]";
  }

  private static void assertCloses(int code, byte[] bytes) throws IOException {
    try (FloodingConnection flood = new FloodingConnection(relay.url(), bytes)) {
      assertThat(flood.answers(1)).isEqualTo(Map.of("close " + code, 1));
      assertThat(flood.isAtEnd()).isTrue();
    }
  }
}
