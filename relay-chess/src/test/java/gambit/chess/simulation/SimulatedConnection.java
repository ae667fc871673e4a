package gambit.chess.simulation;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.RelayMessage;
import java.util.ArrayDeque;
import java.util.Deque;
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
  private boolean open = true;

  SimulatedConnection(int number) {
    this.number = number;
  }

  void close() {
    open = false;
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
    return Set.of();
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
    throw new UnsupportedOperationException("nobody subscribes");
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
