package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.ConnectionListener;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All that the relay keeps of one client. Its state is confined to the connection's event loop;
 * {@link #answer} and {@link #send} may be called from any thread.
 *
 * <p>Bounds: {@link Limits}.
 */
public final class Connection implements ClientConnection {
  private final RelayCore relay;
  private final Outbox outbox;
  private final ReadControl reading;
  private final Map<String, Subscription> subscriptions = new HashMap<>();
  private int filterValues;
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean open = true;

  /** Stops and goes on with reading from the client. */
  public interface ReadControl {
    /** Reads no more for now. On the event loop. */
    void pause();

    /**
     * Goes on, unless there is a reason not to by the time the event loop gets to it. Any thread.
     */
    void resumeUnless(BooleanSupplier busy);
  }

  public Connection(RelayCore relay, Outbox outbox, ReadControl reading) {
    this.relay = relay;
    this.outbox = outbox;
    this.reading = reading;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void send(RelayMessage message) {
    outbox.send(message.frame());
  }

  @Override
  public void answer(Event event, RelayMessage.Ok ok) {
    relay.ingest().answered(event, ok);
    if (underWay.getAndDecrement() == relay.limits().eventsUnderWay()) {
      reading.resumeUnless(this::isBusy);
    }
    send(ok);
  }

  private boolean isBusy() {
    return underWay.get() >= relay.limits().eventsUnderWay();
  }

  /** Does what a message asks. On the event loop. */
  public void receive(ClientMessage message) {
    if (message instanceof ClientMessage.Publish publish) {
      publish(publish.event());
    } else if (message instanceof ClientMessage.Subscribe subscribe) {
      subscribe(subscribe.subscription(), subscribe.filters());
    } else if (message instanceof ClientMessage.Unsubscribe unsubscribe) {
      unsubscribe(unsubscribe.subscription());
    } else if (message instanceof ClientMessage.BadEvent bad) {
      refuse(bad);
    } else if (message instanceof ClientMessage.BadSubscribe bad) {
      refuse(bad.subscription(), take(bad.subscription()), bad.reason());
    } else if (message instanceof ClientMessage.Garbage garbage) {
      send(new RelayMessage.Notice(garbage.reason().toString()));
    }
  }

  /** The client is gone, or is being disconnected. On the event loop; the first call counts. */
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    List.copyOf(subscriptions.keySet()).forEach(this::unsubscribe);
    for (ConnectionListener listener : relay.listeners()) {
      listener.closed(this);
    }
  }

  private void refuse(ClientMessage.BadEvent bad) {
    String id = bad.id() == null ? "" : bad.id();
    RelayMessage.Ok ok = new RelayMessage.Ok(id, false, bad.reason().toString());
    relay.ingest().unreadable(ok);
    send(bad.id() == null ? new RelayMessage.Notice(ok.text()) : ok);
  }

  private void publish(Event event) {
    underWay.incrementAndGet();
    if (isBusy()) {
      reading.pause();
    }
    relay.ingest().take(event, this);
  }

  private void subscribe(String name, List<Filter> filters) {
    Subscription replaced = take(name);
    int values = values(filters);
    if (subscriptions.size() >= relay.limits().subscriptions()
        || filterValues + values > relay.limits().filterValues()) {
      List.copyOf(subscriptions.values()).stream()
          .filter(Subscription::isClosed) // refused by the query lane
          .forEach(refused -> take(refused.id()));
    }
    Reason objection = objection(values);
    if (objection == null) {
      Subscription subscription = new Subscription(this, outbox, name, filters, this::beginCatchUp);
      if (relay.live().register(subscription, replaced)) {
        subscriptions.put(name, subscription);
        filterValues += values;
        return;
      }
      relay.allFilterValues().release(values);
      objection = Reason.rateLimited("the relay is busy, try again");
    }
    refuse(name, replaced, objection);
  }

  /** Why there is no room for a subscription; if there is, its values are reserved. */
  private @Nullable Reason objection(int values) {
    Limits limits = relay.limits();
    if (subscriptions.size() >= limits.subscriptions()) {
      return Reason.error("more than " + limits.subscriptions() + " subscriptions");
    } else if (filterValues + values > limits.filterValues()) {
      return Reason.error("more than " + limits.filterValues() + " filter values");
    } else if (!relay.allFilterValues().reserve(values)) {
      return Reason.error("the relay has too many filter values, try again later");
    }
    return null;
  }

  private void unsubscribe(String name) {
    Subscription subscription = take(name);
    if (subscription != null) {
      relay.live().unregister(subscription, () -> {});
    }
  }

  /** Says no to a REQ; nothing comes under its name any more once that is said. */
  private void refuse(String name, @Nullable Subscription replaced, Reason reason) {
    RelayMessage closed = new RelayMessage.Closed(name, reason);
    if (replaced == null) {
      send(closed);
    } else {
      relay.live().unregister(replaced, () -> send(closed));
    }
  }

  /** Takes a subscription off this connection's list; the live lane has still to remove it. */
  private @Nullable Subscription take(String name) {
    Subscription subscription = subscriptions.remove(name);
    if (subscription != null) {
      int values = values(subscription.filters());
      filterValues -= values;
      relay.allFilterValues().release(values);
      subscription.close();
    }
    return subscription;
  }

  /** What filters cost to keep: their values, and one for each. */
  private static int values(List<Filter> filters) {
    return filters.stream().mapToInt(filter -> filter.values() + 1).sum();
  }

  /** On the live lane. */
  private void beginCatchUp(Subscription subscription, long upTo) {
    CatchUp catchUp = new CatchUp(subscription, upTo, outbox, relay);
    if (!relay.queries().submit(catchUp) && !subscription.isClosed()) {
      subscription.close();
      refuse(subscription.id(), subscription, Reason.rateLimited("too many queries, try again"));
    }
  }
}
