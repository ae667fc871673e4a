package gambit.core.session;

import gambit.core.feature.ClientSession;
import gambit.core.feature.ClientSession.EventReceiver;
import gambit.core.feature.ClientSession.Reconciliation;
import gambit.core.feature.ConnectedClient;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.MessageHandler;
import gambit.core.feature.RelayBuilder.HandledVerb;
import gambit.core.ingest.RateExemption;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The relay's side of one client's connection: it handles the client's messages and sends the
 * answers. Its state is confined to the connection's event loop; methods of {@link
 * gambit.core.feature.ClientConnection} may be called from any thread.
 *
 * <p>Bounds: {@link LimitValues}.
 */
public final class Connection implements ClientSession, Conversation {
  private static final LimitedLog LOG = LimitedLog.of(Connection.class);

  final RelayCore relay;
  private final Peer peer;
  final Outbox outbox;
  private final ReadControl reading;
  private final Executor eventLoop;
  final QueryAdmission admission;
  private final Subscriptions subscriptions;
  private final Map<Function<ClientSession, MessageHandler>, MessageHandler> handlers =
      new HashMap<>(2);
  private final Logins logins;
  private final RateExemption exemption;
  private final LongSupplier maxEventsUnderWay;
  private volatile long pausesAt; // unanswered events at which reading was last paused
  private final AtomicInteger eventsUnderWay = new AtomicInteger();
  final QueryTurns turns;
  private volatile boolean open = true;
  private final long since;
  private long messages; // counted by the event loop; others may read an older number
  private final AtomicInteger refused = new AtomicInteger();

  /** Pauses and resumes reading from the client. On the event loop. */
  public interface ReadControl {
    void pause();

    void resume();
  }

  public Connection(
      RelayCore relay, Peer peer, Outbox outbox, ReadControl reading, Executor eventLoop) {
    this.relay = relay;
    this.peer = peer;
    this.outbox = outbox;
    this.reading = reading;
    this.eventLoop = eventLoop;
    this.turns = new QueryTurns(relay);
    this.admission = new QueryAdmission(relay, this);
    this.subscriptions = new Subscriptions(this);
    this.exemption = new RateExemption(relay.bounds().rates(), peer.address());
    this.logins = new Logins(relay, this, outbox);
    this.maxEventsUnderWay = relay.bounds().currentLimits().of(Limit.EVENTS_UNDER_WAY);
    this.since = relay.lifecycle().time().instant().getEpochSecond();
    this.pausesAt = maxEventsUnderWay.getAsLong();
  }

  @Override
  public void begin() {
    logins.greet();
  }

  @Override
  public ClientAddress address() {
    return peer.address();
  }

  @Override
  public boolean isOperator() {
    return peer.isOperator();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public Set<PubKey> keys() {
    return logins.keys();
  }

  @Override
  public void requestLogin() {
    if (keys().isEmpty()) {
      logins.sendChallengeOnce();
    }
  }

  @Override
  public void send(RelayMessage message) {
    if (message.asksForLogin()) {
      logins.sendChallengeOnce();
    }
    if (message.refusal().isPresent() || message instanceof RelayMessage.Notice) {
      refused.incrementAndGet();
    }
    if (message.endsQuery()) {
      message.refusal().ifPresent(relay.metrics()::refused);
    }
    outbox.send(message.frame());
  }

  @Override
  public void answer(Event event, RelayMessage.Ok ok) {
    relay.ingest().answered(event, this, ok);
    if (eventsUnderWay.getAndDecrement() == pausesAt) {
      eventLoop.execute(this::pauseIfBusy);
    }
    send(ok);
  }

  @Override
  public void afterOutput(Runnable task) {
    outbox.whenDrained(
        () -> {
          if (outbox.isOpen()) {
            task.run();
          }
        });
  }

  /**
   * Pauses or resumes reading, as the limit in force requires. Sets the field before it reads the
   * number, and {@link #answer} does the opposite, so that one of the two sees a change of the
   * other.
   */
  private void pauseIfBusy() {
    long max = maxEventsUnderWay.getAsLong();
    pausesAt = max;
    if (eventsUnderWay.get() >= max) {
      reading.pause();
    } else {
      reading.resume();
    }
  }

  @Override
  public void closeForRestart() {
    outbox.closeForRestart();
  }

  @Override
  public RunningQuery query(
      String verb, List<Filter> filters, boolean includesStates, EventReceiver receiver) {
    FeatureQuery running = new FeatureQuery(this, verb, filters, includesStates, receiver);
    running.begin();
    return running;
  }

  @Override
  public Reconciliation reconcile(String verb, Filter filter, Reconciliation.Receiver receiver) {
    SyncSession sync = new SyncSession(this, verb, filter, receiver);
    sync.begin();
    return sync;
  }

  @Override
  public void execute(Runnable task) {
    eventLoop.execute(task);
  }

  @Override
  public boolean text(byte[] buffer, int length, Instant arrivedAt) {
    long start = System.nanoTime();
    ClientMessage message = relay.reader().read(buffer, length);
    relay.metrics().parsed(start);
    if (message instanceof ClientMessage.NotText) {
      return false;
    }
    receive(message, arrivedAt);
    return true;
  }

  /** Handles a message, unless a rate limit refuses it. */
  private void receive(ClientMessage message, Instant arrivedAt) {
    messages++;
    if (message instanceof ClientMessage.Publish publish) {
      relay.metrics().received(Verb.EVENT);
      publish(publish.event(), arrivedAt);
    } else if (message instanceof ClientMessage.Subscribe subscribe) {
      String id = subscribe.subscription();
      objectionToQuery(Verb.REQ)
          .ifPresentOrElse(
              reason -> subscriptions.refuse(id, reason),
              () -> subscriptions.subscribe(id, subscribe.filters()));
    } else if (message instanceof ClientMessage.Unsubscribe unsubscribe) {
      relay.metrics().received(Verb.CLOSE);
      subscriptions.unsubscribe(unsubscribe.subscription());
    } else if (message instanceof ClientMessage.FeatureMessage ofFeature) {
      MessageHandler handler = handler(ofFeature.verb());
      objectionToQuery(handledVerb(ofFeature.verb()).rate())
          .ifPresentOrElse(
              reason -> handler.refuse(ofFeature.verb(), ofFeature.id(), reason),
              () -> handler.receive(ofFeature));
    } else if (message instanceof ClientMessage.Authenticate authenticate) {
      Event login = authenticate.login();
      objection(Verb.AUTH)
          .ifPresentOrElse(
              reason -> send(RelayMessage.Ok.refused(login, reason)),
              () -> logins.authenticate(login));
    } else if (message instanceof ClientMessage.InvalidMessage invalid) {
      refuse(invalid, objection(Verb.INVALID).orElse(invalid.reason()));
    }
  }

  /** Counts a message for the client's address; returns a reason if it exceeds the rate limit. */
  private Optional<Reason> objection(Verb verb) {
    relay.metrics().received(verb);
    return peer.isOperator()
        ? Optional.empty()
        : relay.bounds().rates().objection(verb, peer.address());
  }

  /** Counts a query for the client's address and for every key with which it has logged in. */
  private Optional<Reason> objectionToQuery(Verb verb) {
    if (isTrusted()) {
      relay.metrics().received(verb);
      return Optional.empty();
    }
    Optional<Reason> objection = objection(verb);
    for (PubKey key : keys()) {
      if (objection.isEmpty()) {
        objection = relay.bounds().rates().objection(verb, key);
      }
    }
    return objection;
  }

  /**
   * Whether the client is the operator or has logged in with a trusted key, and so is exempt from
   * the rate limits on events and queries. A mere claim, such as the author of an event that is not
   * verified yet, does not exempt: whoever can make it could have any number of signatures
   * verified.
   */
  private boolean isTrusted() {
    if (peer.isOperator()) {
      return true;
    }
    for (PubKey key : keys()) {
      if (relay.features().trusted().test(key)) {
        return true;
      }
    }
    return false;
  }

  private void refuse(ClientMessage.InvalidMessage message, Reason reason) {
    if (message instanceof ClientMessage.BadEvent bad) {
      refuseEvent(bad.id(), reason);
    } else if (message instanceof ClientMessage.BadSubscribe bad) {
      subscriptions.refuse(bad.subscription(), reason);
    } else if (message instanceof ClientMessage.BadFeatureMessage bad) {
      handler(bad.verb()).refuse(bad.verb(), bad.id(), reason);
    } else {
      send(new RelayMessage.Notice(reason.toString()));
    }
  }

  /** The handler of a feature's messages for this connection. */
  private MessageHandler handler(String verb) {
    return handlers.computeIfAbsent(handledVerb(verb).handlers(), it -> it.apply(this));
  }

  private HandledVerb handledVerb(String verb) {
    return Objects.requireNonNull(relay.features().verbs().get(verb), verb);
  }

  private void publish(Event event, Instant arrivedAt) {
    if (peer.isOperator()) {
      countUnderWay();
      relay.ingest().takeImported(event, this, arrivedAt, peer.hasVerifiedEvents());
      return;
    }
    Optional<ClaimedEvent> claim = relay.ingest().claim(event);
    boolean awaited = claim.isPresent() && exemption.exempts(claim.get());
    Optional<Reason> objection =
        awaited || isTrusted()
            ? Optional.empty()
            : relay.bounds().rates().objection(Verb.EVENT, peer.address());
    if (objection.isPresent()) {
      refuseEvent(event.id().hex(), objection.get());
      return;
    }
    countUnderWay();
    relay.ingest().take(event, this, arrivedAt, claim, awaited ? exemption : null);
  }

  private void countUnderWay() {
    if (eventsUnderWay.incrementAndGet() >= maxEventsUnderWay.getAsLong()) {
      pauseIfBusy();
    }
  }

  /** Refuses an EVENT without checking it; one without a readable id by a NOTICE only. */
  private void refuseEvent(@Nullable String id, Reason reason) {
    RelayMessage.Ok ok = RelayMessage.Ok.refused(id == null ? "" : id, reason);
    relay.ingest().notTaken(ok);
    send(id == null ? new RelayMessage.Notice(reason.toString()) : ok);
  }

  @Override
  public ConnectedClient describe(long outboxBytes) {
    return new ConnectedClient(
        since + "-" + logins.number(),
        peer.address(),
        keys(),
        since,
        admission.queries(),
        outboxBytes,
        messages,
        refused.get());
  }

  @Override
  public void end() {
    if (!open) {
      return;
    }
    open = false;
    subscriptions.unsubscribeAll();
    turns.runCancelled();
    for (MessageHandler handler : handlers.values()) {
      try {
        handler.closed();
      } catch (RuntimeException e) {
        LOG.error("A feature failed when a connection was closed", e);
      }
    }
    handlers.clear();
    for (ConnectionListener listener : relay.features().listeners()) {
      listener.closed(this);
    }
  }
}
