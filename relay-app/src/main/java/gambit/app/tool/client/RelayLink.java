package gambit.app.tool.client;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
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
 * The Nostr client below a {@link PlayerClient}: it logs in, keeps subscriptions and unanswered
 * events over reconnections, answers queries, and drops events with a wrong id or signature. Owned
 * by one thread, which is given as an executor and on which everything is called.
 */
final class RelayLink implements ReconnectingSocket.Handler {
  /** The time in which a relay answers the subscriptions and the login of a new connection. */
  private static final long READY_MILLIS = 60_000;

  /** The margin by which an event is no longer fresh for this client before it is for the relay. */
  private static final long FRESHNESS_MARGIN_SECONDS = 3;

  /** Receives the state of the link, on its thread. */
  interface Owner {
    /** A connection is made; events may arrive from now on. */
    void opened(RelayInfo relay);

    /** The subscriptions are served and the login is answered. */
    void ready(RelayInfo relay);

    void lost(String reason, Duration delay);

    void noticed(String text);
  }

  /** Receives an event of a subscription; {@code live} is false for those before EOSE. */
  interface EventHandler {
    void received(Event event, boolean live);
  }

  private static final class Subscription {
    private String filters;
    private final EventHandler handler;
    private final boolean isOptional;
    private final Backoff backoff = retries();
    private boolean isLive;

    /** Epoch milliseconds. */
    private long servedAt;

    private Subscription(String filters, boolean isOptional, EventHandler handler) {
      this.filters = filters;
      this.isOptional = isOptional;
      this.handler = handler;
    }
  }

  /** The URL of the relay that logins name. */
  private final String loginUrl;

  private final Signer key;
  private final InstantSource clock;
  private final ScheduledExecutorService thread;
  private final Owner owner;
  private final ReconnectingSocket socket;
  private final EventVerifier verifier = new EventVerifier();
  private final Map<String, Subscription> subscriptions = new LinkedHashMap<>();
  private final UnansweredQueries queries = new UnansweredQueries();
  private final UnansweredEvents unanswered = new UnansweredEvents();

  /** The events and subscriptions that were refused with {@code auth-required:}. */
  private final Set<EventId> awaitingLogin = new HashSet<>();

  private final Set<String> unserved = new HashSet<>();

  private @Nullable RelayInfo relay;
  private @Nullable EventId login;
  private boolean isLoggedIn;
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
      Owner owner) {
    this.loginUrl = place.loginUrl();
    this.key = key;
    this.clock = clock;
    this.thread = thread;
    this.owner = owner;
    this.socket = new ReconnectingSocket(place, thread, this);
    thread.scheduleAtFixedRate(this::expire, 1, 1, TimeUnit.SECONDS);
  }

  /** The delays after refusals of one request. */
  static Backoff retries() {
    return new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
  }

  void open() {
    socket.open();
  }

  boolean isLoggedIn() {
    return isLoggedIn;
  }

  // ---- events, subscriptions and queries

  /** An event that is being published, and the promise of the text of its OK. */
  record Published(Event event, CompletableFuture<String> answer) {}

  /** Signs an event, and sends it now or when there is a connection. */
  Published publish(int kind, Tags tags, String content) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Event event = key.sign(clock.instant().getEpochSecond(), kind, tags, content);
    if (unanswered.add(event, answer) && isReady) {
      send(event);
    }
    return new Published(event, answer);
  }

  private void send(Event event) {
    socket.send("[\"EVENT\"," + event + "]");
  }

  /**
   * Opens a subscription, or replaces its filters. If the relay refuses or ends it, it is requested
   * again, after growing delays or, where events may have been missed, on a new connection.
   *
   * @param filters JSON without brackets
   * @param isOptional whether the client can do without it
   */
  void subscribe(String id, String filters, boolean isOptional, EventHandler handler) {
    Subscription known = subscriptions.get(id);
    if (known == null) {
      known = new Subscription(filters, isOptional, handler);
      subscriptions.put(id, known);
    } else if (known.filters.equals(filters)) {
      return;
    }
    known.filters = filters;
    request(id, filters);
  }

  void unsubscribe(String id) {
    if (subscriptions.remove(id) != null) {
      unserved.remove(id);
      socket.send("[\"CLOSE\",\"" + id + "\"]");
    }
  }

  private void request(String id, String filters) {
    if (relay != null) {
      socket.send("[\"REQ\",\"" + id + "\"," + filters + "]");
    }
  }

  /** Queries the stored events and current states of filters; it is repeated on reconnection. */
  CompletableFuture<List<Event>> query(String filters) {
    CompletableFuture<List<Event>> result = new CompletableFuture<>();
    queries.add(filters, result).ifPresent(id -> request(id, filters));
    return result;
  }

  private void expire() {
    long skew = relay == null ? 60 : relay.maxClockSkew();
    unanswered.expire(
        clock.instant().getEpochSecond() - Math.max(1, skew - FRESHNESS_MARGIN_SECONDS));
    awaitingLogin.removeIf(id -> unanswered.get(id) == null);
    if (relay != null && !isReady && clock.millis() - openedAt > READY_MILLIS) {
      socket.lost("The relay has not answered in time.");
    }
  }

  // ---- the connection

  @Override
  public void opened(RelayInfo found) {
    owner.opened(found);
    relay = found;
    connections++;
    openedAt = clock.millis();
    login = null;
    isLoggedIn = false;
    isLoginRefused = false;
    isReady = false;
    awaitingLogin.clear();
    unserved.clear();
    unserved.addAll(subscriptions.keySet());
    subscriptions.forEach(
        (id, subscription) -> {
          subscription.isLive = false;
          request(id, subscription.filters);
        });
    queries.beginAgain().forEach(this::request);
  }

  @Override
  public void closed(String reason, Duration delay) {
    relay = null;
    connections++;
    isReady = false;
    owner.lost(reason, delay);
  }

  private void becomeReadyIfServed() {
    RelayInfo current = relay;
    if (!isReady && current != null && unserved.isEmpty() && (login == null || isLoggedIn)) {
      isReady = true;
      socket.works();
      unanswered.all().forEach(this::send);
      owner.ready(current);
    }
  }

  @Override
  public void received(JsonNode message) {
    String id = message.path(1).asText("");
    switch (message.path(0).asText("")) {
      case "EVENT" -> receivedEvent(message);
      case "OK" -> answered(id, message.path(2).asBoolean(), message.path(3).asText(""));
      case "EOSE" -> served(id);
      case "CLOSED" -> ended(id, message.path(2).asText(""));
      case "AUTH" -> logIn(id);
      case "NOTICE" -> owner.noticed(id);
      default -> {} // a message of a NIP that this client does not use
    }
  }

  private void receivedEvent(JsonNode message) {
    if (!message.path(1).isTextual()) {
      return; // a numbered frame of the draft; its event comes under a subscription, too
    }
    String id = message.path(1).asText();
    Subscription subscription = subscriptions.get(id);
    if (subscription == null && !queries.contains(id)) {
      return;
    }
    Optional<Event> event = EventParser.parse(message.path(2).toString());
    if (event.isEmpty()
        || !verifier.hasValidId(event.get())
        || !verifier.hasValidSignature(event.get())) {
      return;
    }
    if (subscription != null) {
      subscription.handler.received(event.get(), subscription.isLive);
    } else {
      queries.found(id, event.get());
    }
  }

  private void served(String id) {
    if (queries.contains(id)) {
      socket.send("[\"CLOSE\",\"" + id + "\"]");
      queries.served(id);
      return;
    }
    Subscription subscription = subscriptions.get(id);
    if (subscription != null) {
      subscription.isLive = true;
      subscription.servedAt = clock.millis();
      unserved.remove(id);
      becomeReadyIfServed();
    }
  }

  /** The relay has ended a query or a subscription. */
  private void ended(String id, String reason) {
    Subscription subscription = subscriptions.get(id);
    if (queries.contains(id)) {
      queries
          .delayAfter(id, reason)
          .ifPresentOrElse(
              delay ->
                  onConnectionAfter(
                      delay, () -> queries.again(id).ifPresent(filters -> request(id, filters))),
              () -> queries.refused(id, reason));
    } else if (subscription != null) {
      ended(id, subscription, reason);
    }
  }

  private void ended(String id, Subscription subscription, String reason) {
    boolean needsLogin = reason.startsWith("auth-required:") && !isLoggedIn && !isLoginRefused;
    if (!needsLogin) {
      owner.noticed(reason);
    }
    if (subscription.isOptional) {
      unserved.remove(id);
      becomeReadyIfServed();
    } else if (!needsLogin && !reason.startsWith("rate-limited:")) {
      socket.lost("The relay has ended a subscription: " + reason);
      return;
    }
    Duration success =
        Duration.ofMillis(subscription.isLive ? clock.millis() - subscription.servedAt : 0);
    subscription.isLive = false;
    onConnectionAfter(
        subscription.backoff.next(success),
        () -> {
          if (subscriptions.get(id) == subscription) {
            request(id, subscription.filters);
          }
        });
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

  // ---- answers and logins

  private void logIn(String challenge) {
    Tags tags = new Tags(List.of(List.of("relay", loginUrl), List.of("challenge", challenge)));
    Event event = key.sign(clock.instant().getEpochSecond(), Kind.CLIENT_AUTH, tags, "");
    login = event.id();
    isLoggedIn = false;
    socket.send("[\"AUTH\"," + event + "]");
  }

  private void answered(String hex, boolean accepted, String text) {
    if (!Hex.isLowerCase(hex, 64)) {
      return;
    }
    EventId id = EventId.ofHex(hex);
    if (id.equals(login)) {
      loginAnswered(accepted, text);
    } else if (accepted) {
      unanswered.accepted(id, text);
    } else {
      refused(id, text);
    }
  }

  private void loginAnswered(boolean accepted, String text) {
    isLoggedIn = accepted;
    if (!accepted) {
      login = null;
      isLoginRefused = true;
      owner.noticed("The relay refuses the login: " + text);
      awaitingLogin.forEach(each -> unanswered.refused(each, text));
    } else {
      for (EventId each : awaitingLogin) {
        sendAgain(each);
      }
    }
    awaitingLogin.clear();
    becomeReadyIfServed();
  }

  private void refused(EventId id, String text) {
    UnansweredEvents.Unanswered event = unanswered.get(id);
    if (event == null) {
      return;
    }
    boolean needsLogin = text.startsWith("auth-required:");
    if (needsLogin && !isLoggedIn) {
      awaitingLogin.add(id); // the relay sends a challenge with this refusal
    } else if ((needsLogin || text.startsWith("rate-limited:")) && event.mayBeRepeated()) {
      onConnectionAfter(event.nextDelay(), () -> sendAgain(id));
    } else {
      unanswered.refused(id, text);
    }
  }

  private void sendAgain(EventId id) {
    UnansweredEvents.Unanswered event = unanswered.get(id);
    if (event != null && relay != null) {
      send(event.event());
    }
  }

  /** Ends the connection. Unanswered events and queries fail. */
  void close() {
    socket.close();
    unanswered.expire(Long.MAX_VALUE);
    queries.close();
  }
}
