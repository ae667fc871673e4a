package gambit.core.session;

import gambit.core.feature.ClientSession;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.EventQuery;
import gambit.core.feature.EventReceiver;
import gambit.core.limit.Limit;
import gambit.core.limit.Limits;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The relay's side of one client's connection: it handles the client's messages and sends the
 * answers. Its state is confined to the connection's event loop; methods of {@link
 * gambit.core.feature.ClientConnection} may be called from any thread.
 *
 * <p>Bounds: {@link Limits}.
 */
public final class Connection implements ClientSession {
  private final RelayCore relay;
  private final ClientAddress address;
  private final Outbox outbox;
  private final ReadControl reading;
  private final Executor eventLoop;
  private final QueryTurns turns;
  private final ConnectionContext context;
  private final Subscriptions subscriptions;
  private final FeatureMessages featureMessages;
  private final Logins logins;
  private final AwaitedEvents awaitedEvents;
  private final AtomicInteger eventsUnderWay = new AtomicInteger();
  private final LongSupplier maxEventsUnderWay;
  private volatile long pausesAt; // unanswered events at which reading was last paused
  private volatile boolean open = true;

  /** Pauses and resumes reading from the client. On the event loop. */
  public interface ReadControl {
    void pause();

    void resume();
  }

  /**
   * Creates the connection of a client that has sent no message yet.
   *
   * @param address the network address of the client
   * @param eventLoop the connection's event loop
   */
  public Connection(
      RelayCore relay,
      ClientAddress address,
      Outbox outbox,
      ReadControl reading,
      Executor eventLoop) {
    this.relay = relay;
    this.address = address;
    this.outbox = outbox;
    this.reading = reading;
    this.eventLoop = eventLoop;
    this.turns = new QueryTurns(relay.stored().queries(), relay.stored().scans());
    QueryAdmission admission = new QueryAdmission(relay, this);
    this.context = new ConnectionContext(relay, this, outbox, turns, admission);
    this.subscriptions = new Subscriptions(context);
    this.featureMessages = new FeatureMessages(relay.features().verbs(), this);
    this.logins = new Logins(relay, this, outbox);
    this.awaitedEvents = new AwaitedEvents(relay.bounds().rates(), address);
    this.maxEventsUnderWay = relay.bounds().currentLimits().of(Limit.EVENTS_UNDER_WAY);
    this.pausesAt = maxEventsUnderWay.getAsLong();
  }

  /** Called once, after the handshake. On the event loop. */
  public void greet() {
    logins.greet();
  }

  @Override
  public ClientAddress address() {
    return address;
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
    if (message.endsQuery()) {
      message.refusal().ifPresent(relay.metrics()::refused);
    }
    outbox.send(message.frame());
  }

  @Override
  public void answer(Event event, RelayMessage.Ok ok) {
    relay.ingest().answered(event, ok);
    if (eventsUnderWay.getAndDecrement() == pausesAt) {
      eventLoop.execute(this::pauseIfBusy);
    }
    send(ok);
  }

  @Override
  public void afterOutput(Runnable task) {
    outbox.whenDrained(
        new Outbox.WaitingTask() {
          @Override
          public void resume() {
            if (outbox.isOpen()) {
              task.run();
            }
          }

          @Override
          public boolean isCancelled() {
            return !outbox.isOpen();
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
  public RunningQuery query(EventQuery query, EventReceiver receiver) {
    FeatureQuery running = new FeatureQuery(context, query, receiver);
    running.begin();
    return running;
  }

  @Override
  public void execute(Runnable task) {
    eventLoop.execute(task);
  }

  /**
   * Handles a message, unless a rate limit refuses it. On the event loop.
   *
   * @param arrivedAt when it was read from the socket
   */
  public void receive(ClientMessage message, Instant arrivedAt) {
    message.accept(new Receiver(arrivedAt));
  }

  /** Handles each type of message. */
  private final class Receiver implements ClientMessage.MessageVisitor {
    private final Instant arrivedAt;

    Receiver(Instant arrivedAt) {
      this.arrivedAt = arrivedAt;
    }

    @Override
    public void publish(ClientMessage.Publish message) {
      relay.metrics().received(Verb.EVENT);
      Connection.this.publish(message.event(), arrivedAt);
    }

    @Override
    public void subscribe(ClientMessage.Subscribe message) {
      String id = message.subscription();
      queryRateObjection(Verb.REQ)
          .ifPresentOrElse(
              reason -> subscriptions.refuse(id, reason),
              () -> subscriptions.subscribe(id, message.filters()));
    }

    @Override
    public void unsubscribe(ClientMessage.Unsubscribe message) {
      relay.metrics().received(Verb.CLOSE);
      subscriptions.unsubscribe(message.subscription());
    }

    @Override
    public void featureMessage(ClientMessage.FeatureMessage message) {
      queryRateObjection(featureMessages.rate(message.verb()))
          .ifPresentOrElse(
              reason -> featureMessages.refuse(message.verb(), message.id(), reason),
              () -> featureMessages.receive(message));
    }

    @Override
    public void authenticate(ClientMessage.Authenticate message) {
      Event login = message.login();
      rateObjection(Verb.AUTH)
          .ifPresentOrElse(
              reason -> send(RelayMessage.Ok.refused(login, reason)),
              () -> logins.authenticate(login));
    }

    @Override
    public void badEvent(ClientMessage.BadEvent message) {
      refuseEvent(message.id(), rateObjection(Verb.INVALID).orElse(message.reason()));
    }

    @Override
    public void badSubscribe(ClientMessage.BadSubscribe message) {
      Reason reason = rateObjection(Verb.INVALID).orElse(message.reason());
      subscriptions.refuse(message.subscription(), reason);
    }

    @Override
    public void badFeatureMessage(ClientMessage.BadFeatureMessage message) {
      Reason reason = rateObjection(Verb.INVALID).orElse(message.reason());
      featureMessages.refuse(message.verb(), message.id(), reason);
    }

    @Override
    public void garbage(ClientMessage.Garbage message) {
      Reason reason = rateObjection(Verb.INVALID).orElse(message.reason());
      send(new RelayMessage.Notice(reason.toString()));
    }

    /** The transport closes the connection instead of handing the message on. */
    @Override
    public void notText(ClientMessage.NotText message) {
      throw new IllegalArgumentException("a frame that is not text has no answer");
    }
  }

  /** Counts a message for the client's address; returns a reason if it exceeds the rate limit. */
  private Optional<Reason> rateObjection(Verb verb) {
    relay.metrics().received(verb);
    return relay.bounds().rates().objection(verb, address);
  }

  /**
   * Whether the client has logged in with a trusted key, and so is exempt from the rate limits on
   * events and queries. A mere claim, such as the author of an event that is not verified yet, does
   * not exempt: whoever can make it could have any number of signatures verified.
   */
  private boolean isTrusted() {
    for (PubKey key : keys()) {
      if (relay.features().trusted().test(key)) {
        return true;
      }
    }
    return false;
  }

  /** Counts a query for the client's address and for every key with which it has logged in. */
  private Optional<Reason> queryRateObjection(Verb verb) {
    if (isTrusted()) {
      relay.metrics().received(verb);
      return Optional.empty();
    }
    return rateObjection(verb)
        .or(
            () ->
                keys().stream()
                    .map(key -> relay.bounds().rates().objection(verb, key))
                    .flatMap(Optional::stream)
                    .findFirst());
  }

  private void publish(Event event, Instant arrivedAt) {
    Optional<ClaimedEvent> claim = relay.ingest().claim(event);
    boolean awaited = claim.isPresent() && awaitedEvents.exempts(claim.get());
    Optional<Reason> objection =
        awaited || isTrusted()
            ? Optional.empty()
            : relay.bounds().rates().objection(Verb.EVENT, address);
    if (objection.isPresent()) {
      refuseEvent(event.id().hex(), objection.get());
      return;
    }
    if (eventsUnderWay.incrementAndGet() >= maxEventsUnderWay.getAsLong()) {
      pauseIfBusy();
    }
    relay.ingest().take(event, this, arrivedAt, claim, awaited, awaitedEvents);
  }

  /** Refuses an EVENT without checking it; one without a readable id by a NOTICE only. */
  private void refuseEvent(@Nullable String id, Reason reason) {
    RelayMessage.Ok ok = RelayMessage.Ok.refused(id == null ? "" : id, reason);
    relay.ingest().notTaken(ok);
    send(id == null ? new RelayMessage.Notice(reason.toString()) : ok);
  }

  /** The client has gone, or is being disconnected. On the event loop; only the first call acts. */
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    subscriptions.unsubscribeAll();
    turns.runCancelled();
    featureMessages.close();
    for (ConnectionListener listener : relay.features().listeners()) {
      listener.closed(this);
    }
  }
}
