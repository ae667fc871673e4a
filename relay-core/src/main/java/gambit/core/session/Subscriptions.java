package gambit.core.session;

import gambit.core.feature.EventSearch;
import gambit.core.feature.RelayBuilder.InstalledSearch;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one connection by their ids. Confined to the connection's event loop, apart
 * from {@link #end}.
 *
 * <p>A REQ that probably finds little is read on the event loop, before it is registered, within
 * the bounds below, so that a client with many REQs does not keep the other clients of its event
 * loop waiting.
 */
final class Subscriptions {
  static final int EARLY_EVENTS = 32;

  /** Approximate number of entries after which the early reading for one REQ ends. */
  static final int EARLY_EXAMINED = 64;

  static final int EARLY_REQS_PER_BATCH = 4;

  /** Values of conditions that narrow a REQ; each takes a look-up or opens a range. */
  private static final int MAX_EARLY_VALUES = 20;

  private final Connection connection;
  private final Map<String, Subscription> byId = new HashMap<>(2);
  private final EarlyReads early = new EarlyReads();

  /** The number of REQs of the current batch that may still be read early. */
  static final class EarlyReads {
    private @Nullable Instant batch;
    private int left;

    /**
     * Takes one of the batch's early reads; false if none is left.
     *
     * @param arrivedAt the same object for all messages of the batch
     */
    @SuppressWarnings("ReferenceEquality") // batches may arrive at the same time
    boolean take(Instant arrivedAt) {
      if (batch != arrivedAt) {
        batch = arrivedAt;
        left = EARLY_REQS_PER_BATCH;
      }
      return left-- > 0;
    }
  }

  Subscriptions(Connection connection) {
    this.connection = connection;
  }

  /** Begins a subscription in place of the one with the same id, or refuses it. */
  void subscribe(String id, List<Filter> filters, Instant arrivedAt) {
    Subscription replaced = take(id);
    EventSearch search = searchFor(filters);
    Reason objection = search == null ? null : SearchPhase.objection(filters, search);
    if (objection == null) {
      objection = connection.admission.admit(filters);
    }
    if (objection == null) {
      Subscription subscription = new Subscription(connection, this, id, filters, search);
      if (suitEarlyRead(filters) && early.take(arrivedAt)) {
        subscription.readEarly();
      }
      if (connection.relay.live().register(subscription, replaced)) {
        byId.put(id, subscription);
        return;
      }
      subscription.dropEarly();
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

  /** Whether the filters probably find little, and the client has room for it. */
  private boolean suitEarlyRead(List<Filter> filters) {
    if (!connection.outbox.isRoomy() || connection.outbox.isScarce()) {
      return false;
    }
    int values = 0;
    for (Filter filter : filters) {
      if (!suitsEarlyRead(filter)) {
        return false;
      }
      values += filter.valueCount();
    }
    return values <= MAX_EARLY_VALUES;
  }

  private static boolean suitsEarlyRead(Filter filter) {
    boolean isNarrow = filter.ids() != null || !filter.tags().isEmpty();
    boolean isShort =
        filter.limit() == null ? filter.authors() != null : filter.limit() <= EARLY_EVENTS;
    boolean mayFindStates =
        filter.kinds() != null && filter.kinds().stream().anyMatch(Kind::isEphemeral);
    return filter.search() == null && !mayFindStates && (isNarrow || isShort);
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
