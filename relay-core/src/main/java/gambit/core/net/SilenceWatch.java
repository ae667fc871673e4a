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
  private static final int SWEEPS = 16;

  private static final int MILLIS = 1000;

  private final EventLoop loop;
  private final List<Watched> channels = new ArrayList<>();
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
    private int index; // in the list of its watch

    abstract int silentSeconds();

    /** Its client has sent nothing for that time, first since it was heard or again. */
    abstract void silent(boolean isFirst);

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

  void add(Watched channel) {
    channel.index = channels.size();
    channels.add(channel);
    if (next == null) {
      schedule();
    }
  }

  /** Removes a channel, whose place the last one takes. */
  void remove(Watched channel) {
    Watched last = channels.remove(channels.size() - 1);
    if (last != channel) {
      channels.set(channel.index, last);
      last.index = channel.index;
    }
    if (channels.isEmpty()) {
      cancel();
    }
  }

  /** Applies a changed time of silence, which begins anew for all channels. */
  void restart() {
    cancel();
    channels.forEach(Watched::heard);
    schedule();
  }

  private void schedule() {
    if (!channels.isEmpty()) {
      long millis = (long) channels.get(0).silentSeconds() * MILLIS / SWEEPS;
      next = loop.schedule(this::sweep, millis, TimeUnit.MILLISECONDS);
    }
  }

  private void sweep() {
    next = null;
    try {
      List.copyOf(channels).forEach(Watched::sweep); // those that are reported may be removed
    } finally {
      cancel(); // a timer for a channel that was added meanwhile
      schedule();
    }
  }

  private void cancel() {
    if (next != null) {
      next.cancel(false);
      next = null;
    }
  }
}
