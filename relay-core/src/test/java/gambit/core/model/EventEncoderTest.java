package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.crypto.EventVerifier;
import gambit.core.testkit.Keys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class EventEncoderTest {
  private static final PubKey KEY = Keys.of("alice").pubkey();
  private final EventVerifier verifier = new EventVerifier();

  /** Compares with a serialization that is written out by hand according to NIP-01. */
  @Test
  void idIsTheHashOfTheCanonicalSerialization() throws Exception {
    String content = "line\nquote\" slash\\ / cr\r tab\t bs\b ff\f \u2028 \u007f é 😀";
    String serialized =
        "[0,\""
            + KEY.hex()
            + "\",1700000000,1,[[\"t\",\"a\\\"b\"],[\"e\"]],"
            + "\"line\\nquote\\\" slash\\\\ / cr\\r tab\\t bs\\b ff\\f \u2028 \u007f é 😀\"]";
    Tags tags = new Tags(List.of(List.of("t", "a\"b"), List.of("e")));
    assertThat(EventEncoder.idOf(KEY, 1_700_000_000, 1, tags, content)).isEqualTo(hash(serialized));
  }

  @Test
  void idIsValidWithUnnamedControlCharactersHashedVerbatimOrEscaped() throws Exception {
    String verbatim = "[0,\"" + KEY.hex() + "\",1,1,[],\"a\u0001b\"]";
    String escaped = "[0,\"" + KEY.hex() + "\",1,1,[],\"a\\u0001b\"]";
    String named = "[0,\"" + KEY.hex() + "\",1,1,[],\"a\\nb\"]";
    assertThat(hasValidId(hash(verbatim), "a\u0001b")).isTrue();
    assertThat(hasValidId(hash(escaped), "a\u0001b")).isTrue();
    assertThat(hasValidId(hash(named), "a\u0001b")).isFalse();
    assertThat(hasValidId(hash(named), "a\nb")).isTrue();
  }

  @Test
  void encodingIsJsonWithTheFieldsOfTheEvent() throws Exception {
    Event event =
        Keys.of("alice").sign(7, 40_000, new Tags(List.of(List.of("d", "\u0000"))), "c\"");
    var json = new ObjectMapper().readTree(event.toString());
    assertThat(json.get("id").asText()).isEqualTo(event.id().hex());
    assertThat(json.get("pubkey").asText()).isEqualTo(KEY.hex());
    assertThat(json.get("created_at").asLong()).isEqualTo(7);
    assertThat(json.get("kind").asInt()).isEqualTo(40_000);
    assertThat(json.get("tags").get(0).get(1).asText()).isEqualTo("\u0000");
    assertThat(json.get("content").asText()).isEqualTo("c\"");
    assertThat(json.size()).isEqualTo(7);
  }

  @Property(tries = 500)
  void signedEventVerifiesAndAlteredEventDoesNot(@ForAll @StringLength(max = 40) String text) {
    String content = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    Event event = Keys.of("alice").sign(1, 1, Tags.NONE, content);
    assertThat(event.content()).isEqualTo(content);
    assertThat(verifier.hasValidId(event)).isTrue();
    assertThat(verifier.hasValidSignature(event)).isTrue();
    Event altered =
        EventEncoder.encode(event.id(), KEY, 1, 1, Tags.NONE, content + "!", event.sig());
    assertThat(verifier.hasValidId(altered)).isFalse();
    byte[] sig = event.sig();
    sig[5] ^= 1;
    Event forged = EventEncoder.encode(event.id(), KEY, 1, 1, Tags.NONE, content, sig);
    assertThat(verifier.hasValidSignature(forged)).isFalse();
  }

  @Test
  void signatureOfAKeyOffTheCurveIsInvalid() {
    Event event = Keys.of("alice").sign(1, 1, Tags.NONE, "");
    PubKey none = PubKey.ofHex("ff".repeat(32));
    assertThat(
            verifier.hasValidSignature(
                EventEncoder.encode(event.id(), none, 1, 1, Tags.NONE, "", event.sig())))
        .isFalse();
  }

  private static boolean hasValidId(EventId id, String content) {
    return EventEncoder.hasValidId(
        EventEncoder.encode(id, KEY, 1, 1, Tags.NONE, content, new byte[64]));
  }

  private static EventId hash(String serialized) throws Exception {
    return new EventId(
        MessageDigest.getInstance("SHA-256").digest(serialized.getBytes(StandardCharsets.UTF_8)));
  }
}
