package gambit.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Feature;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.UnsignedEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that examine everything and find nothing, beside one with results. */
class QueryTurnsTest {
  private static final int EVENTS = 10_000;
  private static final int SCANS = 50;

  private final StoreDirectory directory = new StoreDirectory();

  QueryTurnsTest() throws IOException {}

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  @Test
  void shortQueryIsAnsweredDuringManyLongScansAndEachScanCompletes() throws IOException {
    EventStore store = directory.open();
    EventId last = fill(store);
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client scanner = relay.connect();
        Client reader = relay.connect()) {
      await().until(() -> isAnsweredDuringScans(scanner, reader, last));
    }
  }

  /** Whether a short query was answered during the scans; those may be over too soon. */
  private static boolean isAnsweredDuringScans(Client scanner, Client reader, EventId last) {
    for (int i = 0; i < SCANS; i++) {
      scanner.send("[\"REQ\",\"" + i + "\",{\"#t\":[\"x\"],\"#r\":[\"y\"]}]");
    }
    assertThat(scanner.next()).contains("EVENT"); // they are under way
    assertThat(reader.queryIds("{\"ids\":[\"" + last.hex() + "\"]}")).containsExactly(last.hex());
    boolean isDuringScans = scanner.unread().size() < 2 * SCANS - 1;
    int found = 1;
    for (int ended = 0; ended < SCANS; ) {
      if (scanner.nextJson().get(0).asText().equals("EOSE")) {
        ended++;
      } else {
        found++;
      }
    }
    assertThat(found).isEqualTo(SCANS);
    return isDuringScans;
  }

  /** Half of the events have one tag and half the other; only the newest has both. */
  private static EventId fill(EventStore store) {
    List<Event> events =
        UnsignedEvents.store(
            store,
            EVENTS,
            i -> {
              List<List<String>> tags = new ArrayList<>();
              if (i % 2 == 0 || i == EVENTS - 1) {
                tags.add(List.of("t", "x"));
              }
              if (i % 2 == 1) {
                tags.add(List.of("r", "y"));
              }
              return event(i, 1, new Tags(tags));
            });
    return events.get(EVENTS - 1).id();
  }

  private static Event event(int number, int kind, Tags tags) {
    PubKey author = new PubKey(ByteBuffer.allocate(32).putInt(number % 100).array());
    return UnsignedEvents.event(author, number, kind, tags, "");
  }

  /** Notes on which thread it is asked. */
  private static final class Witness implements Feature, ReadGuard {
    private static final int KIND = 7000;
    private final List<String> threads = new CopyOnWriteArrayList<>();

    @Override
    public void install(RelayBuilder relay) {
      relay.guard(this);
    }

    @Override
    public KindSet kinds() {
      return KindSet.of(KIND);
    }

    @Override
    public boolean mayRead(Event event, ClientConnection reader) {
      threads.add(Thread.currentThread().getName());
      return true;
    }

    @Override
    public boolean mayFind(Filter filter, ClientConnection reader) {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"REQ", "COUNT"})
  void longScanLeavesTheQueryLane(String verb) {
    Witness witness = new Witness();
    EventStore store = new MemoryEventStore(64 << 20);
    Tags tags = new Tags(List.of(List.of("t", "x")));
    int last = 3 * QueryTurns.MAX_EXAMINED - 1;
    UnsignedEvents.store(
        store, last + 1, i -> event(i, i == 0 || i == last ? Witness.KIND : 1, tags));
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, witness);
        Client client = relay.connect()) {
      client.send("[\"" + verb + "\",\"q\",{\"#t\":[\"x\"],\"kinds\":[" + Witness.KIND + "]}]");
      client.until(verb.equals("REQ") ? "EOSE" : "COUNT");
      assertThat(witness.threads).endsWith("scan");
      assertThat(witness.threads.get(0)).isNotEqualTo("scan");
    }
  }
}
