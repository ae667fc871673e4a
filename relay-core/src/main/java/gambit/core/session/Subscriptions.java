package gambit.core.session;

import gambit.core.feature.EventSearch;
import gambit.core.feature.RelayBuilder.InstalledSearch;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection's subscriptions by their ids. On its event loop, apart from {@link #end}. */
final class Subscriptions {
  private final Connection connection;
  private final Map<String, Subscription> byId = new HashMap<>(2);

  Subscriptions(Connection connection) {
    this.connection = connection;
  }

  /** Begins a subscription in place of the one with the same id, or refuses it. */
  void subscribe(String id, List<Filter> filters) {
    Subscription replaced = take(id);
    EventSearch search = searchFor(filters);
    Reason objection = search == null ? null : SearchPhase.objection(filters, search);
    if (objection == null) {
      objection = connection.admission.admit(filters);
    }
    if (objection == null) {
      Subscription subscription = new Subscription(connection, this, id, filters, search);
      if (connection.relay.live().register(subscription, replaced)) {
        byId.put(id, subscription);
        return;
      }
      connection.admission.release(filters);
      objection = QueryAdmission.BUSY;
    }
    sendClosed(id, replaced, objection);
  }

  private @Nullable EventSearch searchFor(List<Filter> filters) {
    InstalledSearch installed = connection.relay.features().search();
    return installed == null || filters.stream().allMatch(filter -> filter.search() == null)
        ? null
        : installed.search();
  }

  /** Refuses a REQ; this also ends the subscription with that id. */
  void refuse(String id, Reason reason) {
    sendClosed(id, take(id), reason);
  }

  void unsubscribe(String id) {
    Subscription subscription = take(id);
    if (subscription != null) {
      connection.relay.live().unregister(subscription, () -> {});
    }
  }

  void unsubscribeAll() {
    List.copyOf(byId.keySet()).forEach(this::unsubscribe);
  }

  /** Ends a subscription whose stored events cannot be sent. Any thread. */
  void end(Subscription subscription, Reason reason) {
    if (!subscription.isClosed()) {
      subscription.close();
      connection.execute(() -> forget(subscription));
      sendClosed(subscription.id(), subscription, reason);
    }
  }

  /** Sends CLOSED once no more frames can follow under the subscription. Any thread. */
  private void sendClosed(String id, @Nullable Subscription ended, Reason reason) {
    RelayMessage.Closed closed = new RelayMessage.Closed(id, reason);
    if (ended == null) {
      connection.send(closed);
    } else {
      connection.relay.live().unregister(ended, () -> connection.send(closed));
    }
  }

  /** Takes a subscription off the list and closes it; the live lane must still remove it. */
  private @Nullable Subscription take(String id) {
    Subscription subscription = byId.get(id);
    if (subscription != null) {
      forget(subscription);
      subscription.close();
    }
    return subscription;
  }

  private void forget(Subscription subscription) {
    if (byId.remove(subscription.id(), subscription)) {
      connection.admission.release(subscription.filters());
    }
  }
}
