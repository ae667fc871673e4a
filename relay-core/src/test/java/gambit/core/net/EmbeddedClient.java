package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.UnexpectedLogEvents;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelOutputShutdownException;
import io.netty.channel.socket.DuplexChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A client whose bytes pass through the channels of the port without a socket, on the thread of the
 * test. The server is an echo.
 */
final class EmbeddedClient implements AutoCloseable {
  /** The longest message that is taken. */
  static final int MESSAGE = 300;

  private static final List<Throwable> DEATHS = new ArrayList<>();
  private static final Endpoint ENDPOINT = EchoServer.endpoint(MESSAGE, DEATHS::add);

  private final UnexpectedLogEvents complaints = UnexpectedLogEvents.ofThisThread();
  private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(false);
  private final HalfClosing channel =
      new HalfClosing(new RelayServer.PipelineInitializer(ENDPOINT));
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();

  EmbeddedClient() {
    channel.config().setAllocator(buffers);
  }

  /** A channel whose one direction can be closed, as a socket's. */
  private static final class HalfClosing extends EmbeddedChannel implements DuplexChannel {
    private boolean outputShutdown;

    HalfClosing(ChannelHandler handler) {
      super(handler);
    }

    @Override
    public ChannelFuture shutdownOutput() {
      outputShutdown = true;
      return newSucceededFuture();
    }

    /** Nothing goes out any more. */
    @Override
    protected void doWrite(ChannelOutboundBuffer out) throws Exception {
      if (!outputShutdown) {
        super.doWrite(out);
      }
      while (outputShutdown && out.remove(new ChannelOutputShutdownException("shut down"))) {}
    }

    @Override
    public boolean isOutputShutdown() {
      return outputShutdown;
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isInputShutdown() {
      return false;
    }

    @Override
    public ChannelFuture shutdownInput() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public ChannelFuture shutdown() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
      throw new UnsupportedOperationException();
    }
  }

  /** Sends the bytes; nothing may go wrong in the channel. */
  void send(byte[] bytes, int from, int length) {
    if (!channel.isOpen()) {
      return;
    }
    ByteBuf in = buffers.buffer(Math.max(1, length)).writeBytes(bytes, from, length);
    channel.writeInbound(in);
    receive();
  }

  /** So many seconds pass in which it sends nothing. */
  void beSilent(int seconds) {
    for (int i = 0; i < seconds; i++) {
      WebSocketHandler.passed(channel, 1);
    }
    receive();
  }

  private void receive() {
    channel.runPendingTasks();
    channel.checkException();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      byte[] piece = new byte[out.readableBytes()];
      out.readBytes(piece);
      received.writeBytes(piece);
      out.release();
    }
  }

  /** Sends the bytes in pieces. */
  void send(byte[] bytes, int from, Random lengths) {
    int most = 1 + lengths.nextInt(20);
    for (int at = from; at < bytes.length; ) {
      int length = Math.min(bytes.length - at, 1 + lengths.nextInt(most));
      send(bytes, at, length);
      at += length;
    }
  }

  /** All that came back. */
  byte[] received() {
    return received.toByteArray();
  }

  /** Whether the relay has sent its last bytes. */
  boolean isOver() {
    return channel.isOutputShutdown() || !channel.isOpen();
  }

  /** Disconnects; asserts that nothing is left and nothing was logged. */
  @Override
  public void close() {
    channel.finishAndReleaseAll();
    assertThat(buffers.metric().usedHeapMemory()).as("bytes in buffers").isZero();
    assertThat(buffers.metric().usedDirectMemory()).as("bytes in buffers").isZero();
    assertThat(ENDPOINT.incompleteMessages().used()).as("bytes of unfinished messages").isZero();
    assertThat(ENDPOINT.outboxes().used()).as("bytes in outboxes").isZero();
    assertThat(ENDPOINT.clients().webSockets().size()).isZero();
    assertThat(ENDPOINT.clients().requesting()).isZero();
    assertThat(DEATHS).isEmpty();
    complaints.close();
  }
}
