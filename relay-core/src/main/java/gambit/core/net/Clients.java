package gambit.core.net;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.limit.Budget;
import gambit.core.rate.ClientAddress;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All open connections and their limits: connections that are not WebSockets yet, and WebSockets,
 * in total and by address. Thread-safe.
 */
final class Clients {
  private final ChannelGroup webSockets = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  @GuardedBy("this")
  private final Set<Channel> requesting = new LinkedHashSet<>();

  private final ConcurrentHashMap<ClientAddress, Integer> byAddress = new ConcurrentHashMap<>();
  private final Budget places;
  private final int maxRequesting;
  private final int placesByAddress;

  /**
   * Creates a registry without connections.
   *
   * @param max limits the WebSockets, and separately the connections that are none yet, so that all
   *     clients can reconnect at once after a restart
   * @param maxByAddress limits the WebSockets of one address; 0 for {@code max}
   */
  Clients(int max, int maxByAddress) {
    this.places = new Budget(max);
    this.maxRequesting = max;
    this.placesByAddress = maxByAddress == 0 ? max : maxByAddress;
  }

  /**
   * Adds an accepted connection. Beyond the limit, the oldest one without a WebSocket is closed.
   */
  void accepted(Channel channel) {
    Channel oldest = null;
    synchronized (this) {
      requesting.add(channel);
      if (requesting.size() > maxRequesting) {
        oldest = requesting.iterator().next();
        requesting.remove(oldest);
      }
    }
    channel.closeFuture().addListener(closed -> forget(channel));
    if (oldest != null) {
      oldest.close();
    }
  }

  private void forget(Channel channel) {
    synchronized (this) {
      requesting.remove(channel);
    }
  }

  /** Admits a connection as a WebSocket, or returns the status with which it is refused. */
  Optional<HttpResponseStatus> admit(Channel channel, ClientAddress address) {
    if (!places.reserve(1)) {
      return Optional.of(HttpResponseStatus.SERVICE_UNAVAILABLE);
    }
    if (byAddress.merge(address, 1, Integer::sum) > placesByAddress) {
      leave(address);
      return Optional.of(HttpResponseStatus.TOO_MANY_REQUESTS);
    }
    forget(channel);
    webSockets.add(channel);
    channel.closeFuture().addListener(closed -> leave(address));
    return Optional.empty();
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
