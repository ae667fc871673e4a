package gambit.core.store.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A process that commits groups until it is killed, and tells of each one when it is committed. It
 * begins when it is told how often the machine was started.
 */
final class StoreWriterMain {
  static final Instant FAR_FUTURE = Instant.MAX.minusSeconds(1);

  /** After so many groups, room is reclaimed. */
  private static final int GROUPS_PER_RECLAIM = 7;

  private StoreWriterMain() {}

  /** Works in the directory that is given. */
  public static void main(String[] args) throws IOException {
    warmUp();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int boots = Integer.parseInt(in.readLine());
    System.out.println("opening");
    DiskEventStore store = new StoreDirectory(Path.of(args[0]), boots, null).open();
    long number = NumberedGroups.count(store);
    System.out.println(number);
    while (!System.out.checkError()) { // or nobody listens any more
      number++;
      NumberedGroups.commit(store, number);
      System.out.println(number);
      if (number % GROUPS_PER_RECLAIM == 0) {
        reclaim(store);
      }
    }
  }

  /** So that a short life is not spent on loading classes. */
  private static void warmUp() throws IOException {
    StoreDirectory other = new StoreDirectory(null);
    DiskEventStore store = other.open();
    NumberedGroups.commit(store, 1);
    store.close();
    other.delete();
  }

  private static void reclaim(DiskEventStore store) {
    Thread thread =
        new Thread(
            () -> {
              synchronized (StoreWriterMain.class) { // one at a time
                StoreDirectory.reclaimAll(store, FAR_FUTURE);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
