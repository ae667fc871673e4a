package gambit.core.net;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.limit.MemoryBound;
import gambit.core.log.LimitedLog;
import gambit.core.net.EventLoops.FatalErrors;
import gambit.core.net.ServerMetrics.CloseCause;
import gambit.core.rate.ClientAddress;
import gambit.core.session.Outbox;
import gambit.core.session.ReservedFrame;
import gambit.core.wire.Frame;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The outbox of a WebSocket channel: it accepts frames within {@link OutboxBounds}, has the {@link
 * FrameWriter} write them when the socket takes them, and resumes tasks that wait for that.
 *
 * <p>Any thread sends; the channel's event loop drains.
 */
final class WebSocketOutbox implements Outbox {
  private static final LimitedLog LOG = LimitedLog.of(WebSocketOutbox.class);

  /** Bytes written in one turn; then the event loop serves its other channels. */
  private static final int TURN_BYTES = 256 * 1024;

  /** Stored pages wait while more than this is queued for the client. */
  private static final int ROOMY_BYTES = 128 * 1024;

  /** How often it is checked whether pages are kept waiting by clients that read nothing. */
  private static final int STARVATION_CHECK_MILLIS = 200;

  private final Channel channel;
  private final Object owner;
  private final OutboxBounds bounds;
  private final MemoryBound all;
  private final FrameWriter writer;
  private final InstantSource time;
  private final EventLoopDrains drains;
  private final AtomicBoolean isQueued = new AtomicBoolean(); // in drains
  private final TaskQueue onDrained = new TaskQueue();
  private final TaskQueue onRoomy = new TaskQueue();
  private volatile long waitingSince; // when the socket last took some of what waits; 0: none waits
  private boolean hasTaken; // whether the socket took some since the last drain; event loop only
  private boolean draining; // the event loop only
  private boolean awaitsShare; // the event loop only
  private volatile @Nullable CloseCause closeCause;

  /** Tasks in the order of their calls. Thread-safe. An empty one keeps its array and no node. */
  private static final class TaskQueue {
    @GuardedBy("this")
    private final Deque<WaitingTask> tasks = new ArrayDeque<>(1);

    synchronized void add(WaitingTask task) {
      tasks.add(task);
    }

    synchronized int size() {
      return tasks.size();
    }

    synchronized @Nullable WaitingTask poll() {
      return tasks.poll();
    }

    synchronized List<WaitingTask> removeCancelled() {
      List<WaitingTask> cancelled = new ArrayList<>(0);
      tasks.removeIf(task -> task.isCancelled() && cancelled.add(task));
      return cancelled;
    }
  }

  /** The owner is the client's address; null for the operator, whose outboxes have no address. */
  WebSocketOutbox(
      Channel channel,
      @Nullable ClientAddress owner,
      FrameEncoding encoding,
      LongSupplier clientLimit,
      MemoryBound all,
      InstantSource time,
      ServerMetrics metrics) {
    this.channel = channel;
    this.owner = owner == null ? this : owner;
    this.bounds = new OutboxBounds(clientLimit, all);
    this.all = all;
    this.writer = new FrameWriter(channel, encoding, bounds, this::bufferTaken, metrics);
    this.time = time;
    this.drains = EventLoopDrains.of(channel.eventLoop());
    all.add(this);
  }

  FrameWriter writer() {
    return writer;
  }

  @Override
  public boolean isOpen() {
    return closeCause == null;
  }

  ServerMetrics metrics() {
    return writer.metrics();
  }

  @Nullable CloseCause closeCause() {
    return closeCause;
  }

  /** Without a share, a client that holds something may send its page, and so release it. */
  @Override
  public boolean isRoomy() {
    long share = all.share();
    return writer.untakenBytes() <= Math.min(ROOMY_BYTES, share)
        && (share > 0 || bounds.heldBytes() > 0);
  }

  @Override
  public boolean isScarce() {
    return all.share() == 0;
  }

  @Override
  public @Nullable ReservedFrame reserve(Frame frame) {
    ReservedFrame reserved = isOpen() ? bounds.reserve(frame) : null;
    if (reserved == null && isOpen()) {
      disconnect(CloseCause.SLOW);
    } else if (reserved != null && !isOpen()) { // the bound for all has disconnected the client
      unreserve(reserved);
      return null;
    }
    return reserved;
  }

  @Override
  public void sendReserved(ReservedFrame frame) {
    writer.add(frame);
    scheduleDrain();
  }

  @Override
  public void queueReserved(ReservedFrame frame) {
    writer.add(frame);
  }

  @Override
  public void flush() {
    if (!writer.isEmpty()) {
      scheduleDrain();
    }
  }

  @Override
  public void unreserve(ReservedFrame frame) {
    bounds.release(frame);
    forgetIfEmpty();
  }

  /** A closed outbox counts among the holders as long as it holds something. */
  private void forgetIfEmpty() {
    if (!isOpen() && bounds.heldBytes() == 0) {
      all.remove(this);
    }
  }

  @Override
  public void whenDrained(WaitingTask task) {
    await(onDrained, task);
  }

  @Override
  public void whenRoomy(WaitingTask task) {
    if (isOpen() && isRoomy()) {
      task.resume();
    } else {
      await(onRoomy, task);
    }
  }

  /** The event loop resumes the task, and cancelled ones at once. */
  private void await(TaskQueue tasks, WaitingTask task) {
    tasks.add(task);
    scheduleDrain();
  }

  @Override
  public long heldBytes() {
    return bounds.heldBytes();
  }

  @Override
  public long waitedMillis() {
    long since = waitingSince;
    return since == 0 ? 0 : time.millis() - since;
  }

  @Override
  public Object owner() {
    return owner;
  }

  @Override
  public void closeForRestart() {
    WebSocketHandler.closeAfterOutput(channel, WebSocketCloseStatus.SERVICE_RESTART);
  }

  @Override
  public void disconnect() {
    disconnect(CloseCause.CROWDED);
  }

  /** Closes at once: TLS would send the end of its stream, after what the client does not read. */
  private void disconnect(CloseCause cause) {
    stopAccepting(cause);
    ChannelHandlerContext first = channel.pipeline().firstContext();
    if (first == null) {
      channel.close();
    } else {
      first.close();
    }
  }

  private void stopAccepting(CloseCause cause) {
    if (closeCause == null) {
      closeCause = cause;
    }
  }

  private void scheduleDrain() {
    if (!isQueued.get() && isQueued.compareAndSet(false, true)) {
      drains.add(this);
    }
  }

  /** Drains in its turn. On the event loop. */
  void drainQueued() {
    isQueued.set(false);
    resumeCancelled(onDrained);
    resumeCancelled(onRoomy);
    drain();
  }

  /** Writes as much as the socket takes. On the event loop. */
  void drain() {
    if (draining) {
      return; // the socket takes a buffer while the next one is written
    }
    int waiting = onDrained.size(); // whose frames are in the queue that is written now
    write(false);
    if (!isOpen()) {
      clear();
    } else if (writer.isEmpty() && channel.isWritable()) {
      resume(onDrained, waiting);
      resumePages();
    }
    updateWaitingSince();
  }

  /** Writes the rest of a frame that was begun, whether or not the socket takes it. */
  void finishFrame() {
    write(true);
  }

  private void write(boolean onlyToEndOfFrame) {
    draining = true;
    try {
      if (onlyToEndOfFrame) {
        writer.finishFrame();
      } else {
        writeTurn();
      }
    } catch (OutOfMemoryError e) {
      if (!FatalErrors.isOfDirectMemory(e)) {
        throw e;
      }
      LOG.warn("No buffer memory for a client's frames; the client is disconnected");
      disconnect(CloseCause.BUFFERS);
    } finally {
      draining = false;
    }
  }

  private void writeTurn() {
    long turnEnd = writer.writtenBytes() + TURN_BYTES;
    while (writer.writtenBytes() < turnEnd) {
      boolean wrote = false;
      while (isOpen() && channel.isWritable() && writer.writeBuffer()) {
        wrote = true;
      }
      if (!wrote) {
        return;
      }
      channel.flush();
    }
    scheduleDrain();
  }

  private void bufferTaken() {
    forgetIfEmpty();
    hasTaken = true;
    drain();
  }

  private void updateWaitingSince() {
    boolean waits = isOpen() && (writer.hasBuffers() || !writer.isEmpty());
    if (!waits) {
      waitingSince = 0;
    } else if (hasTaken || waitingSince == 0) {
      waitingSince = time.millis();
    }
    hasTaken = false;
  }

  private void resumePages() {
    if (onRoomy.size() == 0 || awaitsShare) {
      return;
    } else if (isRoomy()) {
      resume(onRoomy, Integer.MAX_VALUE);
    } else if (bounds.heldBytes() == 0) {
      awaitsShare = true;
      all.awaitShare(
          owner(),
          () -> channel.eventLoop().execute(this::shareAvailable),
          check ->
              channel.eventLoop().schedule(check, STARVATION_CHECK_MILLIS, TimeUnit.MILLISECONDS));
    }
  }

  private void shareAvailable() {
    awaitsShare = false;
    drain();
  }

  /** Later tasks may wait for frames that other threads have queued meanwhile. */
  private static void resume(TaskQueue tasks, int first) {
    for (int left = first; left > 0; left--) {
      WaitingTask task = tasks.poll();
      if (task == null) {
        return;
      }
      task.resume();
    }
  }

  private static void resumeCancelled(TaskQueue tasks) {
    if (tasks.size() > 0) {
      tasks.removeCancelled().forEach(WaitingTask::resume);
    }
  }

  /** Releases everything: the channel is closed, or is being closed. On the event loop. */
  void close(CloseCause cause) {
    stopAccepting(cause);
    clear();
    updateWaitingSince();
  }

  private void clear() {
    writer.clear();
    forgetIfEmpty();
    resume(onDrained, Integer.MAX_VALUE);
    resume(onRoomy, Integer.MAX_VALUE);
  }
}
