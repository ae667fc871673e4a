package gambit.core.net;

import gambit.core.session.Connection;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicBoolean;

/** Whether a channel is read: while nobody has a reason against it. On the channel's event loop. */
final class ChannelReadControl implements Connection.ReadControl {
  private final Channel channel;
  private final AtomicBoolean relayEnding;
  private boolean paused;
  private boolean resting;

  /**
   * Read from the first.
   *
   * @param relayEnding once it is set, who was not read is not read again
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
    readOn();
  }

  /** It is the turn of others. */
  void rest() {
    resting = true;
    channel.config().setAutoRead(false);
  }

  /** The turn of others is over. */
  void wake() {
    resting = false;
    readOn();
  }

  private void readOn() {
    if (!paused && !resting && !relayEnding.get()) {
      channel.config().setAutoRead(true);
    }
  }
}
