package gambit.core.frames;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.Serialization;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid events, byte by byte, over a real socket. */
class EventRulesTest {
  private static final Signer ALICE = Keys.of("alice");

  /** Every character that has an escape, and those at which encoders go wrong. */
  private static final String ODD =
      "\n \" \\ \r \t \b \f / \u0000 \u0001 \u000b \u001f \u007f \u0080 é \u2028 \u2029 \ud7ff"
          + " \ufdd0 \ufeff \ufffd \ufffe \uffff 😀 \ud83f\udffe \udbff\udfff";

  private final TestRelay relay = new TestRelay();
  private final Client client = relay.connect();

  @AfterEach
  void end() {
    client.close();
    relay.close();
  }

  @Test
  @DisplayName("a refusal begins with a prefix of NIP-01 or NIP-77, auth-required or unsupported")
  void refusalsHaveTheirMachineReadablePrefix() {
    assertThat(Arrays.stream(Reason.Prefix.values()).map(Reason.Prefix::word))
        .containsExactlyInAnyOrder(
            "duplicate",
            "pow",
            "blocked",
            "rate-limited",
            "invalid",
            "restricted",
            "mute",
            "error",
            "auth-required",
            "unsupported",
            "closed");
  }

  static Stream<Arguments> wrongFields() {
    String hex = "a".repeat(64);
    return Stream.of(
            Arguments.of("id", List.of("7", "null", text(hex.toUpperCase()), text("a"), "[]")),
            Arguments.of(
                "pubkey",
                List.of(
                    "7", text(hex.toUpperCase()), text(hex + "0"), text("g" + hex.substring(1)))),
            Arguments.of(
                "sig",
                List.of("7", text(hex), text((hex + hex).toUpperCase()), text(hex + hex + "00"))),
            Arguments.of(
                "kind",
                List.of("1.0", "1e0", "-1", "-0", "01", "+1", "65536", "1e400", "true", text("1"))),
            Arguments.of(
                "created_at",
                List.of("1.0", "1e10", "1E9", "-1", "0x10", "9".repeat(30), text("1"), "null")),
            Arguments.of(
                "tags",
                List.of(
                    "{}", "null", "[[]]", "[{}]", text(""), "[\"t\"]", "[[\"t\",7]]", "[[null]]")),
            Arguments.of("content", List.of("7", "null", "[]", "{}", "true")))
        .flatMap(
            field ->
                ((List<?>) field.get()[1])
                    .stream().map(value -> Arguments.of(field.get()[0], value)));
  }

  private static String text(String plain) {
    return "\"" + plain + "\"";
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("wrongFields")
  @DisplayName("hex is lower-case and of exact length, integers are integers, tags are non-empty")
  void wrongFieldsAreInvalid(String field, String value) {
    Event event = ALICE.sign(relay.now(), 1, Tags.NONE, "hello");
    client.send("[\"EVENT\"," + with(event, field, value) + "]");
    JsonNode answer = client.nextJson();
    if (field.equals("id") && !value.startsWith("\"")) {
      assertThat(answer.get(0).asText()).isEqualTo("NOTICE");
      assertThat(answer.get(1).asText()).startsWith("invalid: ");
    } else {
      String id = field.equals("id") ? value.substring(1, value.length() - 1) : event.id().hex();
      assertThat(answer.get(0).asText()).isEqualTo("OK");
      assertThat(answer.get(1).asText()).isEqualTo(id);
      assertThat(answer.get(2).asBoolean()).isFalse();
      assertThat(answer.get(3).asText()).startsWith("invalid: ");
    }
    client.publishAccepted(event);
  }

  @Test
  @DisplayName("the ends of what is allowed are taken")
  void lowestAndHighestValuesAreAccepted() {
    for (Event event :
        List.of(
            ALICE.sign(0, 0, Tags.NONE, ""),
            ALICE.sign(relay.now(), 65_535, Tags.NONE, ""),
            ALICE.sign(
                relay.now() + LimitValues.DEFAULT.get(Limit.SECONDS_AHEAD), 1, Tags.NONE, ""),
            ALICE.sign(1, 1, new Tags(List.of(List.of(""), List.of("", ""))), ""))) {
      client.publishAccepted(event);
    }
    Event ahead =
        ALICE.sign(
            relay.now() + LimitValues.DEFAULT.get(Limit.SECONDS_AHEAD) + 1, 1, Tags.NONE, "");
    assertThat(client.answerTo(ahead)).isEqualTo("invalid: created_at is too far in the future");
  }

  @Test
  @DisplayName("the id is recomputed from the canonical serialization, whatever the escapes")
  void idIsRecomputedForAnyJsonEscapes() {
    client.send("[\"REQ\",\"live\",{\"limit\":0}]").until("EOSE");
    Tags tags = new Tags(List.of(List.of("t", ODD, ODD)));
    long at = relay.now();
    for (String form : List.of("shortest", "named", "\\u%04x", "\\u%04X")) {
      Event event = ALICE.sign(--at, 1, tags, ODD);
      String odd = quoted(ODD, form);
      String asSent =
          with(with(event, "content", odd), "tags", "[[\"t\"," + odd + "," + odd + "]]");
      assertThat(Serialization.idOf(event)).isEqualTo(event.id().hex());
      client.send("[\"EVENT\"," + asSent + "]");
      assertThat(client.next()).as(form).isEqualTo("[\"OK\",\"" + event.id() + "\",true,\"\"]");
      JsonNode served = client.nextJson().get(2);
      assertThat(served.get("content").asText()).isEqualTo(ODD);
      assertThat(served.get("tags").get(0).get(2).asText()).isEqualTo(ODD);
      assertThat(served).isEqualTo(Client.parse(event.toString()));
    }
  }

  /** The text as JSON with as few escapes as there can be, with the named ones, or with numbers. */
  private static String quoted(String text, String form) {
    StringBuilder out = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      int name = "\"\\/\b\f\n\r\t".indexOf(unit);
      if (form.startsWith("\\u")) {
        out.append(String.format(form, (int) unit));
      } else if (name >= 0 && (unit != '/' || form.equals("named"))) {
        out.append('\\').append("\"\\/bfnrt".charAt(name));
      } else if (unit < 0x20) {
        out.append(String.format("\\u%04x", (int) unit));
      } else {
        out.append(unit);
      }
    }
    return out.append('"').toString();
  }

  @Test
  @DisplayName("lone surrogates, raw control characters, duplicate keys, trailing bytes: rejected")
  void malformedEventIsRejectedByItsIdWhereThatIsReadable() {
    Event event = ALICE.sign(relay.now(), 1, Tags.NONE, "x");
    String right = event.toString();
    String start = right.substring(0, right.length() - 1);
    List<String> wrong =
        List.of(
            with(event, "content", "\"\\ud800\""),
            with(event, "content", "\"\\udc00\\ud800\""),
            with(event, "content", "\"\\ud83d \\ude00\""),
            with(event, "content", "\"a\tb\""),
            with(event, "content", "\"a\nb\""),
            with(event, "content", "\"a\u0000b\""),
            with(event, "content", "\"\\'\""),
            with(event, "content", "\"\\u12\""),
            with(event, "content", "'x'"),
            with(event, "tags", "[[\"t\",\"\\ud800\"]]"),
            with(event, "tags", "[[\"t\",\"x\",]]"),
            start + ",\"content\":\"x\"}",
            start + ",\"id\":\"" + event.id() + "\"}",
            start + ",\"more\":{\"a\":1,\"a\":1}}",
            start + ",\"more\":NaN}",
            start + ",\"more\":[1,]}",
            start + ",\"more\":\"\\ud800\"}",
            start + ",}",
            start,
            right + ",1",
            right + " garbage",
            right + "]]");
    for (String text : wrong) {
      client.send("[\"EVENT\"," + text + "]");
      JsonNode answer = client.nextJson();
      assertThat(answer.get(0).asText()).as(text).isEqualTo("OK");
      assertThat(answer.get(1).asText()).as(text).isEqualTo(event.id().hex());
      assertThat(answer.get(2).asBoolean()).as(text).isFalse();
      assertThat(answer.get(3).asText()).as(text).startsWith("invalid: ");
    }
    client.publishAccepted(event);
  }

  @Test
  @DisplayName("invalid UTF-8 is no text at all: 1007")
  void invalidUtf8ClosesTheConnection() throws IOException {
    String event = ALICE.sign(relay.now(), 1, Tags.NONE, "x?x").toString();
    for (int[] bad :
        new int[][] {{0xff}, {0xc0, 0x80}, {0xed, 0xa0, 0x80}, {0xf4, 0x90, 0x80, 0x80}}) {
      try (RawSocket raw = RawSocket.upgraded(relay.uri())) {
        StringBuilder bytes = new StringBuilder();
        Arrays.stream(bad).forEach(it -> bytes.append((char) it));
        String frame = "[\"EVENT\"," + event.replace("?", bytes) + "]";
        raw.sendFrame(0x81, frame.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(raw.read().closeCode()).isEqualTo(1007);
      }
    }
  }

  @Test
  @DisplayName("white space, order and extra fields do not matter; what is served has none")
  void servedEventEqualsTheReceivedOneWhateverItsFormatting() {
    client.send("[\"REQ\",\"live\",{\"limit\":0}]").until("EOSE");
    Event event = ALICE.sign(relay.now(), 1, new Tags(List.of(List.of("t", "x"))), "hello");
    String odd =
        """
        \t[ "EVENT" ,\r
          { "more": [1, -2.5e-3, {"deep": [[null]]}], "sig":"%s" , "content" : "h\\u0065llo",
            "tags" : [ [ "t" , "\\u0078" ] ], "kind":1, "ots":null, "created_at":%d,
            "pubkey":"%s", "id":"%s" } ]
        """
            .formatted(
                HexFormat.of().formatHex(event.sig()),
                event.createdAt(),
                event.pubkey(),
                event.id());
    client.send(odd);
    assertThat(client.next()).isEqualTo("[\"OK\",\"" + event.id() + "\",true,\"\"]");
    assertThat(client.next()).isEqualTo("[\"EVENT\",\"live\"," + event + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":\"%s\"",
        "{\"kind\":1,\"id\":\"%s\",\"tags\":[[",
        "{\"tags\":[[\"id\",\"other\"]],\"id\":\"%s\",\"content\":broken}",
        "{\"content\":\"\\\"id\\\":\\\"other\\\"\",\"id\" : \"%s\",\"kind\":x}",
        "{\"author\":{\"id\":\"other\"},\"id\":\"%s\"}",
        "{\"i\\u0064\":\"%s\"}",
        "{\"id\":\"%s\"}]]"
      })
  @DisplayName("whenever an id can be read, the answer is an OK with it, never a NOTICE")
  void refusalNamesTheIdWheneverItIsReadable(String event) {
    String id = "0123456789abcdef".repeat(4);
    client.send("[\"EVENT\"," + event.formatted(id) + "]");
    assertThat(client.next()).startsWith("[\"OK\",\"" + id + "\",false,\"invalid: ");
  }

  @Test
  @DisplayName("first the signature, then policy")
  void signatureIsCheckedBeforePolicy() {
    Event early = ALICE.sign(relay.now() + 5000, 22_242, Tags.NONE, "");
    Event forged =
        EventEncoder.encode(
            early.id(), early.pubkey(), early.createdAt(), 22_242, Tags.NONE, "", new byte[64]);
    assertThat(client.answerTo(forged)).isEqualTo("invalid: the signature does not verify");
    assertThat(client.answerTo(early)).isEqualTo("invalid: created_at is too far in the future");
  }

  @Test
  @DisplayName("policy: the length of a tag's values is counted in characters")
  void lengthOfTagValuesIsLimited() {
    LimitValues small = TestLimits.builder().set(Limit.TAG_VALUE_LENGTH, 10).build();
    try (TestRelay other = new TestRelay(small, new MemoryEventStore(1 << 20));
        Client there = other.connect()) {
      for (String fits : List.of("x".repeat(10), "é".repeat(10), "😀".repeat(10))) {
        there.publishAccepted(tagged(other, List.of("t", "", fits)));
      }
      for (List<String> tag :
          List.of(
              List.of("t", "x".repeat(11)),
              List.of("t", "", "😀".repeat(11)),
              List.of("x".repeat(11)))) {
        assertThat(there.answerTo(tagged(other, tag)))
            .isEqualTo("invalid: a tag has more than 10 characters");
      }
    }
  }

  private static Event tagged(TestRelay relay, List<String> tag) {
    return ALICE.sign(relay.now(), 1, new Tags(List.of(tag)), "");
  }

  /** The event with one value of its JSON text replaced by another text. */
  private static String with(Event event, String field, String value) {
    return with(event.toString(), field, value);
  }

  private static String with(String text, String field, String value) {
    int from = text.indexOf("\"" + field + "\":") + field.length() + 3;
    String next =
        switch (field) {
          case "id" -> ",\"pubkey\":";
          case "pubkey" -> ",\"created_at\":";
          case "created_at" -> ",\"kind\":";
          case "kind" -> ",\"tags\":";
          case "tags" -> ",\"content\":";
          case "content" -> ",\"sig\":";
          default -> "}";
        };
    return text.substring(0, from) + value + text.substring(text.lastIndexOf(next));
  }
}
