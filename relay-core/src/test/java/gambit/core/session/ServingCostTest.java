package gambit.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.SyntheticNotes;
import gambit.core.testkit.TestDirectories;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What the answer to a REQ costs from the log on the disk to the buffers of the socket. */
@Isolated // counts what the threads of all relays allocate
class ServingCostTest {
  private static final int EVENTS = 500;
  private static final int ROUNDS = 10;

  /** All objects of an event from the log to its buffer, without the bytes of its encoding. */
  private static final int MAX_ALLOCATED_BEYOND_JSON = 820;

  @TempDir(factory = TestDirectories.class)
  private Path directory;

  @Test
  void servedEventAllocatesLittleBeyondItsEncoding() throws Exception {
    long json = fill();
    try (DiskEventStore store = open();
        TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) { // the first ones load classes and fill pools
        long before = allocated();
        client.send("[\"REQ\",\"a\",{\"limit\":500}]");
        assertThat(client.until("EOSE")).hasSize(EVENTS + 1);
        least = Math.min(least, allocated() - before);
      }
      assertThat((least - json) / EVENTS)
          .as("bytes allocated for each event")
          .isBetween(0L, (long) MAX_ALLOCATED_BEYOND_JSON);
    }
  }

  /** Stores events; returns the length of their encodings. */
  private long fill() throws Exception {
    SyntheticNotes notes = SyntheticNotes.unsigned(1);
    long json = 0;
    try (DiskEventStore store = open();
        Transaction transaction = store.begin()) {
      for (int i = 0; i < EVENTS; i++) {
        Event note = notes.next(1).get(0);
        transaction.append(note, Transaction.NEVER);
        json += note.json().length;
      }
      transaction.commit();
    }
    return json;
  }

  private DiskEventStore open() throws IOException {
    return DiskEventStore.open(directory, InstantSource.system(), 0);
  }

  /** What the threads of REQs have allocated. */
  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] ids =
        LongStream.of(threads.getAllThreadIds())
            .filter(
                id -> {
                  var thread = threads.getThreadInfo(id);
                  String name = thread == null ? "" : thread.getThreadName();
                  return name.equals("query")
                      || name.equals("live")
                      || name.startsWith("event-loop");
                })
            .toArray();
    return LongStream.of(threads.getThreadAllocatedBytes(ids)).sum();
  }
}
