package gambit.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * The pings and pongs of one channel (RFC 6455, section 5.5): answers the client's pings, and
 * detects with pings of its own that the client is gone. Both wait for the end of a frame that is
 * written in pieces. On the channel's event loop.
 */
final class PingPong {
  private final WebSocketOutbox outbox;
  private @Nullable ByteBuf unansweredPing; // the payload
  private boolean isPingDue;
  private long writtenAtPing;
  private boolean hadBacklogAtPing;

  PingPong(WebSocketOutbox outbox) {
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

  /** Sends what is due, if it can be sent now. */
  void send(ChannelHandlerContext ctx) {
    if (!outbox.writer().isBetweenFrames()) {
      return;
    }
    if (isPingDue) {
      isPingDue = false;
      ctx.writeAndFlush(ControlFrames.ping());
    }
    ByteBuf ping = unansweredPing;
    if (ping != null && ctx.channel().isWritable()) {
      unansweredPing = null;
      ctx.writeAndFlush(ControlFrames.pong(ping));
    }
  }

  /** Releases what is kept for the client. */
  void release() {
    ReferenceCountUtil.release(unansweredPing);
    unansweredPing = null;
  }
}
