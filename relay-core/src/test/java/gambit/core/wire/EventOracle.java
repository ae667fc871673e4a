package gambit.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.testkit.AllocationLimit;
import gambit.core.testkit.Serialization;
import gambit.core.testkit.StrictJson;
import gambit.core.testkit.StrictJson.NumberText;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The oracle of the single-pass reader of EVENT and AUTH: it applies strict JSON and the rules of
 * {@code docs/protocol/relay.md}.
 */
final class EventOracle {
  private static final int MAX_TAGS = 100;
  private static final int KIND_WITHOUT_TAGS = 5000;
  private static final int MAX_ID_LENGTH = 128;

  private static final MessageReader READER =
      new MessageReader(MAX_TAGS, 1, kind -> kind == KIND_WITHOUT_TAGS);

  private EventOracle() {}

  /** Reads the bytes as one message and asserts that the relay and Jackson read them alike. */
  static ClientMessage check(byte[] frame, int length) {
    ClientMessage message =
        AllocationLimit.requireAtMost(256 * 1024 + 256L * length, () -> READER.read(frame, length));
    Optional<String> text = StrictJson.utf8(frame, length);
    assertThat(message instanceof ClientMessage.NotText).isEqualTo(text.isEmpty());
    List<?> json =
        text.flatMap(it -> StrictJson.read(it, JsonScanner.MAX_DEPTH))
            .map(it -> it instanceof List<?> list ? list : List.of())
            .orElse(List.of());
    Event event = eventOf(message);
    assertThat(event != null).as("taken").isEqualTo(isEventMessage(json));
    if (event != null) {
      assertThat(message instanceof ClientMessage.Publish).isEqualTo(json.get(0).equals("EVENT"));
      assertSameFields(event, (Map<?, ?>) json.get(1));
      assertCanonicalForm(event, length);
      assertIdOfItsSerialization(event);
    } else if (message instanceof ClientMessage.BadEvent bad) {
      assertAnswerable(bad, json);
    }
    return message;
  }

  private static @Nullable Event eventOf(ClientMessage message) {
    if (message instanceof ClientMessage.Publish publish) {
      return publish.event();
    }
    return message instanceof ClientMessage.Authenticate login ? login.login() : null;
  }

  private static boolean isEventMessage(List<?> json) {
    return json.size() == 2
        && (json.get(0).equals("EVENT") || json.get(0).equals("AUTH"))
        && json.get(1) instanceof Map<?, ?> fields
        && StrictJson.isFreeOfLoneSurrogates(fields)
        && isEvent(fields);
  }

  private static boolean isEvent(Map<?, ?> fields) {
    return isHex(fields.get("id"), 64)
        && isHex(fields.get("pubkey"), 64)
        && isHex(fields.get("sig"), 128)
        && fields.get("created_at") instanceof NumberText time
        && time.isNatural(18)
        && fields.get("kind") instanceof NumberText kind
        && kind.isNatural(5)
        && Integer.parseInt(kind.text()) < 65_536
        && fields.get("content") instanceof String
        && (fields.containsKey("tags")
            ? areTags(fields.get("tags"))
            : Integer.parseInt(kind.text()) == KIND_WITHOUT_TAGS);
  }

  static boolean isHex(Object value, int digits) {
    return value instanceof String text
        && text.length() == digits
        && text.chars().allMatch(c -> "0123456789abcdef".indexOf(c) >= 0);
  }

  private static boolean areTags(Object value) {
    return value instanceof List<?> tags
        && tags.size() <= MAX_TAGS
        && tags.stream()
            .allMatch(
                it ->
                    it instanceof List<?> tag
                        && !tag.isEmpty()
                        && tag.stream().allMatch(String.class::isInstance));
  }

  private static void assertSameFields(Event event, Map<?, ?> fields) {
    assertThat(event.id().hex()).isEqualTo(fields.get("id"));
    assertThat(event.pubkey().hex()).isEqualTo(fields.get("pubkey"));
    assertThat(HexFormat.of().formatHex(event.sig())).isEqualTo(fields.get("sig"));
    assertThat(new NumberText(Long.toString(event.createdAt())))
        .isEqualTo(fields.get("created_at"));
    assertThat(new NumberText(Integer.toString(event.kind()))).isEqualTo(fields.get("kind"));
    assertThat(event.content()).isEqualTo(fields.get("content"));
    assertThat(event.tags().list())
        .isEqualTo(fields.containsKey("tags") ? fields.get("tags") : List.of());
  }

  /**
   * The encoding has the same fields, is not longer than the message, and is read back unchanged.
   */
  private static void assertCanonicalForm(Event event, int length) {
    String json = event.toString();
    assertThat(event.json().length).isLessThanOrEqualTo(length + 1); // missing tags are added
    Map<?, ?> fields = (Map<?, ?>) StrictJson.read(json, 4).orElseThrow();
    assertThat(fields.keySet().toString())
        .isEqualTo("[id, pubkey, created_at, kind, tags, content, sig]");
    assertSameFields(event, fields);
    byte[] frame = ("[\"EVENT\"," + json + "]").getBytes(StandardCharsets.UTF_8);
    Event again = eventOf(READER.read(frame, frame.length));
    assertThat(again).isNotNull().hasToString(json);
    assertThat(again.tags()).isEqualTo(event.tags());
  }

  private static void assertIdOfItsSerialization(Event event) {
    String verbatim = Serialization.idOf(event);
    String numbered = Serialization.idWithNumberedEscapesOf(event);
    assertThat(EventEncoder.idOf(event).hex()).isEqualTo(verbatim);
    assertThat(EventEncoder.hasValidId(event))
        .isEqualTo(List.of(verbatim, numbered).contains(event.id().hex()));
    for (String id : List.of(verbatim, numbered)) {
      Event right =
          EventEncoder.encode(
              EventId.ofHex(id),
              event.pubkey(),
              event.createdAt(),
              event.kind(),
              event.tags(),
              event.content(),
              event.sig());
      assertThat(EventEncoder.hasValidId(right)).isTrue();
      assertThat(right.toString().replace(id, event.id().hex())).isEqualTo(event.toString());
    }
  }

  /**
   * The answer has the id of the event if there is one, and is valid JSON for any id. An id with a
   * lone surrogate has no UTF-8 that could be sent back.
   */
  private static void assertAnswerable(ClientMessage.BadEvent bad, List<?> json) {
    if (json.size() > 1
        && json.get(1) instanceof Map<?, ?> fields
        && StrictJson.isFreeOfLoneSurrogates(fields)
        && fields.get("id") instanceof String id
        && !id.isEmpty()
        && id.length() <= MAX_ID_LENGTH) {
      assertThat(bad.id()).isEqualTo(id);
    }
    String id = bad.id() == null ? "" : bad.id();
    assertThat(id.length()).isLessThanOrEqualTo(MAX_ID_LENGTH);
    String answer = RelayMessage.Ok.refused(id, bad.reason()).frame().toString();
    assertThat(StrictJson.read(answer, 2)).isPresent();
  }
}
