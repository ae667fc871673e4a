package gambit.core.net;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Makes an accepted connection one on which HTTP is spoken. */
final class PipelineInitializer extends ChannelInitializer<Channel> {
  /**
   * What is read from one connection before the others of its event loop get their turn: some 40
   * events, whose signatures take two milliseconds.
   */
  private static final RecvByteBufAllocator SMALL_BITES =
      new AdaptiveRecvByteBufAllocator(512, 4 * 1024, 16 * 1024).maxMessagesPerRead(1);

  private final Endpoint endpoint;

  PipelineInitializer(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  @Override
  protected void initChannel(Channel channel) {
    channel.config().setRecvByteBufAllocator(SMALL_BITES);
    endpoint.channels().clients().accepted(channel);
    if (endpoint.transport().proxies().include(peer(channel))) {
      channel.pipeline().addLast("proxy", new ProxyProtocol());
    }
    channel
        .pipeline()
        .addLast("http", new HttpServerCodec())
        .addLast("routes", new HttpHandler(endpoint));
  }

  /** Who has connected; nobody in particular if the connection is gone already. */
  static InetAddress peer(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
        ? remote.getAddress()
        : InetAddress.getLoopbackAddress();
  }
}
