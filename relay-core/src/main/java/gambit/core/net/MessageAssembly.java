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
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of frames: puts fragments together (RFC 6455, section 5.4) and inflates what is
 * compressed (RFC 7692, section 6.2). On the channel's event loop.
 *
 * <p>Bound: the longest message, also while it is being put together or inflated.
 */
final class MessageAssembly {
  /** RSV1: the message is compressed (RFC 7692, section 6). */
  private static final int COMPRESSED = 4;

  private final int most;
  private final boolean mayBeCompressed;
  private @Nullable ByteBuilder pieces;
  private boolean binary;
  private boolean compressed;
  private int checked; // how much of an unfinished text is known to be UTF-8

  /**
   * Nothing yet.
   *
   * @param most bytes of the longest message
   * @param mayBeCompressed whether that was negotiated
   */
  MessageAssembly(int most, boolean mayBeCompressed) {
    this.most = most;
    this.mayBeCompressed = mayBeCompressed;
  }

  /**
   * Takes a frame.
   *
   * @return the message that it makes whole, or null while more is to come
   * @throws CorruptedWebSocketFrameException when it cannot be part of a message
   */
  byte @Nullable [] add(WebSocketFrame frame) {
    ByteBuf content = frame.content();
    ByteBuilder sofar = pieces;
    if (!(frame instanceof ContinuationWebSocketFrame)) {
      binary = frame instanceof BinaryWebSocketFrame;
      compressed = mayBeCompressed && frame.rsv() == COMPRESSED;
    }
    if (content.readableBytes() > room(sofar)) {
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.MESSAGE_TOO_BIG, "message too long");
    }
    if (sofar == null && frame.isFinalFragment()) {
      return finished(ByteBufUtil.getBytes(content), content.readableBytes());
    }
    if (sofar == null) {
      sofar = new ByteBuilder(content.readableBytes());
      pieces = sofar;
      checked = 0;
    }
    byte[] piece = ByteBufUtil.getBytes(content);
    sofar.add(piece, 0, piece.length);
    if (!binary && !compressed) {
      checked = Utf8.validPrefixEnd(sofar.array(), checked, sofar.size());
      if (checked < 0) {
        throw new CorruptedWebSocketFrameException(
            WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not UTF-8");
      }
    }
    if (!frame.isFinalFragment()) {
      return null;
    }
    pieces = null;
    return finished(sofar.array(), sofar.size());
  }

  /** Whether the reserved bits are what they may be on this frame. */
  boolean mayHaveBits(WebSocketFrame frame) {
    boolean begins = frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame;
    return frame.rsv() == 0 || (mayBeCompressed && begins && frame.rsv() == COMPRESSED);
  }

  private int room(@Nullable ByteBuilder sofar) {
    int limit = compressed ? Compression.longest(most) : most;
    return limit - (sofar == null ? 0 : sofar.size());
  }

  private byte[] finished(byte[] bytes, int length) {
    if (compressed) {
      return Compression.inflate(bytes, length, most);
    }
    return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
  }

  /** Whether the message that was made whole is a binary one. */
  boolean isBinary() {
    return binary;
  }

  /** Drops what there is of a message that is not whole. */
  void forget() {
    pieces = null;
  }

  /** Bytes of a message that is not whole yet. */
  int heldBytes() {
    return pieces == null ? 0 : pieces.size();
  }
}
