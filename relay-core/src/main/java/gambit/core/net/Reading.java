package gambit.core.net;

import gambit.core.session.Connection;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether a channel is read: as long as nobody has a reason against it, or to its end when nothing
 * counts any more. On the channel's event loop.
 */
final class Reading implements Connection.ReadControl {
  private final Channel channel;
  private final AtomicBoolean relayEnding;
  private boolean paused;
  private boolean resting;
  private boolean ending;

  /**
   * Read from the first.
   *
   * @param relayEnding once it is set, who was paused is not read again
   */
  Reading(Channel channel, AtomicBoolean relayEnding) {
    this.channel = channel;
    this.relayEnding = relayEnding;
  }

  @Override
  public void pause() {
    paused = true;
    apply();
  }

  @Override
  public void resume() {
    paused = false;
    apply();
  }

  /** Whether it is the turn of others. */
  void setResting(boolean resting) {
    this.resting = resting;
    apply();
  }

  /** What still comes is to be read and dropped. */
  void end() {
    ending = true;
    apply();
  }

  private void apply() {
    channel.config().setAutoRead(ending || !(paused || resting || relayEnding.get()));
  }
}
