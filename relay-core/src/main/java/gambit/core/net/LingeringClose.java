package gambit.core.net;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;

/** Closes a connection from the relay's side so that the client receives the last message. */
final class LingeringClose {
  /** The time a client has to close its side. */
  static final int SECONDS = 2;

  private LingeringClose() {}

  /**
   * Ends the encrypted stream, if there is one, and closes when the client does, or after a while.
   * What the client still sends is read and dropped, because unread bytes would cause a reset. On
   * the event loop.
   */
  static void close(Channel channel) {
    channel.config().setAutoRead(true);
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      endOutput(channel);
    } else {
      tls.closeOutbound().addListener(sent -> endOutput(channel));
    }
    channel.eventLoop().schedule(() -> channel.close(), SECONDS, TimeUnit.SECONDS);
  }

  private static void endOutput(Channel channel) {
    if (channel instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
    }
  }
}
