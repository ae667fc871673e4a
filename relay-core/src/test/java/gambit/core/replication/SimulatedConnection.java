package gambit.core.replication;

import gambit.core.feature.ClientSession;
import gambit.core.feature.ClientSession.EventReceiver;
import gambit.core.feature.ClientSession.Reconciliation;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.RelayMessage;
import gambit.core.wire.RelayMessage.Ok;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A client's connection to a simulated relay. */
final class SimulatedConnection implements ClientSession {
  /** The time from the client to the relay. */
  private static final int ARRIVAL_MICROS = 200;

  private final SimulatedRelay relay;
  private final SimulatedClient client;
  private final int number;
  private final List<Event> unanswered = new ArrayList<>();
  private final List<SimulatedSubscription> subscriptions = new ArrayList<>();
  private boolean isOpen = true;

  SimulatedConnection(SimulatedRelay relay, SimulatedClient client, int number) {
    this.relay = relay;
    this.client = client;
    this.number = number;
  }

  SimulatedRelay relay() {
    return relay;
  }

  List<SimulatedSubscription> subscriptions() {
    return subscriptions;
  }

  /** Those that the relay has received and not answered. */
  List<Event> unanswered() {
    return unanswered;
  }

  // ---- what the client sends

  void publish(Event event) {
    relay.after(
        ARRIVAL_MICROS,
        () -> {
          if (isServed()) {
            unanswered.add(event);
            boolean mustRefuse = relay.world().check().published(this, event);
            int before = unanswered.size();
            relay.take(event, this);
            if (mustRefuse && unanswered.size() == before) {
              throw new Violation(
                  Invariant.CUT_OFF_NODE_DOES_NOT_PRETEND, this + " takes an event");
            }
          }
        });
  }

  /** Whether a message is handled, as by a {@code WebSocketHandler}. */
  private boolean isServed() {
    if (relay.node().state().isCutOff()) {
      close();
    }
    return isOpen;
  }

  void subscribe(List<Filter> filters) {
    SimulatedSubscription subscription = new SimulatedSubscription(this, filters);
    relay.after(
        ARRIVAL_MICROS,
        () -> {
          if (isServed()) {
            subscriptions.add(subscription);
            relay.live().register(subscription, null);
          }
        });
  }

  void unsubscribe(SimulatedSubscription subscription) {
    relay.after(
        ARRIVAL_MICROS,
        () -> {
          if (subscriptions.remove(subscription)) {
            subscription.close();
            relay.live().unregister(subscription, () -> {});
          }
        });
  }

  /** The client disconnects, or is disconnected; the relay notices. */
  void close() {
    if (isOpen) {
      isOpen = false;
      for (SimulatedSubscription subscription : subscriptions) {
        subscription.close();
        relay.live().unregister(subscription, () -> {});
      }
      relay.closed(this);
      client.disconnected(this);
    }
  }

  /** Disconnects, seen from the client. */
  void disconnect() {
    relay.after(ARRIVAL_MICROS, this::close);
  }

  /** The process of the relay has ended. */
  void lose() {
    isOpen = false;
    client.disconnected(this);
  }

  // ---- what the relay sends

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public void answer(Event event, Ok ok) {
    if (!unanswered.remove(event)) {
      throw new Violation(
          Invariant.EXACTLY_ONCE_AND_IN_ORDER, this + " gets another verdict: " + ok);
    }
    relay.answered(event, this, ok);
    if (isOpen) {
      relay.world().check().answered(this, event, ok);
      client.answered(event, ok);
    }
  }

  @Override
  public void send(RelayMessage message) {
    if (isOpen && message instanceof Ok ok) {
      client.notified(ok);
    }
  }

  @Override
  public void requestLogin() {}

  @Override
  public void afterOutput(Runnable task) {
    if (isOpen) {
      relay.after(ARRIVAL_MICROS, task);
    }
  }

  @Override
  public void closeForRestart() {
    relay.after(ARRIVAL_MICROS, this::close);
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
  public RunningQuery query(
      String verb, List<Filter> filters, boolean includesStates, EventReceiver receiver) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Reconciliation reconcile(String verb, Filter filter, Reconciliation.Receiver receiver) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void execute(Runnable task) {
    relay.after(0, task);
  }

  /** Maps keep connections in an order that depends on it. */
  @Override
  public int hashCode() {
    return number;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public String toString() {
    return client + " at " + relay;
  }
}
