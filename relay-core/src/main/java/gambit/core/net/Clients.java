package gambit.core.net;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.rate.ClientAddress;
import gambit.core.session.Budget;
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
 * Every connection there is: those on which HTTP is spoken, and the WebSockets, counted in all and
 * by address. Thread-safe.
 */
final class Clients {
  private final ChannelGroup webSockets = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  @GuardedBy("this")
  private final Set<Channel> requesting = new LinkedHashSet<>();

  private final ConcurrentHashMap<ClientAddress, Integer> byAddress = new ConcurrentHashMap<>();
  private final Budget places;
  private final int mostRequesting;
  private final int placesByAddress;

  /**
   * Nobody yet.
   *
   * @param most WebSockets in all; and as many that are none (yet), so that all clients may come
   *     back at once when the relay was gone: there are seldom many otherwise
   * @param mostByAddress WebSockets of one address; 0: as many as there are
   */
  Clients(int most, int mostByAddress) {
    this.places = new Budget(most);
    this.mostRequesting = most;
    this.placesByAddress = mostByAddress == 0 ? most : mostByAddress;
  }

  /** A connection was accepted. Whoever has been asking for longest gives way if need be. */
  void accepted(Channel channel) {
    Channel oldest = null;
    synchronized (this) {
      requesting.add(channel);
      if (requesting.size() > mostRequesting) {
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

  /** Gives a connection its place as a WebSocket, or tells why there is none. */
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

  /** The WebSockets. */
  ChannelGroup webSockets() {
    return webSockets;
  }

  /** How many connections are no WebSocket (yet). */
  int requesting() {
    synchronized (this) {
      return requesting.size();
    }
  }
}
