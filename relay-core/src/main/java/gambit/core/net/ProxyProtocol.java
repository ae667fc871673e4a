package gambit.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.ProtocolDetectionState;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.AddressFamily;
import io.netty.util.AttributeKey;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.List;

/**
 * The PROXY protocol (version 2 or 1): the header in which a trusted proxy may name the client
 * before the first request. Removes itself from the pipeline once the header is read, or is known
 * to be absent. On the channel's event loop.
 */
final class ProxyProtocol extends ByteToMessageDecoder {
  /** The address of the client, if the proxy has named it. */
  static final AttributeKey<InetAddress> SOURCE = AttributeKey.valueOf("gambit.source");

  /** The most bytes of a header's extensions (TLVs), which are ignored. */
  private static final int MAX_EXTENSION_BYTES = 1024;

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    ProtocolDetectionState begin = HAProxyMessageDecoder.detectProtocol(in).state();
    if (begin == ProtocolDetectionState.DETECTED) {
      ctx.pipeline().addAfter(ctx.name(), "source", new HeaderHandler());
      ctx.pipeline()
          .addAfter(ctx.name(), "proxy-header", new HAProxyMessageDecoder(MAX_EXTENSION_BYTES));
    }
    if (begin != ProtocolDetectionState.NEEDS_MORE_DATA) {
      ctx.pipeline().remove(this);
    }
  }

  /** Stores the client's address; the header of a proxy's own health check has none. */
  private static final class HeaderHandler extends SimpleChannelInboundHandler<HAProxyMessage> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HAProxyMessage header) {
      AddressFamily family = header.proxiedProtocol().addressFamily();
      if (family == AddressFamily.AF_IPv4 || family == AddressFamily.AF_IPv6) {
        InetAddress source = NetUtil.createInetAddressFromIpAddressString(header.sourceAddress());
        ctx.channel().attr(SOURCE).set(source);
      }
      ctx.pipeline().remove(this);
    }
  }
}
