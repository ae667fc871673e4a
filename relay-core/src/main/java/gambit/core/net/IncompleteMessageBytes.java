package gambit.core.net;

import gambit.core.limit.MemoryBound;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/**
 * The bytes of one client's incomplete message, counted in the bound for all clients. Changed on
 * the channel's event loop only.
 */
final class IncompleteMessageBytes implements MemoryBound.Holder {
  private final Channel channel;
  private final MemoryBound all;
  private volatile int bytes;
  private volatile boolean open = true;

  IncompleteMessageBytes(Channel channel, MemoryBound all) {
    this.channel = channel;
    this.all = all;
    all.add(this);
  }

  /** Sets the number of bytes held now. */
  void set(int now) {
    int more = now - bytes;
    bytes = now;
    if (more > 0) {
      all.reserve(more);
    } else if (more < 0) {
      all.release(-more);
    }
  }

  /** Releases all bytes for good. */
  void close() {
    open = false;
    set(0);
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
  public Object owner() {
    return Clients.owner(channel, this);
  }

  @Override
  public void disconnect() {
    open = false;
    WebSocketHandler.closeAfterOutput(channel, WebSocketCloseStatus.TRY_AGAIN_LATER);
  }
}
