package gambit.core.net;

import gambit.core.session.Budget;
import gambit.core.session.Outbox;
import gambit.core.session.SharedBound;
import gambit.core.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outbox of a WebSocket channel. Frames wait as references to shared bytes; only as much as the
 * socket takes is written out, many frames to a buffer and one flush for all of them.
 *
 * <p>Any thread sends; the channel's event loop drains. Bounds: bytes of this client and of all,
 * until the socket has taken them.
 */
final class ChannelOutbox implements Outbox {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelOutbox.class);

  /** A buffer is handed to the channel when it has grown to this size. */
  private static final int CHUNK = 32 * 1024;

  /** Stored pages wait while more bytes than these do. */
  private static final int ROOMY = 128 * 1024;

  private final Channel channel;
  private final Frames frames;
  private final Budget own;
  private final SharedBound all;
  private final ConcurrentLinkedQueue<Frame> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong queued = new AtomicLong(); // bytes in the queue, held ones left out
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Deque<Waiting> onDrained = new ArrayDeque<>(); // the event loop only
  private long drained; // the event loop only
  private volatile @Nullable Ending ending;

  /**
   * Nothing waits.
   *
   * @param frames how frames are written
   * @param ownLimit bytes that may wait for this client
   * @param all bounds what waits for all
   */
  ChannelOutbox(Channel channel, Frames frames, int ownLimit, SharedBound all) {
    this.channel = channel;
    this.frames = frames;
    this.own = new Budget(ownLimit);
    this.all = all;
    all.add(this);
  }

  /** How frames are written. */
  Frames frames() {
    return frames;
  }

  @Override
  public boolean isOpen() {
    return ending == null;
  }

  /** Why nothing more is sent; null while it is. */
  @Nullable Ending ending() {
    return ending;
  }

  @Override
  public boolean isRoomy() {
    return queued.get() <= ROOMY;
  }

  @Override
  public boolean reserve(Frame frame) {
    if (!isOpen()) {
      return false;
    }
    int cost = frame.cost();
    if (!own.reserve(cost)) {
      disconnect(Ending.SLOW);
      return false;
    }
    all.reserve(cost);
    boolean taken = isOpen(); // false if it was this client for which most waited
    if (!taken) {
      unreserve(frame);
    }
    return taken;
  }

  @Override
  public void sendReserved(Frame frame) {
    queued.addAndGet(frame.cost());
    waiting.add(frame);
    schedule();
  }

  @Override
  public void unreserve(Frame frame) {
    release(frame.cost());
  }

  private void release(long cost) {
    own.release(cost);
    all.release(cost);
    forgetIfEmpty();
  }

  /** Closed, it is known to the others only for as long as it holds something. */
  private void forgetIfEmpty() {
    if (!isOpen() && own.used() == 0) {
      all.remove(this);
    }
  }

  @Override
  public void whenDrained(Waiting task) {
    channel
        .eventLoop()
        .execute(
            () -> {
              endWhatIsOver();
              onDrained.add(task);
              drain();
            });
  }

  /** Whoever is not needed any more goes on at once, and so comes to give back what it holds. */
  private void endWhatIsOver() {
    for (Waiting task : List.copyOf(onDrained)) {
      if (task.isOver()) {
        onDrained.remove(task);
        task.goOn();
      }
    }
  }

  @Override
  public long heldBytes() {
    return own.used();
  }

  @Override
  public void disconnect() {
    disconnect(Ending.CROWDED);
  }

  private void disconnect(Ending why) {
    end(why);
    channel.close();
  }

  /** Takes nothing more; the first reason counts. */
  private void end(Ending why) {
    if (ending == null) {
      ending = why;
    }
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      channel.eventLoop().execute(this::drain);
    }
  }

  /** Writes as much as the socket takes. On the event loop; also when the channel is writable. */
  void drain() {
    scheduled.set(false);
    try {
      if (writeOut()) {
        channel.flush();
      }
    } catch (OutOfMemoryError e) {
      if (!Errors.isOfDirectMemory(e)) {
        throw e;
      }
      LOG.warn("No buffer for a client's frames; it is disconnected");
      disconnect(Ending.BUFFERS);
    }
    if (!isOpen()) {
      forgetWaiting();
    } else if (waiting.isEmpty() && channel.isWritable()) {
      runDrained();
    }
  }

  /** Writes chunks of frames until the socket takes no more; tells whether there were any. */
  private boolean writeOut() {
    boolean wrote = false;
    while (isOpen() && channel.isWritable() && !waiting.isEmpty()) {
      ByteBuf chunk = channel.alloc().directBuffer((int) Math.min(CHUNK, queued.get() + 1));
      long cost = 0;
      ChannelFuture writing = channel.newSucceededFuture(); // until there is one
      try {
        for (Frame frame = waiting.peek(); frame != null; frame = waiting.peek()) {
          frames.write(chunk, frame);
          waiting.remove();
          queued.addAndGet(-frame.cost());
          cost += frame.cost();
          drained += frame.length();
          if (chunk.readableBytes() >= CHUNK) {
            break;
          }
        }
        writing = channel.write(chunk.retain());
        wrote = true;
      } finally {
        chunk.release();
        long taken = cost;
        writing.addListener(written -> release(taken));
      }
    }
    return wrote;
  }

  /** How many bytes have been written out so far. On the event loop. */
  long drainedBytes() {
    return drained;
  }

  private void runDrained() {
    for (Waiting task = onDrained.poll(); task != null; task = onDrained.poll()) {
      task.goOn();
    }
  }

  /** The channel is gone, or is on its way: gives everything back. On the event loop. */
  void close(Ending why) {
    end(why);
    forgetWaiting();
  }

  private void forgetWaiting() {
    forgetIfEmpty();
    for (Frame frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      queued.addAndGet(-frame.cost());
      release(frame.cost());
    }
    runDrained();
  }
}
