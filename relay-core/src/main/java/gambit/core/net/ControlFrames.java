package gambit.core.net;

import gambit.core.wire.Utf8;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The control frames of one channel (RFC 6455, section 5.5), which are not masked: answers the
 * client's pings, and detects with pings of its own that the client is gone. Both wait for the end
 * of a frame that is written in pieces. On the channel's event loop.
 */
final class ControlFrames {
  private static final int FINAL_CLOSE = 0x88;
  private static final int FINAL_PING = 0x89;
  private static final int FINAL_PONG = 0x8a;

  private static final int MAX_BYTES = 125;

  private static final int HEAD_BYTES = 2;

  private final WebSocketOutbox outbox;
  private @Nullable ByteBuf unansweredPing; // the payload
  private boolean isPingDue;
  private long writtenAtPing;
  private boolean hadBacklogAtPing;

  ControlFrames(WebSocketOutbox outbox) {
    this.outbox = outbox;
  }

  /** While the client does not read, only its newest ping is kept (RFC 6455, section 5.5.3). */
  void answer(ChannelHandlerContext ctx, PingWebSocketFrame ping) {
    ReferenceCountUtil.release(unansweredPing);
    unansweredPing = ping.content().retain();
    send(ctx);
  }

  /**
   * Pings a client that has sent nothing for a while.
   *
   * @param isFirst whether the client has sent something since the last call
   * @return false when the client has not answered the last ping, although it should have received
   *     it: the ping was not queued after frames that the client has been taking since
   */
  boolean ping(ChannelHandlerContext ctx, boolean isFirst) {
    boolean mayBeQueued = hadBacklogAtPing && outbox.writer().writtenBytes() > writtenAtPing;
    if (!isFirst && !mayBeQueued) {
      return false;
    }
    writtenAtPing = outbox.writer().writtenBytes();
    hadBacklogAtPing = outbox.heldBytes() > 0 || !ctx.channel().isWritable();
    isPingDue = true;
    send(ctx);
    return true;
  }

  void send(ChannelHandlerContext ctx) {
    if (!outbox.writer().isBetweenFrames()) {
      return;
    }
    if (isPingDue) {
      isPingDue = false;
      ctx.writeAndFlush(frame(FINAL_PING, Unpooled.EMPTY_BUFFER));
    }
    if (unansweredPing != null && ctx.channel().isWritable()) {
      ByteBuf pong = frame(FINAL_PONG, unansweredPing);
      release();
      ctx.writeAndFlush(pong);
    }
  }

  void release() {
    ReferenceCountUtil.release(unansweredPing);
    unansweredPing = null;
  }

  static ByteBuf close(WebSocketCloseStatus status, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    ByteBuf payload = Unpooled.buffer(Short.BYTES + text.length);
    return frame(FINAL_CLOSE, payload.writeShort(status.code()).writeBytes(text));
  }

  static ByteBuf close(ByteBuf payload) {
    return frame(FINAL_CLOSE, payload);
  }

  /** Whether the reason in a close frame's payload, if there is one, is valid UTF-8. */
  static boolean hasReasonInUtf8(ByteBuf payload) {
    byte[] bytes = ByteBufUtil.getBytes(payload);
    int reason = Math.min(Short.BYTES, bytes.length); // after the code
    return Utf8.validPrefixEnd(bytes, reason, bytes.length) == bytes.length; // Netty takes a prefix
  }

  private static ByteBuf frame(int first, ByteBuf payload) {
    int length = payload.readableBytes();
    if (length > MAX_BYTES) {
      throw new IllegalArgumentException("a control frame of " + length + " bytes");
    }
    return Unpooled.buffer(HEAD_BYTES + length)
        .writeByte(first)
        .writeByte(length)
        .writeBytes(payload, payload.readerIndex(), length);
  }
}
