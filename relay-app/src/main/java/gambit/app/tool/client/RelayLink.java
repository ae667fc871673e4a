package gambit.app.tool.client;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a {@link PlayerClient}, which is made again, with growing delays, whenever it
 * is lost: a {@link RelaySession} after the other. Subscriptions, queries and unanswered events are
 * kept over them, in order and bounded. Events with a wrong id or signature are dropped. Owned by
 * one thread, which is given as an executor and on which everything is called.
 */
final class RelayLink implements RelaySession.Owner {
  static final int MAX_UNANSWERED_EVENTS = 1000;
  private static final int MAX_UNANSWERED_QUERIES = 500;

  /** The events that one query may return; more are ignored. */
  private static final int MAX_EVENTS_OF_A_QUERY = 20_000;

  /** How often one event or query is sent again after a refusal that may pass. */
  private static final int MAX_REPEATS = 5;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PING_INTERVAL = Duration.ofSeconds(15);

  /** A connection is given up over which nothing arrives for that time, not even a pong. */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(40);

  /** The time in which a relay answers the subscriptions and the login of a new connection. */
  private static final long READY_MILLIS = 60_000;

  /** The margin by which an event is no longer fresh for this client before it is for the relay. */
  private static final long FRESHNESS_MARGIN_SECONDS = 3;

  /** Receives an event of a subscription; {@code live} is false for those before EOSE. */
  interface EventHandler {
    void received(Event event, boolean live);
  }

  private final RelayPlace place;
  private final Signer key;
  private final ScheduledExecutorService thread;
  private final PlayerClient owner;
  private final Backoff backoff = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(10));
  private final EventVerifier verifier = new EventVerifier();
  private final Map<String, KeptSubscription> subscriptions = new LinkedHashMap<>();
  private final Set<UnansweredQuery> queries = new LinkedHashSet<>();
  private final Set<UnansweredEvent> events = new LinkedHashSet<>();

  private final Set<String> unserved = new HashSet<>();
  private @Nullable RelaySession session;
  private @Nullable RelayInfo relay;
  private boolean isLoginRefused;
  private boolean isReady;
  private boolean isClosed;
  private int queryNumber;

  /** Epoch milliseconds. */
  private long openedAt;

  /** A value of {@link System#nanoTime}. */
  private long readySince;

  RelayLink(RelayPlace place, Signer key, ScheduledExecutorService thread, PlayerClient owner) {
    this.place = place;
    this.key = key;
    this.thread = thread;
    this.owner = owner;
    thread.scheduleAtFixedRate(this::expire, 1, 1, TimeUnit.SECONDS);
  }

  void open() {
    long period = PING_INTERVAL.toMillis();
    thread.scheduleAtFixedRate(this::pingOrGiveUp, period, period, TimeUnit.MILLISECONDS);
    connect();
  }

  boolean isLoggedIn() {
    return session != null && session.isLoggedIn();
  }

  /** The task, without effect from the end of the current connection on. */
  Runnable ofConnection(Runnable task) {
    return session == null ? () -> {} : session.untilEnd(task);
  }

  // ---- events, subscriptions and queries

  /**
   * Signs an event, and sends it now or when there is a connection. While it is fresh, it is sent
   * again unchanged: the relay recognizes it, so that it does not take effect twice. The answer
   * fails at once if too many events are unanswered.
   */
  UnansweredEvent publish(int kind, Tags tags, String content) {
    Event event = key.sign(Instant.now().getEpochSecond(), kind, tags, content);
    UnansweredEvent published = new UnansweredEvent(event);
    if (events.size() >= MAX_UNANSWERED_EVENTS) {
      published.answer.completeExceptionally(
          new RelayFailure("The relay has left too many events unanswered."));
    } else {
      events.add(published);
      if (isReady) {
        published.send();
      }
    }
    return published;
  }

  /**
   * Opens a subscription, or replaces its filters, which are JSON without brackets. If the relay
   * refuses or ends it, it is requested again: after growing delays or, where the client may have
   * missed events that it cannot do without, on a new connection.
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
    known.send();
  }

  /**
   * Queries the stored events and current states of filters; the query is repeated on reconnection.
   * The result fails at once if there are too many.
   */
  CompletableFuture<List<Event>> query(String filters) {
    if (queries.size() >= MAX_UNANSWERED_QUERIES) {
      return CompletableFuture.failedFuture(
          new RelayFailure("The relay has left too many queries unanswered."));
    }
    UnansweredQuery query = new UnansweredQuery("query-" + queryNumber++, filters);
    queries.add(query);
    query.send();
    return query.result;
  }

  private void expire() {
    long skew = relay == null ? 60 : relay.maxClockSkew();
    expire(Instant.now().getEpochSecond() - Math.max(1, skew - FRESHNESS_MARGIN_SECONDS));
    if (relay != null && !isReady && System.currentTimeMillis() - openedAt > READY_MILLIS) {
      onSession(current -> current.lost("The relay has not answered in time."));
    }
  }

  static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Completes a result as another one, without a {@link CompletionException}. */
  static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
    from.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            to.complete(value);
          } else {
            to.completeExceptionally(unwrapped(failure));
          }
        });
  }

  private void onSession(Consumer<RelaySession> action) {
    RelaySession current = session;
    if (current != null) {
      action.accept(current);
    }
  }

  /** Removes the events created before a time, in seconds: the relay would refuse them. */
  private void expire(long createdBefore) {
    List<UnansweredEvent> expired = new ArrayList<>(events);
    expired.removeIf(each -> each.event.createdAt() >= createdBefore);
    for (UnansweredEvent each : expired) {
      events.remove(each);
      onSession(current -> current.forget(each.event.id()));
      each.answer.completeExceptionally(new RelayFailure("The relay has not answered in time."));
    }
  }

  // ---- the connection

  /** Connects; the relay's information document is fetched before each connection. */
  private void connect() {
    if (isClosed) {
      return;
    }
    RelayInfo.fetch(place, CONNECT_TIMEOUT)
        .thenCompose(
            found ->
                RelaySession.open(place, key, CONNECT_TIMEOUT, this, thread)
                    .thenAccept(made -> onThread(() -> opened(made, found), made::close)))
        .exceptionally(
            failure -> {
              String reason = String.valueOf(unwrapped(failure).getMessage());
              onThread(() -> closed(reason), () -> {});
              return null;
            });
  }

  /** Runs a task on this thread, or another here if the client was closed meanwhile. */
  private void onThread(Runnable task, Runnable otherwise) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      otherwise.run();
    }
  }

  private void opened(RelaySession made, RelayInfo found) {
    if (isClosed || made.isOver()) {
      made.close();
      return;
    }
    session = made;
    made.start(
        () -> {
          owner.opened(found);
          relay = found;
          openedAt = System.currentTimeMillis();
          isLoginRefused = false;
          events.forEach(each -> each.awaitsLogin = false);
          unserved.clear();
          unserved.addAll(subscriptions.keySet());
          subscriptions.values().forEach(KeptSubscription::send);
          queries.forEach(UnansweredQuery::send);
        });
  }

  @Override
  public void closed(String reason) {
    if (isClosed) {
      return;
    }
    session = null;
    relay = null;
    Duration success = Duration.ofNanos(isReady ? System.nanoTime() - readySince : 0);
    isReady = false;
    subscriptions.values().forEach(each -> each.isLive = false);
    Duration delay = backoff.next(success);
    owner.lost(reason, delay);
    thread.schedule(this::connect, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void pingOrGiveUp() {
    onSession(
        current -> {
          if (current.silence().compareTo(MAX_SILENCE) > 0) {
            current.lost("The relay does not answer.");
          } else {
            current.ping();
          }
        });
  }

  private void becomeReadyIfServed() {
    RelaySession current = session;
    RelayInfo found = relay;
    if (current != null
        && found != null
        && !isReady
        && unserved.isEmpty()
        && !current.isLoggingIn()) {
      isReady = true;
      readySince = System.nanoTime();
      events.forEach(UnansweredEvent::send);
      owner.ready(found);
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
    List<UnansweredEvent> awaiting = events.stream().filter(each -> each.awaitsLogin).toList();
    awaiting.forEach(each -> each.awaitsLogin = false);
    awaiting.forEach(isAccepted ? UnansweredEvent::send : event -> event.refused(text));
    becomeReadyIfServed();
  }

  private Optional<Event> verified(ReceivedMessage message) {
    return message
        .event()
        .filter(event -> verifier.hasValidId(event) && verifier.hasValidSignature(event));
  }

  void close() {
    isClosed = true;
    onSession(RelaySession::close);
    expire(Long.MAX_VALUE);
    queries.forEach(
        query -> query.result.completeExceptionally(new RelayFailure("The client was closed.")));
    queries.clear();
  }

  /** A message that is sent again after a refusal that may pass. */
  private abstract class RepeatedMessage {
    final Backoff backoff = Backoff.ofRefusals();
    private int repeats;

    abstract void send();

    abstract boolean isWanted();

    void sendIfWanted() {
      if (isWanted()) {
        send();
      }
    }

    /** Sends it again later; false if that has happened too often. */
    boolean repeat() {
      boolean mayRepeat = repeats++ < MAX_REPEATS;
      if (mayRepeat) {
        sendAfter(backoff.next());
      }
      return mayRepeat;
    }

    void sendAfter(Duration delay) {
      Runnable sending = ofConnection(this::sendIfWanted);
      thread.schedule(sending, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  final class UnansweredEvent extends RepeatedMessage implements RelaySession.Answer {
    final Event event;
    final CompletableFuture<String> answer = new CompletableFuture<>();

    /** Whether it was refused with {@code auth-required:}. */
    private boolean awaitsLogin;

    private UnansweredEvent(Event event) {
      this.event = event;
    }

    @Override
    void send() {
      onSession(current -> current.publish(event, this));
    }

    @Override
    boolean isWanted() {
      return events.contains(this);
    }

    @Override
    public void received(boolean isAccepted, String text) {
      boolean needsLogin = !isAccepted && text.startsWith("auth-required:");
      if (isAccepted) {
        events.remove(this);
        answer.complete(text);
      } else if (needsLogin && !isLoggedIn()) {
        awaitsLogin = true; // the relay sends a challenge with this refusal
      } else if (!(needsLogin || text.startsWith("rate-limited:")) || !repeat()) {
        refused(text);
      }
    }

    void refused(String text) {
      events.remove(this);
      answer.completeExceptionally(new RefusedException(text));
    }
  }

  private final class UnansweredQuery extends RepeatedMessage implements RelaySession.Handler {
    private final String id;
    private final String filters;
    private final CompletableFuture<List<Event>> result = new CompletableFuture<>();
    private final List<Event> found = new ArrayList<>();

    private UnansweredQuery(String id, String filters) {
      this.id = id;
      this.filters = filters;
    }

    @Override
    void send() {
      found.clear();
      onSession(current -> current.subscribe(id, filters, this));
    }

    @Override
    boolean isWanted() {
      return queries.contains(this);
    }

    @Override
    public void received(ReceivedMessage message) {
      switch (message.verb()) {
        case "EVENT" -> {
          Optional<Event> event = verified(message);
          if (found.size() < MAX_EVENTS_OF_A_QUERY) {
            event.ifPresent(found::add);
          }
        }
        case "EOSE" -> {
          onSession(current -> current.unsubscribe(id));
          queries.remove(this);
          result.complete(found);
        }
        case "CLOSED" -> refused(new RefusedException(message.text(2)));
        default -> {} // a message of a NIP that this client does not use
      }
    }

    private void refused(RefusedException refusal) {
      if (!refusal.mayPass() || !repeat()) {
        onSession(current -> current.unregister(id));
        queries.remove(this);
        result.completeExceptionally(refusal);
      }
    }
  }

  private final class KeptSubscription extends RepeatedMessage implements RelaySession.Handler {
    private final String id;
    private String filters;
    private final boolean isOptional;
    private final EventHandler handler;
    private boolean isLive;

    /** Epoch milliseconds. */
    private long servedAt;

    private KeptSubscription(String id, String filters, boolean isOptional, EventHandler handler) {
      this.id = id;
      this.filters = filters;
      this.isOptional = isOptional;
      this.handler = handler;
    }

    @Override
    void send() {
      if (relay != null) { // otherwise it follows with the others
        onSession(current -> current.subscribe(id, filters, this));
      }
    }

    @Override
    boolean isWanted() {
      return subscriptions.get(id) == this;
    }

    @Override
    public void received(ReceivedMessage message) {
      switch (message.verb()) {
        case "EVENT" -> verified(message).ifPresent(event -> handler.received(event, isLive));
        case "EOSE" -> {
          isLive = true;
          servedAt = System.currentTimeMillis();
          unserved.remove(id);
          becomeReadyIfServed();
        }
        case "CLOSED" -> ended(message.text(2));
        default -> {} // a message of a NIP that this client does not use
      }
    }

    private void ended(String reason) {
      boolean needsLogin = reason.startsWith("auth-required:") && !isLoggedIn() && !isLoginRefused;
      if (!needsLogin) {
        owner.noticed(reason);
      }
      if (isOptional) {
        unserved.remove(id);
        becomeReadyIfServed();
      } else if (!needsLogin && !reason.startsWith("rate-limited:")) {
        onSession(current -> current.lost("The relay has ended a subscription: " + reason));
        return;
      }
      Duration success = Duration.ofMillis(isLive ? System.currentTimeMillis() - servedAt : 0);
      isLive = false;
      sendAfter(backoff.next(success));
    }
  }
}
