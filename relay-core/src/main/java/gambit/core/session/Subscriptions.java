package gambit.core.session;

import gambit.core.model.Filter;
import gambit.core.session.SessionFeatures.InstalledSearch;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The subscriptions of one connection by their ids. Confined to the connection's event loop. */
final class Subscriptions {
  private final ConnectionContext connection;
  private final EarlyRead early = new EarlyRead();
  private final Map<String, Subscription> byId = new HashMap<>();

  Subscriptions(ConnectionContext connection) {
    this.connection = connection;
  }

  /**
   * Begins a subscription in place of the one with the same id, or refuses it.
   *
   * @param arrivedAt the same object for all messages that arrived together
   */
  void subscribe(String id, List<Filter> filters, Instant arrivedAt) {
    RelayCore relay = connection.relay();
    Subscription replaced = take(id);
    InstalledSearch installed = relay.features().search();
    FilterSearches searches =
        installed == null ? null : FilterSearches.of(filters, installed.search());
    Reason objection = searches == null ? null : searches.objection();
    if (objection == null) {
      objection = connection.admission().admit(filters);
    }
    if (objection == null) {
      StoredPhaseStart start =
          new StoredPhaseStart(connection, searches == null ? null : searches.search(), this::end);
      Subscription subscription =
          new Subscription(
              connection.client(),
              relay.features().guards(),
              connection.outbox(),
              id,
              filters,
              searches == null ? event -> true : searches.liveCondition(),
              start,
              relay.metrics());
      if (EarlyRead.suits(connection, filters) && early.isLeft(arrivedAt)) {
        start.readEarly(subscription);
      }
      if (relay.live().register(subscription, replaced)) {
        byId.put(id, subscription);
        return;
      }
      start.abandon();
      connection.admission().release(filters);
      objection = QueryAdmission.BUSY;
    }
    sendClosed(id, replaced, objection);
  }

  /** Refuses a REQ; this also ends the subscription with that id. */
  void refuse(String id, Reason reason) {
    sendClosed(id, take(id), reason);
  }

  void unsubscribe(String id) {
    Subscription subscription = take(id);
    if (subscription != null) {
      connection.relay().live().unregister(subscription, () -> {});
    }
  }

  void unsubscribeAll() {
    List.copyOf(byId.keySet()).forEach(this::unsubscribe);
  }

  /** Ends a subscription whose stored events cannot be sent. Any thread. */
  private void end(Subscription subscription, Reason reason) {
    if (!subscription.isClosed()) {
      subscription.close();
      connection.client().execute(() -> forget(subscription));
      sendClosed(subscription.id(), subscription, reason);
    }
  }

  /** Sends CLOSED once no more frames can follow under the subscription. Any thread. */
  private void sendClosed(String id, @Nullable Subscription ended, Reason reason) {
    RelayMessage.Closed closed = new RelayMessage.Closed(id, reason);
    if (ended == null) {
      connection.client().send(closed);
    } else {
      connection.relay().live().unregister(ended, () -> connection.client().send(closed));
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

  /** Releases what a subscription has reserved, unless that has been done. */
  private void forget(Subscription subscription) {
    if (byId.remove(subscription.id(), subscription)) {
      connection.admission().release(subscription.filters());
    }
  }
}
