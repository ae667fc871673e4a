package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.log.RecordFilter;
import gambit.core.store.disk.query.CommittedView;
import gambit.core.store.disk.query.QueryPlanner;
import gambit.core.store.disk.query.StoreView;
import gambit.core.testkit.AllocationLimit;
import gambit.core.testkit.SyntheticNotes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often each kind of query searches the index and how much memory an event takes. */
class QueryCostTest {
  private static final int EVENTS = 4_000;

  /** Of an event's objects, and of the page for each event, besides the encoding. */
  private static final int MAX_BYTES_PER_EVENT = 800;

  private final StoreDirectory directory = new StoreDirectory();
  private final SyntheticNotes notes = SyntheticNotes.unsigned(3);
  private final List<Event> events = new ArrayList<>();
  private DiskEventStore store = directory.open();
  private long seeks;
  private long steps;

  QueryCostTest() throws IOException {}

  @BeforeEach
  void fill() throws IOException {
    events.addAll(notes.next(EVENTS));
    try (Transaction transaction = store.begin()) {
      for (Event event : events) {
        transaction.append(event, Transaction.NEVER);
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
  void idTakesOneSearch() {
    Set<EventId> ids = events.subList(100, 120).stream().map(Event::id).collect(Collectors.toSet());
    assertThat(next(query(new Filter(ids, null, null, Map.of(), null, null, null)), 20))
        .hasSize(20);
    assertThat(seeks).isEqualTo(20);
    assertThat(steps).isZero();
  }

  @Test
  void pageOfOneRangeTakesOneSearchAndAStepPerEvent() {
    for (Filter filter :
        List.of(
            new Filter(null, null, Set.of(1), Map.of(), null, null, null),
            new Filter(null, null, null, Map.of(), null, events.get(3_000).createdAt(), null),
            new Filter(null, Set.of(mostActive()), null, Map.of(), null, null, null))) {
      Query query = query(filter);
      for (int page = 0; page < 3; page++) {
        assertThat(next(query, 50)).hasSize(50);
        assertThat(seeks).isEqualTo(1);
        assertThat(steps).isEqualTo(50);
      }
    }
  }

  @Test
  void feedOfAuthorsWhoWriteMuchSearchesNoRangeOfTheirs() {
    Query query = query(new Filter(null, authors(0, 300), Set.of(1), Map.of(), null, null, null));
    for (int page = 0; page < 3; page++) {
      assertThat(next(query, 100)).hasSize(100);
      assertThat(seeks).isEqualTo(1);
      assertThat(steps).isLessThan(800);
    }
  }

  @Test
  void feedOfOthersTakesASearchPerRangeAndTwoEntriesPerEvent() {
    Set<PubKey> rare = authors(500, 300);
    Query query = query(new Filter(null, rare, Set.of(1, 7), Map.of(), null, null, null));
    int ranges = 2 * rare.size();
    assertThat(next(query, 100)).hasSize(100);
    assertThat(seeks).isBetween((long) ranges, ranges + 100L + QueryPlanner.ENTRIES_ON_TRIAL);
    assertThat(steps).isLessThanOrEqualTo(QueryPlanner.ENTRIES_ON_TRIAL + 100);
    assertThat(next(query, 100)).hasSize(100);
    assertThat(seeks).isLessThanOrEqualTo(200);
  }

  @Test
  void servedEventTakesItsEncodingAndLittleMore() {
    for (Filter filter :
        List.of(
            new Filter(null, null, Set.of(1), Map.of(), null, null, null),
            new Filter(null, Set.of(mostActive()), null, Map.of(), null, null, null),
            new Filter(null, authors(0, 20), Set.of(1), Map.of(), null, null, null),
            new Filter(null, null, null, mostNamed(), null, null, null))) {
      for (int i = 0; i < 300; i++) { // until the methods are compiled
        next(store.query(filter, Long.MAX_VALUE), 100);
      }
      List<StoredEvent> found = next(store.query(filter, Long.MAX_VALUE), 100);
      int json = found.stream().mapToInt(stored -> stored.event().json().length).sum();
      assertThat(found).hasSize(100);
      Query query = store.query(filter, Long.MAX_VALUE);
      AllocationLimit.requireAtMost(json + 100L * MAX_BYTES_PER_EVENT, () -> next(query, 100));
    }
  }

  /** A query that counts the searches and steps of its last page. */
  private Query query(Filter filter) {
    return StoreView.begin(filter, Long.MAX_VALUE, () -> new CountedView(store.committedView()));
  }

  private static List<StoredEvent> next(Query query, int max) {
    List<StoredEvent> found = new ArrayList<>();
    Page page;
    do {
      page = query.next(max - found.size(), Integer.MAX_VALUE);
      found.addAll(page.found());
    } while (found.size() < max && !page.isLast());
    return found;
  }

  private PubKey mostActive() {
    return authors(0, 1).iterator().next();
  }

  /** Authors in the order of their number of events, after the first ones. */
  private Set<PubKey> authors(int from, int count) {
    Map<PubKey, Long> shares =
        events.stream().collect(Collectors.groupingBy(Event::pubkey, Collectors.counting()));
    return shares.entrySet().stream()
        .sorted(
            Map.Entry.<PubKey, Long>comparingByValue()
                .reversed()
                .thenComparing(share -> share.getKey().hex()))
        .skip(from)
        .limit(count)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** A condition on the p tag that most events have. */
  private Map<Character, Set<String>> mostNamed() {
    Map<String, Long> shares =
        events.stream()
            .flatMap(event -> event.tags().first("p").stream())
            .collect(Collectors.groupingBy(hex -> hex, Collectors.counting()));
    return Map.of(
        'p', Set.of(shares.entrySet().stream().max(Map.Entry.comparingByValue()).get().getKey()));
  }

  /** Counts the searches and steps of one page. */
  private final class CountedView extends StoreView {
    private final CommittedView view;
    private final long seeksBefore;
    private final long stepsBefore;

    CountedView(CommittedView view) {
      this.view = view;
      this.seeksBefore = view.index().seeks();
      this.stepsBefore = view.index().steps();
    }

    @Override
    public IndexView index() {
      return view.index();
    }

    @Override
    public StoredEvent event(long offset, RecordFilter filter) {
      return view.event(offset, filter);
    }

    @Override
    public void close() {
      seeks = view.index().seeks() - seeksBefore;
      steps = view.index().steps() - stepsBefore;
      view.close();
    }
  }
}
