package gambit.core.net;

import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limits;
import gambit.core.limit.MemoryBound;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimiter;
import gambit.core.session.Lifecycle;
import gambit.core.session.Peer;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * What all channels of the port share.
 *
 * @param settings the settings in force, which are read whenever they are applied
 * @param operator identifies the operator's connections
 */
record Endpoint(
    Conversation.Factory conversations,
    CurrentPortSettings settings,
    PortExtensions extensions,
    ChannelBounds bounds,
    Channels channels,
    OperatorToken operator,
    Lifecycle lifecycle) {

  /** The client of that address that has sent a request. */
  Peer peer(ClientAddress address, HttpRequest request) {
    boolean isOperator = operator.isIn(request.headers());
    return new Peer(
        address, isOperator, isOperator && OperatorToken.statesVerified(request.headers()));
  }

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
      MemoryBound outboxes,
      MemoryBound incompleteMessages) {

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
