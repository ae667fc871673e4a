package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.nip.StandardNips;
import gambit.core.store.EventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.FilterJson;
import gambit.core.testkit.HistoryClients;
import gambit.core.testkit.RandomHistory;
import gambit.core.testkit.ReferenceRelay;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.TestTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories that several clients write at once over sockets, with restarts, rewritten
 * segments and lost indexes in between. A reference relay applies the same events in the order in
 * which the relay has released them, and searches by comparing words.
 */
class SearchHistoriesTest {
  private static final int ROUNDS = 5;

  /** All kinds of a {@link RandomHistory} but profiles, whose content is not their text. */
  private static final SearchSettings SETTINGS =
      new SearchSettings(KindSet.of(1, 4, 7, 1059, 10_002, 30_023));

  private static final List<String> SEARCHES =
      List.of("0", "king", "PAWN king", "takes x", "\"takes pawn\"", "pawn-takes", "Pawn's", "1 0");

  @TempDir Path index;

  private final ReferenceRelay naive = new ReferenceRelay();

  @ParameterizedTest
  @MethodSource("seeds")
  void searchFindsWhatTheReferenceRelayFinds(long seed) throws IOException {
    Random random = new Random(seed);
    StoreDirectory directory = new StoreDirectory();
    EventStore store = directory.open();
    try {
      long start = new TestTime().instant().getEpochSecond() - 10;
      RandomHistory history = new RandomHistory(random, start, 120);
      for (int round = 0; round < ROUNDS; round++) {
        try (TextSearch search = new TextSearch(SETTINGS, store, index, SearchFramesTest.PATIENT);
            TestRelay relay = new TestRelay(new StandardNips(Set.of(), true, 0), store, search)) {
          writeAtOnce(relay, history, random);
          relay.time().advance(Duration.ofMinutes(1));
          relay.time().awaitSweepScheduled();
          naive.sweep(relay.now());
          compare(relay, history, random);
        }
        directory.deleteIndexCopy(); // the sweep has rewritten segments since
        store = directory.disturbed(directory.open(), random);
        if (random.nextInt(4) == 0) {
          deleteIndex();
        }
      }
    } finally {
      store.close();
      directory.delete();
    }
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, TestEffort.of(1, 5));
  }

  private void deleteIndex() throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  private void writeAtOnce(TestRelay relay, RandomHistory history, Random random) {
    try (Client searcher = relay.connect();
        HistoryClients clients = new HistoryClients(relay, history)) {
      searcher.login(relay.now(), RandomHistory.AUTHORS.toArray(Signer[]::new));
      String text = SEARCHES.get(random.nextInt(SEARCHES.size()));
      searcher.send("[\"REQ\",\"s\",{\"search\":" + quoted(text) + "}]");
      clients.awaitStored().forEach(event -> naive.write(event, relay.now()));
      requireStoredAndLive(relay, searcher, text);
    }
  }

  /**
   * A search during the writes receives every event that matches and is still stored, before or
   * after EOSE, and none twice.
   */
  private void requireStoredAndLive(TestRelay relay, Client searcher, String text) {
    List<String> received = readIds(searcher);
    searcher.send("[\"REQ\",\"end\",{\"ids\":[]}]"); // answered after the live events so far
    received.addAll(readIds(searcher));
    assertThat(received).doesNotHaveDuplicates();
    Filter everything = new Filter(null, null, null, Map.of(), null, null, null);
    Set<PubKey> keys = new HashSet<>();
    RandomHistory.AUTHORS.forEach(author -> keys.add(author.pubkey()));
    assertThat(received).containsAll(found(everything, text, keys, relay.now()));
  }

  /** The ids of the events up to the next EOSE. */
  private static List<String> readIds(Client client) {
    List<String> ids = new ArrayList<>();
    JsonNode frame = client.nextJson();
    while (frame.get(0).asText().equals("EVENT")) {
      ids.add(frame.get(2).get("id").asText());
      frame = client.nextJson();
    }
    assertThat(frame.get(0).asText()).isEqualTo("EOSE");
    return ids;
  }

  private void compare(TestRelay relay, RandomHistory history, Random random) {
    HistoryClients.forEachReader(
        relay,
        random,
        (reader, keys) ->
            SEARCHES.forEach(text -> compare(reader, history.filter(), text, keys, relay.now())));
  }

  private void compare(Client reader, Filter filter, String text, Set<PubKey> keys, long now) {
    String json = "{\"search\":" + quoted(text) + "," + FilterJson.of(filter, 500).substring(1);
    reader.send("[\"REQ\",\"q\"," + json + "]");
    List<String> served = new ArrayList<>();
    JsonNode frame = reader.nextJson();
    while (frame.get(0).asText().equals("EVENT")) {
      served.add(frame.get(2).get("id").asText());
      frame = reader.nextJson();
    }
    assertThat(served).as(json).containsExactlyInAnyOrderElementsOf(found(filter, text, keys, now));
    boolean isPrivate = filter.kinds() != null && Set.of(4, 1059).containsAll(filter.kinds());
    assertThat(frame.get(0).asText()).isIn("EOSE", isPrivate ? "CLOSED" : "EOSE");
  }

  private List<String> found(Filter filter, String text, Set<PubKey> keys, long now) {
    return naive.find(filter, now).stream()
        .filter(event -> SETTINGS.kinds().contains(event.kind()))
        .filter(event -> ReferenceRelay.mayRead(event, keys))
        .filter(event -> isMatch(text, event.content()))
        .map(event -> event.id().hex())
        .toList();
  }

  /** Whether the content has each word of the search, or all of them in succession. */
  private static boolean isMatch(String search, String content) {
    List<String> words = words(content);
    return search.matches("\".*\"|\\S*-\\S*")
        ? Collections.indexOfSubList(words, words(search)) >= 0
        : words.containsAll(words(search));
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^a-z0-9']+"))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\"", "\\\"") + "\"";
  }
}
