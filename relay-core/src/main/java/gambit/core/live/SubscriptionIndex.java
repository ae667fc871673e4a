package gambit.core.live;

import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.session.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which subscriptions want an event. Today it asks each of them; the live lane's only.
 *
 * <p>Bounded by the connections' bounds on subscriptions.
 */
final class SubscriptionIndex {
  private final Map<ClientConnection, Set<Subscription>> byConnection = new HashMap<>();
  private int size;

  void add(Subscription subscription) {
    if (byConnection
        .computeIfAbsent(subscription.connection(), c -> new LinkedHashSet<>())
        .add(subscription)) {
      size++;
    }
  }

  void remove(Subscription subscription) {
    Set<Subscription> own = byConnection.get(subscription.connection());
    if (own != null && own.remove(subscription)) {
      size--;
      if (own.isEmpty()) {
        byConnection.remove(subscription.connection());
      }
    }
  }

  int size() {
    return size;
  }

  /** Every subscription that the event matches. */
  List<Subscription> matching(Event event) {
    List<Subscription> found = new ArrayList<>();
    byConnection.values().forEach(own -> collect(own, event, found));
    return found;
  }

  /** The subscriptions of one connection that the event matches. */
  List<Subscription> matching(Event event, ClientConnection connection) {
    List<Subscription> found = new ArrayList<>();
    collect(byConnection.getOrDefault(connection, Set.of()), event, found);
    return found;
  }

  private static void collect(
      Collection<Subscription> from, Event event, List<Subscription> found) {
    for (Subscription subscription : from) {
      if (subscription.wants(event)) {
        found.add(subscription);
      }
    }
  }
}
