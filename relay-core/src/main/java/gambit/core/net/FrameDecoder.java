package gambit.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Netty's decoder of frames, which tells what it holds and when that was read, and may be told to
 * wait or to stop. On the channel's event loop.
 */
final class FrameDecoder extends WebSocket13FrameDecoder {
  private final InstantSource time;
  private Instant readAt;
  private boolean waiting;
  private boolean stopped;

  FrameDecoder(WebSocketDecoderConfig config, InstantSource time) {
    super(config);
    this.time = time;
    this.readAt = time.instant();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object read) throws Exception {
    if (read instanceof ByteBuf bytes && bytes.isReadable()) {
      readAt = time.instant();
    }
    super.channelRead(ctx, read);
  }

  /** When bytes were read from the socket for the last time; while it waits, none are. */
  Instant readAt() {
    return readAt;
  }

  /** Leaves what has come and what comes as it is, until it is told otherwise. */
  void setWaiting(boolean waiting) {
    this.waiting = waiting;
  }

  boolean isWaiting() {
    return waiting;
  }

  /** Drops what has come and what still comes. */
  void stop() {
    stopped = true;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (stopped) {
      in.skipBytes(in.readableBytes());
    } else if (!waiting) {
      super.decode(ctx, in, out);
    }
  }

  /** Bytes of a frame that is not whole yet, and of those that wait. */
  int heldBytes() {
    return actualReadableBytes();
  }
}
