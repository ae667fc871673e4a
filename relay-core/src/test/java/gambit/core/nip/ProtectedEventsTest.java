package gambit.core.nip;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NIP-70; the golden files show who may publish what. */
class ProtectedEventsTest {
  private static final Signer ALICE = Keys.of("alice");

  private final TestRelay relay = new TestRelay();
  private final Client client = relay.connect();

  @AfterEach
  void end() {
    client.close();
    relay.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"tags\":[[\"-\"]]}",
        "  {\"kind\":1,\"tags\":[[\"t\",\"x\"],[\"-\"]]}  ",
        "{\"tags\":[[\"-\",\"with a value\"]]}",
        "{\"t\\u0061gs\":[[\"\\u002d\"]]}"
      })
  void repostOfAProtectedEventIsRefusedHoweverItIsFormatted(String embedded) {
    for (int kind : new int[] {6, 16}) {
      assertThat(client.answerTo(ALICE.sign(relay.now(), kind, Tags.NONE, embedded)))
          .isEqualTo("blocked: a protected event must not be embedded in a repost");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "no JSON",
        "{",
        "null",
        "7",
        "[[\"-\"]]",
        "{\"tags\":\"-\"}",
        "{\"tags\":[\"-\"]}",
        "{\"tags\":{\"-\":\"-\"}}",
        "{\"tags\":[[],[\"t\",\"-\"],[null],[7]]}",
        "{\"tags\":[[\"-\"]],",
        "{\"tags\":[[\"-\"]",
        "{\"tags\":[[[\"-\"]],{\"-\":[\"-\"]}]}",
        "{\"x\":{\"tags\":[[\"-\"]]}}",
        "{\"tags\":null,\"content\":\"[\\\"-\\\"]\"}"
      })
  void repostWithoutAProtectedEventIsAccepted(String content) {
    client.publishAccepted(ALICE.sign(relay.now(), 6, Tags.NONE, content));
  }

  /** Clients that read such an event look at the fields that they know only. */
  @Test
  void protectedEventAfterAnUnreadableFieldIsRefused() {
    StringBuilder colliding = new StringBuilder("\"x\":0");
    for (int i = 0; i < 2_000; i++) {
      colliding.append(",\"");
      for (int bit = 0; bit < 11; bit++) {
        colliding.append((i >> bit) % 2 == 0 ? "Ab" : "BA"); // of the same hash
      }
      colliding.append("\":1");
    }
    for (String field :
        List.of(
            "\"x\":" + "[".repeat(20_000) + "]".repeat(20_000),
            "\"x\":" + "1".repeat(20_000),
            "\"" + "x".repeat(60_000) + "\":1",
            colliding.toString())) {
      String embedded = "{" + field + ",\"tags\":[[\"t\",[{}],\"x\"],[\"-\"]]}";
      assertThat(client.answerTo(ALICE.sign(relay.now(), 6, Tags.NONE, embedded)))
          .startsWith("blocked: ");
    }
  }

  @Test
  void deeplyNestedRepostIsAnswered() {
    String deep = "{\"tags\":" + "[".repeat(50_000) + "]".repeat(50_000) + "}";
    client.publishAccepted(ALICE.sign(relay.now(), 6, Tags.NONE, deep));
  }

  @Test
  void protectionTagMayHaveAValue() {
    Event event =
        ALICE.sign(relay.now(), 1, new Tags(List.of(List.of("-", "and a reason"))), "hello");
    assertThat(client.answerTo(event)).startsWith("auth-required: ");
  }

  @Test
  void storedProtectedEventIsADuplicateForEveryone() {
    Event event = ALICE.sign(relay.now(), 1, new Tags(List.of(List.of("-"))), "hello");
    client.login(relay.now(), ALICE).publishAccepted(event);
    try (Client other = relay.connect()) {
      assertThat(other.answerTo(event)).isEqualTo("duplicate: already have this event");
    }
  }
}
