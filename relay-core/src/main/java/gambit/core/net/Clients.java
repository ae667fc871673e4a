package gambit.core.net;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.limit.Budget;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.rate.ClientAddress;
import gambit.core.session.Peer;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All open connections and their limits: connections that are not WebSockets yet, and WebSockets,
 * in total and by address. Thread-safe.
 */
final class Clients {
  private static final AttributeKey<ClientAddress> ADDRESS = AttributeKey.valueOf("client address");

  private final ChannelGroup webSockets = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  @GuardedBy("this")
  private final Set<Channel> requesting = new LinkedHashSet<>();

  private final ConcurrentHashMap<ClientAddress, Integer> byAddress = new ConcurrentHashMap<>();
  private final Budget places;
  private final CurrentLimits limits;

  /**
   * Creates a registry without connections.
   *
   * @param limits {@link Limit#CONNECTIONS} limits the WebSockets, and separately the connections
   *     that are none yet, so that all clients can reconnect at once after a restart; {@link
   *     Limit#CONNECTIONS_BY_ADDRESS} limits the WebSockets of one address. Lowered limits close no
   *     WebSocket.
   */
  Clients(CurrentLimits limits) {
    this.limits = limits;
    this.places = new Budget(limits.of(Limit.CONNECTIONS));
  }

  /**
   * Adds an accepted connection. Beyond the limit, the oldest ones without a WebSocket are closed.
   */
  void accepted(Channel channel) {
    List<Channel> oldest = new ArrayList<>(0);
    synchronized (this) {
      requesting.add(channel);
      Iterator<Channel> byAge = requesting.iterator();
      for (int more = requesting.size() - limits.get(Limit.CONNECTIONS); more > 0; more--) {
        oldest.add(byAge.next());
        byAge.remove();
      }
    }
    channel.closeFuture().addListener(closed -> forget(channel));
    oldest.forEach(Channel::close);
  }

  private void forget(Channel channel) {
    synchronized (this) {
      requesting.remove(channel);
    }
  }

  /**
   * Admits a connection as a WebSocket, or returns the status with which it is refused. The limits
   * do not apply to the operator, whose commands must reach a busy relay.
   */
  Optional<HttpResponseStatus> admit(Channel channel, Peer client) {
    if (client.isOperator()) {
      forget(channel);
      webSockets.add(channel);
      return Optional.empty();
    }
    return admit(channel, client.address());
  }

  private Optional<HttpResponseStatus> admit(Channel channel, ClientAddress address) {
    if (!places.reserve(1)) {
      return Optional.of(HttpResponseStatus.SERVICE_UNAVAILABLE);
    }
    int maxByAddress = limits.get(Limit.CONNECTIONS_BY_ADDRESS);
    if (byAddress.merge(address, 1, Integer::sum) > maxByAddress && maxByAddress > 0) {
      leave(address);
      return Optional.of(HttpResponseStatus.TOO_MANY_REQUESTS);
    }
    forget(channel);
    channel.attr(ADDRESS).set(address);
    // Listeners are called in this order: the place is free before the channel is counted no more.
    channel.closeFuture().addListener(closed -> leave(address));
    webSockets.add(channel);
    return Optional.empty();
  }

  /** The address of a client that was admitted. */
  static @Nullable ClientAddress address(Channel channel) {
    return channel.attr(ADDRESS).get();
  }

  private void leave(ClientAddress address) {
    byAddress.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
    places.release(1);
  }

  ChannelGroup webSockets() {
    return webSockets;
  }

  /** The number of connections that are not WebSockets yet. */
  int requesting() {
    synchronized (this) {
      return requesting.size();
    }
  }
}
