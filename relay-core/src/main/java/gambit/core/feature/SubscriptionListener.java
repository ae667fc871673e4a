package gambit.core.feature;

import gambit.core.model.Filter;
import java.util.List;

/** Is notified of subscriptions. Called on the live lane: it must be quick and never wait. */
public interface SubscriptionListener {
  /**
   * A subscription was registered: events reach the client under it from now on. Called before its
   * stored events are sent, and again for each {@link Outgoing.SubscriptionCheck} whose event it
   * matches.
   */
  void subscribed(ClientConnection connection, List<Filter> filters);
}
