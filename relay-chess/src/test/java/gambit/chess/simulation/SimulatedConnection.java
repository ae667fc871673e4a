package gambit.chess.simulation;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.RelayMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A connection, and the events that have arrived over it and are not handed on yet. */
final class SimulatedConnection implements ClientConnection {
  /**
   * Something that arrived: an event, or the end when there is none.
   *
   * @param claim of an event that the relay waits for
   */
  record Arrival(long number, Submission submission, Optional<ClaimedEvent> claim) {}

  final Deque<Arrival> arrived = new ArrayDeque<>();
  private final int number;
  private Set<PubKey> keys = Set.of();
  private boolean open = true;

  /** Whether the client subscribes to everything; if not, it gets numbered frames only. */
  boolean isSubscribed = true;

  /** The players in the filters of the client's subscriptions of which the relay was notified. */
  final Set<PubKey> subscribedTo = new HashSet<>();

  /** Whether the client was asked to log in. */
  boolean hasLoginRequest;

  /** Whether the leader has decided something about it. */
  boolean isPlayers;

  /** An open connection. */
  SimulatedConnection(int number) {
    this.number = number;
  }

  void close() {
    open = false;
  }

  /** Another node handles the events from now on, which waits for none of them. */
  void forgetClaims() {
    List<Arrival> claimed = List.copyOf(arrived);
    arrived.clear();
    claimed.forEach(it -> arrived.add(new Arrival(it.number(), it.submission(), Optional.empty())));
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public ClientAddress address() {
    return new ClientAddress(false, number);
  }

  @Override
  public Set<PubKey> keys() {
    return keys;
  }

  /** Whether the client gets an event for it, under a subscription or in a numbered frame. */
  boolean gets(List<Outgoing.Fallback> fallbacks) {
    return open && (isSubscribed || fallbacks.stream().anyMatch(it -> it.to() == this));
  }

  /** The client logs in, at a moment when no leader hears of it. */
  void logIn(PubKey key) {
    Set<PubKey> more = new HashSet<>(keys);
    more.add(key);
    keys = Set.copyOf(more);
  }

  @Override
  public boolean isOperator() {
    return false;
  }

  @Override
  public void answer(Event event, RelayMessage.Ok ok) {
    throw new UnsupportedOperationException("everything goes through the publisher");
  }

  @Override
  public void requestLogin() {
    hasLoginRequest = true;
  }

  @Override
  public void send(RelayMessage message) {
    throw new UnsupportedOperationException("everything goes through the publisher");
  }

  @Override
  public void afterOutput(Runnable task) {
    throw new UnsupportedOperationException("everything goes through the publisher");
  }

  @Override
  public String toString() {
    return "socket " + number;
  }
}
