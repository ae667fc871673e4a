package gambit.core.net;

import gambit.core.rate.RateLimiter;
import gambit.core.session.Lifecycle;
import gambit.core.session.Limits;
import gambit.core.session.SharedBound;

/**
 * What every channel of the port works with. Immutable.
 *
 * @param information the relay information document (NIP-11)
 */
record Endpoint(
    Conversation.Factory conversations,
    String information,
    TransportSettings transport,
    ChannelBounds bounds,
    Channels channels,
    Lifecycle lifecycle) {

  /**
   * The bounds on what clients may ask for and hold.
   *
   * @param outboxes bounds what waits for all clients
   * @param unfinished bounds what all clients have sent of messages that are not whole yet
   */
  record ChannelBounds(
      Limits limits, RateLimiter rates, SharedBound outboxes, SharedBound unfinished) {}

  /**
   * The state that all channels share.
   *
   * @param resting where more has been read than is handled
   */
  record Channels(Clients clients, DeferredMessages resting, ServerMetrics metrics) {}
}
