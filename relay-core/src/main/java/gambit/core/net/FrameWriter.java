package gambit.core.net;

import gambit.core.session.ReservedFrame;
import gambit.core.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The queued frames of one channel, and how they are written. Frames wait as references to shared
 * bytes; only as much as the socket takes is copied into buffers of the channel, many frames to a
 * buffer, a long frame in pieces.
 *
 * <p>Any thread adds frames; everything else runs on the channel's event loop. Bound: {@link
 * OutboxBounds}.
 */
final class FrameWriter {
  /** The size of a buffer, and the least size when there is little room for all clients. */
  private static final int BUFFER_BYTES = 32 * 1024;

  private static final int MIN_BUFFER_BYTES = 4 * 1024;

  private final Channel channel;
  private final FrameEncoding encoding;
  private final OutboxBounds bounds;
  private final Runnable whenTaken;
  private final ServerMetrics metrics;
  private final Queue<ReservedFrame> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final AtomicLong bufferedBytes = new AtomicLong(); // in buffers that the channel has
  private @Nullable ByteBuf rest; // of the first frame, once a piece of it is written
  private long writtenBytes;
  private Runnable betweenFrames = () -> {};

  /** {@code whenTaken} runs on the event loop when the socket has taken a buffer, or never will. */
  FrameWriter(
      Channel channel,
      FrameEncoding encoding,
      OutboxBounds bounds,
      Runnable whenTaken,
      ServerMetrics metrics) {
    this.channel = channel;
    this.encoding = encoding;
    this.bounds = bounds;
    this.whenTaken = whenTaken;
    this.metrics = metrics;
  }

  ServerMetrics metrics() {
    return metrics;
  }

  FrameEncoding encoding() {
    return encoding;
  }

  void add(ReservedFrame frame) {
    queuedBytes.addAndGet(encoding.maxBytes(frame.frame()));
    queue.add(frame);
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Whether the channel has buffers that the socket has not taken. Any thread. */
  boolean hasBuffers() {
    return bufferedBytes.get() > 0;
  }

  /** The bytes that the socket has not taken. Any thread. */
  long untakenBytes() {
    return queuedBytes.get() + bufferedBytes.get();
  }

  long writtenBytes() {
    return writtenBytes;
  }

  boolean isBetweenFrames() {
    return rest == null;
  }

  void setBetweenFrames(Runnable betweenFrames) {
    this.betweenFrames = betweenFrames;
  }

  /** Writes a buffer of frames, or a piece of a frame; false if the channel may get nothing now. */
  boolean writeBuffer() {
    int size = queue.isEmpty() ? 0 : allowedBytes();
    if (size > 0) {
      writeBuffer(size);
    }
    return size > 0;
  }

  /** The size of the next buffer; never zero for a channel without buffers. */
  private int allowedBytes() {
    long share = bounds.share();
    if (bufferedBytes.get() == 0) {
      return (int) Math.max(MIN_BUFFER_BYTES, Math.min(BUFFER_BYTES, share));
    }
    return bufferedBytes.get() + BUFFER_BYTES <= share ? BUFFER_BYTES : 0;
  }

  /** Writes the rest of a frame that was begun, whether or not the socket takes it. */
  void finishFrame() {
    while (rest != null) {
      writeBuffer(BUFFER_BYTES);
    }
  }

  private void writeBuffer(int size) {
    int capacity = (int) Math.min(size, queuedBytes.get());
    ByteBuf buffer = channel.alloc().directBuffer(capacity);
    long framesForClient = 0;
    OutboxBounds.ByteSum framesForAll = new OutboxBounds.ByteSum();
    long framesQueued = 0;
    int events = 0;
    int answers = 0;
    boolean endsPieces = false;
    ChannelFuture written = channel.newSucceededFuture(); // in case the write fails
    try {
      for (ReservedFrame next = queue.peek(); next != null; next = queue.peek()) {
        Frame frame = next.frame();
        int maxBytes = encoding.maxBytes(frame);
        if (rest == null && maxBytes <= buffer.writableBytes()) {
          encoding.write(buffer, frame, bounds.forSharedBytes());
        } else if (rest == null && buffer.isReadable()) {
          break;
        } else {
          endsPieces = writePiece(buffer, frame);
          if (!endsPieces) {
            break;
          }
        }
        queue.poll();
        framesQueued += maxBytes;
        framesForClient += bounds.drop(next, framesForAll);
        framesForAll.release(frame.ownCost());
        if (frame.shared() == null) {
          answers++;
        } else {
          events++;
        }
        if (endsPieces) {
          break;
        }
      }
      writtenBytes += buffer.readableBytes();
      metrics.sent(buffer.readableBytes(), events, answers);
      written = channel.write(buffer.retain());
    } finally {
      buffer.release();
      bufferedBytes.addAndGet(capacity);
      queuedBytes.addAndGet(-framesQueued);
      bounds.exchangeForBuffer(framesForClient, framesForAll, capacity);
      written.addListener(taken -> taken(capacity));
    }
    if (endsPieces) {
      betweenFrames.run();
    }
  }

  /** Writes as much of the first frame as fits; returns whether that was its last piece. */
  private boolean writePiece(ByteBuf buffer, Frame frame) {
    ByteBuf left = rest == null ? encoding.view(frame, bounds.forSharedBytes()) : rest;
    left.readBytes(buffer, Math.min(left.readableBytes(), buffer.writableBytes()));
    boolean isLast = !left.isReadable();
    rest = isLast ? null : left;
    if (isLast) {
      left.release();
    }
    return isLast;
  }

  private void taken(int capacity) {
    bufferedBytes.addAndGet(-capacity);
    bounds.releaseBuffer(capacity);
    whenTaken.run();
  }

  void clear() {
    if (rest != null) {
      rest.release();
      rest = null;
    }
    for (ReservedFrame frame = queue.poll(); frame != null; frame = queue.poll()) {
      queuedBytes.addAndGet(-encoding.maxBytes(frame.frame()));
      bounds.release(frame);
    }
  }
}
