package gambit.core.feature;

import gambit.core.model.Filter;
import java.util.List;

/** Is notified of subscriptions. Called on the live lane: it must be quick and never wait. */
public interface SubscriptionListener {
  /** As {@link #subscribed}, but called exactly once for each subscription. */
  default void opened(ClientConnection connection, List<Filter> filters) {}

  /** A subscription has ended that was {@link #opened}: called exactly once, with its filters. */
  default void closed(ClientConnection connection, List<Filter> filters) {}

  /**
   * A subscription was registered: events reach the client under it from now on. Called before its
   * stored events are sent, and again for each {@link Outgoing.SubscriptionCheck} whose event it
   * matches.
   */
  void subscribed(ClientConnection connection, List<Filter> filters);
}
