package gambit.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Netty's decoder of frames, which can be paused or stopped, and knows when its bytes were read. On
 * the channel's event loop.
 */
final class FrameDecoder extends WebSocket13FrameDecoder {
  private final InstantSource time;
  private Instant readAt;
  private boolean paused;
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

  /** When bytes were last read from the socket; none are read while the decoder is paused. */
  Instant readAt() {
    return readAt;
  }

  /** Keeps bytes undecoded until it is resumed. */
  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
  }

  boolean isPaused() {
    return paused;
  }

  /** Drops all bytes from now on, kept ones included. */
  void stop() {
    stopped = true;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (stopped) {
      in.skipBytes(in.readableBytes());
    } else if (!paused) {
      super.decode(ctx, in, out);
    }
  }

  /** Bytes of an incomplete frame, and bytes kept while paused. */
  int heldBytes() {
    return actualReadableBytes();
  }
}
