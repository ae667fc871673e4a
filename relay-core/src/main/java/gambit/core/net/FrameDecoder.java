package gambit.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Netty's decoder of frames, which can be paused or stopped, and knows when its bytes were read. It
 * refuses a data frame beyond the limit on its length by its header; Netty's own limit could not
 * change. On the channel's event loop.
 */
final class FrameDecoder extends WebSocket13FrameDecoder {
  /** Bits of a frame's header (RFC 6455, section 5.2). */
  private static final int CONTROL_BIT = 0x08;

  private static final int LENGTH_BITS = 0x7f;

  /** The lengths that announce a longer field for the length. */
  private static final int SHORT_FOLLOWS = 126;

  private static final int LONG_FOLLOWS = 127;

  /** The bytes of a header before those fields. */
  private static final int FIRST_BYTES = 2;

  /** Instead of a time, one of which each of thousands of clients would keep in memory. */
  private static final Instant NOTHING_READ = Instant.MIN;

  private static final WebSocketDecoderConfig PLAIN = config(false);
  private static final WebSocketDecoderConfig WITH_EXTENSIONS = config(true);

  private final LongSupplier maxPayloadBytes;
  private final InstantSource time;
  private final byte[] header = new byte[FIRST_BYTES + Long.BYTES]; // of a frame, without its mask
  private int headerBytes; // of the header that have been decoded
  private boolean isLengthChecked; // of the frame that is being decoded
  private final ServerMetrics metrics;
  private Instant readAt = NOTHING_READ;
  private boolean paused;
  private boolean stopped;

  FrameDecoder(
      boolean allowExtensions,
      LongSupplier maxPayloadBytes,
      InstantSource time,
      ServerMetrics metrics) {
    super(allowExtensions ? WITH_EXTENSIONS : PLAIN);
    this.maxPayloadBytes = maxPayloadBytes;
    this.metrics = metrics;
    this.time = time;
  }

  private static WebSocketDecoderConfig config(boolean allowExtensions) {
    return WebSocketDecoderConfig.newBuilder()
        .maxFramePayloadLength(Integer.MAX_VALUE)
        .allowExtensions(allowExtensions)
        .closeOnProtocolViolation(false)
        .withUTF8Validator(false)
        .build();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object read) throws Exception {
    if (read instanceof ByteBuf bytes && bytes.isReadable()) {
      readAt = time.instant();
      metrics.receivedBytes.add(bytes.readableBytes());
    }
    super.channelRead(ctx, read);
    if (heldBytes() == 0) {
      readAt = NOTHING_READ;
    }
  }

  /** When the bytes that are being decoded were read from the socket: none, while it is paused. */
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
      boolean tooLong = isKnownToBeTooLong(in);
      int begin = in.readerIndex();
      int decoded = out.size();
      super.decode(ctx, in, out); // reports what else is wrong with a header
      boolean isComplete = out.size() > decoded;
      headerBytes =
          isComplete ? 0 : Math.min(header.length, headerBytes + in.readerIndex() - begin);
      isLengthChecked &= !isComplete;
      if (tooLong) {
        in.skipBytes(in.readableBytes());
        while (out.size() > decoded) {
          ReferenceCountUtil.release(out.remove(decoded));
        }
        throw new CorruptedWebSocketFrameException(
            WebSocketCloseStatus.MESSAGE_TOO_BIG,
            "Max frame length of " + maxPayloadBytes.getAsLong() + " has been exceeded.");
      }
    }
  }

  /** Checks the length of a frame once, as soon as it is known. */
  private boolean isKnownToBeTooLong(ByteBuf in) {
    if (isLengthChecked) {
      return false;
    }
    int more = Math.min(header.length - headerBytes, in.readableBytes());
    in.getBytes(in.readerIndex(), header, headerBytes, more);
    int shortLength = header[1] & LENGTH_BITS;
    int extendedBytes =
        shortLength == SHORT_FOLLOWS ? Short.BYTES : shortLength == LONG_FOLLOWS ? Long.BYTES : 0;
    if (headerBytes + more < FIRST_BYTES + extendedBytes) {
      return false;
    }
    isLengthChecked = true;
    long length =
        switch (extendedBytes) {
          case Short.BYTES -> ByteBuffer.wrap(header).getShort(FIRST_BYTES) & 0xffff;
          case Long.BYTES -> ByteBuffer.wrap(header).getLong(FIRST_BYTES);
          default -> shortLength;
        };
    return length > maxPayloadBytes.getAsLong() && (header[0] & CONTROL_BIT) == 0;
  }

  /** Bytes of an incomplete frame, and bytes kept while paused. */
  int heldBytes() {
    return actualReadableBytes();
  }
}
