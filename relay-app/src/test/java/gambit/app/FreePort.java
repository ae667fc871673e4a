package gambit.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a program that must listen on a known one, or on the same one again after a restart.
 * The system gives it to nobody else in between: the ports that it chooses itself, for clients and
 * for servers on port 0, begin at 32,768 (Linux) or 49,152.
 */
public final class FreePort {
  private static final int FIRST = 12_000;
  private static final int LAST = 31_999;

  private FreePort() {}

  /** Any port on which nobody listens. */
  public static int any() throws IOException {
    IOException last = new IOException("no attempt");
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        last = e; // it is taken
      }
    }
    throw last;
  }
}
