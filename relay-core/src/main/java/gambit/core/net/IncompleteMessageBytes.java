package gambit.core.net;

import gambit.core.session.SharedBound;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/**
 * What one client has sent of a message that is not whole yet, counted against a bound on what all
 * have. Changed on the channel's event loop only.
 */
final class IncompleteMessageBytes implements SharedBound.Holder {
  private final Channel channel;
  private final SharedBound all;
  private volatile int bytes;
  private volatile boolean open = true;

  IncompleteMessageBytes(Channel channel, SharedBound all) {
    this.channel = channel;
    this.all = all;
    all.add(this);
  }

  /** So much is held now. */
  void hold(int now) {
    int more = now - bytes;
    bytes = now;
    if (more > 0) {
      all.reserve(more);
    } else if (more < 0) {
      all.release(-more);
    }
  }

  /** Nothing is held any more, nor will be. */
  void close() {
    open = false;
    hold(0);
    all.remove(this);
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public long heldBytes() {
    return bytes;
  }

  @Override
  public void disconnect() {
    open = false;
    WebSocketHandler.goodbye(channel, WebSocketCloseStatus.TRY_AGAIN_LATER);
  }
}
