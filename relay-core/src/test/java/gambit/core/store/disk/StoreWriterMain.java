package gambit.core.store.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;

/**
 * A program that commits groups until it is killed, and prints the number of each committed group.
 */
public final class StoreWriterMain {
  public static final Instant FAR_FUTURE = Instant.MAX.minusSeconds(1);

  /** Number of groups after which space is reclaimed. */
  private static final int GROUPS_PER_RECLAIM = 7;

  private StoreWriterMain() {}

  /**
   * Opens the store in that directory, on a machine with that number of boots, and writes to it.
   */
  public static void main(String[] args) throws IOException {
    warmUp();
    System.out.println("opening");
    StoreDirectory directory =
        new StoreDirectory(Path.of(args[0]), Integer.parseInt(args[1]), null);
    if (new Random().nextBoolean()) { // else the index is flushed all the time
      directory.withBytesOfFlush(DiskEventStore.BYTES_OF_FLUSH);
    }
    DiskEventStore store = directory.open();
    long number = NumberedGroups.count(store);
    System.out.println(number);
    while (!System.out.checkError()) { // until nobody reads the output
      number++;
      NumberedGroups.commit(store, number);
      System.out.println(number);
      if (number % GROUPS_PER_RECLAIM == 0) {
        reclaim(store);
      }
    }
  }

  /** Loads the classes, so that a process that is killed early has done some work. */
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
