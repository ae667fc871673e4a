package gambit.core.ingest;

import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ClientSession;
import gambit.core.feature.EventHandler;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.EventsUnderWay.Bound;
import gambit.core.live.Delivery;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.store.EventStore;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * The path of an EVENT: is there room, is the event known, do its id and signature verify, does a
 * gate or a rate limit object, then the gate that answers later? Then it goes to the handler that
 * claims it, to the writer, or if it is ephemeral to the live lane. Every event gets one answer.
 * Called on event loops; thread-safe.
 */
public final class Ingest {
  private static final LimitedLog LOG = LimitedLog.of(Ingest.class);
  private static final Reason BUSY = Reason.rateLimited("the relay is busy, try again");

  private final EventStore store;
  private final StorageRules rules;
  private final EventChecks checks;
  private final BiPredicate<Event, ClientConnection> mayRead;
  private final List<EventHandler> eventHandlers;
  private final Writer writer;
  private final Delivery live;
  private final Forwarding forwarding;
  private final EventsUnderWay underWay = new EventsUnderWay();
  private final IngestMetrics metrics;

  /**
   * Creates the path.
   *
   * @param mayRead whether a client may read a stored event
   * @param forwarding {@link Forwarding#NONE} for a relay that has no cluster
   */
  public Ingest(
      EventStore store,
      StorageRules rules,
      EventChecks checks,
      BiPredicate<Event, ClientConnection> mayRead,
      List<EventHandler> eventHandlers,
      Writer writer,
      Delivery live,
      Forwarding forwarding,
      Metrics metrics) {
    this.store = store;
    this.rules = rules;
    this.checks = checks;
    this.mayRead = mayRead;
    this.eventHandlers = List.copyOf(eventHandlers);
    this.writer = writer;
    this.live = live;
    this.forwarding = forwarding;
    this.metrics = new IngestMetrics(metrics, underWay);
  }

  /** Is notified of an awaited event that is answered before it reaches its handler. */
  public interface AwaitedEventListener {
    /** The event is not what its author signed. */
    void forged();

    /** The event is a duplicate, or was refused by a gate. */
    void answered();
  }

  /** For an event that its handler has received, so that it is awaited no more. */
  private static final AwaitedEventListener UNAWAITED =
      new AwaitedEventListener() {
        @Override
        public void forged() {}

        @Override
        public void answered() {}
      };

  /** The event as claimed by its handler, if there is one. */
  public Optional<ClaimedEvent> claim(Event event) {
    for (EventHandler handler : eventHandlers) {
      Optional<ClaimedEvent> claimed = handler.claim(event);
      if (claimed.isPresent()) {
        return claimed;
      }
    }
    return Optional.empty();
  }

  /**
   * Takes an event that a client has sent; {@link #answered} must be called when its answer has
   * been sent.
   *
   * @param arrivedAt when it was read from the socket
   * @param claim what {@link #claim} has returned for it
   * @param awaited whether it is treated as awaited by its handler
   * @param listener is notified before an awaited event is answered here
   */
  public void take(
      Event event,
      ClientSession connection,
      Instant arrivedAt,
      Optional<ClaimedEvent> claim,
      boolean awaited,
      AwaitedEventListener listener) {
    Submission submission =
        new Submission(
            event, connection, arrivedAt, awaited, it -> takePassed(it, connection::execute));
    Bound bound = awaited ? Bound.AWAITED : claim.isPresent() ? Bound.CLAIMED : Bound.ORDINARY;
    if (!underWay.add(event, connection, bound)) {
      refuse(submission, BUSY);
      return;
    }
    Optional<Reason> unreachable = forwarding.objection();
    if (unreachable.isPresent()) {
      refuse(submission, unreachable.get());
      return;
    }
    Optional<Ok> answer = immediateAnswer(submission, claim, listener);
    if (answer.isPresent()) {
      connection.answer(event, answer.get());
      return;
    }
    Optional<AsyncEventGate> gate = checks.asyncGate(submission, claim.isPresent());
    if (gate.isEmpty()) {
      takePermitted(submission, claim);
      return;
    }
    check(
        submission,
        gate.get(),
        verdict ->
            connection.execute(() -> takeAfterVerdict(submission, claim, verdict, listener)));
  }

  /**
   * Takes an event that the operator imports; {@link #answered} must be called when its answer has
   * been sent. It passes by gates, rate limits and handlers, except that a handler is given a
   * deletion or a request to vanish that it claims, which may concern what it keeps.
   *
   * @param isVerified whether the operator has verified its signature
   */
  public void takeImported(
      Event event, ClientConnection connection, Instant arrivedAt, boolean isVerified) {
    Submission submission = new Submission(event, connection, arrivedAt, false, this::takeOrdinary);
    if (!underWay.add(event, connection, Bound.ORDINARY)) {
      refuse(submission, BUSY);
      return;
    }
    Optional<Reason> unreachable = forwarding.objection();
    if (unreachable.isPresent()) {
      refuse(submission, unreachable.get());
      return;
    }
    Optional<Ok> answer = immediateAnswerToImport(submission, isVerified);
    if (answer.isPresent()) {
      connection.answer(event, answer.get());
    } else if (!forwarding.forward(submission, true)) {
      takeCheckedImport(submission);
    }
  }

  /** Takes an imported event that was checked. */
  private void takeCheckedImport(Submission submission) {
    Event event = submission.event();
    if (event.kind() == Kind.DELETION || event.kind() == Kind.VANISH) {
      takeChecked(submission, claim(event));
    } else {
      takeOrdinary(submission);
    }
  }

  /**
   * Takes an event that another node, or this one before it led, has checked. On the writer's
   * thread.
   *
   * @param arrivedAt when it was read from the socket, on this node's clock
   */
  public void takeForwarded(
      Event event,
      ClientConnection connection,
      Instant arrivedAt,
      boolean awaited,
      boolean isImported) {
    if (isImported) {
      takeCheckedImport(new Submission(event, connection, arrivedAt, awaited, this::takeOrdinary));
    } else {
      takeChecked(
          new Submission(
              event, connection, arrivedAt, awaited, it -> takePassed(it, writer::execute)),
          claim(event));
    }
  }

  private Optional<Ok> immediateAnswerToImport(Submission submission, boolean isVerified) {
    Event event = submission.event();
    try {
      if (store.contains(event.id()) && !rules.hides(event, submission.arrivedAt())) {
        return Optional.of(Ok.duplicate(event, WriteOutcome.DUPLICATE.reason()));
      }
      return (isVerified ? checks.falseId(event) : forgery(event))
          .or(() -> checks.objectionToImport(event, submission.arrivedAt()))
          .map(reason -> Ok.refused(event, reason));
    } catch (RuntimeException e) {
      LOG.error("An event could not be checked", e);
      return Optional.of(Ok.refused(event, Reason.error("the event could not be checked")));
    }
  }

  /** Takes an event that nothing objects to. */
  private void takePermitted(Submission submission, Optional<ClaimedEvent> claim) {
    boolean isSpread = claim.isEmpty() && Kind.isEphemeral(submission.event().kind());
    if (isSpread || !forwarding.forward(submission, false)) {
      takeChecked(submission, claim);
    } else {
      claim.ifPresent(ClaimedEvent::forwarded);
    }
  }

  private void takeChecked(Submission submission, Optional<ClaimedEvent> claim) {
    if (claim.isPresent()) {
      handle(claim.get(), submission);
    } else {
      takeOrdinary(submission);
    }
  }

  /**
   * Takes an event that its handler returns; the gate may not have been asked about it yet.
   *
   * @param executor runs what follows from the gate's verdict
   */
  private void takePassed(Submission submission, Executor executor) {
    Optional<AsyncEventGate> gate =
        checks.asyncGate(submission, true).isPresent()
            ? Optional.empty()
            : checks.asyncGate(submission, false);
    gate.ifPresentOrElse(
        it ->
            check(
                submission,
                it,
                verdict ->
                    executor.execute(
                        () -> takeAfterVerdict(submission, Optional.empty(), verdict, UNAWAITED))),
        () -> takeOrdinary(submission));
  }

  private static void check(
      Submission submission, AsyncEventGate gate, Consumer<Verdict> whenDecided) {
    try {
      gate.check(submission, whenDecided);
    } catch (RuntimeException e) {
      LOG.error("An event could not be checked", e);
      refuse(submission, Reason.error("the event could not be checked"));
    }
  }

  /** Continues with an event that the gate has decided on. */
  private void takeAfterVerdict(
      Submission submission,
      Optional<ClaimedEvent> claim,
      Verdict verdict,
      AwaitedEventListener listener) {
    if (verdict instanceof AsyncEventGate.Accepted) {
      takePermitted(submission, claim);
      return;
    }
    notifyIfAwaited(submission, listener::answered);
    if (verdict instanceof AsyncEventGate.Refused refused) {
      refuse(submission, refused.reason());
    } else {
      submission.connection().answer(submission.event(), Ok.accepted(submission.event(), ""));
    }
  }

  private static void handle(ClaimedEvent claimed, Submission submission) {
    try {
      claimed.handle(submission);
    } catch (RuntimeException e) {
      LOG.error("An event could not be passed to its handler", e);
      refuse(submission, Reason.error("the event could not be handled"));
    }
  }

  /** The answer to a duplicate, forged or refused event; nothing for any other. */
  private Optional<Ok> immediateAnswer(
      Submission submission, Optional<ClaimedEvent> claim, AwaitedEventListener listener) {
    Event event = submission.event();
    try {
      boolean isStored = store.contains(event.id()) && !rules.hides(event, submission.arrivedAt());
      boolean mayKnow = isStored && mayReadStored(submission);
      Optional<Reason> forgery = mayKnow ? Optional.empty() : forgery(event);
      if (forgery.isPresent()) {
        notifyIfAwaited(submission, listener::forged);
        return Optional.of(Ok.refused(event, forgery.get()));
      }
      if (isStored) {
        notifyIfAwaited(submission, listener::answered);
        boolean isRequest = claim.map(ClaimedEvent::isRequest).orElse(false);
        return Optional.of(
            Ok.duplicate(
                event, isRequest ? EventHandler.ALREADY_HANDLED : WriteOutcome.DUPLICATE.reason()));
      }
      Optional<Reason> objection = checks.objection(submission);
      if (objection.isEmpty()) {
        return Optional.empty();
      }
      notifyIfAwaited(submission, listener::answered);
      return Optional.of(Ok.refused(event, objection.get()));
    } catch (RuntimeException e) {
      LOG.error("An event could not be checked", e);
      return Optional.of(Ok.refused(event, Reason.error("the event could not be checked")));
    }
  }

  /**
   * Whether the sender may read the stored event with the id of the submitted one. If not, only
   * somebody who has the whole event learns that it is stored: an id is not enough.
   */
  private boolean mayReadStored(Submission submission) {
    Event event = submission.event();
    if (checks.hasValidId(event)) {
      return mayRead.test(event, submission.connection()); // the same contents
    }
    Filter byId = new Filter(Set.of(event.id()), null, null, Map.of(), null, null, null);
    return store.query(byId, store.lastOffset()).next(1, Integer.MAX_VALUE).found().stream()
        .allMatch(stored -> mayRead.test(stored.event(), submission.connection()));
  }

  private static void notifyIfAwaited(Submission submission, Runnable notification) {
    if (submission.awaited()) {
      notification.run();
    }
  }

  /** Called when the answer to an event that was taken has been sent. Any thread. */
  public void answered(Event event, ClientConnection sender, Ok ok) {
    underWay.remove(event, sender);
    metrics.answered(event, ok);
  }

  /** Counts the refusal of an EVENT that was not passed to {@link #take}. Any thread. */
  public void notTaken(Ok ok) {
    metrics.answered(ok);
  }

  /**
   * Waits until every event that was taken is answered.
   *
   * @return whether that was so in time
   */
  public boolean awaitAnswers(Duration timeout) throws InterruptedException {
    return underWay.awaitNone(timeout);
  }

  /** Why the event is not what its author signed; nothing when it is. */
  public Optional<Reason> forgery(Event event) {
    long start = System.nanoTime();
    Optional<Reason> forgery = checks.forgery(event);
    metrics.verified(start);
    return forgery;
  }

  private void takeOrdinary(Submission submission) {
    Event event = submission.event();
    if (Kind.isEphemeral(event.kind())) {
      boolean taken =
          live.offer(
              submission.connection().owners(),
              List.of(submission.accepted(""), new Outgoing.Broadcast(event, List.of())));
      if (taken) {
        forwarding.spread(event);
      } else {
        refuse(submission, BUSY);
      }
    } else if (!writer.submit(
        event,
        () -> checks.lateObjection(submission).isPresent(),
        outcome -> output(submission, outcome))) {
      refuse(submission, BUSY);
    }
  }

  /** The output for an ordinary event; on the writer's thread. */
  private static List<Outgoing> output(Submission submission, WriteOutcome outcome) {
    return switch (outcome) {
      case STORED ->
          List.of(submission.accepted(""), new Outgoing.Broadcast(submission.event(), List.of()));
      case DUPLICATE -> List.of(submission.duplicate(outcome.reason()));
      default -> List.of(submission.refused(outcome.reason()));
    };
  }

  private static void refuse(Submission submission, Reason reason) {
    submission.connection().answer(submission.event(), Ok.refused(submission.event(), reason));
  }
}
