package gambit.core.net;

import gambit.core.limit.Limits;
import gambit.core.limit.SharedBound;
import gambit.core.rate.RateLimiter;
import gambit.core.session.Lifecycle;

/**
 * What all channels of the port share. Immutable.
 *
 * @param information the relay information document (NIP-11)
 * @param page what browsers get
 */
record Endpoint(
    Conversation.Factory conversations,
    String information,
    WebPage page,
    TransportSettings transport,
    ChannelBounds bounds,
    Channels channels,
    Lifecycle lifecycle) {

  /**
   * The bounds on clients.
   *
   * @param outboxes the bound on the bytes queued for all clients
   * @param incompleteMessages the bound on the incomplete messages of all clients
   */
  record ChannelBounds(
      Limits limits, RateLimiter rates, SharedBound outboxes, SharedBound incompleteMessages) {}

  /** The mutable state that all channels share. */
  record Channels(Clients clients, DeferredMessages deferred, ServerMetrics metrics) {}
}
