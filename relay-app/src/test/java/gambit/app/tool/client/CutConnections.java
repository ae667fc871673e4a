package gambit.app.tool.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A TCP proxy before a relay, whose connections a test can cut, silence or falsify. */
public final class CutConnections implements AutoCloseable {
  private final ServerSocket server;
  private final int relayPort;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<Socket> clients = new CopyOnWriteArrayList<>();
  private volatile boolean isSilent;
  private volatile boolean isRefusing;
  private volatile String original = "";
  private volatile String forged = "";

  public CutConnections(int relayPort) throws IOException {
    this.relayPort = relayPort;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::acceptAll);
  }

  public URI uri() {
    return URI.create("ws://127.0.0.1:" + server.getLocalPort());
  }

  /** The way to the relay through this proxy; events name the relay under its own URL. */
  public RelayPlace place() {
    return new RelayPlace(uri(), "ws://127.0.0.1:" + relayPort, null);
  }

  /** From now on, nothing that the relay sends reaches a client. */
  void silence() {
    isSilent = true;
  }

  /** Replaces a text in what the relay sends by another one of the same length. */
  void forge(String text, String replacement) {
    original = text;
    forged = replacement;
  }

  /** Sends a message of at most 125 bytes to the clients, as if the relay had sent it. */
  void insert(String message) throws IOException {
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    byte[] frame = new byte[text.length + 2];
    frame[0] = (byte) 0x81; // a whole text message (RFC 6455, section 5.2)
    frame[1] = (byte) text.length;
    System.arraycopy(text, 0, frame, 2, text.length);
    for (Socket client : clients) {
      if (!client.isClosed()) {
        client.getOutputStream().write(frame);
      }
    }
  }

  /** Ends all connections, and new ones at once, until the next cut. */
  public void refuse() {
    isRefusing = true;
    endAll();
  }

  /** Ends all connections; new ones are made, and not silent. */
  public void cut() {
    endAll();
    isSilent = false;
    isRefusing = false;
  }

  private void endAll() {
    List<Socket> all = List.copyOf(sockets);
    sockets.clear();
    clients.clear();
    all.forEach(CutConnections::close);
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = server.accept();
        if (isRefusing) {
          client.close();
          continue;
        }
        Socket relay = new Socket(InetAddress.getLoopbackAddress(), relayPort);
        sockets.add(client);
        clients.add(client);
        sockets.add(relay);
        start(() -> copy(client, relay, false));
        start(() -> copy(relay, client, true));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void copy(Socket from, Socket to, boolean isOfRelay) {
    byte[] buffer = new byte[64 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        byte[] bytes = java.util.Arrays.copyOf(buffer, length);
        if (isOfRelay && !original.isEmpty()) {
          bytes =
              new String(bytes, StandardCharsets.ISO_8859_1)
                  .replace(original, forged)
                  .getBytes(StandardCharsets.ISO_8859_1);
        }
        if (!isOfRelay || !isSilent) {
          out.write(bytes);
          out.flush();
        }
      }
    } catch (IOException e) {
      // cut
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "cut-connections");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }
}
