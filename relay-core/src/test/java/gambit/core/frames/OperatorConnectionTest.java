package gambit.core.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The connections of the operator's commands; golden frame files in {@code operator} have more. */
class OperatorConnectionTest {
  private static final Signer ALICE = Keys.of("alice");

  private static Event withSignature(Event event, byte[] signature, EventId id) {
    return EventEncoder.encode(
        id,
        event.pubkey(),
        event.createdAt(),
        event.kind(),
        event.tags(),
        event.content(),
        signature);
  }

  @Test
  void anyOtherAuthorizationHeaderIsIgnored() {
    try (TestRelay relay = new TestRelay();
        Client wrong = new Client(relay.uri(), Map.of("Authorization", "Bearer of bad news"));
        Client basic = new Client(relay.uri(), Map.of("Authorization", "Basic YTpi"));
        Client operator = relay.connectOperator()) {
      Event note = ALICE.sign(relay.now() - 1_000_000, 1, Tags.NONE, "note");
      Event wrap = ALICE.sign(relay.now(), 1059, Tags.NONE, "sealed");
      assertThat(operator.answerTo(wrap)).isEmpty();
      String query = "[\"REQ\",\"q\",{\"ids\":[\"" + wrap.id() + "\"]}]";
      for (Client client : new Client[] {wrong, basic}) {
        assertThat(client.send(query).next()).startsWith("[\"EOSE\"");
        assertThat(client.answerTo(note)).doesNotContain("operator");
      }
      assertThat(operator.send(query).next()).startsWith("[\"EVENT\"");
    }
  }

  @Test
  void signaturesThatTheOperatorHasVerifiedAreNotVerifiedAgainButIdsAre() {
    try (TestRelay relay = new TestRelay();
        Client verifying = relay.connectVerifyingOperator();
        Client client = new Client(relay.uri(), Map.of("Gambit-Signatures", "verified"))) {
      Event note = ALICE.sign(relay.now(), 1, Tags.NONE, "note");
      Event unsigned = withSignature(note, new byte[64], note.id());
      assertThat(client.answerTo(unsigned)).startsWith("invalid: the signature");
      assertThat(verifying.answerTo(unsigned)).isEmpty();
      Event misnamed = withSignature(note, note.sig(), new EventId(new byte[32]));
      assertThat(verifying.answerTo(misnamed)).startsWith("invalid: the id");
    }
  }

  @Test
  void rateLimitsAndLimitsOfConnectionsDoNotApply() {
    Map<Verb, Rate> none = new EnumMap<>(Verb.class);
    for (Verb verb : Verb.values()) {
      none.put(verb, Rate.parse("2/h"));
    }
    LimitValues limits = TestLimits.builder().set(Limit.CONNECTIONS, 1).build();
    try (TestRelay relay =
            new TestRelay(limits, new RateLimits(none, none), TransportSettings.DEFAULT);
        Client client = relay.connect();
        Client operator = relay.connectOperator();
        Client another = relay.connectOperator()) {
      assertThatThrownBy(relay::connect).hasStackTraceContaining("WebSocketHandshakeException");
      for (int i = 0; i < 5; i++) {
        assertThat(operator.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, "note " + i))).isEmpty();
        assertThat(another.send("[\"REQ\",\"q\",{\"kinds\":[2]}]").next()).startsWith("[\"EOSE\"");
      }
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, "mine"))).isEmpty();
    }
  }
}
