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
 * What a trusted proxy may say before the first request: for whom it speaks (the PROXY protocol,
 * version 2 or 1). It takes itself out of the channel when that is known, or not said. On the
 * channel's event loop.
 */
final class ProxyProtocol extends ByteToMessageDecoder {
  /** Whom the proxy speaks for, if it has said so. */
  static final AttributeKey<InetAddress> SOURCE = AttributeKey.valueOf("gambit.source");

  /** What it may say beyond addresses, in bytes; nothing of it is of use here. */
  private static final int MORE = 1024;

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    ProtocolDetectionState begin = HAProxyMessageDecoder.detectProtocol(in).state();
    if (begin == ProtocolDetectionState.DETECTED) {
      ctx.pipeline().addAfter(ctx.name(), "source", new Source());
      ctx.pipeline().addAfter(ctx.name(), "proxy-header", new HAProxyMessageDecoder(MORE));
    }
    if (begin != ProtocolDetectionState.NEEDS_MORE_DATA) {
      ctx.pipeline().remove(this);
    }
  }

  /** Remembers the source; a proxy that speaks for itself (a health check) names none. */
  private static final class Source extends SimpleChannelInboundHandler<HAProxyMessage> {
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
