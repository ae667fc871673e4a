package gambit.app.tool.sync;

import gambit.app.tool.client.Backoff;
import gambit.app.tool.client.RecentIds;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.app.tool.peers.PeerSettings;
import gambit.app.tool.peers.SyncFilter;
import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Keeps this relay and one peer synchronized, on a thread of its own, until it is closed: compares
 * them when connected and at every interval, and passes on new events in between. A lost connection
 * is made again after a delay that grows up to ten minutes.
 */
final class Mirror implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(Mirror.class);

  /** The age of events up to which a new subscription asks for them. */
  private static final long LIVE_SECONDS = 60;

  /** What is read again of the time before the checkpoint, page by page. */
  private static final long OVERLAP_SECONDS = 3600;

  private static final Duration CLOSING = Duration.ofSeconds(5);

  /** Events that were passed on, so that they are not passed back. */
  private static final int MAX_PASSED_ON = 10_000;

  private final PeerSettings peer;
  private final Mirrors.Context context;
  private final Duration interval;
  private final SyncRun.RefusedByRelays refused = new SyncRun.RefusedByRelays();
  private final RecentIds passedOn = new RecentIds(MAX_PASSED_ON);
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10));
  private final Thread thread;
  private volatile boolean isClosed;
  private volatile boolean isConnected;
  private volatile long lastCompleteSeconds;
  private boolean isReported;
  private OptionalLong comparedNanos = OptionalLong.empty();

  Mirror(PeerSettings peer, Mirrors.Context context, Duration interval) {
    this.peer = peer;
    this.context = context;
    this.interval = interval;
    this.lastCompleteSeconds = now();
    this.thread = new Thread(this::run, "mirror-" + peer.url().getHost());
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((dead, cause) -> context.onThreadDeath().accept(cause));
    thread.start();
  }

  boolean isConnected() {
    return isConnected;
  }

  /** The time since the last complete comparison, or since the start, in seconds. */
  long lagSeconds() {
    return now() - lastCompleteSeconds;
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }

  private void run() {
    while (!isClosed) {
      Duration delay;
      try (RelayPair pair =
          new RelayPair(
              context.own(), RelayPlace.of(peer.url()), context.key(), context.answerTimeout())) {
        isConnected = true;
        synchronize(pair);
        delay = Duration.ZERO;
      } catch (RelayFailure e) {
        delay = failed(String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        LOG.error("The synchronization with a relay failed; this is a bug", e);
        delay = failed("a fault of this program");
      } finally {
        isConnected = false;
      }
      pause(delay);
    }
  }

  private Duration failed(String reason) {
    OptionalLong since = comparedNanos;
    Duration delay =
        backoff.next(
            Duration.ofNanos(since.isPresent() ? System.nanoTime() - since.getAsLong() : 0));
    comparedNanos = OptionalLong.empty();
    if (!isClosed) {
      context.metrics().failed();
      LOG.warn(
          "The synchronization with {} was interrupted, and resumes in {} s: {}",
          peer.url(),
          delay.toSeconds(),
          reason);
      isReported = false;
    }
    return delay;
  }

  private void pause(Duration delay) {
    try {
      if (!isClosed && !delay.isZero()) {
        Thread.sleep(delay.toMillis());
      }
    } catch (InterruptedException e) {
      // It is closed.
    }
  }

  private void synchronize(RelayPair pair) throws RelayFailure {
    while (!isClosed) {
      SyncRun run = new SyncRun(pair, peer.direction(), peer.rate(), refused, context.metrics());
      Map<RelaySession, String> subscriptions = subscribe(pair, run);
      long start = now();
      long checkpoint = context.checkpoints().of(peer).orElse(OVERLAP_SECONDS);
      run.run(peer.filter(), checkpoint - OVERLAP_SECONDS);
      completed(run, start);
      passOnUntilNext(pair, run);
      subscriptions.forEach(RelaySession::unsubscribe);
    }
  }

  /** Subscribes to new events, before the comparison, so that nothing is missed in between. */
  private Map<RelaySession, String> subscribe(RelayPair pair, SyncRun run) {
    String filter = peer.filter().within(now() - LIVE_SECONDS, SyncFilter.FOREVER).json();
    Map<RelaySession, String> subscriptions = new HashMap<>();
    if (peer.direction().isDown()) {
      subscriptions.put(pair.there, subscribe(pair.there, filter, run.down));
    }
    if (peer.direction().isUp()) {
      subscriptions.put(pair.here, subscribe(pair.here, filter, run.up));
    }
    return subscriptions;
  }

  private String subscribe(RelaySession source, String filter, EventMover mover) {
    return source.subscribe(
        filter,
        message -> {
          if (message.verb().equals("EVENT")) {
            message.event().filter(event -> passedOn.add(event.id())).ifPresent(mover::addLive);
          } else if (message.verb().equals("CLOSED")) {
            LOG.warn(
                "{} ended the subscription to new events until the next comparison: {}",
                source.name(),
                message.text(2));
          }
        });
  }

  /** Passes on new events until the next comparison, which is due at once if any are dropped. */
  private void passOnUntilNext(RelayPair pair, SyncRun run) throws RelayFailure {
    long end = System.nanoTime() + interval.toNanos();
    boolean isComplete = true;
    while (!isClosed && isComplete && System.nanoTime() - end < 0) {
      boolean isReceiving = run.down.advance();
      boolean isSending = run.up.advance();
      pair.step(
          isReceiving || isSending
              ? Duration.ZERO
              : Collections.min(List.of(run.down.untilNext(), run.up.untilNext())));
      isComplete = !run.down.hasMissedLive() && !run.up.hasMissedLive();
      pair.requirePeer();
    }
  }

  /** Sets it to the time up to which nothing is left to be moved. It does not go back. */
  private void setCheckpoint(long start, MoveCounts down, MoveCounts up) {
    if (down.undelivered() + up.undelivered() == 0) {
      long oldestLeft = Math.min(down.oldestLeft(), up.oldestLeft());
      long before = context.checkpoints().of(peer).orElse(0L);
      context.checkpoints().set(peer, Math.max(before, Math.min(start, oldestLeft)));
    }
  }

  private void completed(SyncRun run, long start) {
    lastCompleteSeconds = now();
    MoveCounts down = run.downCounts();
    MoveCounts up = run.upCounts();
    setCheckpoint(start, down, up);
    if (comparedNanos.isEmpty()) {
      comparedNanos = OptionalLong.of(System.nanoTime());
    }
    context.metrics().completed();
    if (!isReported || down.stored() + up.stored() > 0) {
      isReported = true;
      LOG.info(
          "Synchronized with {}{}: {} events received, {} sent, {} refused here, {} there",
          peer.url(),
          run.whyPages().isEmpty() ? "" : " page by page",
          down.stored(),
          up.stored(),
          down.refused(),
          up.refused());
    }
  }

  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
    try {
      thread.join(CLOSING.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
