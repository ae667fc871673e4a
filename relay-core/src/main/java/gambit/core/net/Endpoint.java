package gambit.core.net;

import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limits;
import gambit.core.limit.SharedBound;
import gambit.core.rate.RateLimiter;
import gambit.core.session.Lifecycle;
import org.jspecify.annotations.Nullable;

/**
 * What all channels of the port share.
 *
 * @param settings the settings in force, which are read whenever they are applied
 */
record Endpoint(
    Conversation.Factory conversations,
    CurrentPortSettings settings,
    ChannelBounds bounds,
    Channels channels,
    Lifecycle lifecycle) {

  /** The relay information document (NIP-11). */
  String information() {
    return settings.now().information();
  }

  /** What browsers get. */
  WebPage page() {
    return settings.now().page();
  }

  TransportSettings transport() {
    return settings.now().transport();
  }

  /**
   * The bounds on clients.
   *
   * @param outboxes the bound on the bytes queued for all clients
   * @param incompleteMessages the bound on the incomplete messages of all clients
   */
  record ChannelBounds(
      CurrentLimits currentLimits,
      RateLimiter rates,
      SharedBound outboxes,
      SharedBound incompleteMessages) {

    /** The limits in force now, which must not be kept. */
    Limits limits() {
      return currentLimits.now();
    }
  }

  /**
   * The mutable state that all channels share.
   *
   * @param tls null for a port without TLS
   */
  record Channels(
      Clients clients,
      DeferredMessages deferred,
      ServerMetrics metrics,
      @Nullable TlsHandshakes tls) {}
}
