package gambit.core.frames;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.TrustedProxies;
import gambit.core.rate.RateLimits;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.RawSocket.ReceivedFrame;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * With compression, the relay sends the same as without, when each message is inflated on its own
 * (RFC 7692, section 7.2).
 */
class CompressedEventsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final int FINAL_TEXT = RawSocket.FINAL | RawSocket.TEXT;
  private static final String LONGEST_NAME = "n".repeat(64);
  private static final int LONGEST_CONTENT = 130_000;

  private final TestRelay relay =
      new TestRelay(
          LimitValues.DEFAULT, RateLimits.NONE, new TransportSettings(true, TrustedProxies.NONE));

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void compressedAndUncompressedClientsReceiveEqualEvents() throws IOException {
    List<Event> events = events(new Random(1));
    try (RawSocket writer = RawSocket.upgraded(relay.uri());
        RawSocket plain = RawSocket.upgraded(relay.uri());
        RawSocket first = RawSocket.compressing(relay.uri());
        RawSocket second = RawSocket.compressing(relay.uri())) {
      List<RawSocket> readers = List.of(plain, first, second);
      subscribe(plain, "p", 0);
      subscribe(first, "f", 0);
      subscribe(second, LONGEST_NAME, 0);
      for (Event event : events) {
        writer.sendText("[\"EVENT\"," + event + "]");
        assertThat(writer.read().text()).endsWith(",true,\"\"]");
        for (RawSocket reader : readers) {
          assertIs(reader.read(), reader, name(reader, readers), event);
        }
      }
      for (RawSocket reader : readers) {
        String name = name(reader, readers);
        subscribe(reader, name, events.size());
      }
      for (RawSocket reader : readers) {
        Set<String> stored = new HashSet<>();
        for (int i = 0; i < events.size(); i++) {
          stored.add(reader.read().text());
        }
        String name = name(reader, readers);
        Set<String> all = new HashSet<>();
        events.forEach(event -> all.add(text(name, event)));
        assertThat(stored).isEqualTo(all);
        assertThat(reader.read().text()).isEqualTo("[\"EOSE\",\"" + name + "\"]");
      }
    }
  }

  @Test
  void framesThatWouldNotShrinkAreNotCompressed() throws IOException {
    try (RawSocket writer = RawSocket.compressing(relay.uri());
        RawSocket reader = RawSocket.compressing(relay.uri())) {
      reader.sendText("[\"REQ\",\"a\",{\"limit\":0}]");
      assertThat(reader.read().firstByte()).as("EOSE").isEqualTo(FINAL_TEXT);
      writer.sendText("[\"?\"]");
      assertThat(writer.read().firstByte()).as("NOTICE").isEqualTo(FINAL_TEXT);
      Event noise = ALICE.sign(relay.now(), 1, Tags.NONE, hex(new Random(2), 50));
      writer.sendText("[\"EVENT\"," + noise + "]");
      assertThat(writer.read().firstByte()).as("OK").isEqualTo(FINAL_TEXT);
      ReceivedFrame event = reader.read();
      assertThat(event.isCompressed()).isTrue();
      assertThat(event.payload()).hasSizeLessThan(text("a", noise).length());
      assertThat(event.text()).isEqualTo(text("a", noise));
    }
  }

  @Test
  void longTextsAreSentInFewerBytes() throws IOException {
    try (RawSocket writer = RawSocket.compressing(relay.uri());
        RawSocket reader = RawSocket.compressing(relay.uri())) {
      subscribe(reader, "a", 0);
      Event event = ALICE.sign(relay.now(), 1, Tags.NONE, "what is said often ".repeat(5000));
      writer.sendText("[\"EVENT\"," + event + "]");
      ReceivedFrame compressed = reader.read();
      assertThat(compressed.payload()).hasSizeLessThan(2000);
      assertThat(compressed.text()).isEqualTo(text("a", event));
    }
  }

  private static void subscribe(RawSocket reader, String name, int limit) throws IOException {
    reader.sendText("[\"REQ\",\"" + name + "\",{\"limit\":" + limit + "}]");
    if (limit == 0) {
      assertThat(reader.read().text()).isEqualTo("[\"EOSE\",\"" + name + "\"]");
    }
  }

  private static String name(RawSocket reader, List<RawSocket> readers) {
    return List.of("p", "f", LONGEST_NAME).get(readers.indexOf(reader));
  }

  private static void assertIs(ReceivedFrame frame, RawSocket reader, String name, Event event) {
    String text = text(name, event);
    assertThat(frame.text()).as("%s", reader).isEqualTo(text);
    boolean isShorter = frame.payload().length < text.getBytes(StandardCharsets.UTF_8).length;
    assertThat(frame.isCompressed()).isEqualTo(isShorter);
    assertThat(isShorter && name.equals("p")).as("compressed for one who cannot").isFalse();
  }

  private static String text(String name, Event event) {
    return "[\"EVENT\",\"" + name + "\"," + event + "]";
  }

  /** Of all lengths up to the longest, of all that is hard and easy to compress. */
  private List<Event> events(Random random) {
    List<String> contents = new ArrayList<>();
    contents.add("");
    for (int length = 1; length < LONGEST_CONTENT / 2; length = length * 3 / 2 + 1) {
      contents.add("x".repeat(length));
      contents.add(hex(random, length / 2));
      contents.add(characters(random, length / 3));
    }
    contents.add("y".repeat(LONGEST_CONTENT));
    contents.add(hex(random, LONGEST_CONTENT / 2));
    contents.add(characters(random, LONGEST_CONTENT / 4));
    return contents.stream()
        .map(
            content ->
                ALICE.sign(relay.now() - contents.indexOf(content), 1, tags(random), content))
        .toList();
  }

  private static Tags tags(Random random) {
    return new Tags(
        Stream.generate(() -> List.of("t", hex(random, 8))).limit(random.nextInt(5)).toList());
  }

  private static String hex(Random random, int bytes) {
    byte[] some = new byte[bytes];
    random.nextBytes(some);
    return HexFormat.of().formatHex(some);
  }

  /** Any characters but surrogates, so that most take three bytes or four. */
  private static String characters(Random random, int count) {
    StringBuilder text = new StringBuilder();
    while (text.length() < count) {
      int any = random.nextInt(0x110000);
      if (any < Character.MIN_SURROGATE || any > Character.MAX_SURROGATE) {
        text.appendCodePoint(any);
      }
    }
    return text.toString();
  }
}
