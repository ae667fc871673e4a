package gambit.core.net;

import gambit.core.model.ByteBuilder;
import gambit.core.wire.Utf8;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.Arrays;
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

  private final LongSupplier limit;
  private final boolean mayBeCompressed;
  private int maxBytes; // of the message that was begun last
  private @Nullable ByteBuilder fragments; // of an incomplete message
  private boolean binary;
  private boolean compressed;
  private int validBytes; // of an incomplete text, known to be UTF-8

  /**
   * Creates an assembly without a message.
   *
   * @param limit the limit in force on the length of a message, in bytes
   * @param mayBeCompressed whether compression was negotiated
   */
  MessageAssembly(LongSupplier limit, boolean mayBeCompressed) {
    this.limit = limit;
    this.mayBeCompressed = mayBeCompressed;
  }

  /**
   * Adds a frame.
   *
   * @return the message that it completes, or null when frames are missing
   * @throws CorruptedWebSocketFrameException when it cannot be part of a message
   */
  byte @Nullable [] add(WebSocketFrame frame) {
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
    if (assembled == null && frame.isFinalFragment()) {
      return complete(ByteBufUtil.getBytes(content), content.readableBytes());
    }
    if (assembled == null) {
      assembled = new ByteBuilder(content.readableBytes());
      fragments = assembled;
      validBytes = 0;
    }
    byte[] piece = ByteBufUtil.getBytes(content);
    assembled.add(piece, 0, piece.length);
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

  /** Whether the reserved bits of a frame are valid. */
  boolean hasValidReservedBits(WebSocketFrame frame) {
    boolean begins = frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame;
    return frame.rsv() == 0 || (mayBeCompressed && begins && frame.rsv() == COMPRESSED);
  }

  private int room(@Nullable ByteBuilder assembled) {
    int limit = compressed ? Compression.maxBytes(maxBytes) : maxBytes;
    return limit - (assembled == null ? 0 : assembled.size());
  }

  private byte[] complete(byte[] bytes, int length) {
    if (compressed) {
      return Compression.inflate(bytes, length, maxBytes);
    }
    return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
  }

  /** Whether the last message was binary. */
  boolean isBinary() {
    return binary;
  }

  /** Drops an incomplete message. */
  void clear() {
    fragments = null;
  }

  /** Bytes of an incomplete message. */
  int heldBytes() {
    return fragments == null ? 0 : fragments.size();
  }
}
