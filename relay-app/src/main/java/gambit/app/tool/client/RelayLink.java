package gambit.app.tool.client;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link PlayerClient} keeps over the connections of its {@link RelaySession}:
 * subscriptions, queries and unanswered events. It drops events with a wrong id or signature. Owned
 * by one thread, which is given as an executor and on which everything is called.
 */
final class RelayLink implements RelaySession.Owner {
  /** The time in which a relay answers the subscriptions and the login of a new connection. */
  private static final long READY_MILLIS = 60_000;

  /** The margin by which an event is no longer fresh for this client before it is for the relay. */
  private static final long FRESHNESS_MARGIN_SECONDS = 3;

  /** Receives an event of a subscription; {@code live} is false for those before EOSE. */
  interface EventHandler {
    void received(Event event, boolean live);
  }

  private final Signer key;
  private final InstantSource clock;
  private final ScheduledExecutorService thread;
  private final PlayerClient owner;
  private final RelaySession session;
  private final EventVerifier verifier = new EventVerifier();
  private final Map<String, KeptSubscription> subscriptions = new LinkedHashMap<>();
  private final UnansweredQueries queries;
  private final UnansweredEvents unanswered;
  private final Set<String> unserved = new HashSet<>();
  private @Nullable RelayInfo relay;
  private boolean isLoginRefused;
  private boolean isReady;

  /** Epoch milliseconds. */
  private long openedAt;

  /** Counts connections and their losses. */
  private int connections;

  RelayLink(
      RelayPlace place,
      Signer key,
      InstantSource clock,
      ScheduledExecutorService thread,
      PlayerClient owner) {
    this.key = key;
    this.clock = clock;
    this.thread = thread;
    this.owner = owner;
    this.session = RelaySession.reconnecting(place, key, clock, thread, this);
    this.queries = new UnansweredQueries(session, verifier, this::onConnectionAfter);
    this.unanswered = new UnansweredEvents(session, this::onConnectionAfter);
    thread.scheduleAtFixedRate(this::expire, 1, 1, TimeUnit.SECONDS);
  }

  void open() {
    session.open();
  }

  boolean isLoggedIn() {
    return session.isLoggedIn();
  }

  // ---- events, subscriptions and queries

  /** An event that is being published, and the promise of the text of its OK. */
  record Published(Event event, CompletableFuture<String> answer) {}

  /** Signs an event, and sends it now or when there is a connection. */
  Published publish(int kind, Tags tags, String content) {
    Event event = key.sign(clock.instant().getEpochSecond(), kind, tags, content);
    return new Published(event, unanswered.publish(event, isReady));
  }

  /**
   * Opens a subscription, or replaces its filters. If the relay refuses or ends it, it is requested
   * again, after growing delays or, where events may have been missed, on a new connection.
   *
   * @param filters JSON without brackets
   * @param isOptional whether the client can do without it
   */
  void subscribe(String id, String filters, boolean isOptional, EventHandler handler) {
    KeptSubscription known = subscriptions.get(id);
    if (known == null) {
      known = new KeptSubscription(id, filters, isOptional, handler);
      subscriptions.put(id, known);
    } else if (known.filters.equals(filters)) {
      return;
    }
    known.filters = filters;
    known.request();
  }

  void unsubscribe(String id) {
    if (subscriptions.remove(id) != null) {
      unserved.remove(id);
      session.unsubscribe(id);
    }
  }

  /** Queries the stored events and current states of filters; it is repeated on reconnection. */
  CompletableFuture<List<Event>> query(String filters) {
    return queries.query(filters);
  }

  private void expire() {
    long skew = relay == null ? 60 : relay.maxClockSkew();
    unanswered.expire(
        clock.instant().getEpochSecond() - Math.max(1, skew - FRESHNESS_MARGIN_SECONDS));
    if (relay != null && !isReady && clock.millis() - openedAt > READY_MILLIS) {
      session.lost("The relay has not answered in time.");
    }
  }

  // ---- the connection

  @Override
  public void opened(RelayInfo found) {
    owner.opened(found);
    relay = found;
    connections++;
    openedAt = clock.millis();
    isLoginRefused = false;
    isReady = false;
    unanswered.opened();
    unserved.clear();
    unserved.addAll(subscriptions.keySet());
    subscriptions.values().forEach(KeptSubscription::request);
    queries.sendAll();
  }

  @Override
  public void closed(String reason, Duration delay) {
    relay = null;
    connections++;
    isReady = false;
    subscriptions.values().forEach(each -> each.isLive = false);
    owner.lost(reason, delay);
  }

  private void becomeReadyIfServed() {
    RelayInfo current = relay;
    if (!isReady && current != null && unserved.isEmpty() && !session.isLoggingIn()) {
      isReady = true;
      session.works();
      unanswered.sendAll();
      owner.ready(current);
    }
  }

  @Override
  public void noticed(String text) {
    owner.noticed(text);
  }

  @Override
  public void loginAnswered(boolean isAccepted, String text) {
    if (!isAccepted) {
      isLoginRefused = true;
      owner.noticed("The relay refuses the login: " + text);
    }
    unanswered.loginAnswered(isAccepted, text);
    becomeReadyIfServed();
  }

  /** The event of a message, unless its id or signature is wrong. */
  static Optional<Event> verified(ReceivedMessage message, EventVerifier verifier) {
    return message
        .event()
        .filter(event -> verifier.hasValidId(event) && verifier.hasValidSignature(event));
  }

  /** Runs a task later, unless the connection has been lost by then. */
  private void onConnectionAfter(Duration delay, Runnable task) {
    int connected = connections;
    thread.schedule(
        () -> {
          if (connections == connected) {
            task.run();
          }
        },
        delay.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** Ends the connection. Unanswered events and queries fail. */
  void close() {
    session.close();
    unanswered.expire(Long.MAX_VALUE);
    queries.close();
  }

  private final class KeptSubscription implements RelaySession.Handler {
    private final String id;
    private String filters;
    private final boolean isOptional;
    private final EventHandler handler;
    private final Backoff backoff = Backoff.ofRefusals();
    private boolean isLive;

    /** Epoch milliseconds. */
    private long servedAt;

    private KeptSubscription(String id, String filters, boolean isOptional, EventHandler handler) {
      this.id = id;
      this.filters = filters;
      this.isOptional = isOptional;
      this.handler = handler;
    }

    void request() {
      if (relay != null) { // otherwise it follows with the others
        session.subscribe(id, filters, this);
      }
    }

    @Override
    public void received(ReceivedMessage message) {
      switch (message.verb()) {
        case "EVENT" ->
            verified(message, verifier).ifPresent(event -> handler.received(event, isLive));
        case "EOSE" -> {
          isLive = true;
          servedAt = clock.millis();
          unserved.remove(id);
          becomeReadyIfServed();
        }
        case "CLOSED" -> ended(message.text(2));
        default -> {} // a message of a NIP that this client does not use
      }
    }

    private void ended(String reason) {
      boolean needsLogin =
          reason.startsWith("auth-required:") && !session.isLoggedIn() && !isLoginRefused;
      if (!needsLogin) {
        owner.noticed(reason);
      }
      if (isOptional) {
        unserved.remove(id);
        becomeReadyIfServed();
      } else if (!needsLogin && !reason.startsWith("rate-limited:")) {
        session.lost("The relay has ended a subscription: " + reason);
        return;
      }
      Duration success = Duration.ofMillis(isLive ? clock.millis() - servedAt : 0);
      isLive = false;
      onConnectionAfter(
          backoff.next(success),
          () -> {
            if (subscriptions.get(id) == this) {
              request();
            }
          });
    }
  }
}
