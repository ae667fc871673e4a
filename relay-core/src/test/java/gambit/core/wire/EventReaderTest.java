package gambit.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Compares the strict scanner with Jackson on well-formed and damaged events. */
class EventReaderTest {
  private static final String STRINGS =
      "abc \"\\/\b\f\n\r\t\u0000\u0001\u001f\u007f\u0080é€\u2028\ufffe\uffff😀";

  @Property(tries = 150)
  void eventIsReadTheSameInAnyFormatting(@ForAll long seed) {
    Random random = new Random(seed);
    Event meant = anyEvent(random);
    byte[] frame = formatted(meant, random).getBytes(StandardCharsets.UTF_8);
    ClientMessage message = EventOracle.check(frame, frame.length);
    assertThat(message)
        .as("%s", new String(frame, StandardCharsets.UTF_8))
        .isInstanceOf(ClientMessage.Publish.class);
    Event event = ((ClientMessage.Publish) message).event();
    assertThat(event).hasToString(meant.toString());
    assertThat(event.tags()).isEqualTo(meant.tags());
    assertThat(event.content()).isEqualTo(meant.content());
  }

  @Property(tries = 150)
  void damagedFrameIsReadAsTheOracleReadsIt(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] frame = formatted(anyEvent(random), random).getBytes(StandardCharsets.UTF_8);
    int length = frame.length;
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(length);
      switch (random.nextInt(4)) {
        case 0 -> frame[at] = (byte) random.nextInt(256);
        case 1 -> frame[at] = (byte) "[]{}\",:\\ 0-.eu".charAt(random.nextInt(14));
        case 2 -> length = at + 1;
        default -> System.arraycopy(frame, at, frame, Math.max(0, at - 1), length - at);
      }
    }
    EventOracle.check(frame, length);
  }

  @Property(tries = 150)
  void anyBytesAreReadWithoutAnException(@ForAll byte[] bytes) {
    EventOracle.check(bytes, bytes.length);
  }

  private static Event anyEvent(Random random) {
    byte[] id = new byte[32];
    byte[] key = new byte[32];
    byte[] sig = new byte[64];
    random.nextBytes(id);
    random.nextBytes(key);
    random.nextBytes(sig);
    List<List<String>> tags = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      List<String> tag = new ArrayList<>();
      for (int n = random.nextInt(3); n >= 0; n--) {
        tag.add(anyString(random));
      }
      tags.add(tag);
    }
    return EventEncoder.encode(
        new EventId(id),
        new PubKey(key),
        random.nextInt(Integer.MAX_VALUE),
        random.nextInt(65536),
        new Tags(tags),
        anyString(random),
        sig);
  }

  private static String anyString(Random random) {
    int[] choices = STRINGS.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.appendCodePoint(choices[random.nextInt(choices.length)]);
    }
    return text.toString();
  }

  /** The frame with random field order, white space and escapes. */
  private static String formatted(Event event, Random random) {
    List<String> fields = new ArrayList<>();
    fields.add(field("id", quoted(event.id().hex(), random), random));
    fields.add(field("pubkey", quoted(event.pubkey().hex(), random), random));
    fields.add(field("created_at", Long.toString(event.createdAt()), random));
    fields.add(field("kind", Integer.toString(event.kind()), random));
    List<String> tags = new ArrayList<>();
    for (List<String> tag : event.tags().list()) {
      tags.add(
          "["
              + space(random)
              + String.join(
                  space(random) + "," + space(random),
                  tag.stream().map(value -> quoted(value, random)).toList())
              + space(random)
              + "]");
    }
    fields.add(field("tags", "[" + String.join(",", tags) + "]", random));
    fields.add(field("content", quoted(event.content(), random), random));
    fields.add(field("sig", quoted(HexFormat.of().formatHex(event.sig()), random), random));
    if (random.nextBoolean()) {
      fields.add(field("ots", "{\"a\":[1,-2.5e+3,null,true]}", random));
    }
    Collections.shuffle(fields, random);
    return space(random) + "[\"EVENT\"," + space(random) + "{" + String.join(",", fields) + "}]";
  }

  private static String field(String name, String value, Random random) {
    return quoted(name, random) + space(random) + ":" + space(random) + value + space(random);
  }

  private static String space(Random random) {
    return random.nextInt(4) > 0 ? "" : " \t\r\n".substring(random.nextInt(4)).substring(0, 1);
  }

  private static String quoted(String text, Random random) {
    StringBuilder out = new StringBuilder("\"");
    for (int c : text.codePoints().toArray()) {
      int named = "\"\\\n\r\t\b\f/".indexOf(c);
      if (named >= 0 && random.nextBoolean()) {
        out.append('\\').append("\"\\nrtbf/".charAt(named));
      } else if (c < 0x20 || c == '"' || c == '\\' || random.nextInt(8) == 0) {
        String escape = random.nextBoolean() ? "\\u%04x" : "\\u%04X";
        Character.toString(c).chars().forEach(unit -> out.append(String.format(escape, unit)));
      } else {
        out.appendCodePoint(c);
      }
    }
    return out.append('"').toString();
  }
}
