package gambit.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Feature;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that examine everything and find nothing, beside one with results. */
class QueryTurnsTest {
  private static final int EVENTS = 10_000;
  private static final int SCANS = 100;

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
      for (int i = 0; i < SCANS; i++) {
        scanner.send("[\"REQ\",\"" + i + "\",{\"#t\":[\"x\"],\"#r\":[\"y\"]}]");
      }
      assertThat(scanner.next()).contains("EVENT"); // they are under way
      assertThat(reader.queryIds("{\"ids\":[\"" + last.hex() + "\"]}")).containsExactly(last.hex());
      assertThat(scanner.unread()).hasSizeLessThan(2 * SCANS - 1);
      int found = 1;
      for (int ended = 0; ended < SCANS; ) {
        if (scanner.nextJson().get(0).asText().equals("EOSE")) {
          ended++;
        } else {
          found++;
        }
      }
      assertThat(found).isEqualTo(SCANS);
    }
  }

  /** Half of the events have one tag and half the other; only the newest has both. */
  private static EventId fill(EventStore store) throws IOException {
    EventId last = null;
    for (int i = 0; i < EVENTS; i += 1000) {
      try (Transaction transaction = store.begin()) {
        for (int j = i; j < i + 1000; j++) {
          List<List<String>> tags =
              j == EVENTS - 1
                  ? List.of(List.of("t", "x"), List.of("r", "y"))
                  : List.of(j % 2 == 0 ? List.of("t", "x") : List.of("r", "y"));
          Event event = event(j, new Tags(tags));
          transaction.append(event, Transaction.NEVER);
          last = event.id();
        }
        transaction.commit();
      }
    }
    assertThat(last).isNotNull();
    return last;
  }

  private static Event event(int number, Tags tags) {
    return event(number, 1, tags);
  }

  private static Event event(int number, int kind, Tags tags) {
    PubKey author = new PubKey(ByteBuffer.allocate(32).putInt(number % 100).array());
    EventId id = EventEncoder.idOf(author, number, kind, tags, "");
    return EventEncoder.encode(id, author, number, kind, tags, "", new byte[64]);
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
  void longScanLeavesTheQueryLane(String verb) throws IOException {
    Witness witness = new Witness();
    EventStore store = new MemoryEventStore(64 << 20);
    Tags tags = new Tags(List.of(List.of("t", "x")));
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < 3 * QueryTurns.MAX_EXAMINED; i++) {
        boolean isEnd = i == 0 || i == 3 * QueryTurns.MAX_EXAMINED - 1;
        transaction.append(event(i, isEnd ? Witness.KIND : 1, tags), Transaction.NEVER);
      }
      transaction.commit();
    }
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, witness);
        Client client = relay.connect()) {
      client.send("[\"" + verb + "\",\"q\",{\"#t\":[\"x\"],\"kinds\":[" + Witness.KIND + "]}]");
      client.until(verb.equals("REQ") ? "EOSE" : "COUNT");
      assertThat(witness.threads).endsWith("scan");
      assertThat(witness.threads.get(0)).isNotEqualTo("scan");
    }
  }
}
