package gambit.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.feature.WriteOutcome;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.FilterJson;
import gambit.core.testkit.HistoryClients;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RandomHistory;
import gambit.core.testkit.ReferenceRelay;
import gambit.core.testkit.SyncClient;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
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
  private static final int ROUNDS = 5;
  private static final int SYNCS = 6;
  private static final Set<Integer> NOTES = Set.of(1, 7);
  private static final Signer STRANGER = Keys.of("stranger");

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
        try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store)) {
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
    return LongStream.rangeClosed(1, TestEffort.of(1, 3));
  }

  /** Before every relay's clock begins, so that nothing is from the future. */
  private static long start() {
    return new gambit.core.testkit.TestTime().instant().getEpochSecond() - 10;
  }

  private void writeAtOnce(TestRelay relay, RandomHistory history, Random random) {
    try (HistoryClients clients = new HistoryClients(relay, history)) {
      List<Comparison> comparisons =
          Stream.generate(() -> comparison(history, random)).limit(SYNCS).toList();
      CompletableFuture<List<SyncClient>> syncs =
          CompletableFuture.supplyAsync(() -> syncAll(relay, comparisons));
      List<Event> before = publicNotes(relay);
      for (Event event : clients.awaitStored()) {
        assertThat(naive.write(event, relay.now())).isEqualTo(WriteOutcome.STORED);
      }
      List<Event> stayed = new ArrayList<>(publicNotes(relay));
      stayed.retainAll(before);
      Map<EventId, Event> byId = new HashMap<>();
      history.events().forEach(event -> byId.put(event.id(), event));
      List<SyncClient> synced = syncs.join();
      for (int i = 0; i < SYNCS; i++) {
        assertFound(comparisons.get(i), synced.get(i), stayed, byId);
      }
    }
  }

  /** What a client has, and what of the relay's events it compares with that. */
  private record Comparison(Filter filter, List<Event> own) {}

  /** The client has some of the history's events, and some that nobody else has. */
  private static Comparison comparison(RandomHistory history, Random random) {
    List<Event> own =
        history.events().stream()
            .distinct()
            .filter(event -> random.nextBoolean())
            .collect(Collectors.toCollection(ArrayList::new));
    Event any = history.any();
    for (int i = 0; i < 40; i++) {
      own.add(STRANGER.sign(any.createdAt(), 1, Tags.NONE, "unknown " + i));
    }
    Filter it = history.filter();
    return new Comparison(
        new Filter(it.ids(), it.authors(), NOTES, it.tags(), it.since(), it.until(), null), own);
  }

  /** Syncs while others write. */
  private static List<SyncClient> syncAll(TestRelay relay, List<Comparison> comparisons) {
    try (Client client = relay.connect()) {
      return comparisons.stream()
          .map(it -> SyncClient.compare(client, unlimited(it.filter()), it.own()))
          .toList();
    }
  }

  /**
   * Asserts what a sync must have found, whenever its messages were answered.
   *
   * @param stayed the events that were served before the sync and after it
   * @param byId all events of the history
   */
  private static void assertFound(
      Comparison comparison, SyncClient sync, List<Event> stayed, Map<EventId, Event> byId) {
    Filter filter = comparison.filter();
    List<Event> own = comparison.own();
    List<Event> shared = stayed.stream().filter(filter::matches).toList();
    List<Event> never =
        own.stream().filter(it -> !byId.containsKey(it.id()) || !filter.matches(it)).toList();
    assertThat(sync.error()).as("%s", filter).isEmpty();
    assertThat(sync.onlyThere()).as("%s", filter).containsAll(ids(shared, own));
    assertThat(sync.onlyThere())
        .as("%s", filter)
        .allMatch(id -> byId.containsKey(id) && filter.matches(byId.get(id)));
    assertThat(sync.onlyHere()).as("%s", filter).containsAll(ids(never, List.of()));
    assertThat(ids(own, shared)).as("%s", filter).containsAll(sync.onlyHere());
    assertThat(sync.onlyThere()).as("%s", filter).doesNotContainAnyElementsOf(ids(own, List.of()));
  }

  /** What the reference relay serves of kinds that nobody replaces. */
  private List<Event> publicNotes(TestRelay relay) {
    return naive.find(new Filter(null, null, NOTES, Map.of(), null, null, null), relay.now());
  }

  private void compare(TestRelay relay, RandomHistory history, Random random) {
    naive.sweep(relay.now());
    HistoryClients.forEachReader(
        relay,
        random,
        (reader, keys) -> {
          for (int i = 0; i < 15; i++) {
            List<Filter> filters = Stream.generate(history::filter).limit(1 + i % 3).toList();
            compareQuery(reader, filters, 1 + random.nextInt(60), keys, relay.now());
            compareCount(reader, filters, keys, relay.now());
            compareSync(reader, filters.get(0), history, random, keys, relay.now());
          }
        });
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

  /** The client has some of the events, and some that the relay does not serve. */
  private void compareSync(
      Client reader,
      Filter filter,
      RandomHistory history,
      Random random,
      Set<PubKey> keys,
      long now) {
    List<Event> served = visible(filter, keys, now).toList();
    List<Event> own =
        history.events().stream().distinct().filter(event -> random.nextBoolean()).toList();
    SyncClient sync = SyncClient.compare(reader, unlimited(filter), own);
    if (sync.error().isEmpty()) {
      assertThat(sync.onlyThere()).as("%s", filter).isEqualTo(ids(served, own));
      assertThat(sync.onlyHere()).as("%s", filter).isEqualTo(ids(own, served));
    } else {
      assertThat(sync.error()).startsWith(keys.isEmpty() ? "auth-required: " : "restricted: ");
      assertThat(isPrivate(filter.kinds()) && served.isEmpty()).as("%s", filter).isTrue();
    }
  }

  private static Set<EventId> ids(List<Event> events, List<Event> without) {
    Set<EventId> ids = new TreeSet<>();
    events.forEach(event -> ids.add(event.id()));
    without.forEach(event -> ids.remove(event.id()));
    return ids;
  }

  /**
   * Asserts that a query is refused exactly if it can only find private messages of others. Filters
   * that match nothing do not count.
   */
  private static void assertAnswered(
      JsonNode frame, String verb, List<Filter> filters, Set<PubKey> keys, int found) {
    List<Filter> possible = filters.stream().filter(it -> !it.isImpossible()).toList();
    boolean allPrivate =
        !possible.isEmpty() && possible.stream().allMatch(it -> isPrivate(it.kinds()));
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

  private static String unlimited(Filter filter) {
    return FilterJson.of(filter, Integer.MAX_VALUE);
  }

  private static String json(List<Filter> filters, int limit) {
    return filters.stream()
        .map(filter -> FilterJson.of(filter, limit))
        .collect(Collectors.joining(","));
  }
}
