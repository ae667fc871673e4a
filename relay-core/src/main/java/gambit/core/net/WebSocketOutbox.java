package gambit.core.net;

import gambit.core.model.SharedJson;
import gambit.core.session.Budget;
import gambit.core.session.Outbox;
import gambit.core.session.ReservedFrame;
import gambit.core.session.SharedBound;
import gambit.core.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outbox of a WebSocket channel. Frames wait as references to shared bytes; only as much as the
 * socket takes is copied into buffers of the channel, many frames to a buffer, a long one in
 * pieces.
 *
 * <p>Any thread sends; the channel's event loop drains. Bounds: bytes of this client and of all.
 * Counted are the frames, the events that they share, each once, and the buffers until the socket
 * has taken them.
 */
final class WebSocketOutbox implements Outbox {
  private static final Logger LOG = LoggerFactory.getLogger(WebSocketOutbox.class);

  /** The size of a buffer, and of the smallest when there is little room for all clients. */
  private static final int CHUNK = 32 * 1024;

  private static final int SMALL_CHUNK = 4 * 1024;

  /** Bytes that are written before it is the turn of the others of the event loop. */
  private static final int TURN = 256 * 1024;

  /** Stored pages wait while more bytes than these do. */
  private static final int ROOMY = 128 * 1024;

  /** How often it is seen to that pages do not wait for clients that take nothing. */
  private static final int LOOK_MILLIS = 200;

  private final Channel channel;
  private final FrameEncoding frames;
  private final Budget own;
  private final SharedBound all;
  private final InstantSource time;
  private final ConcurrentLinkedQueue<ReservedFrame> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong queued = new AtomicLong(); // bytes to be written, held ones left out
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Deque<Waiting> onDrained = new ArrayDeque<>(0); // the event loop only
  private final Deque<Waiting> onRoomy = new ArrayDeque<>(0); // the event loop only
  private volatile @Nullable ReservedFrame latest; // an event's, while the event is held
  private Runnable betweenFrames = () -> {};
  private @Nullable ByteBuf rest; // of the first frame, once it is begun; the event loop only
  private final AtomicLong writing = new AtomicLong(); // bytes of buffers that the channel has
  private volatile long waitingSince; // something waits, and none of it was taken since; or 0
  private boolean hasTaken; // whether the socket has since the last look; the event loop only
  private boolean draining; // the event loop only
  private boolean awaitsShare; // the event loop only
  private long drained; // the event loop only
  private volatile @Nullable CloseCause ending;

  /**
   * Nothing waits.
   *
   * @param frames how frames are written
   * @param ownLimit bytes that may be held for this client
   * @param all bounds what is held for all
   */
  WebSocketOutbox(
      Channel channel, FrameEncoding frames, int ownLimit, SharedBound all, InstantSource time) {
    this.channel = channel;
    this.frames = frames;
    this.own = new Budget(ownLimit);
    this.all = all;
    this.time = time;
    all.add(this);
  }

  /** How frames are written. */
  FrameEncoding frames() {
    return frames;
  }

  @Override
  public boolean isOpen() {
    return ending == null;
  }

  /** Why nothing more is sent; null while it is. */
  @Nullable CloseCause ending() {
    return ending;
  }

  /** When the bound for all is reached, who holds something of a page yet to come may send it. */
  @Override
  public boolean isRoomy() {
    long share = all.share();
    return queued.get() + writing.get() <= Math.min(ROOMY, share) && (share > 0 || own.used() > 0);
  }

  @Override
  public boolean isScarce() {
    return all.share() == 0;
  }

  @Override
  public @Nullable ReservedFrame reserve(Frame frame) {
    if (!isOpen()) {
      return null;
    }
    ReservedFrame last = latest;
    ReservedFrame another = last == null ? null : last.another(frame);
    ReservedFrame reserved = another == null ? new ReservedFrame(frame) : another;
    SharedJson more = another == null ? frame.shared() : null; // to be held
    if (!own.reserve(frame.ownCost() + (more == null ? 0 : more.bytes().length))) {
      if (another != null) {
        own.release(end(another) - frame.ownCost());
      }
      disconnect(CloseCause.SLOW);
      return null;
    }
    all.reserve(frame.ownCost());
    if (more != null) {
      more.hold(all);
      latest = reserved;
    }
    if (!isOpen()) { // it was this client for which most waited
      unreserve(reserved);
      return null;
    }
    return reserved;
  }

  @Override
  public void sendReserved(ReservedFrame frame) {
    queued.addAndGet(frames.longest(frame.frame()));
    waiting.add(frame);
    schedule();
  }

  @Override
  public void unreserve(ReservedFrame frame) {
    own.release(end(frame));
    all.release(frame.frame().ownCost());
    forgetIfEmpty();
  }

  /** It is not held any more; returns what that gives back of what is held for this client. */
  private int end(ReservedFrame frame) {
    SharedJson shared = frame.frame().shared();
    if (!frame.release() || shared == null) {
      return frame.frame().ownCost();
    }
    if (frame.isWith(latest)) {
      latest = null;
    }
    shared.release(all);
    return frame.frame().ownCost() + shared.bytes().length;
  }

  /** Closed, it is known to the others only for as long as it holds something. */
  private void forgetIfEmpty() {
    if (!isOpen() && own.used() == 0) {
      all.remove(this);
    }
  }

  @Override
  public void whenDrained(Waiting task) {
    await(onDrained, task);
  }

  @Override
  public void whenRoomy(Waiting task) {
    await(onRoomy, task);
  }

  private void await(Deque<Waiting> tasks, Waiting task) {
    channel
        .eventLoop()
        .execute(
            () -> {
              endWhatIsOver();
              tasks.add(task);
              drain();
            });
  }

  /** Whoever is not needed any more goes on at once, and so comes to give back what it holds. */
  private void endWhatIsOver() {
    for (Deque<Waiting> tasks : List.of(onDrained, onRoomy)) {
      for (Waiting task : List.copyOf(tasks)) {
        if (task.isOver()) {
          tasks.remove(task);
          task.goOn();
        }
      }
    }
  }

  @Override
  public long heldBytes() {
    return own.used();
  }

  @Override
  public long waitedMillis() {
    long since = waitingSince;
    return since == 0 ? 0 : time.millis() - since;
  }

  @Override
  public void disconnect() {
    disconnect(CloseCause.CROWDED);
  }

  private void disconnect(CloseCause why) {
    end(why);
    channel.close();
  }

  /** Takes nothing more; the first reason counts. */
  private void end(CloseCause why) {
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
    if (draining) {
      return; // the socket takes something while it is handed more
    }
    scheduled.set(false);
    inDirectMemory(this::writeOut);
    if (!isOpen()) {
      forgetWaiting();
    } else if (waiting.isEmpty() && channel.isWritable()) {
      runAll(onDrained);
      goOnWithPages();
    }
    noteWaiting();
  }

  /** Writes the rest of a frame that was begun, whether or not the socket takes it. */
  void finishFrame() {
    inDirectMemory(
        () -> {
          while (rest != null) {
            writeChunk(CHUNK);
          }
        });
  }

  private void inDirectMemory(Runnable write) {
    draining = true;
    try {
      write.run();
    } catch (OutOfMemoryError e) {
      if (!FatalErrors.isOfDirectMemory(e)) {
        throw e;
      }
      LOG.warn("No buffer for a client's frames; it is disconnected");
      disconnect(CloseCause.BUFFERS);
    } finally {
      draining = false;
    }
  }

  /** Writes until the socket takes no more, or it is the turn of others. */
  private void writeOut() {
    long until = drained + TURN;
    while (drained < until) {
      boolean wrote = false;
      while (isOpen() && channel.isWritable() && !waiting.isEmpty() && chunkSize() > 0) {
        writeChunk(chunkSize());
        wrote = true;
      }
      if (!wrote) {
        return;
      }
      channel.flush();
    }
    schedule();
  }

  /** How much the channel may be given now: a little always, if it has nothing. */
  private int chunkSize() {
    long share = all.share();
    if (writing.get() == 0) {
      return (int) Math.max(SMALL_CHUNK, Math.min(CHUNK, share));
    }
    return writing.get() + CHUNK <= share ? CHUNK : 0;
  }

  /** Writes a buffer of frames, or a piece of a frame. */
  private void writeChunk(int size) {
    int capacity = (int) Math.min(size, queued.get());
    ByteBuf chunk = channel.alloc().directBuffer(capacity);
    long freed = 0;
    long freedForAll = 0;
    boolean endsPieces = false;
    ChannelFuture written = channel.newSucceededFuture(); // until there is one
    try {
      for (ReservedFrame next = waiting.peek(); next != null; next = waiting.peek()) {
        Frame frame = next.frame();
        int longest = frames.longest(frame);
        if (rest == null && longest <= chunk.writableBytes()) {
          frames.write(chunk, frame, all);
        } else if (rest == null && chunk.isReadable()) {
          break;
        } else {
          endsPieces = writePiece(chunk, frame);
          if (!endsPieces) {
            break;
          }
        }
        waiting.remove();
        queued.addAndGet(-longest);
        freed += end(next);
        freedForAll += frame.ownCost();
        if (endsPieces) {
          break;
        }
      }
      drained += chunk.readableBytes();
      written = channel.write(chunk.retain());
    } finally {
      chunk.release();
      writing.addAndGet(capacity);
      own.add(capacity - freed);
      all.reserve(capacity - freedForAll);
      written.addListener(taken -> taken(capacity));
    }
    if (endsPieces) {
      betweenFrames.run();
    }
  }

  /** Writes as much of the first frame as there is room for; tells whether that was the last. */
  private boolean writePiece(ByteBuf chunk, Frame frame) {
    ByteBuf whole = rest == null ? frames.view(frame, all) : rest;
    whole.readBytes(chunk, Math.min(whole.readableBytes(), chunk.writableBytes()));
    boolean isLast = !whole.isReadable();
    rest = isLast ? null : whole;
    if (isLast) {
      whole.release();
    }
    return isLast;
  }

  /** The socket has taken a buffer, or never will. */
  private void taken(int capacity) {
    writing.addAndGet(-capacity);
    own.release(capacity);
    all.release(capacity);
    forgetIfEmpty();
    hasTaken = true;
    drain();
  }

  /** Whether the frames that are written begin and end with what was written so far. */
  boolean isBetweenFrames() {
    return rest == null;
  }

  /** Calls back whenever a frame was written in pieces and has ended. */
  void setBetweenFrames(Runnable betweenFrames) {
    this.betweenFrames = betweenFrames;
  }

  private void noteWaiting() {
    boolean waits = isOpen() && (writing.get() > 0 || !waiting.isEmpty());
    if (!waits) {
      waitingSince = 0;
    } else if (hasTaken || waitingSince == 0) {
      waitingSince = time.millis();
    }
    hasTaken = false;
  }

  /** How many bytes have been written out so far. On the event loop. */
  long drainedBytes() {
    return drained;
  }

  private void goOnWithPages() {
    if (onRoomy.isEmpty() || awaitsShare) {
      return;
    } else if (isRoomy()) {
      runAll(onRoomy);
    } else if (own.used() == 0) {
      awaitsShare = true;
      all.awaitShare(
          () -> channel.eventLoop().execute(this::endAwaitingShare),
          look -> channel.eventLoop().schedule(look, LOOK_MILLIS, TimeUnit.MILLISECONDS));
    }
  }

  private void endAwaitingShare() {
    awaitsShare = false;
    drain();
  }

  private static void runAll(Deque<Waiting> tasks) {
    for (Waiting task = tasks.poll(); task != null; task = tasks.poll()) {
      task.goOn();
    }
  }

  /** The channel is gone, or is on its way: gives everything back. On the event loop. */
  void close(CloseCause why) {
    end(why);
    forgetWaiting();
    noteWaiting();
  }

  private void forgetWaiting() {
    forgetIfEmpty();
    if (rest != null) {
      rest.release();
      rest = null;
    }
    for (ReservedFrame frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      queued.addAndGet(-frames.longest(frame.frame()));
      unreserve(frame);
    }
    runAll(onDrained);
    runAll(onRoomy);
  }
}
