package gambit.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;

/**
 * Detects plain HTTP on a port of TLS by the first byte of a connection: a method begins with a
 * capital letter, a TLS record does not (RFC 8446, 5.1). Then TLS leaves the pipeline, and {@link
 * HttpHandler} is notified by {@link #PLAIN_HTTP}, so that it can answer in plain text. Leaves the
 * pipeline itself with the first byte; the time for that is bounded as that of the handshake. On
 * the channel's event loop.
 */
final class PlainHttpDetection extends ByteToMessageDecoder {
  /** The event after which an answer is not encrypted. */
  static final Object PLAIN_HTTP = new Object();

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    byte first = in.getByte(in.readerIndex());
    if (first >= 'A' && first <= 'Z') {
      ctx.pipeline().remove(SslHandler.class);
      ctx.fireUserEventTriggered(PLAIN_HTTP);
    }
    ctx.pipeline().remove(this);
  }
}
