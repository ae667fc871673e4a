package gambit.app.tool.sync;

import com.fasterxml.jackson.core.JsonProcessingException;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.WebSocketConnection;
import gambit.core.crypto.Signer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections to this relay and to its peer, served by one thread, which owns all of it: it
 * waits for messages of either, and passes them to their handlers in turns. Those of each relay
 * that arrived together wait here, about a megabyte; the others stay in the network.
 */
final class RelayPair implements AutoCloseable {
  /** The time in which a relay must send something that is waited for. */
  static final Duration SILENCE = Duration.ofSeconds(30);

  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final Duration LOGIN_REQUEST = Duration.ofSeconds(5);

  /** What a connection has received: messages, or the reason why no more will arrive. */
  private record Received(boolean isHere, List<String> messages, @Nullable String end) {}

  /** Is asked before each step, at least once a second. */
  interface StepObserver {
    /** Ends everything by a failure. */
    void beforeStep() throws RelayFailure;
  }

  /** What one relay has sent and is not handled yet, before the end if there is one. */
  private static final class Arrivals {
    private final Deque<String> messages = new ArrayDeque<>();
    private @Nullable String end;
  }

  /** What is waited for. */
  interface Condition {
    boolean holds() throws RelayFailure;
  }

  private final BlockingQueue<Received> inbox = new LinkedBlockingQueue<>();
  private final PeerConnection here;
  private final PeerConnection there;
  private final Arrivals fromHere = new Arrivals();
  private final Arrivals fromThere = new Arrivals();
  private boolean isHereNext;
  private StepObserver observer = () -> {};
  private final Duration answerTimeout;
  private long nextPingNanos = System.nanoTime();

  /**
   * Connects to both.
   *
   * @param own this relay, as its operator reaches it
   * @param key logs in at the peer; may be null
   */
  RelayPair(RelayPlace own, RelayPlace peer, @Nullable Signer key) throws RelayFailure {
    this(own, peer, key, SILENCE);
  }

  /** The same with another time in which the peer must answer to events and to two pings. */
  RelayPair(RelayPlace own, RelayPlace peer, @Nullable Signer key, Duration answerTimeout)
      throws RelayFailure {
    this.answerTimeout = answerTimeout;
    here = new PeerConnection(own, "this relay", null, CONNECTING, new Listener(true));
    boolean isConnected = false;
    try {
      there = new PeerConnection(peer, peer.url().toString(), key, CONNECTING, new Listener(false));
      isConnected = true;
    } finally {
      if (!isConnected) {
        here.close();
      }
    }
    boolean isLoggedIn = false;
    try {
      here.requestNext();
      there.requestNext();
      logIn();
      isLoggedIn = true;
    } finally {
      if (!isLoggedIn) {
        close();
      }
    }
  }

  /** Waits for the login, for a short while unless the peer asks for it. */
  private void logIn() throws RelayFailure {
    long start = System.nanoTime();
    while (there.hasKey() && !there.isLoggedIn()) {
      Duration patience = there.isLoggingIn() ? SILENCE : LOGIN_REQUEST;
      long left = patience.toNanos() - (System.nanoTime() - start);
      if (left <= 0) {
        return;
      }
      step(Duration.ofNanos(left));
    }
  }

  static RelayFailure interrupted() {
    Thread.currentThread().interrupt();
    return new RelayFailure("Interrupted.");
  }

  /** Sets the observer of each step. */
  void observe(StepObserver stepObserver) {
    observer = stepObserver;
  }

  PeerConnection here() {
    return here;
  }

  PeerConnection there() {
    return there;
  }

  /** The time in which a relay must send events or answer to them. */
  Duration answerTimeout(PeerConnection relay) {
    return relay == here ? SILENCE : answerTimeout;
  }

  /**
   * Handles messages until the condition holds.
   *
   * @param condition is asked often; the time that it takes does not count
   * @param from the relay that is waited for; it fails if that sends nothing for {@link #SILENCE}
   * @param total the longest time for all of it
   */
  void await(Condition condition, PeerConnection from, Duration total) throws RelayFailure {
    long deadline = System.nanoTime() + total.toNanos();
    long lastMessage = System.nanoTime();
    while (true) {
      long asked = System.nanoTime();
      if (condition.holds()) {
        return;
      }
      long taken = System.nanoTime() - asked;
      deadline += taken;
      lastMessage += taken;
      boolean isReceived = step(Duration.ofSeconds(1));
      long now = System.nanoTime();
      lastMessage = isReceived ? now : lastMessage;
      if (now - deadline > 0 || now - lastMessage > SILENCE.toNanos()) {
        throw new RelayFailure(from.name() + " does not answer.");
      }
    }
  }

  /**
   * Handles the next message, if one arrives within that time.
   *
   * @return whether one has arrived
   */
  boolean step(Duration within) throws RelayFailure {
    observer.beforeStep();
    ping();
    boolean areNone = fromHere.messages.isEmpty() && fromThere.messages.isEmpty();
    collect(areNone ? within : Duration.ZERO);
    requireNoEnd(here, fromHere);
    requireNoEnd(there, fromThere);
    if (fromHere.messages.isEmpty() && fromThere.messages.isEmpty()) {
      return false;
    }
    boolean isHere = fromThere.messages.isEmpty() || (isHereNext && !fromHere.messages.isEmpty());
    isHereNext = !isHere;
    handleNext(isHere ? here : there, isHere ? fromHere.messages : fromThere.messages);
    return true;
  }

  private static void handleNext(PeerConnection from, Deque<String> messages) throws RelayFailure {
    try {
      from.handle(ReceivedMessage.parse(messages.remove()));
    } catch (JsonProcessingException e) {
      throw new RelayFailure(from.name() + " sent something that is not JSON.");
    }
    if (messages.isEmpty()) {
      from.requestNext();
    }
  }

  /** Takes everything that has arrived, or waits for it up to that time. */
  private void collect(Duration within) throws RelayFailure {
    try {
      Received received = inbox.poll(Math.max(0, within.toNanos()), TimeUnit.NANOSECONDS);
      while (received != null) {
        Arrivals arrivals = received.isHere() ? fromHere : fromThere;
        arrivals.messages.addAll(received.messages());
        arrivals.end = received.end();
        received = inbox.poll();
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static void requireNoEnd(PeerConnection from, Arrivals arrivals) throws RelayFailure {
    if (arrivals.end != null && arrivals.messages.isEmpty()) {
      throw new RelayFailure(from.name() + ": " + arrivals.end);
    }
  }

  /** Finds out whether a relay that need not send anything is still there. */
  private void ping() throws RelayFailure {
    long now = System.nanoTime();
    if (now - nextPingNanos < 0) {
      return;
    }
    nextPingNanos = now + answerTimeout.dividedBy(2).toNanos();
    here.ping();
    there.ping();
  }

  /** Fails if the peer, which need not send anything, has not answered the last pings either. */
  void requirePeer() throws RelayFailure {
    if (there.silence().compareTo(answerTimeout.multipliedBy(2)) > 0) {
      throw new RelayFailure(there.name() + " does not answer.");
    }
  }

  @Override
  public void close() {
    here.close();
    there.close();
  }

  /** Collects what arrives, on the event loop. */
  private final class Listener implements WebSocketConnection.Listener {
    private final boolean isHere;

    private Listener(boolean isHere) {
      this.isHere = isHere;
    }

    @Override
    public void received(List<String> messages) {
      inbox.add(new Received(isHere, messages, null));
    }

    @Override
    public void received(String message) {
      received(List.of(message));
    }

    @Override
    public void ended(String reason) {
      inbox.add(new Received(isHere, List.of(), reason));
    }
  }
}
