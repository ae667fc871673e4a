package gambit.core.net;

import gambit.core.limit.MemoryBound;
import gambit.core.model.SharedJson;
import gambit.core.session.ReservedFrame;
import gambit.core.wire.Frame;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bounds on one outbox: on the bytes held for its client, and on those held for all clients.
 * Both count queued frames, the events that they share, and the channel's buffers until the socket
 * has taken them. An event counts once for the client, and once for all clients together. A lowered
 * bound refuses the next frame of a client that holds more. Any thread.
 */
final class OutboxBounds {
  private final LongSupplier clientLimit;
  private final AtomicLong client = new AtomicLong(); // bytes held for the client
  private final MemoryBound all;

  /** The last frame that holds an event; the next frame of the same event holds it with it. */
  private volatile @Nullable ReservedFrame latest;

  OutboxBounds(LongSupplier clientLimit, MemoryBound all) {
    this.clientLimit = clientLimit;
    this.all = all;
  }

  /** Reserves a frame's bytes; null when they exceed the client's bound. */
  @Nullable ReservedFrame reserve(Frame frame) {
    ReservedFrame last = latest;
    ReservedFrame joined = last == null ? null : last.another(frame);
    ReservedFrame reserved = joined == null ? new ReservedFrame(frame) : joined;
    SharedJson event = joined == null ? frame.shared() : null; // not yet held for the client
    int bytes = frame.ownCost() + (event == null ? 0 : event.bytes().length);
    if (client.addAndGet(bytes) > clientLimit.getAsLong()) {
      client.addAndGet(-bytes);
      if (joined != null) {
        client.addAndGet(frame.ownCost() - drop(joined, all));
      }
      return null;
    }
    all.reserve(frame.ownCost());
    if (event != null) {
      event.hold(all);
      latest = reserved;
    }
    return reserved;
  }

  /** Counts in the bound for all clients what several frames have reserved or released. */
  private void count(long bytes) {
    if (bytes > 0) {
      all.reserve(bytes);
    } else {
      all.release(-bytes);
    }
  }

  static final class ByteSum implements SharedJson.ByteCounter {
    private long bytes;

    @Override
    public void reserve(long more) {
      bytes += more;
    }

    @Override
    public void release(long fewer) {
      bytes -= fewer;
    }
  }

  void release(ReservedFrame frame) {
    client.addAndGet(-drop(frame, all));
    all.release(frame.frame().ownCost());
  }

  /**
   * Ends a frame's hold on its event, whose bytes the counter releases if nobody holds it any more.
   * Returns the bytes to be released in the client's bound.
   */
  int drop(ReservedFrame frame, SharedJson.ByteCounter counter) {
    SharedJson event = frame.frame().shared();
    if (!frame.release() || event == null) {
      return frame.frame().ownCost();
    }
    if (frame.isWith(latest)) {
      latest = null;
    }
    event.release(counter);
    return frame.frame().ownCost() + event.bytes().length;
  }

  /**
   * Counts a buffer in place of the frames that were copied into it.
   *
   * @param framesForClient what {@link #drop} has returned for the frames
   * @param framesForAll the frames' own cost, and the events that nobody holds any more, negative
   */
  void exchangeForBuffer(long framesForClient, ByteSum framesForAll, int bufferBytes) {
    client.addAndGet(bufferBytes - framesForClient);
    count(bufferBytes + framesForAll.bytes);
  }

  /** Releases a buffer that the socket has taken, or never will. */
  void releaseBuffer(int bytes) {
    client.addAndGet(-bytes);
    all.release(bytes);
  }

  /** Counts compressed events, which are shared by all clients. */
  SharedJson.ByteCounter forSharedBytes() {
    return all;
  }

  long heldBytes() {
    return client.get();
  }

  /** The bytes of output that can wait that one client may hold now. */
  long share() {
    return all.share();
  }
}
