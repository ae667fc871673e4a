package gambit.core.net;

import gambit.core.session.Budget;
import gambit.core.session.Outbox;
import gambit.core.session.Outboxes;
import gambit.core.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The outbox of a WebSocket channel. Frames wait as references to shared bytes; only as much as the
 * socket takes is written out, many frames to a buffer and one flush for all of them.
 *
 * <p>Any thread sends; the channel's event loop drains. Bounds: bytes of this client and of all.
 */
final class ChannelOutbox implements Outbox {
  /** A buffer is handed to the channel when it has grown to this size. */
  private static final int CHUNK = 64 * 1024;

  /** Stored pages wait while more bytes than these do. */
  private static final int ROOMY = 128 * 1024;

  private final Channel channel;
  private final Budget own;
  private final Outboxes all;
  private final ConcurrentLinkedQueue<Frame> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong queued = new AtomicLong(); // bytes in the queue, held ones left out
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Deque<Runnable> onDrained = new ArrayDeque<>(); // the event loop only
  private volatile boolean open = true;

  ChannelOutbox(Channel channel, int ownLimit, Outboxes all) {
    this.channel = channel;
    this.own = new Budget(ownLimit);
    this.all = all;
    all.add(this);
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isRoomy() {
    return queued.get() <= ROOMY;
  }

  @Override
  public boolean reserve(Frame frame) {
    if (!open) {
      return false;
    }
    int cost = frame.cost();
    if (!own.reserve(cost)) {
      disconnect();
      return false;
    }
    all.reserve(cost);
    if (!open) { // it was this client for which most waited
      unreserve(frame);
    }
    return open;
  }

  @Override
  public void sendReserved(Frame frame) {
    queued.addAndGet(frame.cost());
    waiting.add(frame);
    schedule();
  }

  @Override
  public void unreserve(Frame frame) {
    own.release(frame.cost());
    all.release(frame.cost());
  }

  @Override
  public void whenDrained(Runnable task) {
    channel
        .eventLoop()
        .execute(
            () -> {
              onDrained.add(task);
              drain();
            });
  }

  @Override
  public long waitingBytes() {
    return own.used();
  }

  @Override
  public void disconnect() {
    open = false;
    channel.close();
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      channel.eventLoop().execute(this::drain);
    }
  }

  /** Writes as much as the socket takes. On the event loop; also when the channel is writable. */
  void drain() {
    scheduled.set(false);
    ByteBuf chunk = null;
    boolean wrote = false;
    while (open && channel.isWritable()) {
      Frame frame = waiting.poll();
      if (frame == null) {
        break;
      }
      if (chunk == null) {
        chunk = channel.alloc().directBuffer(Math.max(frame.length() + 16, 1024));
      }
      TextFrames.write(chunk, frame);
      dequeued(frame);
      wrote = true;
      if (chunk.readableBytes() >= CHUNK) {
        channel.write(chunk, channel.voidPromise());
        chunk = null;
      }
    }
    if (chunk != null) {
      channel.write(chunk, channel.voidPromise());
    }
    if (wrote) {
      channel.flush();
    }
    if (!open) {
      close();
    } else if (waiting.isEmpty() && channel.isWritable()) {
      runDrained();
    }
  }

  private void runDrained() {
    for (Runnable task = onDrained.poll(); task != null; task = onDrained.poll()) {
      task.run();
    }
  }

  /** The channel is gone: gives everything back. On the event loop; may be called again. */
  void close() {
    open = false;
    all.remove(this);
    for (Frame frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      dequeued(frame);
    }
    runDrained();
  }

  private void dequeued(Frame frame) {
    queued.addAndGet(-frame.cost());
    unreserve(frame);
  }
}
