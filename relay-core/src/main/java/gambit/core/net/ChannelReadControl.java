package gambit.core.net;

import gambit.core.session.Connection;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether a channel is read: not while its connection has paused it, and not while messages that
 * were read are deferred. On the channel's event loop.
 */
final class ChannelReadControl implements Connection.ReadControl {
  private final Channel channel;
  private final AtomicBoolean relayEnding;
  private boolean paused;
  private boolean deferring;

  /**
   * Creates the control of a channel that is read.
   *
   * @param relayEnding once it is set, reading is not resumed
   */
  ChannelReadControl(Channel channel, AtomicBoolean relayEnding) {
    this.channel = channel;
    this.relayEnding = relayEnding;
  }

  @Override
  public void pause() {
    paused = true;
    channel.config().setAutoRead(false);
  }

  @Override
  public void resume() {
    paused = false;
    readIfAllowed();
  }

  /** Stops reading while messages are deferred. */
  void beginDeferral() {
    deferring = true;
    channel.config().setAutoRead(false);
  }

  /** All deferred messages are handled. */
  void endDeferral() {
    deferring = false;
    readIfAllowed();
  }

  private void readIfAllowed() {
    if (!paused && !deferring && !relayEnding.get()) {
      channel.config().setAutoRead(true);
    }
  }
}
