package gambit.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a program that must listen on a known one, or on the same one again after a restart.
 * Nobody else takes it in between: systems begin at 32,768 (Linux) or 49,152 to choose ports for
 * clients and for servers on port 0, {@code gambit --port 0} at 16,384, and each process with tests
 * claims a part of the ports below. Thread-safe.
 */
public final class FreePort {
  private static final int FIRST = 10_000;
  private static final int END = 16_384;

  /** More than the builds of a machine have processes at once. */
  private static final int PARTS = 16;

  private static final int PART_SIZE = (END - FIRST) / PARTS;

  /** The locks of this process: one file for each part, until the process ends. */
  private static final List<FileChannel> LOCKS = new ArrayList<>(1);

  private static final int PART = claimPart();

  private static int next = ThreadLocalRandom.current().nextInt(PART_SIZE);

  private FreePort() {}

  /** A part that no other process has; any one if all have an owner. */
  private static int claimPart() {
    int first = ThreadLocalRandom.current().nextInt(PARTS);
    for (int i = 0; i < PARTS; i++) {
      int part = (first + i) % PARTS;
      if (isClaimed(Path.of(System.getProperty("java.io.tmpdir"), "gambit-test-ports-" + part))) {
        return part;
      }
    }
    return first;
  }

  private static boolean isClaimed(Path file) {
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        channel.close();
        return false;
      }
      LOCKS.add(channel);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * A port on which nobody listens; each call returns another one, until the part of this process
   * is used up.
   */
  public static synchronized int any() throws IOException {
    IOException last = new IOException("no attempt");
    for (int attempt = 0; attempt < PART_SIZE; attempt++) {
      int port = FIRST + PART * PART_SIZE + next;
      next = (next + 1) % PART_SIZE;
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        last = e; // it is taken
      }
    }
    throw last;
  }
}
