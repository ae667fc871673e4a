package gambit.core.store.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;

/**
 * A program that commits groups until it is killed, and prints the number of each committed group.
 * It begins when it reads the number of boots of the machine.
 */
public final class StoreWriterMain {
  public static final Instant FAR_FUTURE = Instant.MAX.minusSeconds(1);

  /** Number of groups after which space is reclaimed. */
  private static final int GROUPS_PER_RECLAIM = 7;

  private StoreWriterMain() {}

  /** Opens the store in the given directory and writes to it. */
  public static void main(String[] args) throws IOException {
    warmUp();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int boots = Integer.parseInt(in.readLine());
    System.out.println("opening");
    StoreDirectory directory = new StoreDirectory(Path.of(args[0]), boots, null);
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
