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
  private final List<Watched> channels = new ArrayList<>(); // in no order
  private int sweeps; // so far
  private @Nullable Future<?> next; // while there are channels

  SilenceWatch(EventLoop loop) {
    this.loop = loop;
  }

  /** That of a loop; a loop that is not the relay's has one for each call. */
  static SilenceWatch of(EventLoop loop) {
    return loop instanceof EventLoops.Loop own ? own.silence() : new SilenceWatch(loop);
  }

  /** A channel whose client may become silent. All channels of a loop have the same limit. */
  abstract static class Watched {
    private final SilenceWatch watch;
    private int index; // in channels
    private int heardAt; // the number of sweeps
    private boolean isReported; // since it was heard

    Watched(SilenceWatch watch) {
      this.watch = watch;
    }

    /** The time of silence in force. */
    abstract int silentSeconds();

    /**
     * Its client has sent nothing for that time.
     *
     * @param isFirst whether the client has sent something since the last call
     */
    abstract void silent(boolean isFirst);

    /** Its client has sent something. */
    final void heard() {
      heardAt = watch.sweeps;
      isReported = false;
    }

    final void begin() {
      heard();
      index = watch.channels.size();
      watch.channels.add(this);
      if (index == 0) {
        watch.schedule();
      }
    }

    /** Reports no more; to be called once. */
    final void end() {
      watch.remove(index);
    }
  }

  /** Applies a changed time of silence, which begins anew for all channels. */
  void restart() {
    if (next != null) {
      next.cancel(false);
      channels.forEach(Watched::heard);
      schedule();
    }
  }

  private void schedule() {
    long millis = (long) channels.get(0).silentSeconds() * MILLIS / SWEEPS;
    next = loop.schedule(this::sweep, millis, TimeUnit.MILLISECONDS);
  }

  private void sweep() {
    sweeps++;
    try {
      for (int i = channels.size() - 1; i >= 0; i--) { // the one that is reported may be removed
        Watched channel = channels.get(i);
        if (sweeps - channel.heardAt > SWEEPS) {
          boolean isFirst = !channel.isReported;
          channel.heardAt = sweeps - 1; // this sweep counts
          channel.isReported = true;
          channel.silent(isFirst);
        }
      }
    } finally {
      if (!channels.isEmpty()) {
        schedule();
      }
    }
  }

  private void remove(int index) {
    Watched last = channels.remove(channels.size() - 1);
    if (index < channels.size()) {
      channels.set(index, last);
      last.index = index;
    }
    if (channels.isEmpty() && next != null) {
      next.cancel(false);
      next = null;
    }
  }
}
