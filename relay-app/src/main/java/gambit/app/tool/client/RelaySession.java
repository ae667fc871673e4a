package gambit.app.tool.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import gambit.core.crypto.Signer;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.model.Tags;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client's session with a relay, over one connection. It sends requests and events, passes each
 * answer to whoever waits for it, and logs in (NIP-42) when the relay sends a challenge and there
 * is a key. Owned by one thread, on which everything is called, and whose executor handles messages
 * as they arrive: the event loop, or the queue of a thread that waits ({@link #step}).
 *
 * <p>Further messages, about a megabyte, are read from the network when all earlier ones have been
 * handled, so that a relay cannot exhaust the memory.
 */
public final class RelaySession implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(RelaySession.class);
  private static final String THE_RELAY = "The relay";

  private static final Duration SENDING_TIMEOUT = Duration.ofSeconds(30);
  private static final int ENVELOPE_BYTES = "[\"EVENT\",]".length();

  /** Text that may be on its way to the network; beyond it, a thread that may wait does. */
  private static final int MAX_UNSENT_CHARS = 1 << 20;

  public interface Handler {
    void received(ReceivedMessage message) throws RelayFailure;
  }

  public interface Answer {
    /** The text begins with the machine-readable prefix of the reason, if there is one. */
    void received(boolean isAccepted, String text);
  }

  public interface Owner {
    default void closed(String reason) {}

    default void loginAnswered(boolean isAccepted, String text) {}

    default void noticed(String text) {}

    /** A message that answers none of the requests and events of this session. */
    default void other(ReceivedMessage message) {}
  }

  private final RelayPlace relay;
  private final String name;
  private final @Nullable Signer key;
  private final Owner owner;
  private final Executor thread;

  /** Not null if the owner is a thread that may wait. */
  private final @Nullable SessionTasks tasks;

  private final Map<String, Handler> handlers = new HashMap<>();

  /** An event that is published several times is answered as often. */
  private final Map<EventId, Deque<Answer>> unanswered = new HashMap<>();

  private RelayLimits limits = RelayLimits.NONE;
  private @Nullable WebSocketConnection connection;
  private boolean isOver;

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
      RelayPlace relay, String name, @Nullable Signer key, Owner owner, Executor thread) {
    this.relay = relay;
    this.name = name;
    this.key = key;
    this.owner = owner;
    this.thread = thread;
    this.tasks = thread instanceof SessionTasks queue ? queue : null;
  }

  // ---- connecting

  /** Connects; messages arrive from {@link #start} on. The failure is a {@link RelayFailure}. */
  static CompletableFuture<RelaySession> open(
      RelayPlace relay, Signer key, Duration timeout, Owner owner, Executor thread) {
    return new RelaySession(relay, THE_RELAY, key, owner, thread).open(timeout);
  }

  public static RelaySession connect(RelayPlace relay, Duration timeout) throws RelayFailure {
    return connect(relay, timeout, new Owner() {}, new SessionTasks());
  }

  /** Connects to the only relay of a client without a key, whose thread handles the messages. */
  public static RelaySession connect(
      RelayPlace relay, Duration timeout, Owner owner, Executor thread) throws RelayFailure {
    return started(new RelaySession(relay, THE_RELAY, null, owner, thread).open(timeout));
  }

  /**
   * Connects to one of several relays of a client that may wait, and requests the relay's limits
   * meanwhile. The name is for the operator; the key, if there is one, logs in.
   */
  public static RelaySession connect(
      RelayPlace relay, String name, @Nullable Signer key, Duration timeout, SessionTasks tasks)
      throws RelayFailure {
    RelaySession made = new RelaySession(relay, name, key, new Owner() {}, tasks);
    return started(
        RelayLimits.fetch(relay, timeout)
            .thenCombine(
                made.open(timeout),
                (stated, session) -> {
                  session.limits = stated;
                  return session;
                }));
  }

  private CompletableFuture<RelaySession> open(Duration timeout) {
    return WebSocketConnection.open(
            relay,
            timeout,
            messages -> onThread(() -> arrived(messages)),
            reason -> onThread(() -> lost(name.equals(THE_RELAY) ? reason : name + ": " + reason)))
        .handle(
            (made, failure) -> {
              if (failure != null) {
                throw new CompletionException(new RelayFailure(reasonOf(failure)));
              }
              connection = made;
              return this;
            });
  }

  private static RelaySession started(CompletableFuture<RelaySession> opening) throws RelayFailure {
    try {
      RelaySession session = opening.get();
      session.start(() -> {});
      return session;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RelayFailure failure ? failure : new RelayFailure("" + e);
    } catch (InterruptedException e) {
      opening.thenAccept(RelaySession::close);
      throw RelayFailure.interrupted();
    }
  }

  private String reasonOf(Throwable failure) {
    String reason = "is the relay running there?";
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException && !name.equals(THE_RELAY)) {
        reason = "TLS: " + cause.getMessage() + ".";
      }
    }
    return "Cannot connect to " + (name.equals(THE_RELAY) ? relay.url() : name) + ": " + reason;
  }

  /** Runs a first task of the owner's, and lets messages arrive then. */
  void start(Runnable first) {
    guard(first::run);
  }

  /** The task, without effect when the session is over. */
  Runnable untilEnd(Runnable task) {
    return () -> {
      if (!isOver) {
        task.run();
      }
    };
  }

  private void onThread(Runnable task) {
    try {
      thread.execute(untilEnd(task));
    } catch (RejectedExecutionException e) {
      // the client was closed
    }
  }

  boolean isOver() {
    return isOver;
  }

  private void onConnection(Consumer<WebSocketConnection> action) {
    WebSocketConnection current = connection;
    if (current != null) {
      action.accept(current);
    }
  }

  void lost(String reason) {
    close();
    end = reason;
    owner.closed(reason);
  }

  @Override
  public void close() {
    isOver = true;
    onConnection(WebSocketConnection::close);
    connection = null;
  }

  /** Finds out whether a relay that need not send anything is still there. */
  public void ping() {
    onConnection(WebSocketConnection::ping);
  }

  public Duration silence() {
    WebSocketConnection current = connection;
    return current == null ? Duration.ZERO : current.silence();
  }

  // ---- asking and publishing

  public String name() {
    return name;
  }

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

  public String subscribe(String filters, Handler handler) {
    String id = register(handler);
    subscribe(id, filters, handler);
    return id;
  }

  /** Subscribes with this id, or replaces its filters: JSON objects separated by commas. */
  public void subscribe(String id, String filters, Handler handler) {
    handlers.put(id, handler);
    send("[\"REQ\",\"" + id + "\"," + filters + "]");
  }

  public void unsubscribe(String id) {
    unregister(id);
    send("[\"CLOSE\",\"" + id + "\"]");
  }

  /** Whether a message with the event is short enough; a relay ends the connection otherwise. */
  public boolean reads(Event event) {
    return event.json().length + ENVELOPE_BYTES <= limits.messageBytes();
  }

  /** Publishes an event, which stays unanswered when the session is over. */
  public void publish(Event event, Answer answer) {
    unanswered.computeIfAbsent(event.id(), id -> new ArrayDeque<>(1)).add(answer);
    write("[\"EVENT\"," + event + "]");
  }

  /** Waits no longer for the oldest answer to an event; null if there is none. */
  private @Nullable Answer take(EventId event) {
    Deque<Answer> answers = unanswered.get(event);
    if (answers == null) {
      return null;
    }
    Answer oldest = answers.remove();
    if (answers.isEmpty()) {
      unanswered.remove(event);
    }
    return oldest;
  }

  public int unanswered() {
    return unanswered.size();
  }

  void forget(EventId event) {
    unanswered.remove(event);
  }

  /** Waits no longer for the answers to events. A notice since the last answer is the reason. */
  public void refuseUnanswered() {
    String reason = notices > noticesAtAnswer ? "not answered: " + notice : "error: not answered";
    noticesAtAnswer = notices;
    List<Answer> ended = unanswered.values().stream().flatMap(Deque::stream).toList();
    unanswered.clear();
    ended.forEach(answer -> answer.received(false, reason));
  }

  /** Sends a message that is not an event; one that is too long for the relay ends the session. */
  public void send(String message) {
    if (connection == null) {
      return;
    }
    int bytes = ByteBufUtil.utf8Bytes(message);
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

  private void write(String message) {
    onConnection(current -> lastSending = current.send(message));
    unsentChars += message.length();
    if (tasks != null && unsentChars >= MAX_UNSENT_CHARS) {
      unsentChars = 0;
      awaitSent();
    }
  }

  /**
   * Waits until everything is sent, so that a relay that reads slowly sets the pace, or before the
   * process ends. A failure is the end of the connection, which is reported behind its last
   * messages.
   */
  public void awaitSent() {
    ChannelFuture sending = lastSending;
    try {
      if (sending != null && !sending.await(SENDING_TIMEOUT.toMillis())) {
        lost(name + " does not read what it is sent.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the next step fails
    }
  }

  // ---- receiving

  private void arrived(List<String> messages) {
    guard(
        () -> {
          for (String message : messages) {
            if (!isOver) {
              handle(ReceivedMessage.parse(message));
            }
          }
        });
  }

  private interface Handling {
    void run() throws RelayFailure, JsonProcessingException;
  }

  /**
   * Handles messages, and lets the next ones arrive. If that fails by a defect, the state may be
   * wrong, so that the session ends.
   */
  private void guard(Handling handling) {
    try {
      handling.run();
      if (!isOver) {
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

  /** Handles what has arrived, or waits up to that time; false if nothing has arrived. */
  public boolean step(Duration within) throws RelayFailure {
    SessionTasks queue = tasks;
    if (queue == null) {
      throw new IllegalStateException("another thread handles the messages");
    }
    boolean isReceived = queue.runNext(within);
    requireNoEnd();
    return isReceived;
  }

  /** May wait for messages, and fail. */
  public interface Condition {
    boolean holds() throws RelayFailure;
  }

  /** Passes on the events of a query until all stored ones are served, or a step ends it. */
  public void query(String filters, Handler events, Condition step) throws RelayFailure {
    AtomicBoolean isServed = new AtomicBoolean();
    String id =
        subscribe(
            filters,
            message -> {
              switch (message.verb()) {
                case "EVENT" -> events.received(message);
                case "EOSE" -> isServed.set(true);
                case "CLOSED" -> throw refusal(message);
                default -> {} // not about the query
              }
            });
    while (!isServed.get() && step.holds()) {
      // until the next message
    }
    unsubscribe(id);
  }

  public static RelayFailure refusal(ReceivedMessage closed) {
    return new RelayFailure("The relay refused the query: " + closed.text(2));
  }

  public void requireNoEnd() throws RelayFailure {
    if (!end.isEmpty()) {
      throw new RelayFailure(end);
    }
  }

  /** Lets the next messages arrive, at once or when the session is no longer held. */
  private void requestNext() {
    isRequestDue = isHeld;
    if (!isHeld) {
      onConnection(WebSocketConnection::requestAll);
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
    EventId id = EventTags.id(message.id()).orElse(null);
    if (id != null && id.equals(login)) {
      login = null;
      isLoggedIn = message.isTrue(2);
      owner.loginAnswered(isLoggedIn, message.text(3));
      return;
    }
    Answer answer = id == null ? null : take(id);
    if (answer == null) {
      owner.other(message);
    } else {
      noticesAtAnswer = notices;
      answer.received(message.isTrue(2), message.text(3));
    }
  }

  public long messages() {
    return messages;
  }

  public int notices() {
    return notices;
  }

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
    Event answer = key.sign(Instant.now().getEpochSecond(), Kind.CLIENT_AUTH, tags, "");
    login = answer.id();
    isLoggedIn = false;
    send("[\"AUTH\"," + answer + "]");
  }

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

  /** What has arrived for sessions of a thread that waits here; bounded by {@link RelaySession}. */
  public static final class SessionTasks implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    /** Runs the first task, or waits up to that time for one; false if there is none. */
    public boolean runNext(Duration within) throws RelayFailure {
      try {
        Runnable task = tasks.poll(Math.max(0, within.toNanos()), TimeUnit.NANOSECONDS);
        if (task != null) {
          task.run();
        }
        return task != null;
      } catch (InterruptedException e) {
        throw RelayFailure.interrupted();
      }
    }
  }
}
