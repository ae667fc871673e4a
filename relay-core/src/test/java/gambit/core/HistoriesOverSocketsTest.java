package gambit.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.session.Limits;
import gambit.core.store.EventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.FilterJson;
import gambit.core.testkit.NaiveRelay;
import gambit.core.testkit.RandomHistory;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories that several clients write at once over sockets, beside a list that takes the
 * same events in the order in which the relay has let them out; with crashes in between.
 */
class HistoriesOverSocketsTest {
  private static final int WRITERS = 4;
  private static final int ROUNDS = 8;

  private final NaiveRelay naive = new NaiveRelay();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whatIsServedIsWhatTheListShows(long seed) throws IOException {
    Random random = new Random(seed);
    StoreDirectory directory = new StoreDirectory();
    EventStore store = directory.open();
    try {
      long start = start();
      RandomHistory history = new RandomHistory(random, start, 120);
      for (int round = 0; round < ROUNDS; round++) {
        try (TestRelay relay = new TestRelay(Limits.DEFAULT, store)) {
          writeAtOnce(relay, history, random);
          relay.time().advance(Duration.ofMinutes(1));
          relay.time().awaitSweep();
          compare(relay, history, random);
        }
        directory.keepNoIndex(); // the sweep has rewritten segments since
        store = directory.disturbed(directory.open(), random);
      }
    } finally {
      store.close();
      directory.delete();
    }
  }

  /** Before every relay's clock begins, so that nothing is from the future. */
  private static long start() {
    return new gambit.core.testkit.TestTime().instant().getEpochSecond() - 10;
  }

  private void writeAtOnce(TestRelay relay, RandomHistory history, Random random) {
    try (Client observer = relay.connect()) {
      observer.send("[\"REQ\",\"live\",{\"limit\":0}]").until("EOSE");
      List<CompletableFuture<Integer>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        List<Event> events = new ArrayList<>();
        for (int j = 0; j < 15; j++) {
          events.add(history.any());
        }
        writers.add(CompletableFuture.supplyAsync(() -> write(relay, events)));
      }
      int stored = writers.stream().mapToInt(CompletableFuture::join).sum();
      Map<EventId, Event> byId = new HashMap<>();
      history.events().forEach(event -> byId.put(event.id(), event));
      for (int i = 0; i < stored; i++) {
        JsonNode frame = observer.nextJson();
        Event event = byId.get(EventId.ofHex(frame.get(2).get("id").asText()));
        assertThat(naive.take(event)).isEqualTo(WriteOutcome.STORED);
      }
    }
  }

  /** Publishes without waiting, then takes the answers; tells how many were stored just now. */
  private static int write(TestRelay relay, List<Event> events) {
    try (Client writer = relay.connect()) {
      events.forEach(writer::publish);
      int stored = 0;
      for (Event ignored : events) {
        JsonNode ok = writer.nextJson();
        if (ok.get(2).asBoolean() && ok.get(3).asText().isEmpty()) {
          stored++;
        }
      }
      return stored;
    }
  }

  private void compare(TestRelay relay, RandomHistory history, Random random) {
    naive.sweep(relay.now());
    try (Client reader = relay.connect()) {
      for (int i = 0; i < 30; i++) {
        Filter filter = history.filter();
        int limit = 1 + random.nextInt(60);
        reader.send("[\"REQ\",\"q\"," + FilterJson.of(filter, limit) + "]");
        List<String> served =
            reader.until("EOSE").stream()
                .filter(frame -> frame.size() == 3)
                .map(frame -> frame.get(2).get("id").asText())
                .toList();
        assertThat(served)
            .as("%s", filter)
            .isEqualTo(
                naive.find(filter, relay.now()).stream()
                    .limit(limit)
                    .map(event -> event.id().hex())
                    .toList());
      }
    }
  }
}
