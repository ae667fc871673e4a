package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.EventSearch;
import gambit.core.live.CurrentState;
import gambit.core.live.Subscriber;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.wire.Frame;
import gambit.core.wire.FrameLabel;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.util.ArrayList;
import java.util.Collections;
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
final class Subscription implements Subscriber {
  private record Held(Event event, ReservedFrame frame) {}

  private final Connection connection;
  private final Subscriptions all;
  private final ReadGuards guards;
  private final Outbox outbox;
  private final String id;
  private final FrameLabel label;
  private final List<Filter> filters;
  private final @Nullable EventSearch search; // null if no filter searches
  private final Predicate<Event> liveCondition; // beside the index
  private final long begun = System.nanoTime();
  private @Nullable List<Held> held = new ArrayList<>();
  private int heldAtBegin; // by a stored phase that was delayed
  private volatile boolean closed;

  Subscription(
      Connection connection,
      Subscriptions all,
      String id,
      List<Filter> filters,
      @Nullable EventSearch search) {
    this.connection = connection;
    this.all = all;
    this.guards = connection.relay.features().guards();
    this.outbox = connection.outbox;
    this.id = id;
    this.label = FrameLabel.subscription(id);
    this.filters = List.copyOf(filters);
    this.search = search;
    this.liveCondition =
        search == null ? event -> true : SearchPhase.liveCondition(this.filters, search);
  }

  @Override
  public ClientConnection connection() {
    return connection;
  }

  String id() {
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
  void close() {
    closed = true;
  }

  @Override
  public void begin(long upTo, List<List<CurrentState>> states) {
    connection.relay.live().assertCurrent();
    heldAtBegin = held == null ? 0 : held.size();
    if (search == null) {
      beginPages(upTo, states, Collections.nCopies(filters.size(), null));
    } else {
      new SearchPhase(connection, search, this, upTo, states).begin();
    }
  }

  /** Queues the first turn of the stored phase. On the live lane, or after the searches. */
  void beginPages(long upTo, List<List<CurrentState>> states, List<@Nullable Query> found) {
    StoredPhase phase = new StoredPhase(connection, this, upTo, states, found);
    if (!phase.queueFirstTurn()) {
      fail(QueryAdmission.TOO_MANY_QUERIES);
    }
  }

  /** Ends the subscription, whose stored events cannot be sent. Any thread. */
  void fail(Reason reason) {
    all.end(this, reason);
  }

  /** Delivers events until the live lane has removed the subscription, even if it is closed. */
  @Override
  public boolean deliver(Event event) {
    if (!guards.mayRead(event, connection) || !liveCondition.test(event)) {
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
      for (int i = 0; i < held.size(); i++) {
        Held item = held.get(i);
        if (i < heldAtBegin || replacesUnsent.test(item.event())) {
          outbox.sendReserved(item.frame());
        } else {
          later.add(item.frame());
        }
      }
      // first, so that a client that has its EOSE is counted
      connection.relay.metrics().query.recordSince(begun);
      outbox.send(eose.frame());
      later.forEach(outbox::sendReserved);
      held = null;
    } else {
      outbox.flush(); // the last stored events
    }
  }

  @Override
  public void dropHeld() {
    if (held != null) {
      held.forEach(item -> outbox.unreserve(item.frame()));
      held = null;
    }
  }

  Frame frameOf(Event event) {
    return label.frame(event);
  }
}
