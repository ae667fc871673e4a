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
 * One REQ of one connection: catching up with stored events while live ones are held, then live.
 * Its state belongs to the live lane; only {@link #close} may be called from elsewhere.
 *
 * <p>Held events are bounded by the connection's outbox: their bytes are reserved there.
 */
public final class Subscription implements Subscriber {
  /** Starts what comes before EOSE. */
  public interface Beginning {
    /**
     * Starts it.
     *
     * @param upTo the highest offset that may be shown
     * @param states for each filter the states, as they are now, that may match
     */
    void begin(Subscription subscription, long upTo, List<List<CurrentState>> states);
  }

  private record Held(Event event, ReservedFrame frame) {}

  private final ClientConnection connection;
  private final ReadGuards guards;
  private final Outbox outbox;
  private final String id;
  private final FrameLabel label;
  private final List<Filter> filters;
  private final Beginning catchUp;
  private @Nullable List<Held> held = new ArrayList<>();
  private volatile boolean closed;

  /**
   * A subscription that has not begun.
   *
   * @param catchUp called on the live lane
   */
  public Subscription(
      ClientConnection connection,
      ReadGuards guards,
      Outbox outbox,
      String id,
      List<Filter> filters,
      Beginning catchUp) {
    this.connection = connection;
    this.guards = guards;
    this.outbox = outbox;
    this.id = id;
    this.label = FrameLabel.subscription(id);
    this.filters = List.copyOf(filters);
    this.catchUp = catchUp;
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

  /** From now on no stored event and no EOSE is sent under it. Any thread. */
  public void close() {
    closed = true;
  }

  @Override
  public void begin(long upTo, List<List<CurrentState>> states) {
    catchUp.begin(this, upTo, states);
  }

  /** Delivers events until the live lane has removed the subscription, closed or not. */
  @Override
  public boolean deliver(Event event) {
    if (!guards.mayRead(event, connection)) {
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
  public void goLive(RelayMessage.EndOfStored eose, Predicate<Event> standsIn) {
    if (!closed && held != null) {
      List<ReservedFrame> later = new ArrayList<>();
      for (Held item : held) {
        if (standsIn.test(item.event())) {
          outbox.sendReserved(item.frame());
        } else {
          later.add(item.frame());
        }
      }
      outbox.send(eose.frame());
      later.forEach(outbox::sendReserved);
      held = null;
    }
  }

  @Override
  public void dropHeld() {
    if (held != null) {
      held.forEach(item -> outbox.unreserve(item.frame()));
      held = null;
    }
  }

  /** The frame that gives the event to this subscription. */
  Frame frameOf(Event event) {
    return new RelayMessage.Found(label, event).frame();
  }
}
