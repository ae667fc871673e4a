package gambit.core.ingest;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.ClientSession;
import gambit.core.feature.EventHandler;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.ingest.EventsUnderWay.Bound;
import gambit.core.ingest.IncomingEvent.Origin;
import gambit.core.live.Delivery;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.store.EventStore;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The path of an EVENT. Every event gets one answer. Called on event loops; thread-safe.
 *
 * <table>
 *   <caption>The stages, in order</caption>
 *   <tr><th>question</th><th>class</th></tr>
 *   <tr><td>Is there room?</td><td>{@link EventsUnderWay}</td></tr>
 *   <tr><td>Can its cluster be reached?</td><td>{@link Forwarding#objection}</td></tr>
 *   <tr><td>Is it known?</td><td>{@link DuplicateStage}</td></tr>
 *   <tr><td>Do its id and signature verify?</td><td>{@link SignatureStage}</td></tr>
 *   <tr><td>Does a gate or a rate limit object?</td><td>{@link GateStage}</td></tr>
 *   <tr><td>Does the gate that answers later?</td><td>{@link AsyncGateStage}</td></tr>
 *   <tr><td>Does another node lead?</td><td>{@link Forwarding#forward}</td></tr>
 *   <tr><td>Does a handler claim it?</td><td>{@link ClaimedEvent#handle}</td></tr>
 *   <tr><td>Write or deliver it.</td><td>{@link StoreStage}</td></tr>
 * </table>
 */
public final class Ingest {
  static final Reason BUSY = Reason.rateLimited("the relay is busy, try again");
  private static final LimitedLog LOG = LimitedLog.of(Ingest.class);

  private final List<EventHandler> eventHandlers;
  private final Executor writerThread;
  private final Forwarding forwarding;
  private final EventsUnderWay underWay = new EventsUnderWay();
  private final IngestMetrics metrics;
  private final SignatureStage signatures;
  private final Stage[] stages;
  private final AsyncGateStage asyncGate;
  private final StoreStage storing;
  private final Consumer<IncomingEvent> whenReturned = this::returned;

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
    this.eventHandlers = List.copyOf(eventHandlers);
    this.writerThread = writer::execute;
    this.forwarding = forwarding;
    this.metrics = new IngestMetrics(metrics, underWay);
    DuplicateStage duplicates = new DuplicateStage(store, rules, checks.verifier(), mayRead);
    GateStage gates = new GateStage(checks);
    this.signatures = new SignatureStage(checks.verifier(), this.metrics);
    this.stages = new Stage[] {duplicates, signatures, duplicates::answerToVerified, gates};
    this.asyncGate = new AsyncGateStage(checks);
    this.storing = new StoreStage(writer, live, forwarding, gates);
  }

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
   * @param exemption by which an awaited event has passed the rate limits of its connection
   */
  public void take(
      Event event,
      ClientSession connection,
      Instant arrivedAt,
      Optional<ClaimedEvent> claim,
      boolean awaited,
      @Nullable RateExemption exemption) {
    run(
        new IncomingEvent(
            event,
            connection,
            arrivedAt,
            Origin.CLIENT,
            connection,
            claim,
            awaited,
            exemption,
            whenReturned),
        awaited ? Bound.AWAITED : claim.isPresent() ? Bound.CLAIMED : Bound.ORDINARY);
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
    Origin origin = isVerified ? Origin.VERIFIED_IMPORT : Origin.IMPORT;
    run(ofOtherThread(event, connection, arrivedAt, origin, false), Bound.ORDINARY);
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
    Origin origin = isImported ? Origin.IMPORT : Origin.CLIENT;
    IncomingEvent incoming = ofOtherThread(event, connection, arrivedAt, origin, awaited);
    handle(incoming, claimHere(incoming));
  }

  /** An event on which what follows a verdict runs on the writer's thread. */
  private IncomingEvent ofOtherThread(
      Event event, ClientConnection connection, Instant arrivedAt, Origin origin, boolean awaited) {
    return new IncomingEvent(
        event,
        connection,
        arrivedAt,
        origin,
        writerThread,
        Optional.empty(),
        awaited,
        null,
        whenReturned);
  }

  private void run(IncomingEvent incoming, Bound bound) {
    if (!underWay.add(incoming.event(), incoming.submission().connection(), bound)) {
      incoming.refuse(BUSY);
      return;
    }
    Optional<Reason> unreachable = forwarding.objection();
    if (unreachable.isPresent()) {
      incoming.refuse(unreachable.get());
      return;
    }
    Optional<Ok> answer = firstAnswer(incoming);
    if (answer.isPresent()) {
      incoming.answer(answer.get());
    } else if (asyncGate.concerns(incoming, incoming.claim().isPresent())) {
      asyncGate.ask(incoming, this::decide);
    } else {
      decide(incoming);
    }
  }

  private Optional<Ok> firstAnswer(IncomingEvent incoming) {
    try {
      for (Stage stage : stages) {
        Optional<Ok> answer = stage.answer(incoming);
        if (answer.isPresent()) {
          return answer;
        }
      }
      return Optional.empty();
    } catch (RuntimeException e) {
      LOG.error("An event could not be checked", e);
      return Optional.of(
          Ok.refused(incoming.event(), Reason.error("the event could not be checked")));
    }
  }

  /** An event that nothing objects to: the leader decides over it, or this node. */
  private void decide(IncomingEvent incoming) {
    Optional<ClaimedEvent> claim = incoming.claim();
    boolean isSpread = claim.isEmpty() && Kind.isEphemeral(incoming.event().kind());
    if (isSpread || !forwarding.forward(incoming.submission(), incoming.isImported())) {
      handle(incoming, incoming.isImported() ? claimHere(incoming) : claim);
    } else {
      claim.ifPresent(ClaimedEvent::forwarded);
    }
  }

  /** The claim on an event that did not come from a client of this node, or was imported. */
  private Optional<ClaimedEvent> claimHere(IncomingEvent incoming) {
    int kind = incoming.event().kind();
    return !incoming.isImported() || kind == Kind.DELETION || kind == Kind.VANISH
        ? claim(incoming.event())
        : Optional.empty();
  }

  private void handle(IncomingEvent incoming, Optional<ClaimedEvent> claim) {
    if (claim.isEmpty()) {
      storing.take(incoming);
      return;
    }
    try {
      claim.get().handle(incoming.submission());
    } catch (RuntimeException e) {
      LOG.error("An event could not be passed to its handler", e);
      incoming.refuse(Reason.error("the event could not be handled"));
    }
  }

  /** A handler has returned an event, about which the other gate may not have been asked yet. */
  private void returned(IncomingEvent incoming) {
    if (!asyncGate.concerns(incoming, true) && asyncGate.concerns(incoming, false)) {
      asyncGate.ask(incoming, this::decide);
    } else {
      storing.take(incoming);
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
    return signatures.forgery(event);
  }
}
