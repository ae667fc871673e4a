package gambit.app.tool.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import gambit.core.crypto.Signer;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.Tags;
import io.netty.channel.ChannelFuture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client's session with a relay, of one connection at a time. It sends requests and events,
 * passes each answer to whoever waits for it, and logs in (NIP-42) when the relay sends a challenge
 * and there is a key. Owned by one thread, on which everything is called, and whose executor
 * handles messages as they arrive: that of a client whose connection is made again, with growing
 * delays, whenever it is lost ({@link #reconnecting}); the event loop ({@link #onEventLoop}); or
 * the queue of a thread that waits ({@link #connect}, {@link #step}).
 *
 * <p>Further messages, about a megabyte, are read from the network when all earlier ones have been
 * handled, so that a relay cannot exhaust the memory.
 */
public final class RelaySession implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(RelaySession.class);

  /** The name of a relay that is the only one, in messages for the user. */
  private static final String THE_RELAY = "The relay";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PING_INTERVAL = Duration.ofSeconds(15);

  /** A connection is given up over which nothing arrives for that time, not even a pong. */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(40);

  private static final Duration SENDING_TIMEOUT = Duration.ofSeconds(30);
  private static final int ENVELOPE_BYTES = "[\"EVENT\",]".length();

  /** Text that may be on its way to the network; beyond it, a thread that may wait does. */
  private static final int MAX_UNSENT_CHARS = 1 << 20;

  /** Receives the messages of a subscription, a query or a comparison. */
  public interface Handler {
    void received(ReceivedMessage message) throws RelayFailure;
  }

  /** Receives the answer to an event. */
  public interface Answer {
    /**
     * The relay has sent an OK.
     *
     * @param text begins with the machine-readable prefix of the reason, if there is one
     */
    void received(boolean isAccepted, String text);
  }

  /** Receives what concerns the session as a whole. */
  public interface Owner {
    /** A connection was made again, or for the first time; messages may arrive from now on. */
    default void opened(RelayInfo relay) {}

    /**
     * The connection is lost or was not made. The next attempt, if any, follows after the delay.
     */
    default void closed(String reason, Duration delay) {}

    default void loginAnswered(boolean isAccepted, String text) {}

    default void noticed(String text) {}

    /** A message that answers none of the requests and events of this session. */
    default void other(ReceivedMessage message) {}
  }

  private final RelayPlace relay;
  private final String name;
  private final @Nullable Signer key;
  private final InstantSource clock;
  private final Owner owner;
  private final Executor thread;

  /** Not null if the connection is made again. */
  private final @Nullable ScheduledExecutorService timers;

  /** Not null if the owner is a thread that may wait. */
  private final @Nullable SessionTasks tasks;

  private final Backoff backoff = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(10));
  private final Map<String, Handler> handlers = new HashMap<>();
  private final Map<EventId, Answer> unanswered = new HashMap<>();
  private RelayLimits limits = RelayLimits.NONE;
  private @Nullable WebSocketConnection connection;

  /** The number of the current attempt to connect; callbacks of earlier ones are ignored. */
  private int attempt;

  private boolean isClosed;
  private boolean works;
  private long worksSince;

  /** Why no more messages will arrive; empty before that. */
  private String end = "";

  private boolean isHeld;
  private boolean isRequestDue;
  private int unsentChars;
  private @Nullable ChannelFuture lastSending;
  private int handlerNumber;
  private @Nullable EventId login;
  private boolean isLoggedIn;
  private String notice = "";
  private long messages;
  private int notices;

  /** The number of notices when the last event was answered. */
  private int noticesAtAnswer;

  private RelaySession(
      RelayPlace relay,
      String name,
      @Nullable Signer key,
      InstantSource clock,
      Owner owner,
      Executor thread) {
    this.relay = relay;
    this.name = name;
    this.key = key;
    this.clock = clock;
    this.owner = owner;
    this.thread = thread;
    this.timers = thread instanceof ScheduledExecutorService scheduled ? scheduled : null;
    this.tasks = thread instanceof SessionTasks queue ? queue : null;
  }

  // ---- connecting

  /**
   * A session whose connection is made again when it is lost, once {@link #open} is called. The
   * relay's information document is fetched before each connection.
   */
  static RelaySession reconnecting(
      RelayPlace relay,
      Signer key,
      InstantSource clock,
      ScheduledExecutorService thread,
      Owner owner) {
    return new RelaySession(relay, THE_RELAY, key, clock, owner, thread);
  }

  /** Connects; the event loop, {@link RelayChannels#eventLoop}, owns the session. */
  public static RelaySession onEventLoop(RelayPlace relay, Duration timeout, Owner owner)
      throws RelayFailure {
    return connected(
        new RelaySession(
            relay, THE_RELAY, null, InstantSource.system(), owner, RelayChannels.eventLoop()),
        timeout);
  }

  /** Connects to the only relay of a client that may wait, and has no key. */
  public static RelaySession connect(RelayPlace relay, Duration timeout) throws RelayFailure {
    return connect(relay, timeout, new Owner() {});
  }

  /** The same, with an owner. */
  public static RelaySession connect(RelayPlace relay, Duration timeout, Owner owner)
      throws RelayFailure {
    return connected(
        new RelaySession(relay, THE_RELAY, null, InstantSource.system(), owner, new SessionTasks()),
        timeout);
  }

  /**
   * Connects to one of several relays of a client that may wait, and requests the relay's limits
   * meanwhile.
   *
   * @param name of the relay in messages for the operator
   * @param key logs in; may be null
   * @param tasks what has arrived for all sessions of the client
   */
  public static RelaySession connect(
      RelayPlace relay, String name, @Nullable Signer key, Duration timeout, SessionTasks tasks)
      throws RelayFailure {
    CompletableFuture<RelayLimits> stated = RelayLimits.fetch(relay, timeout);
    RelaySession session =
        connected(
            new RelaySession(relay, name, key, InstantSource.system(), new Owner() {}, tasks),
            timeout);
    try {
      session.limits = stated.get(); // within the timeout
    } catch (ExecutionException e) {
      throw new RelayFailure(session.reasonOf(e));
    } catch (InterruptedException e) {
      session.close();
      throw RelayFailure.interrupted();
    }
    return session;
  }

  private static RelaySession connected(RelaySession session, Duration timeout)
      throws RelayFailure {
    CompletableFuture<WebSocketConnection> opened = new CompletableFuture<>();
    try {
      opened = WebSocketConnection.open(session.relay, timeout, session.new Listener(0));
      WebSocketConnection made = opened.get(timeout.toMillis() + 1000, TimeUnit.MILLISECONDS);
      session.connection = made;
      made.requestAll();
      return session;
    } catch (ExecutionException | TimeoutException | IllegalArgumentException e) {
      throw new RelayFailure(session.reasonOf(e));
    } catch (InterruptedException e) {
      opened.thenAccept(WebSocketConnection::close);
      throw RelayFailure.interrupted();
    }
  }

  private String reasonOf(Throwable failure) {
    String reason = "is the relay running there?";
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RelayFailure) {
        return String.valueOf(cause.getMessage());
      } else if (cause instanceof SSLException && !name.equals(THE_RELAY)) {
        reason = "TLS: " + cause.getMessage() + ".";
      }
    }
    return "Cannot connect to " + (name.equals(THE_RELAY) ? relay.url() : name) + ": " + reason;
  }

  /** Makes the first connection of a session that is made again. */
  void open() {
    schedulePing();
    reconnect();
  }

  private void reconnect() {
    if (isClosed) {
      return;
    }
    int number = ++attempt;
    RelayInfo.fetch(relay, CONNECT_TIMEOUT)
        .thenCompose(
            information ->
                WebSocketConnection.open(relay, CONNECT_TIMEOUT, new Listener(number))
                    .thenAccept(made -> handOver(number, made, information)))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                onThread(number, () -> lost(reasonOf(failure)), () -> {});
              }
            });
  }

  /** Hands a connection to the owner's thread, or ends it if the client was closed meanwhile. */
  private void handOver(int number, WebSocketConnection made, RelayInfo information) {
    onThread(number, () -> opened(made, information), made::close);
  }

  /** Runs a task of an attempt on the owner's thread, or another if the attempt is over by then. */
  private void onThread(int number, Runnable task, Runnable otherwise) {
    try {
      thread.execute(() -> (isCurrent(number) ? task : otherwise).run());
    } catch (RejectedExecutionException e) { // the client was closed
      otherwise.run();
    }
  }

  private boolean isCurrent(int number) {
    return number == attempt && !isClosed;
  }

  /** The task, without effect from the end of the current connection on. */
  Runnable ofConnection(Runnable task) {
    int number = attempt;
    return () -> {
      if (isCurrent(number)) {
        task.run();
      }
    };
  }

  private void opened(WebSocketConnection made, RelayInfo information) {
    connection = made;
    guard(() -> owner.opened(information));
  }

  /** The connection works: the longer it does, the sooner the next one is made. */
  void works() {
    worksSince = System.nanoTime();
    works = true;
  }

  /** Ends the current connection, and schedules the next one if it is made again. */
  void lost(String reason) {
    disconnect();
    attempt++;
    ScheduledExecutorService again = timers;
    if (again == null) {
      end = reason;
      owner.closed(reason, Duration.ZERO);
      return;
    }
    Duration success = Duration.ofNanos(works ? System.nanoTime() - worksSince : 0);
    works = false;
    Duration delay = backoff.next(success);
    owner.closed(reason, delay);
    again.schedule(this::reconnect, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void disconnect() {
    WebSocketConnection current = connection;
    if (current != null) {
      current.close();
    }
    connection = null;
    if (timers != null) { // what is unanswered is sent again
      handlers.clear();
      unanswered.clear();
      login = null;
      isLoggedIn = false;
    }
  }

  /** Ends the session for good. */
  @Override
  public void close() {
    isClosed = true;
    disconnect();
  }

  private void schedulePing() {
    ScheduledExecutorService scheduled = timers;
    if (scheduled != null) {
      long period = PING_INTERVAL.toMillis();
      scheduled.scheduleAtFixedRate(this::pingOrGiveUp, period, period, TimeUnit.MILLISECONDS);
    }
  }

  private void pingOrGiveUp() {
    if (connection != null && silence().compareTo(MAX_SILENCE) > 0) {
      lost("The relay does not answer.");
    } else {
      ping();
    }
  }

  /** Finds out whether a relay that need not send anything is still there. */
  public void ping() {
    WebSocketConnection current = connection;
    if (current != null) {
      current.ping();
    }
  }

  /** The time since anything has arrived. */
  public Duration silence() {
    WebSocketConnection current = connection;
    return current == null ? Duration.ZERO : current.silence();
  }

  // ---- asking and publishing

  /** The relay's name in messages for the operator. */
  public String name() {
    return name;
  }

  /** What the relay takes from a client, if it was asked. */
  public RelayLimits limits() {
    return limits;
  }

  /** An id for a further request, whose messages the handler receives. */
  public String register(Handler handler) {
    String id = "sync-" + handlerNumber++;
    handlers.put(id, handler);
    return id;
  }

  public void unregister(String id) {
    handlers.remove(id);
  }

  /** Subscribes; the handler receives what the relay sends for it. */
  public String subscribe(String filters, Handler handler) {
    String id = register(handler);
    subscribe(id, filters, handler);
    return id;
  }

  /**
   * Subscribes with an id of the caller's, or replaces the filters of a subscription.
   *
   * @param filters JSON objects separated by commas
   */
  public void subscribe(String id, String filters, Handler handler) {
    if (connection != null) {
      handlers.put(id, handler);
      send("[\"REQ\",\"" + id + "\"," + filters + "]");
    }
  }

  public void unsubscribe(String id) {
    unregister(id);
    send("[\"CLOSE\",\"" + id + "\"]");
  }

  /** Whether a message with the event is short enough; a relay ends the connection otherwise. */
  public boolean reads(Event event) {
    return event.json().length + ENVELOPE_BYTES <= limits.messageBytes();
  }

  /**
   * Publishes an event. Over a lost connection that is made again, it has no effect: the owner
   * publishes again. Over another one, there is one more unanswered event.
   */
  public void publish(Event event, Answer answer) {
    if (connection != null || timers == null) {
      unanswered.put(event.id(), answer);
      write("[\"EVENT\"," + event + "]");
    }
  }

  /** The number of events that the relay has not answered. */
  public int unanswered() {
    return unanswered.size();
  }

  /** Waits no longer for the answer to one event. */
  void forget(EventId event) {
    unanswered.remove(event);
  }

  /** Waits no longer for the answers to events. A notice since the last answer is the reason. */
  public void refuseUnanswered() {
    String reason = notices > noticesAtAnswer ? "not answered: " + notice : "error: not answered";
    noticesAtAnswer = notices;
    List<Answer> ended = List.copyOf(unanswered.values());
    unanswered.clear();
    ended.forEach(answer -> answer.received(false, reason));
  }

  /** Sends a message that is not an event; one that is too long for the relay ends the session. */
  public void send(String message) {
    if (connection == null) {
      return;
    }
    int bytes = message.length() * 3 <= limits.messageBytes() ? 0 : utf8Length(message);
    if (bytes > limits.messageBytes()) {
      lost(
          String.format(
              Locale.ROOT,
              "%s reads messages of %,d bytes, and this one has %,d: %.50s…",
              name,
              limits.messageBytes(),
              bytes,
              message));
    } else {
      write(message);
    }
  }

  /** The length of a text in a message. */
  public static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private void write(String message) {
    WebSocketConnection current = connection;
    if (current == null) {
      return;
    }
    ChannelFuture sending = current.send(message);
    lastSending = sending;
    unsentChars += message.length();
    if (tasks != null && unsentChars >= MAX_UNSENT_CHARS) {
      unsentChars = 0;
      await(sending);
    }
  }

  /** Waits until everything is sent, which the end of the process would otherwise prevent. */
  public void awaitSent() {
    ChannelFuture sending = lastSending;
    if (sending != null) {
      await(sending);
    }
  }

  /**
   * Waits until a message is sent, so that a relay that reads slowly sets the pace. A failure is
   * the end of the connection, which is reported behind its last messages.
   */
  private void await(ChannelFuture sending) {
    try {
      if (!sending.await(SENDING_TIMEOUT.toMillis())) {
        lost(name + " does not read what it is sent.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the next step fails
    }
  }

  // ---- receiving

  private void arrived(List<String> messages) {
    int number = attempt;
    guard(
        () -> {
          for (String message : messages) {
            if (isCurrent(number)) {
              handle(ReceivedMessage.parse(message));
            }
          }
        });
  }

  /** What is done for the relay's messages, and may fail. */
  private interface Handling {
    void run() throws RelayFailure, JsonProcessingException;
  }

  /**
   * Handles messages, and lets the next ones arrive. If that fails by a defect, the state may be
   * wrong: a connection that is made again sets it from the beginning.
   */
  private void guard(Handling handling) {
    int number = attempt;
    try {
      handling.run();
      if (isCurrent(number)) {
        requestNext();
      }
    } catch (JsonProcessingException e) {
      lost(name + " sent something that is not JSON.");
    } catch (RelayFailure e) {
      lost(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      if (tasks != null) {
        throw e; // to the caller of the step
      }
      LOG.error("A message of the relay could not be handled", e);
      lost("This client could not handle a message of the relay.");
    }
  }

  /**
   * Handles what has arrived, or waits up to that time until something has.
   *
   * @return whether anything has arrived
   * @throws RelayFailure when no more will arrive, or a message cannot be handled
   */
  public boolean step(Duration within) throws RelayFailure {
    SessionTasks queue = tasks;
    if (queue == null) {
      throw new IllegalStateException("another thread handles the messages");
    }
    boolean isReceived = queue.runNext(within);
    requireNoEnd();
    return isReceived;
  }

  /** Fails when no more messages will arrive. */
  public void requireNoEnd() throws RelayFailure {
    if (!end.isEmpty()) {
      throw new RelayFailure(end);
    }
  }

  /** Lets the next messages arrive, at once or when the session is no longer held. */
  private void requestNext() {
    WebSocketConnection current = connection;
    isRequestDue = isHeld;
    if (!isHeld && current != null) {
      current.requestAll();
    }
  }

  /** Lets no further messages arrive, or again, so that what they cause does not pile up. */
  public void hold(boolean held) {
    isHeld = held;
    if (!held && isRequestDue) {
      requestNext();
    }
  }

  private void handle(ReceivedMessage message) throws RelayFailure {
    messages++;
    switch (message.verb()) {
      case "OK" -> answered(message);
      case "AUTH" -> logIn(message.id());
      case "NOTICE" -> {
        notice = message.id();
        notices++;
        owner.noticed(notice);
      }
      default -> {
        Handler handler = handlers.get(message.id());
        if (handler == null) {
          owner.other(message);
        } else {
          handler.received(message);
        }
      }
    }
  }

  private void answered(ReceivedMessage message) {
    EventId id = Hex.isLowerCase(message.id(), 64) ? EventId.ofHex(message.id()) : null;
    if (id != null && id.equals(login)) {
      login = null;
      isLoggedIn = message.isTrue(2);
      owner.loginAnswered(isLoggedIn, message.text(3));
      return;
    }
    Answer answer = id == null ? null : unanswered.remove(id);
    if (answer == null) {
      owner.other(message);
    } else {
      noticesAtAnswer = notices;
      answer.received(message.isTrue(2), message.text(3));
    }
  }

  /** The number of messages so far. */
  public long messages() {
    return messages;
  }

  /** The number of notices so far. */
  public int notices() {
    return notices;
  }

  /** The last notice. */
  public String notice() {
    return notice;
  }

  // ---- logging in

  private void logIn(String challenge) {
    if (key == null || challenge.isEmpty()) {
      return;
    }
    Tags tags =
        new Tags(List.of(List.of("relay", relay.loginUrl()), List.of("challenge", challenge)));
    Event answer = key.sign(clock.instant().getEpochSecond(), Kind.CLIENT_AUTH, tags, "");
    login = answer.id();
    isLoggedIn = false;
    send("[\"AUTH\"," + answer + "]");
  }

  /** Whether the session logs in when the relay asks for it. */
  public boolean hasKey() {
    return key != null;
  }

  /** Whether the relay has asked for a login and not answered it. */
  public boolean isLoggingIn() {
    return login != null;
  }

  public boolean isLoggedIn() {
    return isLoggedIn;
  }

  /** Passes on what one attempt receives, from the event loop to the owner's thread. */
  private final class Listener implements WebSocketConnection.Listener {
    private final int number;

    private Listener(int number) {
      this.number = number;
    }

    @Override
    public void received(List<String> messages) {
      onThread(number, () -> arrived(messages), () -> {});
    }

    @Override
    public void ended(String reason) {
      String text = name.equals(THE_RELAY) ? reason : name + ": " + reason;
      onThread(number, () -> lost(text), () -> {});
    }
  }
}
