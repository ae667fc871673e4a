package gambit.core.store.disk;

import gambit.core.store.StoreProgress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/**
 * A program that makes a backup or restores it, and stops in the middle until it is killed: after a
 * number of reports of progress, it prints a line and waits.
 *
 * <p>Arguments: {@code backup} or {@code restore}, from where, to where, the number of reports.
 */
public final class BackupMain {
  private BackupMain() {}

  /** Begins the work, and waits in the middle. */
  public static void main(String[] args) throws IOException {
    Path from = Path.of(args[1]);
    Path to = Path.of(args[2]);
    int[] left = {Integer.parseInt(args[3])};
    StoreProgress progress =
        (done, total) -> {
          if (--left[0] == 0) {
            System.out.println("in the middle");
            awaitKill();
          }
        };
    if (args[0].equals("backup")) {
      byte[] key = "secret".getBytes(StandardCharsets.US_ASCII);
      StoreBackup.run(
          new StoreBackup.Request(from, Map.of("relay.key", key), false, Instant.EPOCH, 0),
          to,
          progress);
    } else {
      StoreRestore.run(from, to, progress);
    }
    System.out.println("complete");
  }

  private static void awaitKill() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
