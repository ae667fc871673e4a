package gambit.core.net;

import gambit.core.limit.Limit;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Sets up the pipeline of an accepted connection, which begins with the PROXY protocol (of trusted
 * proxies), TLS (if it is on), and HTTP.
 */
final class PipelineInitializer extends ChannelInitializer<Channel> {
  /**
   * Bounds what is read from a connection in one turn of its event loop: some 40 events, whose
   * signatures take two milliseconds to verify.
   */
  private static final RecvByteBufAllocator BOUNDED_READS =
      new AdaptiveRecvByteBufAllocator(512, 4 * 1024, 16 * 1024).maxMessagesPerRead(1);

  private final Endpoint endpoint;

  PipelineInitializer(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  @Override
  protected void initChannel(Channel channel) {
    channel.config().setRecvByteBufAllocator(BOUNDED_READS);
    endpoint.channels().clients().accepted(channel);
    if (endpoint.transport().proxies().include(peer(channel))) {
      channel.pipeline().addLast("proxy", new ProxyProtocol());
    }
    TlsHandshakes tls = endpoint.channels().tls();
    if (tls != null) {
      channel.pipeline().addLast("plain", new PlainHttpDetection());
      tls.addTo(channel.pipeline(), endpoint.bounds().limits().get(Limit.HANDSHAKE_SECONDS));
    }
    channel
        .pipeline()
        .addLast("http", new HttpServerCodec())
        .addLast("routes", new HttpHandler(endpoint));
  }

  /** The address of the other end; the loopback address if the connection is gone already. */
  static InetAddress peer(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
        ? remote.getAddress()
        : InetAddress.getLoopbackAddress();
  }
}
