package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.live.CurrentState;
import gambit.core.live.Subscriber;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.Frame;
import gambit.core.wire.FrameLabel;
import gambit.core.wire.RelayMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of one connection: in its stored phase it holds live events back, then it sends
 * them. Live events are also checked against the texts that its filters search for. Its state
 * belongs to the live lane; {@link #close} may be called on any thread.
 *
 * <p>Held events are bounded by the connection's outbox, in which their bytes are reserved.
 */
public final class Subscription implements Subscriber {
  /** Starts stored phases. */
  public interface StoredPhaseStarter {
    /**
     * Starts the stored phase of a subscription.
     *
     * @param upTo the highest offset that may be sent
     * @param states for each filter the current states that may match
     */
    void start(Subscription subscription, long upTo, List<List<CurrentState>> states);

    /** Releases what is held for a phase that has not started. */
    default void abandon() {}
  }

  private record Held(Event event, ReservedFrame frame) {}

  private final ClientConnection connection;
  private final ReadGuards guards;
  private final Outbox outbox;
  private final String id;
  private final FrameLabel label;
  private final List<Filter> filters;
  private final Predicate<Event> searches;
  private final StoredPhaseStarter starter;
  private final SessionMetrics metrics;
  private final long begun = System.nanoTime();
  private @Nullable List<Held> held = new ArrayList<>();
  private volatile boolean closed;

  /**
   * Creates a subscription that is not registered yet.
   *
   * @param searches whether an event that meets all other conditions of a filter also matches its
   *     {@code search}, if it has one
   * @param starter called on the live lane
   */
  public Subscription(
      ClientConnection connection,
      ReadGuards guards,
      Outbox outbox,
      String id,
      List<Filter> filters,
      Predicate<Event> searches,
      StoredPhaseStarter starter,
      SessionMetrics metrics) {
    this.connection = connection;
    this.guards = guards;
    this.outbox = outbox;
    this.id = id;
    this.label = FrameLabel.subscription(id);
    this.filters = List.copyOf(filters);
    this.searches = searches;
    this.starter = starter;
    this.metrics = metrics;
  }

  @Override
  public ClientConnection connection() {
    return connection;
  }

  public String id() {
    return id;
  }

  @Override
  public List<Filter> filters() {
    return filters;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** Ends the stored phase: no more stored events and no EOSE are sent. Any thread. */
  public void close() {
    closed = true;
  }

  @Override
  public void begin(long upTo, List<List<CurrentState>> states) {
    starter.start(this, upTo, states);
  }

  /** Delivers events until the live lane has removed the subscription, even if it is closed. */
  @Override
  public boolean deliver(Event event) {
    if (!guards.mayRead(event, connection) || !searches.test(event)) {
      return false;
    }
    ReservedFrame frame = closed && held != null ? null : outbox.reserve(frameOf(event));
    if (frame == null) {
      return false;
    }
    if (held == null) {
      outbox.sendReserved(frame);
    } else {
      held.add(new Held(event, frame));
    }
    return true;
  }

  @Override
  public void goLive(RelayMessage.EndOfStored eose, Predicate<Event> replacesUnsent) {
    if (!closed && held != null) {
      List<ReservedFrame> later = new ArrayList<>();
      for (Held item : held) {
        if (replacesUnsent.test(item.event())) {
          outbox.sendReserved(item.frame());
        } else {
          later.add(item.frame());
        }
      }
      metrics.caughtUp(begun); // first, so that a client that has its EOSE is counted
      outbox.send(eose.frame());
      later.forEach(outbox::sendReserved);
      held = null;
    } else {
      outbox.flush(); // the last stored events
    }
  }

  @Override
  public void dropHeld() {
    starter.abandon();
    if (held != null) {
      held.forEach(item -> outbox.unreserve(item.frame()));
      held = null;
    }
  }

  /** The frame with the event and the id of this subscription. */
  Frame frameOf(Event event) {
    return label.frame(event);
  }
}
