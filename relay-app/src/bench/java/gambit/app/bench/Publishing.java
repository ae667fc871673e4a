package gambit.app.bench;

import gambit.app.bench.Message.Verb;
import gambit.app.common.SafeText;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes events. An operation is an event if nobody is subscribed, otherwise a delivery, and it
 * ends with OK true and the event delivered once to each subscriber that must receive it. On the
 * event loop.
 */
final class Publishing implements Loop.Operations {
  private final Supplier<@Nullable SignedEvent> source;
  private final Receivers receivers;
  private final Predicate<SignedEvent> mayBeRefused;
  private final Map<Long, UnderWay> underWay = new HashMap<>();
  private @Nullable SignedEvent next;

  /** Who must receive an event. */
  interface Receivers {
    /** The numbers of the subscribers; a new set for each call. */
    BitSet of(SignedEvent event);
  }

  private static final class UnderWay {
    private final SignedEvent event;
    private final BenchClient publisher;
    private final long begun;
    private final BitSet missing;
    private final boolean isDelivered;
    private boolean isAnswered;

    UnderWay(SignedEvent event, BenchClient publisher, long begun, BitSet missing) {
      this.event = event;
      this.publisher = publisher;
      this.begun = begun;
      this.missing = missing;
      this.isDelivered = !missing.isEmpty();
    }
  }

  /**
   * Publishes without subscribers.
   *
   * @param source null at its end
   * @param mayBeRefused events that a relay need not store
   */
  Publishing(Supplier<@Nullable SignedEvent> source, Predicate<SignedEvent> mayBeRefused) {
    this(source, event -> new BitSet(), mayBeRefused);
  }

  Publishing(
      Supplier<@Nullable SignedEvent> source,
      Receivers receivers,
      Predicate<SignedEvent> mayBeRefused) {
    this.source = source;
    this.receivers = receivers;
    this.mayBeRefused = mayBeRefused;
  }

  /** Sets the listeners of all clients; before the loop begins. */
  void listen(List<BenchClient> publishers, List<BenchClient> subscribers, Loop to) {
    for (BenchClient publisher : publishers) {
      listen(publisher, message -> answered(message, to), to);
    }
    for (int i = 0; i < subscribers.size(); i++) {
      int number = i;
      listen(subscribers.get(i), message -> delivered(message, number, to), to);
    }
  }

  /** Lets a client's messages go there, and the loop fail when the connection ends. */
  static void listen(BenchClient client, BenchClient.Listener to, Loop loop) {
    client.listen(
        new BenchClient.Listener() {
          @Override
          public void received(Message message) {
            to.received(message);
          }

          @Override
          public void ended(String reason) {
            loop.fail(reason);
          }
        });
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = source.get();
      while (next != null && underWay.containsKey(next.key())) {
        next = source.get(); // a source that repeats has overtaken a slow connection
      }
    }
    return next != null;
  }

  @Override
  public void begin(BenchClient client, long begun, Loop of) {
    if (!hasNext()) {
      throw new IllegalStateException("no event");
    }
    SignedEvent event = Objects.requireNonNull(next);
    next = null;
    underWay.put(event.key(), new UnderWay(event, client, begun, receivers.of(event)));
    event.sendBy(client);
  }

  /** Takes the answer to an event of this. */
  void answered(Message message, Loop to) {
    if (message.verb() == Verb.NOTICE) {
      to.fail("The relay sent a notice: " + SafeText.of(message.name()));
    }
    if (message.verb() != Verb.OK) {
      return;
    }
    long key = message.answeredKey();
    UnderWay event = underWay.get(key);
    if (event == null || event.isAnswered) {
      to.totals().wrong("an OK for an event that awaits none: " + SafeText.of(message.text()));
      return;
    }
    if (!message.isAccepted() && !(mayBeRefused.test(event.event) && isOfEvent(message))) {
      to.fail("The relay refused an event: " + SafeText.of(message.text()));
    }
    event.isAnswered = true;
    if (!event.isDelivered) {
      to.totals().operation(System.nanoTime() - event.begun);
    }
    conclude(key, event, to);
  }

  /** Whether a refusal is because of the event, not because of the relay's load or rules. */
  private static boolean isOfEvent(Message refusal) {
    return !refusal.hasReason("rate-limited:")
        && !refusal.hasReason("blocked:")
        && !refusal.hasReason("error:");
  }

  /** Takes what a subscriber receives. */
  void delivered(Message message, int subscriber, Loop to) {
    if (message.verb() == Verb.CLOSED) {
      to.fail("The relay closed a subscription: " + SafeText.of(message.text()));
    }
    if (message.verb() != Verb.EVENT) {
      return;
    }
    long key = message.eventKey();
    UnderWay event = underWay.get(key);
    if (event == null || !event.missing.get(subscriber)) {
      to.totals()
          .wrong("an event that was delivered before, or is none: " + SafeText.of(message.text()));
      return;
    }
    event.missing.clear(subscriber);
    to.totals().operation(System.nanoTime() - event.begun);
    conclude(key, event, to);
  }

  private void conclude(long key, UnderWay event, Loop to) {
    if (event.isAnswered && event.missing.isEmpty()) {
      underWay.remove(key);
      to.freed(event.publisher);
    }
  }
}
