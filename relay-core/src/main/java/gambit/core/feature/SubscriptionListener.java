package gambit.core.feature;

import gambit.core.model.Filter;
import java.util.List;

/**
 * Is notified of subscriptions. Called on the live lane: it must be quick and never wait.
 *
 * <p>A node of a cluster notifies its listeners of its own clients' subscriptions, whether it leads
 * or follows. While it leads, it also notifies them of those of the other nodes' clients: when it
 * begins to lead, of all that are open, after {@link ConnectionListener#authenticated}. Then it
 * also calls {@link #subscribed} again for those of its own clients. In both cases, only of those
 * that {@link #concernsLeader}, so that reading at a follower costs the leader nothing.
 */
public interface SubscriptionListener {
  /**
   * As {@link #subscribed}, but called once for each subscription; for one at another node once
   * more, after it was {@link #closed}, if messages between the nodes were lost.
   */
  default void opened(ClientConnection connection, List<Filter> filters) {}

  /**
   * Whether the stored events of a new subscription of this node's client must wait for an event
   * that is made for it, to be sent before EOSE. Asked after {@link #subscribed}, in a cluster too.
   *
   * @param begin must be called once if it must wait, when the event was published or cannot be;
   *     any thread
   */
  default boolean delays(ClientConnection connection, List<Filter> filters, Runnable begin) {
    return false;
  }

  /** A subscription has ended that was {@link #opened}: called exactly once, with its filters. */
  default void closed(ClientConnection connection, List<Filter> filters) {}

  /**
   * Whether the leader's listener must be notified of a subscription at this node, which follows.
   * Asked when it is opened; it is also notified of one that a {@link Outgoing.SubscriptionCheck}
   * matches.
   */
  default boolean concernsLeader(ClientConnection connection, List<Filter> filters) {
    return false;
  }

  /**
   * A subscription was registered: events reach the client under it from now on. Called before its
   * stored events are sent, and again for each {@link Outgoing.SubscriptionCheck} whose event it
   * matches.
   */
  void subscribed(ClientConnection connection, List<Filter> filters);
}
