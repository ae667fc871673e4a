package gambit.app.server.nats;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A real NATS server that claims to have another version: its lines about itself are changed on the
 * way to clients. It has threads, which end with their sockets.
 */
final class OlderServer implements AutoCloseable {
  private final URI server;
  private final String version;
  private final ServerSocket listening;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  OlderServer(URI server, String version) throws IOException {
    this.server = server;
    this.version = version;
    this.listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    run(this::accept);
  }

  String url() {
    return "nats://127.0.0.1:" + listening.getLocalPort();
  }

  /** What a thread does until its socket is closed. */
  private interface Task {
    void run() throws IOException;
  }

  private static void run(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // it is closed
              }
            },
            "older-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listening.accept();
      Socket real = new Socket(server.getHost(), server.getPort());
      sockets.addAll(List.of(client, real));
      run(() -> client.getInputStream().transferTo(real.getOutputStream()));
      run(() -> pass(real.getInputStream(), client.getOutputStream()));
    }
  }

  private void pass(InputStream from, OutputStream to) throws IOException {
    BufferedInputStream in = new BufferedInputStream(from);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != -1; next = in.read()) {
      line.write(next);
      if (next == '\n') { // so ends each message of NATS
        to.write(changed(line.toByteArray()));
        line.reset();
      }
    }
  }

  private byte[] changed(byte[] line) {
    String text = new String(line, StandardCharsets.ISO_8859_1);
    return text.startsWith("INFO ")
        ? text.replaceFirst("\"version\":\"[^\"]*\"", "\"version\":\"" + version + "\"")
            .getBytes(StandardCharsets.ISO_8859_1)
        : line;
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket each : sockets) {
      each.close();
    }
  }
}
