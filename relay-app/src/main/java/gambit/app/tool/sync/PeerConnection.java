package gambit.app.tool.sync;

import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayLimits;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.WebSocketConnection;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Tags;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one of the two relays: its subscriptions, comparisons and unanswered events. It
 * logs in (NIP-42) when the relay sends a challenge and there is a key. Owned by the thread of its
 * {@link RelayPair}, which passes on what it receives.
 */
final class PeerConnection {
  private static final int LOGIN = 22242;
  private static final int ENVELOPE_BYTES = "[\"EVENT\",]".length();
  private static final Duration SENDING_TIMEOUT = Duration.ofSeconds(30);

  /** Text that may be on its way to the network; beyond it, sending waits. */
  private static final int MAX_UNSENT_CHARS = 1 << 20;

  /** Receives the messages of a subscription or comparison. */
  interface Handler {
    void received(ReceivedMessage message) throws RelayFailure;
  }

  /** Receives the answer to an event. */
  interface Answer {
    void received(boolean isAccepted, String text);
  }

  private final RelayPlace place;
  private final String name;
  private final @Nullable Signer key;
  private final RelayLimits limits;
  private final WebSocketConnection connection;
  private final Map<String, Handler> handlers = new HashMap<>();
  private final Map<EventId, Answer> unanswered = new HashMap<>();
  private CompletableFuture<Void> lastSent = CompletableFuture.completedFuture(null);
  private int unsentChars;
  private int handlerNumber;
  private boolean isHeld;
  private boolean isRequestDue;
  private @Nullable EventId login;
  private boolean isLoggedIn;
  private String notice = "";
  private int notices;

  /** The number of notices when the last event was answered. */
  private int noticesAtAnswer;

  /**
   * Connects, and requests the relay's limits meanwhile.
   *
   * @param name of the relay in messages for the operator
   * @param key logs in, if the relay asks for it; may be null
   * @param timeout of either
   */
  PeerConnection(
      RelayPlace place,
      String name,
      @Nullable Signer key,
      Duration timeout,
      WebSocketConnection.Listener listener)
      throws RelayFailure {
    this.place = place;
    this.name = name;
    this.key = key;
    CompletableFuture<RelayLimits> stated = RelayLimits.fetch(place, timeout);
    CompletableFuture<WebSocketConnection> opened = new CompletableFuture<>();
    try {
      opened = WebSocketConnection.open(place, timeout, listener);
      connection = opened.get(timeout.toMillis() + 1000, TimeUnit.MILLISECONDS);
      limits = stated.get();
    } catch (ExecutionException | TimeoutException | IllegalArgumentException e) {
      throw new RelayFailure("Cannot connect to " + name + ": " + reason(e));
    } catch (InterruptedException e) {
      opened.thenAccept(WebSocketConnection::close);
      throw RelayPair.interrupted();
    }
  }

  private static String reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException) {
        return "TLS: " + cause.getMessage() + ".";
      }
    }
    return "is the relay running there?";
  }

  /** The relay's name in messages for the operator. */
  String name() {
    return name;
  }

  /** What the relay takes from a client. */
  RelayLimits limits() {
    return limits;
  }

  boolean isLoggedIn() {
    return isLoggedIn;
  }

  /** Whether the relay has asked for a login and not answered it. */
  boolean isLoggingIn() {
    return login != null;
  }

  /** Whether it logs in when the relay asks for it. */
  boolean hasKey() {
    return key != null;
  }

  int unanswered() {
    return unanswered.size();
  }

  /** The number of notices so far. */
  int notices() {
    return notices;
  }

  /** The last notice. */
  String notice() {
    return notice;
  }

  /** An id for a further subscription or comparison, whose messages the handler receives. */
  String register(Handler handler) {
    String id = "sync-" + handlerNumber++;
    handlers.put(id, handler);
    return id;
  }

  void unregister(String id) {
    handlers.remove(id);
  }

  /** Subscribes; the handler receives what the relay sends for it. */
  String subscribe(String filter, Handler handler) throws RelayFailure {
    String id = register(handler);
    send("[\"REQ\",\"" + id + "\"," + filter + "]");
    return id;
  }

  void unsubscribe(String id) throws RelayFailure {
    unregister(id);
    send("[\"CLOSE\",\"" + id + "\"]");
  }

  /** Whether a message with the event is short enough; a relay ends the connection otherwise. */
  boolean reads(Event event) {
    return event.json().length + ENVELOPE_BYTES <= limits.messageBytes();
  }

  void publish(Event event, Answer answer) throws RelayFailure {
    unanswered.put(event.id(), answer);
    write("[\"EVENT\"," + event + "]");
  }

  /** Waits no longer for the answers to events. A notice since the last answer is the reason. */
  void refuseUnanswered() {
    String reason = notices > noticesAtAnswer ? "not answered: " + notice : "error: not answered";
    noticesAtAnswer = notices;
    List<Answer> ended = List.copyOf(unanswered.values());
    unanswered.clear();
    ended.forEach(answer -> answer.received(false, reason));
  }

  /** Sends a message that is not an event; fails if it is too long for the relay. */
  void send(String message) throws RelayFailure {
    int bytes = utf8Length(message);
    if (bytes > limits.messageBytes()) {
      throw new RelayFailure(
          String.format(
              Locale.ROOT,
              "%s reads messages of %,d bytes, and this one has %,d: %.50s…",
              name,
              limits.messageBytes(),
              bytes,
              message));
    }
    write(message);
  }

  /** The length of a text in a message. */
  static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Waits while much is unsent, so that a peer that reads slowly sets the pace. */
  private void write(String message) throws RelayFailure {
    lastSent = connection.send(message);
    unsentChars += message.length();
    if (unsentChars < MAX_UNSENT_CHARS && !lastSent.isCompletedExceptionally()) {
      return;
    }
    unsentChars = 0;
    try {
      lastSent.get(SENDING_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new RelayFailure(name + " does not read what it is sent.");
    } catch (ExecutionException e) {
      throw new RelayFailure(name + " closed the connection.");
    } catch (InterruptedException e) {
      throw RelayPair.interrupted();
    }
  }

  /** Lets the next message arrive, at once or when the connection is no longer held. */
  void requestNext() {
    isRequestDue = isHeld;
    if (!isHeld) {
      connection.requestAll();
    }
  }

  /** Lets no further messages arrive, or again, so that what they cause does not pile up. */
  void hold(boolean held) {
    isHeld = held;
    if (!held && isRequestDue) {
      requestNext();
    }
  }

  void ping() {
    connection.ping();
  }

  /** The time since anything has arrived. */
  Duration silence() {
    return connection.silence();
  }

  void close() {
    connection.close();
  }

  /** Handles a message; whatever this client does not know is ignored. */
  void handle(ReceivedMessage message) throws RelayFailure {
    switch (message.verb()) {
      case "OK" -> answered(message);
      case "AUTH" -> logIn(message.id());
      case "NOTICE" -> {
        notice = message.id();
        notices++;
      }
      default -> {
        Handler handler = handlers.get(message.id());
        if (handler != null) {
          handler.received(message);
        }
      }
    }
  }

  private void answered(ReceivedMessage message) {
    String hex = message.id();
    if (!Hex.isLowerCase(hex, 64)) {
      return;
    }
    EventId id = EventId.ofHex(hex);
    boolean isAccepted = message.isTrue(2);
    if (id.equals(login)) {
      login = null;
      isLoggedIn |= isAccepted;
      return;
    }
    Answer answer = unanswered.remove(id);
    if (answer != null) {
      noticesAtAnswer = notices;
      answer.received(isAccepted, message.text(3));
    }
  }

  private void logIn(String challenge) throws RelayFailure {
    if (key == null || challenge.isEmpty()) {
      return;
    }
    Tags tags =
        new Tags(List.of(List.of("relay", place.loginUrl()), List.of("challenge", challenge)));
    Event answer = key.sign(Instant.now().getEpochSecond(), LOGIN, tags, "");
    login = answer.id();
    send("[\"AUTH\"," + answer + "]");
  }
}
