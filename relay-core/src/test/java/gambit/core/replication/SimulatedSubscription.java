package gambit.core.replication;

import gambit.core.feature.ClientConnection;
import gambit.core.live.CurrentState;
import gambit.core.live.Subscriber;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.wire.RelayMessage.EndOfStored;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A subscription of a simulated client. */
final class SimulatedSubscription implements Subscriber {
  private final SimulatedConnection connection;
  private final List<Filter> filters;
  private @Nullable List<Event> held = new ArrayList<>();
  private @Nullable Expected expected;
  private boolean isClosed;

  /** What it is to get, from the log. */
  interface Expected {
    /** It gets a live event. */
    void deliver(Event event);

    /** Whether it has got all events that are in the log. */
    boolean isComplete();
  }

  SimulatedSubscription(SimulatedConnection connection, List<Filter> filters) {
    this.connection = connection;
    this.filters = filters;
  }

  @Override
  public ClientConnection connection() {
    return connection;
  }

  @Override
  public List<Filter> filters() {
    return filters;
  }

  @Override
  public boolean isClosed() {
    return isClosed;
  }

  void close() {
    isClosed = true;
  }

  /** Whether it has begun, and still waits for an event. */
  boolean lacksEvents() {
    return held != null || (expected != null && !expected.isComplete());
  }

  @Override
  public void begin(long upTo, List<List<CurrentState>> states) {
    SimulatedRelay relay = connection.relay();
    Expected begun = relay.world().check().subscribed(this, upTo);
    expected = begun;
    states.forEach(ofFilter -> ofFilter.forEach(it -> begun.deliver(it.event().unsigned())));
    relay.after(relay.world().random().nextInt(3_000), () -> readStored(upTo));
  }

  private void readStored(long upTo) {
    SimulatedRelay relay = connection.relay();
    if (isClosed) {
      return;
    }
    relay.world().check().queried(relay);
    long shown = relay.store().lastOffset();
    for (Filter filter : filters) {
      Query query = relay.store().query(filter, upTo);
      relay.world().check().found(this, upTo, query.next(1_000, Integer.MAX_VALUE).found());
    }
    relay.live().caughtUp(this, shown, new EndOfStored("", null), event -> false);
  }

  @Override
  public boolean deliver(Event event) {
    if (isClosed || !connection.isOpen()) {
      return false;
    }
    if (held == null) {
      deliverNow(event);
    } else {
      held.add(event);
    }
    return true;
  }

  private void deliverNow(Event event) {
    if (expected != null) {
      connection.relay().world().check().delivers();
      expected.deliver(event);
    }
  }

  @Override
  public void goLive(EndOfStored eose, Predicate<Event> replacesStored) {
    List<Event> waiting = held;
    held = null;
    if (waiting != null && !isClosed) {
      waiting.forEach(this::deliverNow);
    }
  }

  @Override
  public void dropHeld() {
    held = null;
  }

  @Override
  public String toString() {
    return "the subscription of " + connection;
  }
}
