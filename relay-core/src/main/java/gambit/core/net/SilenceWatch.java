package gambit.core.net;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects the silent clients of one event loop, by a sweep over its channels several times in the
 * time of silence instead of a timer for each channel. A client is reported after that time, at
 * most a sixteenth of it later, and again after the same time. On the event loop.
 */
final class SilenceWatch {
  /** Sweeps in the time of silence. */
  private static final int SWEEPS = 16;

  private static final int MILLIS = 1000;

  private final EventLoop loop;
  private final Watched channels = new Ends(); // a ring with the channels
  private @Nullable Future<?> next; // while there are channels

  SilenceWatch(EventLoop loop) {
    this.loop = loop;
  }

  /** That of a loop; a loop that is not the relay's has one for each call. */
  static SilenceWatch of(EventLoop loop) {
    return loop instanceof EventLoops.Loop own ? own.silence : new SilenceWatch(loop);
  }

  /** A channel whose client may become silent. All channels of a loop have the same limit. */
  abstract static class Watched {
    private int silentSweeps; // since it was heard
    private Watched before = this; // in the ring; itself if it is in none
    private Watched after = this;

    abstract int silentSeconds();

    /** Its client has sent nothing for that time, first since it was heard or again. */
    abstract void silent(boolean isFirst);

    /** Its client has sent something. */
    final void heard() {
      silentSweeps = 0;
    }

    /** The first sweep may follow at once, so that silence is known one sweep later. */
    private void sweep() {
      silentSweeps++;
      if (silentSweeps > 1 && silentSweeps % SWEEPS == 1) {
        silent(silentSweeps == SWEEPS + 1);
      }
    }
  }

  /** Where the ring of the channels begins and ends. */
  private static final class Ends extends Watched {
    @Override
    int silentSeconds() {
      return 0;
    }

    @Override
    void silent(boolean isFirst) {}
  }

  void add(Watched channel) {
    Watched last = channels.before;
    channel.before = last;
    channel.after = channels;
    last.after = channel;
    channels.before = channel;
    if (next == null) {
      schedule(channel);
    }
  }

  void remove(Watched channel) {
    channel.before.after = channel.after;
    channel.after.before = channel.before;
    channel.before = channel;
    channel.after = channel;
    if (channels.after == channels) {
      cancel();
    }
  }

  private List<Watched> channels() {
    List<Watched> all = new ArrayList<>();
    for (Watched each = channels.after; each != channels; each = each.after) {
      all.add(each);
    }
    return all;
  }

  /** Applies a changed time of silence, which begins anew for all channels. */
  void restart() {
    cancel();
    channels().forEach(Watched::heard);
    scheduleNext();
  }

  private void scheduleNext() {
    if (channels.after != channels) {
      schedule(channels.after);
    }
  }

  private void schedule(Watched any) {
    long millis = (long) any.silentSeconds() * MILLIS / SWEEPS;
    next = loop.schedule(this::sweep, millis, TimeUnit.MILLISECONDS);
  }

  private void sweep() {
    next = null;
    try {
      channels().forEach(Watched::sweep); // those that are reported may be removed
    } finally {
      cancel(); // a timer for a channel that was added meanwhile
      scheduleNext();
    }
  }

  private void cancel() {
    if (next != null) {
      next.cancel(false);
      next = null;
    }
  }
}
