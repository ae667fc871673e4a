package gambit.core.net;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  private final Set<Watched> channels = new HashSet<>();
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

  void add(Watched channel) {
    channels.add(channel);
    if (next == null) {
      schedule(channel);
    }
  }

  void remove(Watched channel) {
    channels.remove(channel);
    if (channels.isEmpty()) {
      cancel();
    }
  }

  /** Applies a changed time of silence, which begins anew for all channels. */
  void restart() {
    cancel();
    channels.forEach(Watched::heard);
    channels.stream().findAny().ifPresent(this::schedule);
  }

  private void schedule(Watched any) {
    long millis = (long) any.silentSeconds() * MILLIS / SWEEPS;
    next = loop.schedule(this::sweep, millis, TimeUnit.MILLISECONDS);
  }

  private void sweep() {
    next = null;
    try {
      List.copyOf(channels).forEach(Watched::sweep); // those that are reported may be removed
    } finally {
      cancel(); // a timer for a channel that was added meanwhile
      channels.stream().findAny().ifPresent(this::schedule);
    }
  }

  private void cancel() {
    if (next != null) {
      next.cancel(false);
      next = null;
    }
  }
}
