package gambit.core.store.disk.query;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.store.disk.index.Index;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The number of entries that queries examine depends on their results, not on the size of the
 * store.
 */
class QueryPlannerTest {
  private static final Tags TAGGED = new Tags(List.of(List.of("t", "x")));
  private static final Set<String> X = Set.of("x");

  private final StoreDirectory directory = new StoreDirectory();
  private final List<Signer> people = new ArrayList<>();
  private DiskEventStore store = directory.open();

  QueryPlannerTest() throws IOException {}

  @BeforeEach
  void fill() throws IOException {
    for (int i = 0; i < 300; i++) {
      people.add(Keys.of("person " + i));
    }
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < 3000; i++) {
        Signer author = people.get(i % 300);
        transaction.append(author.sign(i, 1, TAGGED, "" + i), Transaction.NEVER);
      }
      for (int i = 0; i < 900; i++) {
        transaction.append(people.get(0).sign(i, 7, Tags.NONE, ""), Transaction.NEVER);
      }
      transaction.commit();
    }
  }

  @AfterEach
  void end() throws IOException {
    store.close();
    directory.delete();
  }

  @Test
  void feedOf300AuthorsExaminesItsResultsAndOneEntryPerAuthor() {
    Set<PubKey> authors = new HashSet<>();
    people.forEach(person -> authors.add(person.pubkey()));
    assertThat(examined(new Filter(null, authors, Set.of(1), Map.of(), null, null, null), 100))
        .isLessThan(500);
  }

  @Test
  void rarestConditionIsScanned() {
    Set<PubKey> author = Set.of(people.get(0).pubkey());
    assertThat(examined(new Filter(null, author, null, Map.of('t', X), null, null, null), 5000))
        .isLessThan(3000); // of 3,910: both are scanned until the author's entries end
    assertThat(
            examined(new Filter(null, author, Set.of(1), Map.of('t', X), null, null, null), 5000))
        .isLessThan(300);
    Map<Character, Set<String>> rare = Map.of('t', X, 'e', Set.of("nowhere"));
    assertThat(examined(new Filter(null, null, Set.of(1), rare, null, null, null), 5000))
        .isLessThan(300);
  }

  @Test
  void sinceAndUntilBoundTheScan() {
    Filter window = new Filter(null, null, Set.of(1), Map.of(), 1000L, 1019L, null);
    assertThat(examined(window, 5000)).isLessThan(50);
    Filter none = new Filter(null, null, null, Map.of('t', X), 9_000L, null, null);
    assertThat(examined(none, 5000)).isLessThan(10);
  }

  @Test
  void manyAuthorsAndKindsAreNotScannedPairByPair() {
    Set<PubKey> authors = new HashSet<>();
    Set<Integer> kinds = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      authors.add(Keys.of("nobody " + i).pubkey());
      kinds.add(i);
    }
    assertThat(examined(new Filter(null, authors, kinds, Map.of(), null, null, null), 100))
        .isLessThan(1500);
  }

  @Test
  void longScanEndsPagesEarlyAndFindsEverything() {
    Filter rare = new Filter(null, null, Set.of(1), Map.of(), null, 1L, null);
    assertThat(found(rare)).isEqualTo(2);
    Set<String> values = new HashSet<>();
    for (int i = 0; i < 5000; i++) {
      values.add("nothing " + i);
    }
    values.add("x");
    Filter wide = new Filter(null, null, null, Map.of('t', values), null, null, null);
    Query query = store.query(wide, Long.MAX_VALUE);
    Page first = query.next(100, Integer.MAX_VALUE);
    assertThat(first.found()).isEmpty();
    assertThat(first.isLast()).isFalse();
    assertThat(first.examined()).isLessThan(2000);
    assertThat(found(wide)).isEqualTo(3000);
  }

  @Test
  void waitingQueriesHoldNoReadTransaction() {
    List<Query> waiting = new ArrayList<>();
    for (int i = 0; i < 2 * Index.MAX_READERS; i++) {
      Query query = store.query(new Filter(null, null, null, Map.of(), null, null, null), 1 << 30);
      assertThat(query.next(1, Integer.MAX_VALUE).found()).hasSize(1);
      waiting.add(query);
    }
    for (Query query : waiting) {
      assertThat(query.next(1, Integer.MAX_VALUE).found()).hasSize(1);
    }
  }

  private int found(Filter filter) {
    int found = 0;
    Query query = store.query(filter, Long.MAX_VALUE);
    Page page;
    do {
      page = query.next(100, Integer.MAX_VALUE);
      found += page.found().size();
    } while (!page.isLast());
    return found;
  }

  /** The number of entries examined to find {@code limit} events, or all. */
  private int examined(Filter filter, int limit) {
    int examined = 0;
    int found = 0;
    Query query = store.query(filter, Long.MAX_VALUE);
    Page page;
    do {
      page = query.next(Math.min(100, limit - found), Integer.MAX_VALUE);
      found += page.found().size();
      examined += page.examined();
    } while (!page.isLast() && found < limit);
    return examined;
  }
}
