package gambit.core.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Many similar clients on one thread. Each connects, sends a text, and reads nothing until
 * requested. Frames read are counted and discarded.
 */
public final class ClientCrowd implements AutoCloseable {
  private static final int SMALL_RECEIVE_BUFFER = 4096;

  private final Selector selector = Selector.open();
  private final List<Member> members = new ArrayList<>();
  private final ByteBuffer buffer;

  /**
   * Connects the clients and sends their texts.
   *
   * @param readBytes maximum number of bytes that a client reads before the next client's turn
   */
  public ClientCrowd(URI url, int size, int readBytes, IntFunction<String> text)
      throws IOException {
    buffer = ByteBuffer.allocate(readBytes);
    for (int i = 0; i < size; i++) {
      members.add(new Member(url, text.apply(i)));
    }
  }

  /** The number of clients. */
  public int size() {
    return members.size();
  }

  /** Sends another text from one of the clients. */
  public void send(int client, String text) throws IOException {
    members.get(client).send(text);
  }

  /**
   * Reads in turns and answers pings, until every client has received that number of frames with
   * that verb, or was closed by the relay.
   *
   * @return the number of clients that were closed before
   */
  public int readUntilEachHas(int frames, String verb) throws IOException {
    for (Member member : members) {
      member.verb = ("[\"" + verb + "\"").getBytes(StandardCharsets.UTF_8);
      member.framesLeft = frames;
      member.socket.register(selector, SelectionKey.OP_READ, member);
    }
    while (members.stream().anyMatch(member -> member.framesLeft > 0 && !member.closed)) {
      if (selector.select(Client.TIMEOUT.toMillis()) == 0) {
        throw new AssertionError("no client received anything");
      }
      for (SelectionKey key : selector.selectedKeys()) {
        ((Member) key.attachment()).read(key);
      }
      selector.selectedKeys().clear();
    }
    return (int) members.stream().filter(member -> member.framesLeft > 0).count();
  }

  @Override
  public void close() throws IOException {
    for (Member member : members) {
      member.socket.close();
    }
    selector.close();
  }

  private final class Member {
    private final SocketChannel socket = SocketChannel.open();
    private byte[] verb = {};
    private int framesLeft;
    private boolean closed;
    private final byte[] head = new byte[10]; // of the frame that is being read
    private int headRead;
    private long payloadLeft;
    private int matched; // number of bytes of the verb; -1 for another verb

    Member(URI url, String text) throws IOException {
      socket.setOption(StandardSocketOptions.SO_RCVBUF, SMALL_RECEIVE_BUFFER);
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
      write(RawSocket.UPGRADE.getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder answer = new StringBuilder();
      ByteBuffer one = ByteBuffer.allocate(1);
      while (answer.indexOf("\r\n\r\n") < 0) {
        if (socket.read(one.clear()) < 0) {
          throw new AssertionError("no upgrade: " + answer);
        }
        answer.append((char) one.get(0));
      }
      send(text);
      socket.configureBlocking(false);
    }

    void send(String text) throws IOException {
      write(
          RawSocket.maskedFrame(
              RawSocket.FINAL | RawSocket.TEXT, text.getBytes(StandardCharsets.UTF_8)));
    }

    private void write(byte[] bytes) throws IOException {
      ByteBuffer out = ByteBuffer.wrap(bytes);
      while (out.hasRemaining()) {
        socket.write(out);
      }
    }

    void read(SelectionKey key) {
      try {
        int read = socket.read(buffer.clear());
        if (read < 0) {
          markClosed(key);
          return;
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
          parse();
        }
      } catch (IOException e) {
        markClosed(key);
      } catch (RuntimeException e) {
        throw new UncheckedIOException(new IOException("the bytes received are not frames", e));
      }
    }

    private void markClosed(SelectionKey key) {
      closed = true;
      key.cancel();
    }

    /** Consumes a byte of a frame's head, or the available part of its payload. */
    private void parse() throws IOException {
      if (payloadLeft == 0) {
        head[headRead++] = buffer.get();
        if (headRead >= 2 && headRead == headLength()) {
          payloadLeft = payloadLength();
          headRead = 0;
          matched = 0;
        }
        return;
      }
      while (buffer.hasRemaining() && payloadLeft > 0 && matched >= 0 && matched < verb.length) {
        matched = buffer.get() == verb[matched] ? matched + 1 : -1;
        payloadLeft--;
      }
      int rest = (int) Math.min(payloadLeft, buffer.remaining());
      buffer.position(buffer.position() + rest);
      payloadLeft -= rest;
      if (payloadLeft == 0 && matched == verb.length) {
        framesLeft--;
      }
    }

    private int headLength() {
      int length = head[1];
      return length == 126 ? 4 : length == 127 ? 10 : 2;
    }

    private long payloadLength() throws IOException {
      if (head[0] == (byte) (RawSocket.FINAL | RawSocket.PING)) {
        write(RawSocket.maskedFrame(RawSocket.FINAL | RawSocket.PONG, new byte[0]));
      } else if (head[0] != (byte) (RawSocket.FINAL | RawSocket.TEXT)) {
        throw new IllegalStateException("not a text: " + head[0]);
      }
      return switch (head[1]) {
        case 126 -> ByteBuffer.wrap(head, 2, 2).getShort() & 0xffff;
        case 127 -> ByteBuffer.wrap(head, 2, 8).getLong();
        default -> head[1];
      };
    }
  }
}
