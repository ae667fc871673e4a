package gambit.app.tool.sync;

import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.app.tool.client.RelaySession.SessionTasks;
import gambit.core.crypto.Signer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The sessions with this relay and to its peer, served by one thread, which owns all of it: it
 * waits for messages of either. Those of each relay that arrived together wait here, about a
 * megabyte; the others stay in the network, so that the relays take turns.
 */
public final class RelayPair implements AutoCloseable {
  /** The time in which a relay must send something that is waited for. */
  public static final Duration SILENCE = Duration.ofSeconds(30);

  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final Duration LOGIN_REQUEST = Duration.ofSeconds(5);

  /** Is asked before each step, at least once a second. */
  public interface StepObserver {
    void beforeStep() throws RelayFailure;
  }

  private final SessionTasks tasks = new SessionTasks();
  final RelaySession here;
  final RelaySession there;
  private StepObserver observer = () -> {};
  private final Duration answerTimeout;
  private long nextPingNanos = System.nanoTime();

  /**
   * Connects to both: to this relay as its operator reaches it, and to a peer, at which a key logs
   * in. The peer must answer to events, and to two pings, within the time.
   */
  public RelayPair(RelayPlace own, RelayPlace peer, @Nullable Signer key, Duration answerTimeout)
      throws RelayFailure {
    this.answerTimeout = answerTimeout;
    here = RelaySession.connect(own, "this relay", null, CONNECTING, tasks);
    try {
      there = RelaySession.connect(peer, peer.url().toString(), key, CONNECTING, tasks);
    } catch (RelayFailure | RuntimeException e) {
      here.close();
      throw e;
    }
    try {
      logIn();
    } catch (RelayFailure | RuntimeException e) {
      close();
      throw e;
    }
  }

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

  public void observe(StepObserver stepObserver) {
    observer = stepObserver;
  }

  Duration answerTimeout(RelaySession relay) {
    return relay == here ? SILENCE : answerTimeout;
  }

  /**
   * Handles messages until the condition holds, whose own time does not count. Fails if the relay
   * that is waited for sends nothing for {@link #SILENCE}, or after the total time.
   */
  void await(RelaySession.Condition condition, RelaySession from, Duration total)
      throws RelayFailure {
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

  boolean step(Duration within) throws RelayFailure {
    observer.beforeStep();
    ping();
    boolean isReceived = tasks.runNext(within);
    here.requireNoEnd();
    there.requireNoEnd();
    return isReceived;
  }

  private void ping() {
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
}
