package gambit.app.server.tls;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A DNS over TCP (RFC 1035) in which every name is 127.0.0.1, but for the forgotten ones. A thread
 * of its own.
 */
final class Names implements AutoCloseable {
  private static final int TYPE_A = 1;

  private final ServerSocket server;
  private final Set<String> forgotten = ConcurrentHashMap.newKeySet();

  Names() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "names");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return server.getLocalPort();
  }

  void forget(String name) {
    forgotten.add(name);
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        DataInputStream in = new DataInputStream(client.getInputStream());
        byte[] question = in.readNBytes(in.readUnsignedShort());
        byte[] answer = answer(question);
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        out.writeShort(answer.length);
        out.write(answer);
        out.flush();
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private byte[] answer(byte[] question) {
    StringBuilder name = new StringBuilder();
    int at = 12;
    while (question[at] != 0) {
      name.append(new String(question, at + 1, question[at], StandardCharsets.US_ASCII))
          .append('.');
      at += 1 + question[at];
    }
    int end = at + 5; // after the type and the class of the question
    boolean hasAddress =
        question[at + 2] == TYPE_A && !forgotten.contains(name.substring(0, name.length() - 1));
    ByteBuffer answer = ByteBuffer.allocate(end + 16);
    answer.put(question, 0, 2).putShort((short) 0x8180).putShort((short) 1);
    answer.putShort((short) (hasAddress ? 1 : 0)).putInt(0).put(question, 12, end - 12);
    if (hasAddress) {
      answer.putShort((short) 0xc00c).putShort((short) TYPE_A).putShort((short) 1).putInt(0);
      answer.putShort((short) 4).put(new byte[] {127, 0, 0, 1});
    }
    return java.util.Arrays.copyOf(answer.array(), answer.position());
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
