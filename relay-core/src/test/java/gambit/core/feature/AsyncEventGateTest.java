package gambit.core.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.feature.AsyncEventGate.Accepted;
import gambit.core.feature.AsyncEventGate.Dropped;
import gambit.core.feature.AsyncEventGate.Refused;
import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.ErrorLog;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Events wait for the verdict of an asynchronous gate, and nothing else waits for it. */
class AsyncEventGateTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final int EXEMPT_KIND = 7;
  private static final int CLAIMED_KIND = 1000;

  /** Keeps every verdict until the test gives it. */
  private static final class HeldGate implements Feature, AsyncEventGate {
    private final LinkedBlockingQueue<Consumer<Verdict>> held = new LinkedBlockingQueue<>();

    @Override
    public void install(RelayBuilder relay) {
      relay.asyncGate(this);
    }

    @Override
    public boolean concerns(Submission submission, boolean isClaimed) {
      return !isClaimed && submission.event().kind() != EXEMPT_KIND;
    }

    @Override
    public void check(Submission submission, Consumer<Verdict> verdict) {
      if (submission.event().content().equals("failing")) {
        throw new IllegalStateException("for the test");
      }
      held.add(verdict);
    }

    void decide(Verdict verdict) throws InterruptedException {
      Consumer<Verdict> next = held.poll(Client.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      assertThat(next).as("a checked event").isNotNull();
      next.accept(verdict);
    }
  }

  private final HeldGate gate = new HeldGate();

  @Test
  void eventIsStoredAndAnsweredOnceTheGateAcceptsIt() throws InterruptedException {
    try (TestRelay relay = new TestRelay(gate);
        Client client = relay.connect();
        Client other = relay.connect()) {
      Event note = ALICE.sign(relay.now(), 1, Tags.NONE, "note");
      client.publish(note);
      await().until(() -> gate.held.size() == 1);
      assertThat(other.queryIds("{\"kinds\":[1]}")).as("before the verdict").isEmpty();
      assertThat(relay.metrics().read("events_under_way")).isEqualTo(1);
      gate.decide(new Accepted());
      assertThat(client.next()).isEqualTo("[\"OK\",\"" + note.id() + "\",true,\"\"]");
      assertThat(client.queryIds("{\"kinds\":[1]}")).containsExactly(note.id().hex());
      assertThat(relay.metrics().read("events_under_way")).isZero();
    }
  }

  @Test
  void refusedEventIsAnsweredWithTheReasonAndNotStored() throws InterruptedException {
    try (TestRelay relay = new TestRelay(gate);
        Client client = relay.connect()) {
      Event note = ALICE.sign(relay.now(), 1, Tags.NONE, "note");
      client.publish(note);
      gate.decide(new Refused(Reason.blocked("not here")));
      assertThat(client.next())
          .isEqualTo("[\"OK\",\"" + note.id() + "\",false,\"blocked: not here\"]");
      assertThat(client.queryIds("{\"kinds\":[1]}")).isEmpty();
    }
  }

  @Test
  void droppedEventIsAnsweredAsAcceptedButNeitherStoredNorDelivered() throws InterruptedException {
    try (TestRelay relay = new TestRelay(gate);
        Client client = relay.connect();
        Client subscriber = relay.connect()) {
      subscriber.send("[\"REQ\",\"live\",{}]");
      subscriber.until("EOSE");
      Event note = ALICE.sign(relay.now(), 1, Tags.NONE, "note");
      client.publish(note);
      gate.decide(new Dropped());
      assertThat(client.next()).isEqualTo("[\"OK\",\"" + note.id() + "\",true,\"\"]");
      Event exempt = client.publishAccepted(ALICE.sign(relay.now(), EXEMPT_KIND, Tags.NONE, "+"));
      assertThat(subscriber.nextJson().get(2).get("id").asText())
          .as("the first event delivered")
          .isEqualTo(exempt.id().hex());
      assertThat(client.queryIds("{}")).containsExactly(exempt.id().hex());
    }
  }

  @Test
  void ephemeralEventIsDeliveredOnlyAfterItsVerdict() throws InterruptedException {
    try (TestRelay relay = new TestRelay(gate);
        Client client = relay.connect()) {
      client.send("[\"REQ\",\"live\",{}]");
      client.until("EOSE");
      Event fleeting = ALICE.sign(relay.now(), 20_001, Tags.NONE, "fleeting");
      client.publish(fleeting);
      Event exempt = ALICE.sign(relay.now(), EXEMPT_KIND, Tags.NONE, "+");
      client.publish(exempt);
      assertThat(client.next()).startsWith("[\"OK\",\"" + exempt.id());
      assertThat(client.nextJson().get(2).get("id").asText()).isEqualTo(exempt.id().hex());
      gate.decide(new Accepted());
      assertThat(client.next()).startsWith("[\"OK\",\"" + fleeting.id());
      assertThat(client.nextJson().get(2).get("id").asText()).isEqualTo(fleeting.id().hex());
    }
  }

  @Test
  void forgedKnownAndRefusedEventsNeverReachTheGate() throws InterruptedException {
    Feature blocking =
        builder ->
            builder.gate(
                it ->
                    it.event().content().equals("bad")
                        ? Optional.of(Reason.blocked("bad"))
                        : Optional.empty());
    try (TestRelay relay = new TestRelay(blocking, gate);
        Client client = relay.connect()) {
      Event note = ALICE.sign(relay.now(), 1, Tags.NONE, "note");
      client.publish(note);
      gate.decide(new Accepted());
      client.next();
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, "bad")))
          .isEqualTo("blocked: bad");
      client.publish(note);
      assertThat(client.next()).contains("duplicate: ");
      assertThat(gate.held).isEmpty();
    }
  }

  @Test
  void eventsAreStoredInTheOrderOfTheVerdicts() throws InterruptedException {
    try (TestRelay relay = new TestRelay(gate);
        Client client = relay.connect()) {
      Event note = ALICE.sign(relay.now() - 1, 1, Tags.NONE, "note");
      Event deletion =
          ALICE.sign(relay.now(), 5, new Tags(List.of(List.of("e", note.id().hex()))), "a mistake");
      client.publish(note);
      client.publish(deletion);
      gate.decide(new Accepted());
      gate.decide(new Accepted());
      assertThat(client.next()).isEqualTo("[\"OK\",\"" + note.id() + "\",true,\"\"]");
      assertThat(client.next()).isEqualTo("[\"OK\",\"" + deletion.id() + "\",true,\"\"]");
      assertThat(client.queryIds("{\"kinds\":[1]}")).isEmpty();
    }
  }

  @Test
  void connectionIsNotReadWhileTheMostEventsWaitForVerdicts() throws InterruptedException {
    LimitValues limits = TestLimits.builder().set(Limit.EVENTS_UNDER_WAY, 3).build();
    try (TestRelay relay = new TestRelay(limits, new MemoryEventStore(1 << 20), gate);
        Client client = relay.connect();
        Client other = relay.connect()) {
      for (int i = 0; i < 3; i++) {
        client.publish(ALICE.sign(relay.now(), 1, Tags.NONE, "note " + i));
      }
      await().until(() -> gate.held.size() == 3);
      client.send("[\"REQ\",\"one\",{\"kinds\":[1]}]");
      assertThat(other.queryIds("{}")).as("another client is served").isEmpty();
      assertThat(client.unread()).isEmpty();
      gate.decide(new Accepted());
      assertThat(client.until("EOSE")).as("the note's OK, the note, EOSE").hasSize(3);
    }
  }

  @Test
  void eventsOfAClosedConnectionAreDecidedAsWell() throws InterruptedException {
    try (TestRelay relay = new TestRelay(gate);
        Client other = relay.connect()) {
      Event note = ALICE.sign(relay.now(), 1, Tags.NONE, "note");
      try (Client client = relay.connect()) {
        client.publish(note);
        await().until(() -> !gate.held.isEmpty());
      }
      gate.decide(new Accepted());
      await().until(() -> other.queryIds("{}").equals(List.of(note.id().hex())));
      await().until(() -> relay.metrics().read("events_under_way") == 0);
    }
  }

  @Test
  void closingRelayWaitsForVerdicts() throws Exception {
    MemoryEventStore store = new MemoryEventStore(1 << 20);
    Event note;
    CompletableFuture<Void> closed;
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, gate);
        Client client = relay.connect()) {
      note = ALICE.sign(relay.now(), 1, Tags.NONE, "note");
      client.publish(note);
      await().until(() -> !gate.held.isEmpty());
      closed = CompletableFuture.runAsync(relay::close);
      gate.decide(new Accepted());
      assertThat(client.next()).isEqualTo("[\"OK\",\"" + note.id() + "\",true,\"\"]");
      closed.get(Client.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  void eventWhoseCheckFailsIsAnsweredWithAnErrorAndNoLongerUnderWay() {
    try (TestRelay relay = new TestRelay(gate);
        Client client = relay.connect();
        ErrorLog log = ErrorLog.capture()) {
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, "failing")))
          .isEqualTo("error: the event could not be checked");
      assertThat(relay.metrics().read("events_under_way")).isZero();
      assertThat(log.messages()).containsExactly("An event could not be checked");
    }
  }

  @Test
  void claimedEventIsCheckedOnlyIfItsHandlerReturnsIt() throws InterruptedException {
    Feature handler =
        builder ->
            builder.handleEvents(
                event ->
                    event.kind() == CLAIMED_KIND
                        ? Optional.of(Submission::pass)
                        : Optional.empty());
    try (TestRelay relay = new TestRelay(handler, gate);
        Client client = relay.connect()) {
      Event refused = ALICE.sign(relay.now(), CLAIMED_KIND, Tags.NONE, "returned");
      client.publish(refused);
      gate.decide(new Refused(Reason.blocked("not here")));
      assertThat(client.next())
          .isEqualTo("[\"OK\",\"" + refused.id() + "\",false,\"blocked: not here\"]");
      Event accepted = ALICE.sign(relay.now(), CLAIMED_KIND, Tags.NONE, "returned, too");
      client.publish(accepted);
      gate.decide(new Accepted());
      assertThat(client.next()).isEqualTo("[\"OK\",\"" + accepted.id() + "\",true,\"\"]");
      assertThat(gate.held).isEmpty();
      assertThat(client.queryIds("{}")).containsExactly(accepted.id().hex());
    }
  }

  @Test
  void eventThatItsHandlerAnswersIsNotChecked() {
    Feature handler =
        builder ->
            builder.handleEvents(
                event ->
                    Optional.of(
                        submission ->
                            builder.publisher().send(List.of(submission.accepted("handled")))));
    try (TestRelay relay = new TestRelay(handler, gate);
        Client client = relay.connect()) {
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, "note")))
          .isEqualTo("handled");
      assertThat(gate.held).isEmpty();
    }
  }

  @Test
  void secondAsynchronousGateIsAProgrammingError() {
    assertThatThrownBy(() -> new TestRelay(gate, new HeldGate()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already");
  }
}
