package gambit.core.ingest;

import gambit.core.crypto.EventVerifier;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.EventAuthority;
import gambit.core.feature.EventAuthority.Claim;
import gambit.core.feature.EventGate;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.store.EventStore;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The path of an EVENT on one page: known already? right id? right signature? any gate's objection?
 * too many of its author's? an authority's? — then to the writer, or straight to who listens. Every
 * event gets one answer. Called on event loops; thread-safe.
 */
public final class Ingest {
  private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);
  private static final Reason BUSY = Reason.rateLimited("the relay is busy, try again");

  /**
   * How much may be between frame and answer, all connections together, when one more event comes;
   * beyond it: rate-limited. What others may not fill is kept for an authority's events, and the
   * last part for those that it waits for.
   *
   * @param bytes about
   */
  private record Room(int events, long bytes) {
    private static final Room ORDINARY = new Room(16_000, 96L << 20);
    private static final Room OWNED = new Room(19_000, 120L << 20);
    private static final Room AWAITED = new Room(20_000, 128L << 20);
  }

  /** What a string in an event's tags takes on the heap beside its characters, about. */
  private static final long TAG_VALUE_BYTES = 56;

  private final EventStore store;
  private final StorageRules rules;
  private final EventVerifier verifier;
  private final Writer writer;
  private final LiveLane live;
  private final List<EventGate> gates;
  private final List<EventAuthority> authorities;
  private final RateLimiter rates;
  private final IngestMetrics verdicts;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLong bytesUnderWay = new AtomicLong();

  public Ingest(
      EventStore store,
      StorageRules rules,
      EventVerifier verifier,
      Writer writer,
      LiveLane live,
      List<EventGate> gates,
      List<EventAuthority> authorities,
      RateLimiter rates,
      Metrics metrics) {
    this.store = store;
    this.rules = rules;
    this.verifier = verifier;
    this.writer = writer;
    this.live = live;
    this.gates = List.copyOf(gates);
    this.authorities = List.copyOf(authorities);
    this.rates = rates;
    this.verdicts = new IngestMetrics(metrics);
    metrics.gauge("events_under_way", "Events between frame and answer", underWay::get);
  }

  /** Hears of an awaited event that was answered before its authority has seen it. */
  public interface AwaitedEventListener {
    /** It was not what its author signed. */
    void forged();

    /** It was a duplicate, or a gate has refused it. */
    void answered();
  }

  /** The claim of the authority that owns an event, if there is one. */
  public Optional<Claim> claim(Event event) {
    return authorities.stream().flatMap(it -> it.claim(event).stream()).findFirst();
  }

  /**
   * Takes an event that a client has sent; {@link #answered} is to be called when its answer has
   * gone out.
   *
   * @param arrivedAt when it was read from the socket
   * @param claim what {@link #claim} has returned for it
   * @param awaited whether it is treated as awaited by its authority
   * @param inVain hears of it, before it is answered, if it was awaited in vain
   */
  public void take(
      Event event,
      ClientConnection connection,
      Instant arrivedAt,
      Optional<Claim> claim,
      boolean awaited,
      AwaitedEventListener inVain) {
    Submission submission =
        new Submission(event, connection, arrivedAt, awaited, this::takeOrdinary);
    Room room = awaited ? Room.AWAITED : claim.isPresent() ? Room.OWNED : Room.ORDINARY;
    int events = underWay.incrementAndGet();
    long bytes = bytesUnderWay.addAndGet(bytes(event));
    if (events > room.events() || bytes > room.bytes()) {
      refuse(submission, BUSY);
      return;
    }
    Optional<Ok> answer = check(submission, inVain);
    if (answer.isPresent()) {
      connection.answer(event, answer.get());
    } else {
      claim.ifPresentOrElse(it -> it.rule(submission), () -> takeOrdinary(submission));
    }
  }

  /** What can be answered at once; nothing when the event is to be ruled on or stored. */
  private Optional<Ok> check(Submission submission, AwaitedEventListener inVain) {
    Event event = submission.event();
    try {
      if (store.contains(event.id()) && !rules.hides(event, submission.arrivedAt())) {
        tell(submission, inVain::answered);
        return Optional.of(Ok.duplicate(event, WriteOutcome.DUPLICATE.reason()));
      }
      Optional<Reason> forgery = forgery(event);
      if (forgery.isPresent()) {
        tell(submission, inVain::forged);
        return Optional.of(Ok.refused(event, forgery.get()));
      }
      Optional<Reason> objection = objection(submission);
      objection.ifPresent(reason -> tell(submission, inVain::answered));
      return objection.map(reason -> Ok.refused(event, reason));
    } catch (RuntimeException e) {
      LOG.error("An event could not be checked", e);
      return Optional.of(Ok.refused(event, Reason.error("the event could not be checked")));
    }
  }

  private static void tell(Submission submission, Runnable inVain) {
    if (submission.awaited()) {
      inVain.run();
    }
  }

  /** Tells that one of the events taken has had its answer. Any thread. */
  public void answered(Event event, Ok ok) {
    underWay.decrementAndGet();
    bytesUnderWay.addAndGet(-bytes(event));
    verdicts.count(ok);
  }

  /** What an event that has been read takes, about: three bytes of JSON can be a tag's value. */
  private static long bytes(Event event) {
    return event.json().length
        + event.tags().list().stream().mapToLong(tag -> tag.size() * TAG_VALUE_BYTES).sum();
  }

  /**
   * Waits until every event taken has had its answer.
   *
   * @return whether they have, in time
   */
  public boolean awaitAnswers(Duration patience) throws InterruptedException {
    long giveUp = System.nanoTime() + patience.toNanos();
    while (underWay.get() > 0 && System.nanoTime() < giveUp) {
      Thread.sleep(1);
    }
    return underWay.get() == 0;
  }

  /** Counts the refusal of an EVENT that was not given to {@link #take}. Any thread. */
  public void notTaken(Ok ok) {
    verdicts.count(ok);
  }

  /** Why the event is not what its author signed, or nothing when it is. */
  public Optional<Reason> forgery(Event event) {
    if (!verifier.hasValidId(event)) {
      return Optional.of(Reason.invalid("the id is not the hash of the event"));
    }
    return verifier.hasValidSignature(event)
        ? Optional.empty()
        : Optional.of(Reason.invalid("the signature does not verify"));
  }

  private Optional<Reason> objection(Submission submission) {
    for (EventGate gate : gates) {
      Optional<Reason> objection = gate.objection(submission);
      if (objection.isPresent()) {
        return objection;
      }
    }
    return submission.awaited()
        ? Optional.empty()
        : rates.objection(Verb.EVENT, submission.event().pubkey());
  }

  private void takeOrdinary(Submission submission) {
    Event event = submission.event();
    if (Kind.isEphemeral(event.kind())) {
      boolean taken =
          live.offer(List.of(submission.accepted(""), new Outgoing.Broadcast(event, List.of())));
      if (!taken) {
        refuse(submission, BUSY);
      }
    } else if (!writer.submit(event, outcome -> settle(submission, outcome))) {
      refuse(submission, BUSY);
    }
  }

  /** What to let out for an ordinary event; on the writer's thread. */
  private List<Outgoing> settle(Submission submission, WriteOutcome outcome) {
    return outcome == WriteOutcome.STORED
        ? List.of(submission.accepted(""), new Outgoing.Broadcast(submission.event(), List.of()))
        : List.of(answerTo(submission, outcome));
  }

  private static Outgoing answerTo(Submission submission, WriteOutcome outcome) {
    return outcome == WriteOutcome.DUPLICATE
        ? submission.duplicate(outcome.reason())
        : submission.refused(outcome.reason());
  }

  private void refuse(Submission submission, Reason reason) {
    submission.connection().answer(submission.event(), Ok.refused(submission.event(), reason));
  }
}
