package gambit.core.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.ReferenceCountUtil;

/**
 * Disconnects a client that makes TLS itself queue output: each request for new keys of TLS 1.3 is
 * answered by a record (RFC 8446, 4.6.3), also to a client that reads none of them. In the pipeline
 * before TLS; on the channel's event loop.
 */
final class TlsOutputBound extends ChannelInboundHandlerAdapter {
  /**
   * The most records that wait for the socket while the client sends. Messages and answers are a
   * few hundred of them, since they are written only while the channel is writable.
   */
  private static final int MAX_RECORDS = 4000;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object bytes) {
    ChannelOutboundBuffer waiting = ctx.channel().unsafe().outboundBuffer();
    if (waiting != null && waiting.size() > MAX_RECORDS) {
      ReferenceCountUtil.release(bytes);
      ctx.close();
    } else {
      ctx.fireChannelRead(bytes);
    }
  }
}
