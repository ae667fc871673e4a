package gambit.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.feature.WriteOutcome;
import gambit.core.limit.Limits;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.store.EventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.FilterJson;
import gambit.core.testkit.RandomHistory;
import gambit.core.testkit.ReferenceRelay;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories that several clients write at once over sockets, with crashes in between. A
 * reference relay applies the same events in the order in which the relay has released them.
 */
class RandomHistoriesTest {
  private static final int WRITERS = 4;
  private static final int ROUNDS = 8;

  private final ReferenceRelay naive = new ReferenceRelay();

  @ParameterizedTest
  @MethodSource("seeds")
  void relayServesWhatTheReferenceRelayServes(long seed) throws IOException {
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
          relay.time().awaitSweepScheduled();
          compare(relay, history, random);
        }
        directory.deleteIndexCopy(); // the sweep has rewritten segments since
        store = directory.disturbed(directory.open(), random);
      }
    } finally {
      store.close();
      directory.delete();
    }
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, TestEffort.of(3, 5));
  }

  /** Before every relay's clock begins, so that nothing is from the future. */
  private static long start() {
    return new gambit.core.testkit.TestTime().instant().getEpochSecond() - 10;
  }

  private void writeAtOnce(TestRelay relay, RandomHistory history, Random random) {
    try (Client observer = relay.connect()) {
      observer.login(relay.now(), RandomHistory.AUTHORS.toArray(Signer[]::new));
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
        assertThat(naive.write(event, relay.now())).isEqualTo(WriteOutcome.STORED);
      }
    }
  }

  /** Publishes without waiting, then reads the answers; returns the number of events stored. */
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
    for (int people = 0; people <= RandomHistory.AUTHORS.size(); people++) {
      List<Signer> keys = new ArrayList<>(RandomHistory.AUTHORS);
      Collections.shuffle(keys, random);
      try (Client reader = relay.connect()) {
        Set<PubKey> own = new HashSet<>();
        reader.login(relay.now(), keys.subList(0, people).toArray(Signer[]::new));
        keys.subList(0, people).forEach(key -> own.add(key.pubkey()));
        for (int i = 0; i < 15; i++) {
          List<Filter> filters = Stream.generate(history::filter).limit(1 + i % 3).toList();
          compareQuery(reader, filters, 1 + random.nextInt(60), own, relay.now());
          compareCount(reader, filters, own, relay.now());
        }
      }
    }
  }

  private void compareQuery(
      Client reader, List<Filter> filters, int limit, Set<PubKey> keys, long now) {
    reader.send("[\"REQ\",\"q\"," + json(filters, limit) + "]");
    List<String> served = new ArrayList<>();
    JsonNode frame = reader.nextJson();
    while (frame.get(0).asText().equals("EVENT")) {
      served.add(frame.get(2).get("id").asText());
      frame = reader.nextJson();
    }
    List<String> expected =
        filters.stream()
            .flatMap(filter -> visible(filter, keys, now).limit(limit))
            .distinct()
            .sorted(ReferenceRelay.ORDER)
            .map(event -> event.id().hex())
            .toList();
    assertThat(served).as("%s", filters).isEqualTo(expected);
    assertAnswered(frame, "EOSE", filters, keys, expected.size());
  }

  private void compareCount(Client reader, List<Filter> filters, Set<PubKey> keys, long now) {
    reader.send("[\"COUNT\",\"c\"," + json(filters, 3) + "]");
    JsonNode frame = reader.nextJson();
    int expected =
        (int) filters.stream().flatMap(filter -> visible(filter, keys, now)).distinct().count();
    assertAnswered(frame, "COUNT", filters, keys, expected);
    if (frame.get(0).asText().equals("COUNT")) {
      assertThat(frame.get(2).get("count").asInt()).as("%s", filters).isEqualTo(expected);
    }
  }

  /** Asserts that a query is refused exactly if it can only find private messages of others. */
  private static void assertAnswered(
      JsonNode frame, String verb, List<Filter> filters, Set<PubKey> keys, int found) {
    boolean allPrivate = filters.stream().allMatch(it -> isPrivate(it.kinds()));
    if (frame.get(0).asText().equals("CLOSED")) {
      assertThat(frame.get(2).asText())
          .startsWith(keys.isEmpty() ? "auth-required: " : "restricted: ");
      assertThat(allPrivate && found == 0).as("%s", filters).isTrue();
    } else {
      assertThat(frame.get(0).asText()).isEqualTo(verb);
      assertThat(allPrivate && keys.isEmpty()).as("%s", filters).isFalse();
    }
  }

  private static boolean isPrivate(Set<Integer> kinds) {
    return kinds != null && Set.of(4, 1059).containsAll(kinds);
  }

  private Stream<Event> visible(Filter filter, Set<PubKey> keys, long now) {
    return naive.find(filter, now).stream().filter(event -> ReferenceRelay.mayRead(event, keys));
  }

  private static String json(List<Filter> filters, int limit) {
    return filters.stream()
        .map(filter -> FilterJson.of(filter, limit))
        .collect(Collectors.joining(","));
  }
}
