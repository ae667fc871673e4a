package gambit.core.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.testkit.Client;
import gambit.core.testkit.ErrorLog;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Awaited events are accepted where others are refused. */
class EventHandlerTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final int OWNED = 20_100;
  private static final String AWAITED = "awaited";
  private static final String HELD = "held";
  private static final String FAILING = "failing";
  private static final String WAIT = "rate-limited: slow down, wait \\d{4} s";
  private static final String BUSY = "rate-limited: the relay is busy, try again";

  private int events;

  /** Answers its events, but holds some until they are released. */
  private static final class AwaitingHandler implements Feature, EventHandler {
    private final LinkedBlockingQueue<Submission> held = new LinkedBlockingQueue<>();
    private @Nullable Publisher publisher;

    @Override
    public void install(RelayBuilder relay) {
      publisher = relay.publisher();
      relay.handleEvents(this);
    }

    @Override
    public Optional<ClaimedEvent> claim(Event event) {
      return event.kind() == OWNED ? Optional.of(new Owned(event)) : Optional.empty();
    }

    private final class Owned implements ClaimedEvent {
      private final Event event;

      private Owned(Event event) {
        this.event = event;
      }

      @Override
      public boolean isAwaited() {
        return event.content().startsWith(AWAITED);
      }

      @Override
      public void handle(Submission submission) {
        AwaitingHandler.this.handle(submission);
      }
    }

    private void handle(Submission submission) {
      String content = submission.event().content();
      if (content.startsWith(FAILING)) {
        throw new IllegalStateException("for the test");
      } else if (content.startsWith(HELD)) {
        held.add(submission);
      } else {
        answer(submission);
      }
    }

    void release() {
      held.forEach(this::answer);
      held.clear();
    }

    private void answer(Submission submission) {
      if (publisher != null) {
        publisher.send(List.<Outgoing>of(submission.accepted("")));
      }
    }
  }

  @Test
  void eventWhoseHandlerFailsIsRefused() {
    try (TestRelay relay = new TestRelay(new AwaitingHandler());
        Client client = relay.connect();
        ErrorLog log = ErrorLog.capture()) {
      assertThat(client.answerTo(event(relay, FAILING)))
          .isEqualTo("error: the event could not be handled");
      client.publishAccepted(event(relay, "another"));
      assertThat(log.messages()).containsExactly("An event could not be passed to its handler");
    }
  }

  @Test
  void awaitedEventsAreNotSubjectToRateLimitsAndUseNoTokens() {
    Map<Verb, Rate> two = Map.of(Verb.EVENT, Rate.parse("2/h"));
    for (RateLimits rates : List.of(new RateLimits(two, Map.of()), new RateLimits(Map.of(), two))) {
      try (TestRelay relay =
              new TestRelay(
                  LimitValues.DEFAULT, rates, TransportSettings.DEFAULT, new AwaitingHandler());
          Client client = relay.connect()) {
        for (int i = 0; i < 5; i++) {
          client.publishAccepted(event(relay, AWAITED));
        }
        client.publishAccepted(event(relay, "another"));
        client.publishAccepted(event(relay, "another"));
        assertThat(client.answerTo(event(relay, "another"))).matches(WAIT);
        client.publishAccepted(event(relay, AWAITED));
      }
    }
  }

  @Test
  void forgedAwaitedEventCountsAsInvalidAndEndsTheExemptionOfItsSender() {
    Map<Verb, Rate> one = Map.of(Verb.EVENT, Rate.parse("1/h"), Verb.INVALID, Rate.parse("1/h"));
    try (TestRelay relay =
            new TestRelay(
                LimitValues.DEFAULT,
                new RateLimits(one, Map.of()),
                TransportSettings.DEFAULT,
                new AwaitingHandler());
        Client forger = relay.connect();
        Client player = relay.connect()) {
      Event forged = forged(event(relay, AWAITED));
      assertThat(forger.answerTo(forged)).isEqualTo("invalid: the signature does not verify");
      forger.send("[\"HELLO\"]");
      assertThat(forger.next()).matches("\\[\"NOTICE\",\"" + WAIT + "\"]");
      forger.publishAccepted(event(relay, AWAITED));
      assertThat(forger.answerTo(forged)).matches(WAIT);
      assertThat(forger.answerTo(event(relay, AWAITED))).matches(WAIT);
      player.publishAccepted(event(relay, AWAITED));
    }
  }

  @Test
  void exemptionsOfEventsAnsweredBeforeTheHandlerSeesThemAreBounded() {
    Map<Verb, Rate> one = Map.of(Verb.EVENT, Rate.parse("1/h"));
    try (TestRelay relay =
            new TestRelay(
                LimitValues.DEFAULT,
                new RateLimits(one, Map.of()),
                TransportSettings.DEFAULT,
                new AwaitingHandler());
        Client client = relay.connect();
        Client player = relay.connect()) {
      Event expired = event(relay, AWAITED, new Tags(List.of(List.of("expiration", "1"))));
      for (int i = 0; i < 16; i++) {
        assertThat(client.answerTo(expired)).isEqualTo("invalid: the event has expired");
      }
      client.publishAccepted(event(relay, AWAITED));
      assertThat(client.answerTo(event(relay, AWAITED))).matches(WAIT);
      player.publishAccepted(event(relay, AWAITED));
    }
  }

  @Test
  void roomForEventsUnderWayIsReservedForClaimedAndAwaitedEvents() {
    AwaitingHandler handler = new AwaitingHandler();
    Tags tags = new Tags(List.of(Collections.nCopies(30_000, "x"))); // 2 MB on the heap
    try (TestRelay relay = new TestRelay(handler);
        Client filling = relay.connect();
        Client client = relay.connect()) {
      int sent = 100;
      for (int i = 0; i < sent; i++) {
        filling.publishWithoutWaiting(event(relay, HELD, tags));
      }
      assertThat(filling.next()).endsWith(",false,\"" + BUSY + "\"]");
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, "a note"))).isEqualTo(BUSY);
      assertThat(client.answerTo(event(relay, "another", tags))).isEqualTo(BUSY);
      assertThat(client.answerTo(event(relay, AWAITED, tags))).isEmpty();
      for (int i = 1; i < sent - handler.held.size(); i++) {
        filling.next();
      }
      handler.release();
      await().until(() -> relay.metrics().read("events_under_way") == 0);
      client.publishAccepted(event(relay, "another", tags));
    }
  }

  private Event event(TestRelay relay, String content) {
    return event(relay, content, Tags.NONE);
  }

  /** One that is like no other. */
  private Event event(TestRelay relay, String content, Tags tags) {
    return ALICE.sign(relay.now(), OWNED, tags, content + " " + events++);
  }

  private static Event forged(Event event) {
    return EventEncoder.encode(
        event.id(),
        event.pubkey(),
        event.createdAt(),
        event.kind(),
        event.tags(),
        event.content(),
        new byte[64]);
  }
}
