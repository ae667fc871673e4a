package gambit.core.ingest;

import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.AsyncEventGate.Accepted;
import gambit.core.feature.AsyncEventGate.Refused;
import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ClientSession;
import gambit.core.feature.EventHandler;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.EventsUnderWay.Bound;
import gambit.core.live.Delivery;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.metrics.Metrics.Timer;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.store.EventStore;
import gambit.core.wire.Reason;
import gambit.core.wire.Reason.Prefix;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 *   <tr><th>question</th><th>code</th></tr>
 *   <tr><td>Is there room?</td><td>{@link EventsUnderWay}</td></tr>
 *   <tr><td>Can its cluster be reached?</td><td>{@link Forwarding#objection}</td></tr>
 *   <tr><td>Is it known?</td><td>{@link #isStored}</td></tr>
 *   <tr><td>Do its id and signature verify?</td><td>{@link #forgery}</td></tr>
 *   <tr><td>Does a gate or a rate limit object?</td><td>{@link EventChecks#objection}</td></tr>
 *   <tr><td>Does the gate that answers later?</td><td>{@link EventChecks#concernsAsyncGate}</td></tr>
 *   <tr><td>Does another node lead?</td><td>{@link Forwarding#forward}</td></tr>
 *   <tr><td>Does a handler claim it?</td><td>{@link ClaimedEvent#handle}</td></tr>
 *   <tr><td>Write or deliver it.</td><td>{@link Writer#submit}, {@link Delivery#offer}</td></tr>
 * </table>
 */
public final class Ingest {
  private static final Reason BUSY = Reason.rateLimited("the relay is busy, try again");
  private static final LimitedLog LOG = LimitedLog.of(Ingest.class);

  private final EventChecks checks;
  private final List<EventHandler> eventHandlers;
  private final Writer writer;
  private final Executor writerThread;
  private final Delivery live;
  private final Forwarding forwarding;
  private final EventsUnderWay underWay = new EventsUnderWay();
  private final IngestMetrics metrics;
  private final EventStore store;
  private final StorageRules rules;
  private final BiPredicate<Event, ClientConnection> mayRead;

  /** An event on the path. One thread at a time. */
  private final class Incoming implements Consumer<Submission> {
    private final Submission submission;
    private final Origin origin;
    private final Executor executor; // runs what follows from a verdict that comes later
    private Optional<ClaimedEvent> claim;
    private @Nullable RateExemption exemption; // until its handler has received the event

    Incoming(
        Event event,
        ClientConnection connection,
        Instant arrivedAt,
        Origin origin,
        Executor executor,
        Optional<ClaimedEvent> claim,
        boolean awaited,
        @Nullable RateExemption exemption) {
      this.origin = origin;
      this.submission = new Submission(event, connection, arrivedAt, awaited, isImported(), this);
      this.executor = executor;
      this.claim = claim;
      this.exemption = exemption;
    }

    Event event() {
      return submission.event();
    }

    boolean isImported() {
      return origin != Origin.CLIENT;
    }

    /** Its handler has returned the event, so that it is an ordinary one. */
    @Override
    public void accept(Submission same) {
      claim = Optional.empty();
      exemption = null;
      returned(this);
    }

    /** It is answered before its handler receives it. */
    void answeredEarly() {
      if (exemption != null) {
        exemption.answered();
      }
    }

    void answer(Ok ok) {
      submission.connection().answer(event(), ok);
    }

    void refuse(Reason reason) {
      answer(Ok.refused(event(), reason));
    }
  }

  private enum Origin {
    CLIENT,
    IMPORT,
    /** An import whose signatures the operator's command has verified. */
    VERIFIED_IMPORT
  }

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
    this.checks = checks;
    this.eventHandlers = List.copyOf(eventHandlers);
    this.writer = writer;
    this.writerThread = writer::execute;
    this.live = live;
    this.forwarding = forwarding;
    this.metrics = new IngestMetrics(metrics, underWay);
    this.store = store;
    this.rules = rules;
    this.mayRead = mayRead;
  }

  public Optional<ClaimedEvent> claim(Event event) {
    return claim(event, false);
  }

  private Optional<ClaimedEvent> claim(Event event, boolean isImported) {
    for (EventHandler handler : eventHandlers) {
      Optional<ClaimedEvent> claimed =
          isImported && !handler.takesImported(event.kind())
              ? Optional.empty()
              : handler.claim(event);
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
   * @param exemption by which it has passed the rate limits of its connection, if its handler
   *     awaits it; else null
   */
  public void take(
      Event event,
      ClientSession connection,
      Instant arrivedAt,
      Optional<ClaimedEvent> claim,
      @Nullable RateExemption exemption) {
    boolean awaited = exemption != null;
    run(
        new Incoming(
            event, connection, arrivedAt, Origin.CLIENT, connection, claim, awaited, exemption),
        awaited ? Bound.AWAITED : claim.isPresent() ? Bound.CLAIMED : Bound.ORDINARY);
  }

  /**
   * Takes an event that the operator imports; {@link #answered} must be called when its answer has
   * been sent. It passes by gates and rate limits, and by handlers except of the kinds that {@link
   * EventHandler#takesImported} names.
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
    Incoming incoming = ofOtherThread(event, connection, arrivedAt, origin, awaited);
    handle(incoming, claimHere(incoming));
  }

  /** An event on which what follows a verdict runs on the writer's thread. */
  private Incoming ofOtherThread(
      Event event, ClientConnection connection, Instant arrivedAt, Origin origin, boolean awaited) {
    return new Incoming(
        event, connection, arrivedAt, origin, writerThread, Optional.empty(), awaited, null);
  }

  private void run(Incoming incoming, Bound bound) {
    if (!underWay.add(incoming.event(), incoming.submission.connection(), bound)) {
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
    } else if (concernsAsyncGate(incoming, incoming.claim.isPresent())) {
      askAsyncGate(incoming);
    } else {
      decide(incoming);
    }
  }

  private Optional<Ok> firstAnswer(Incoming incoming) {
    try {
      return check(incoming);
    } catch (RuntimeException e) {
      LOG.error("An event could not be checked", e);
      return Optional.of(
          Ok.refused(incoming.event(), Reason.error("the event could not be checked")));
    }
  }

  /** The answer of the stages that answer at once; nothing if the event passes them. */
  private Optional<Ok> check(Incoming incoming) {
    Event event = incoming.event();
    boolean isStored = isStored(incoming.submission);
    if (isStored && mayReadStored(event, incoming.submission.connection())) {
      return Optional.of(duplicate(incoming));
    }
    Optional<Reason> forgery =
        incoming.origin == Origin.VERIFIED_IMPORT ? falseId(event) : forgery(event);
    if (forgery.isPresent()) {
      if (incoming.exemption != null) {
        incoming.exemption.forged();
      }
      return Optional.of(Ok.refused(event, forgery.get()));
    }
    if (isStored) {
      return Optional.of(duplicate(incoming));
    }
    Optional<Reason> objection =
        incoming.isImported()
            ? checks.objectionToImport(incoming.submission)
            : checks.objection(incoming.submission);
    if (objection.isEmpty()) {
      return Optional.empty();
    }
    incoming.answeredEarly();
    return Optional.of(Ok.refused(event, objection.get()));
  }

  /**
   * Whether an event is stored already. If its sender may read the stored one, it is answered
   * without being verified. Any other sender must have the whole event to learn that it is stored,
   * since an id is not enough: that event is answered after its signature was verified.
   */
  private boolean isStored(Submission submission) {
    return store.contains(submission.event().id())
        && !rules.hides(submission.event(), submission.arrivedAt());
  }

  private boolean mayReadStored(Event event, ClientConnection sender) {
    if (sender.isOperator()) {
      return true;
    }
    if (checks.verifier().hasValidId(event)) {
      return mayRead.test(event, sender); // the same contents
    }
    return store
        .query(Filter.ofId(event.id()), store.lastOffset())
        .next(1, Integer.MAX_VALUE)
        .found()
        .stream()
        .allMatch(stored -> mayRead.test(stored.event(), sender));
  }

  private static Ok duplicate(Incoming incoming) {
    incoming.answeredEarly();
    boolean isRequest = incoming.claim.map(ClaimedEvent::isRequest).orElse(false);
    return Ok.duplicate(
        incoming.event(),
        isRequest ? EventHandler.ALREADY_HANDLED : WriteOutcome.DUPLICATE.reason());
  }

  /** Why the event is not what its author signed; nothing when it is. */
  public Optional<Reason> forgery(Event event) {
    long start = System.nanoTime();
    Optional<Reason> forgery = falseId(event);
    if (forgery.isEmpty() && !checks.verifier().hasValidSignature(event)) {
      forgery = Optional.of(Reason.invalid("the signature does not verify"));
    }
    metrics.verify.recordSince(start);
    return forgery;
  }

  private Optional<Reason> falseId(Event event) {
    return checks.verifier().hasValidId(event)
        ? Optional.empty()
        : Optional.of(Reason.invalid("the id is not the hash of the event"));
  }

  private boolean concernsAsyncGate(Incoming incoming, boolean isClaimed) {
    return !incoming.isImported() && checks.concernsAsyncGate(incoming.submission, isClaimed);
  }

  private void askAsyncGate(Incoming incoming) {
    AsyncEventGate gate = checks.asyncGate().orElseThrow();
    try {
      gate.check(
          incoming.submission,
          verdict -> incoming.executor.execute(() -> follow(verdict, incoming)));
    } catch (RuntimeException e) {
      LOG.error("An event could not be checked", e);
      incoming.refuse(Reason.error("the event could not be checked"));
    }
  }

  private void follow(Verdict verdict, Incoming incoming) {
    if (verdict instanceof Accepted) {
      decide(incoming);
      return;
    }
    incoming.answeredEarly();
    if (verdict instanceof Refused refused) {
      incoming.refuse(refused.reason());
    } else {
      incoming.answer(Ok.accepted(incoming.event(), ""));
    }
  }

  /** An event that nothing objects to: the leader decides over it, or this node. */
  private void decide(Incoming incoming) {
    Optional<ClaimedEvent> claim = incoming.claim;
    boolean isSpread = claim.isEmpty() && Kind.isEphemeral(incoming.event().kind());
    Submission submission = incoming.submission;
    if (isSpread || !forwarding.forward(submission, claim.isPresent(), incoming.isImported())) {
      handle(incoming, incoming.isImported() ? claimHere(incoming) : claim);
    } else {
      claim.ifPresent(it -> it.forwarded(submission.connection()));
    }
  }

  /** The claim on an event that did not come from a client of this node, or was imported. */
  private Optional<ClaimedEvent> claimHere(Incoming incoming) {
    return claim(incoming.event(), incoming.isImported());
  }

  private void handle(Incoming incoming, Optional<ClaimedEvent> claim) {
    if (claim.isEmpty()) {
      write(incoming);
      return;
    }
    try {
      claim.get().handle(incoming.submission);
    } catch (RuntimeException e) {
      LOG.error("An event could not be passed to its handler", e);
      incoming.refuse(Reason.error("the event could not be handled"));
    }
  }

  /** A handler has returned an event, about which the other gate may not have been asked yet. */
  private void returned(Incoming incoming) {
    if (!concernsAsyncGate(incoming, true) && concernsAsyncGate(incoming, false)) {
      askAsyncGate(incoming);
    } else {
      write(incoming);
    }
  }

  /** Writes an event that no handler keeps, or delivers an ephemeral one here and elsewhere. */
  private void write(Incoming incoming) {
    Submission submission = incoming.submission;
    boolean isEphemeral = Kind.isEphemeral(incoming.event().kind());
    boolean hasRoom =
        isEphemeral
            ? live.offer(submission.connection().owners(), Writer.accepted(submission))
            : writer.submit(submission, () -> checks.refusedNow().test(submission.event()));
    if (!hasRoom) {
      incoming.refuse(BUSY);
    } else if (isEphemeral) {
      forwarding.spread(incoming.event());
    }
  }

  /** The answer to an event that was taken has been sent. Any thread. */
  public void answered(Event event, ClientConnection sender, Ok ok) {
    underWay.remove(event, sender);
    metrics.answered(event, ok);
  }

  /** Counts the refusal of an EVENT that was not passed to {@link #take}. Any thread. */
  public void notTaken(Ok ok) {
    metrics.answered(ok);
  }

  /** Waits until every event that was taken is answered; returns whether that was so in time. */
  public boolean awaitAnswers(Duration timeout) throws InterruptedException {
    return underWay.awaitNone(timeout);
  }

  /**
   * The metrics of clients' events: how many are under way, how they were answered ({@code
   * accepted}, or the prefix of the reason), the accepted ones by their kinds' class, and the time
   * that verification takes.
   */
  private static final class IngestMetrics {
    private static final String ACCEPTED = "accepted";

    private final Map<String, Counter> byVerdict = new HashMap<>();
    private final Map<String, Counter> accepted = new HashMap<>(); // by class
    final Timer verify;

    IngestMetrics(Metrics metrics, EventsUnderWay underWay) {
      byVerdict.put(ACCEPTED, counter(metrics, ACCEPTED));
      for (Prefix prefix : Prefix.values()) {
        byVerdict.put(prefix.word(), counter(metrics, prefix.word()));
      }
      metrics.gauge(
          "events_under_way",
          "Events of clients that were received and are not answered yet",
          underWay::count);
      verify =
          metrics.timer(
              "verify_seconds",
              "Time to hash an event and verify its signature; known events are not verified");
      for (String each : List.of("regular", "replaceable", "ephemeral", "addressable")) {
        accepted.put(
            each,
            metrics.counter(
                "accepted_events",
                "Events of clients that were accepted, without duplicates, by the class of their"
                    + " kind",
                "class",
                each));
      }
    }

    /** The class of a kind (NIP-01), by what is stored of it. */
    private static String classOf(int kind) {
      if (Kind.isEphemeral(kind)) {
        return "ephemeral";
      } else if (Kind.isReplaceable(kind)) {
        return "replaceable";
      }
      return Kind.isAddressable(kind) ? "addressable" : "regular";
    }

    void answered(Event event, Ok ok) {
      if (ok.accepted() && ok.reason().isEmpty()) {
        Objects.requireNonNull(accepted.get(classOf(event.kind()))).increment();
      }
      answered(ok);
    }

    void answered(Ok ok) {
      String verdict = ok.reason().map(reason -> reason.prefix().word()).orElse(ACCEPTED);
      Objects.requireNonNull(byVerdict.get(verdict)).increment();
    }

    private static Counter counter(Metrics metrics, String verdict) {
      return metrics.counter(
          "events",
          "Events of clients, by the answer: accepted, or the prefix of the reason",
          "verdict",
          verdict);
    }
  }
}
