package gambit.chess.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.ConnectionBindings;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Chess events meant to harm: each is answered, and others continue. */
class HostileEventsTest {
  private final TestRelay relay =
      new TestRelay(new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  private final Client client = relay.connect();

  @AfterEach
  void end() {
    client.close();
    relay.close();
  }

  @Test
  void eventWithAVeryLongTagIsAnswered() {
    String endless = "wss://x" + "/".repeat(65_000) + "x";
    assertThat(ask(sign("alice", 5000, "connect", List.of("relay", endless))))
        .endsWith(",false,\"invalid: this event is for another relay\"]");
    assertThat(ask(sign("alice", 5000, "connect", List.of("padding", endless))))
        .endsWith(",true,\"\"]");
    assertThat(ask(sign("alice", 5001, "blah", List.of("padding", endless))))
        .endsWith(",false,\"invalid: not a UCI move\"]");
  }

  @Test
  void eventForAnotherRelayIsRefused() {
    assertThat(ask(sign("alice", 5000, "connect", List.of("relay", "wss://other.example"))))
        .endsWith(",false,\"invalid: this event is for another relay\"]");
    assertThat(ask(sign("alice", 5000, "connect", List.of("relay", "not a url"))))
        .endsWith(",false,\"invalid: this event is for another relay\"]");
    assertThat(ask(sign("alice", 5000, "connect", List.of("relay"))))
        .endsWith(",false,\"invalid: this event is for another relay\"]");
    assertThat(ask(sign("alice", 5000, "connect", List.of("relay", "WSS://Gambit.example"))))
        .endsWith(",true,\"\"]");
  }

  @Test
  void ephemeralEventTooLongToQuoteIsRefused() {
    String server = relay.signer().pubkey().hex();
    String author = Keys.of("alice").pubkey().hex();
    client.send("[\"REQ\",\"chess\",{\"kinds\":[20301,20304],\"#p\":[\"" + author + "\"]}]");
    client.until("EOSE");
    List<String> name = List.of("p", server);
    Tags padded = new Tags(List.of(name, List.of("padding", "x".repeat(8_192))));
    String refusal = "a chess event has at most 8192 bytes";
    assertThat(ask(sign("alice", 20300, "", padded))).endsWith(",true,\"\"]");
    assertThat(client.nextJson().get(2).get("content").asText()).isEqualTo("error:" + refusal);
    assertThat(ask(sign("alice", 20300, "", name))).endsWith(",true,\"\"]");
    assertThat(client.nextJson().get(2).get("content").asText()).isEqualTo("queued");
    assertThat(ask(sign("alice", 20303, "quit", padded))).endsWith(",true,\"\"]");
    assertThat(client.nextJson().get(2).get("content").asText()).isEqualTo(refusal);
  }

  @Test
  void eventThatCausesAnExceptionIsAnsweredAndOthersAreServed() {
    AtomicBoolean broken = new AtomicBoolean(true);
    ChosenLots lots =
        new ChosenLots(
            () -> {
              if (broken.get()) {
                throw new IllegalStateException("a bug, put in by the test");
              }
              return true;
            });
    try (TestRelay faulty = new TestRelay(new ChessFeature(ChessSettings.DEFAULT, lots));
        Client both = faulty.connect()) {
      Event invite = sign("alice", 5000, "invite", Tags.NONE);
      assertThat(both.answerTo(invite)).isEmpty();
      Event accept = sign("bob", 5000, "accept", List.of("e", invite.id().hex()));
      assertThat(both.answerTo(accept)).isEqualTo("error: the event could not be handled");
      assertThat(both.answerTo(sign("carol", 5000, "connect", Tags.NONE))).isEmpty();
      broken.set(false);
      assertThat(both.answerTo(accept)).isEmpty();
    }
  }

  @Test
  void bindingsOfAConnectionAreBounded() {
    for (int i = 0; i < ConnectionBindings.MAX_BINDINGS; i++) {
      assertThat(ask(sign("player " + i, 5000, "cancelsearch", List.of("nonce", "1"))))
          .endsWith(",true,\"\"]");
    }
    assertThat(ask(sign("one more", 5000, "cancelsearch", List.of("nonce", "1"))))
        .endsWith(",false,\"restricted: too many players on this connection\"]");
  }

  @Test
  void loginTakesThePlaceOfAConnectionOverWhichAnEventWasForwarded() {
    List<Client> forwarding = new ArrayList<>();
    for (int i = 0; i < ConnectionBindings.MAX_BINDINGS; i++) {
      forwarding.add(relay.connect());
      Event event = sign("alice", 5000, "cancelsearch", List.of("nonce", "" + i));
      assertThat(forwarding.get(i).answerTo(event)).isEmpty();
    }
    client.login(relay.now(), Keys.of("alice"));
    Event resign = sign("alice", 5003, "resign", List.of("nonce", "1"));
    await()
        .until(
            () -> client.answerTo(resign), answer -> answer.equals("invalid: no game in progress"));
    Event connect = sign("alice", 5000, "connect", List.of("nonce", "1"));
    for (Client each : forwarding) {
      assertThat(each.answerTo(connect))
          .isEqualTo("auth-required: another connection of this player is logged in");
      each.abort();
    }
    assertThat(client.answerTo(connect)).isEmpty();
  }

  @Test
  void refusedEventOfTheFutureStaysRefused() {
    assertThat(ask(sign("alice", 5000, "cancelsearch", List.of("nonce", "1"))))
        .endsWith(",true,\"\"]");
    Event early = Keys.of("alice").sign(relay.now() + 61, 5000, Tags.NONE, "connect");
    String refusal = ",false,\"invalid: created_at is more than 60 s from the relay's clock\"]";
    assertThat(ask(early)).endsWith(refusal);
    relay.time().advance(java.time.Duration.ofSeconds(2));
    assertThat(ask(early)).endsWith(refusal);
  }

  @Test
  void everyEventOfAFloodOfRefusedOnesIsAnswered() {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      events.add(sign("alice", 5001, "e2e4", List.of("nonce", "" + i)));
    }
    events.forEach(client::publish);
    for (Event event : events) {
      assertThat(client.next())
          .isEqualTo("[\"OK\",\"" + event.id() + "\",false,\"auth-required: send connect first\"]");
    }
  }

  private Event sign(String person, int kind, String content, List<String> tag) {
    return sign(person, kind, content, new Tags(List.of(tag)));
  }

  private Event sign(String person, int kind, String content, Tags tags) {
    Signer key = Keys.of(person);
    return key.sign(relay.now(), kind, tags, content);
  }

  private String ask(Event event) {
    client.publish(event);
    return client.next();
  }
}
