package gambit.core.net;

import gambit.core.model.ByteBuilder;
import gambit.core.wire.Utf8;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Assembles messages from frames: joins fragments (RFC 6455, section 5.4) and inflates compressed
 * messages (RFC 7692, section 6.2). On the channel's event loop.
 *
 * <p>Bound: the longest message, also while it is assembled or inflated. A message that has begun
 * keeps the limit that was in force then.
 */
final class MessageAssembly {
  /** RSV1: the message is compressed (RFC 7692, section 6). */
  private static final int COMPRESSED = 4;

  /** Longer frames get an array of their own. */
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Holds the frame that is being added, so that most messages are read without a new array. */
  private static final ThreadLocal<byte[]> BUFFER =
      ThreadLocal.withInitial(() -> new byte[BUFFER_BYTES]);

  private final LongSupplier limit;
  private final boolean mayBeCompressed;
  private int maxBytes; // of the message that was begun last
  private @Nullable ByteBuilder fragments; // of an incomplete message
  private boolean binary;
  private boolean compressed;
  private int validBytes; // of an incomplete text, known to be UTF-8

  /** A whole message: the first bytes of a buffer, which is reused. */
  @SuppressWarnings("ArrayRecordComponent") // it is only passed on
  record Message(byte[] buffer, int length) {}

  MessageAssembly(LongSupplier limit, boolean mayBeCompressed) {
    this.limit = limit;
    this.mayBeCompressed = mayBeCompressed;
  }

  /**
   * Adds a frame. Returns the message that it completes, valid until the event loop adds another
   * frame; null when frames are missing.
   */
  @Nullable Message add(WebSocketFrame frame) {
    ByteBuf content = frame.content();
    ByteBuilder assembled = fragments;
    if (!(frame instanceof ContinuationWebSocketFrame)) {
      binary = frame instanceof BinaryWebSocketFrame;
      compressed = mayBeCompressed && frame.rsv() == COMPRESSED;
      maxBytes = Math.toIntExact(limit.getAsLong());
    }
    if (content.readableBytes() > room(assembled)) {
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.MESSAGE_TOO_BIG, "message too long");
    }
    int size = content.readableBytes();
    byte[] piece = size <= BUFFER_BYTES ? BUFFER.get() : new byte[size];
    content.getBytes(content.readerIndex(), piece, 0, size);
    if (assembled == null && frame.isFinalFragment()) {
      return complete(piece, size);
    }
    if (assembled == null) {
      assembled = new ByteBuilder(size);
      fragments = assembled;
      validBytes = 0;
    }
    assembled.add(piece, 0, size);
    if (!binary && !compressed) {
      validBytes = Utf8.validPrefixEnd(assembled.array(), validBytes, assembled.size());
      if (validBytes < 0) {
        throw new CorruptedWebSocketFrameException(
            WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not UTF-8");
      }
    }
    if (!frame.isFinalFragment()) {
      return null;
    }
    fragments = null;
    return complete(assembled.array(), assembled.size());
  }

  boolean hasValidReservedBits(WebSocketFrame frame) {
    boolean begins = frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame;
    return frame.rsv() == 0 || (mayBeCompressed && begins && frame.rsv() == COMPRESSED);
  }

  private int room(@Nullable ByteBuilder assembled) {
    int limit = compressed ? Compression.maxBytes(maxBytes) : maxBytes;
    return limit - (assembled == null ? 0 : assembled.size());
  }

  private Message complete(byte[] bytes, int length) {
    if (!compressed) {
      return new Message(bytes, length);
    }
    byte[] inflated = Compression.inflate(bytes, length, maxBytes);
    return new Message(inflated, inflated.length);
  }

  boolean isBinary() {
    return binary;
  }

  void clear() {
    fragments = null;
  }

  int heldBytes() {
    return fragments == null ? 0 : fragments.size();
  }
}
