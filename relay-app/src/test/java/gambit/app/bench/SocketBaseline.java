package gambit.app.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The cost of writing some bytes to each of many sockets, without a relay. On loopback it includes
 * most of the cost of receiving them.
 */
final class SocketBaseline {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 300;
  private static final int WARM_UP = 100;

  private static final int CLIENTS = 1_000;
  private static final int FRAME = 660; // with an event of 0.6 KB

  private SocketBaseline() {}

  static void print() throws Exception {
    BenchmarkContext.table(
        List.of(
            String.format(
                "| a bare write of %d bytes to each of %,d sockets | µs |", FRAME, CLIENTS),
            String.format("| CPU | %.2f |", write(CLIENTS, FRAME) / 1e3)));
  }

  /** CPU of one write, in nanoseconds; each client has read a write before its next one. */
  private static double write(int clients, int bytes) throws Exception {
    List<SocketChannel> writers = new ArrayList<>();
    try (ServerSocketChannel server = ServerSocketChannel.open();
        Selector selector = Selector.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      for (int i = 0; i < clients; i++) {
        SocketChannel reader = SocketChannel.open(server.getLocalAddress());
        reader.configureBlocking(false).register(selector, SelectionKey.OP_READ);
        SocketChannel writer = server.accept();
        writer.setOption(StandardSocketOptions.TCP_NODELAY, true);
        writers.add(writer);
      }
      Semaphore read = new Semaphore(0);
      Thread reading = new Thread(() -> readAll(selector, read, (long) clients * bytes), "reading");
      reading.start();
      long nanos = 0;
      for (int i = -WARM_UP; i < ROUNDS; i++) {
        long cost = round(writers, bytes);
        nanos += i < 0 ? 0 : cost;
        read.acquire();
      }
      reading.interrupt();
      reading.join();
      return (double) nanos / ROUNDS / clients;
    } finally {
      for (SocketChannel writer : writers) {
        writer.close();
      }
    }
  }

  private static long round(List<SocketChannel> writers, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    long before = THREADS.getCurrentThreadCpuTime();
    for (SocketChannel writer : writers) {
      writer.write(buffer.clear());
    }
    return THREADS.getCurrentThreadCpuTime() - before;
  }

  /** Reads until it is interrupted; releases a permit for each round. */
  private static void readAll(Selector selector, Semaphore rounds, long ofRound) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    long missing = ofRound;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        selector.select();
        for (SelectionKey key : selector.selectedKeys()) {
          missing -= ((SocketChannel) key.channel()).read(buffer.clear());
        }
        selector.selectedKeys().clear();
        if (missing == 0) {
          missing = ofRound;
          rounds.release();
        }
      }
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
