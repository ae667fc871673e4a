package gambit.core.net;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.limit.SharedBudget;
import gambit.core.rate.ClientAddress;
import gambit.core.session.Peer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All open connections and their limits: connections that are not WebSockets yet, and WebSockets,
 * in total and by address. Thread-safe.
 */
final class Clients {
  static final int CLOSE_SECONDS = 2;

  private static final Object OPERATOR = new Object();

  private final Map<Channel, Object> webSockets = new ConcurrentHashMap<>();

  /** Those that are no WebSockets yet, the oldest first. */
  @GuardedBy("this")
  private final Map<ClientAddress, Set<Channel>> requestingByAddress = new LinkedHashMap<>();

  @GuardedBy("this")
  private int requesting;

  private final ChannelFutureListener whenClosed = done -> closed(done.channel());
  private final SharedBudget places;
  private final CurrentLimits limits;

  /**
   * {@link Limit#CONNECTIONS} limits the WebSockets, and separately the connections that are none
   * yet, so that all clients can reconnect at once after a restart; {@link
   * Limit#CONNECTIONS_BY_ADDRESS} limits the WebSockets of one address, in place of its share.
   * Lowered limits close no WebSocket.
   */
  Clients(CurrentLimits limits) {
    this.limits = limits;
    this.places = new SharedBudget(limits.of(Limit.CONNECTIONS));
  }

  /** Adds a connection; too many close the oldest of the address with the most of them. */
  void accepted(Channel channel) {
    List<Channel> closed = new ArrayList<>(0);
    synchronized (this) {
      requestingByAddress
          .computeIfAbsent(socketAddress(channel), it -> new LinkedHashSet<>(2))
          .add(channel);
      requesting++;
      while (requesting > limits.get(Limit.CONNECTIONS)) {
        Channel oldest =
            Collections.max(requestingByAddress.values(), Comparator.comparingInt(Set::size))
                .iterator()
                .next();
        closed.add(oldest);
        forget(oldest);
      }
    }
    channel.closeFuture().addListener(whenClosed);
    closed.forEach(Channel::close);
  }

  /** The address of a connection's socket, which may be a proxy's; also once it is closed. */
  private static ClientAddress socketAddress(Channel channel) {
    return ClientAddress.of(peer(channel));
  }

  /** The place is free before the channel counts no more. */
  private void closed(Channel channel) {
    forget(channel);
    ClientAddress admitted = address(channel);
    if (admitted != null) {
      leave(admitted);
    }
    webSockets.remove(channel);
  }

  private synchronized void forget(Channel channel) {
    ClientAddress address = socketAddress(channel);
    Set<Channel> ofAddress = requestingByAddress.getOrDefault(address, new LinkedHashSet<>(0));
    if (ofAddress.remove(channel)) {
      requesting--;
      if (ofAddress.isEmpty()) {
        requestingByAddress.remove(address);
      }
    }
  }

  /**
   * Admits a connection as a WebSocket, or returns the status with which it is refused. The limits
   * do not apply to the operator, whose commands must reach a busy relay.
   */
  Optional<HttpResponseStatus> admit(Channel channel, Peer client) {
    ClientAddress address = client.address();
    Optional<HttpResponseStatus> refusal = client.isOperator() ? Optional.empty() : enter(address);
    if (refusal.isEmpty()) {
      forget(channel);
      webSockets.put(channel, client.isOperator() ? OPERATOR : address);
      if (!channel.isOpen()) {
        closed(channel);
      }
    }
    return refusal;
  }

  /** Takes a place, one client after another, so that two never refuse each other the last one. */
  private synchronized Optional<HttpResponseStatus> enter(ClientAddress address) {
    int max = limits.get(Limit.CONNECTIONS);
    int maxByAddress = limits.get(Limit.CONNECTIONS_BY_ADDRESS);
    boolean isInShare = places.add(Set.of(address), 1, max);
    boolean isFull = places.used() > max;
    if (isFull || (maxByAddress > 0 ? places.held(address) > maxByAddress : !isInShare)) {
      leave(address);
      return Optional.of(
          isFull ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.TOO_MANY_REQUESTS);
    }
    return Optional.empty();
  }

  /** The address of a client that was admitted and is connected; null for the operator. */
  @Nullable ClientAddress address(Channel channel) {
    return webSockets.get(channel) instanceof ClientAddress address ? address : null;
  }

  private void leave(ClientAddress address) {
    places.release(Set.of(address), 1);
  }

  Set<Channel> webSockets() {
    return webSockets.keySet();
  }

  /** Waits until the WebSockets that are open now are closed, or that time has passed. */
  void awaitClosed(int seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (Channel channel : webSockets()) {
      channel.closeFuture().awaitUninterruptibly(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
  }

  synchronized int requesting() {
    return requesting;
  }

  /** The address of the other end; the loopback address if the connection is gone already. */
  static InetAddress peer(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
        ? remote.getAddress()
        : InetAddress.getLoopbackAddress();
  }

  /**
   * Closes a connection from the relay's side so that the client receives the last message. Ends
   * the encrypted stream, if there is one, and closes when the client does, or after a while. What
   * the client still sends is read and dropped, because unread bytes would cause a reset. On the
   * event loop.
   */
  static void closeAfterLastMessage(Channel channel) {
    channel.config().setAutoRead(true);
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      endOutput(channel);
    } else {
      tls.closeOutbound().addListener(sent -> endOutput(channel));
    }
    channel.eventLoop().schedule(() -> channel.close(), CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  private static void endOutput(Channel channel) {
    if (channel instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
    }
  }
}
