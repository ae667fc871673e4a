package gambit.core.net;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;

/** How a connection is ended from this side, so that the client sees the last word. */
final class LingeringClose {
  /** How long a client may take to close its side. */
  static final int SECONDS = 2;

  private LingeringClose() {}

  /**
   * Closes when the client does, or after a while. What the client is still sending is read and
   * dropped: an unread byte would turn the end into a reset. On the event loop.
   */
  static void close(Channel channel) {
    channel.config().setAutoRead(true);
    ((DuplexChannel) channel).shutdownOutput();
    channel.eventLoop().schedule(() -> channel.close(), SECONDS, TimeUnit.SECONDS);
  }
}
