package gambit.core.store.disk;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.testkit.NoteQueries;
import gambit.core.testkit.NoteQueries.SampleQuery;
import gambit.core.testkit.SyntheticNotes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Measures the queries of clients on a store. */
final class QueryLoad {
  private static final int PAGE_EVENTS = 100; // as in QueryTurns
  private static final int PAGE_BYTES = 32 * 1024;
  private static final int WARM_UP_REPETITIONS = 150;
  private static final int REPETITIONS = 400;
  private static final int LOOKUPS_PER_MEASUREMENT =
      100; // because a single lookup is too short for the clock
  private static final int SAMPLE_EVENTS = 20_000;

  private final DiskEventStore store;
  private final SyntheticNotes notes;
  private final Random random = new Random(7);
  private final List<Event> sample;

  /**
   * The cost of one kind of query.
   *
   * @param nanos median CPU time
   * @param found average number of events found
   * @param bytes average number of bytes allocated for an event found
   */
  record Result(double nanos, double found, double bytes) {}

  QueryLoad(DiskEventStore store, SyntheticNotes notes) {
    this.store = store;
    this.notes = notes;
    this.sample = sample();
  }

  /** Stored events from random times. */
  private List<Event> sample() {
    List<Event> events = new ArrayList<>();
    long first = SyntheticNotes.unsigned(0).now();
    for (int i = 0; i < SAMPLE_EVENTS / PAGE_EVENTS; i++) {
      long until = first + (long) (random.nextDouble() * (notes.now() - first));
      Filter filter = new Filter(null, null, null, Map.of(), null, until, null);
      store
          .query(filter, Long.MAX_VALUE)
          .next(PAGE_EVENTS, PAGE_BYTES)
          .found()
          .forEach(it -> events.add(it.event()));
    }
    return events;
  }

  Map<String, Result> measure() throws Exception {
    Map<String, Result> results = new LinkedHashMap<>();
    for (Map.Entry<String, Supplier<SampleQuery>> sort :
        new NoteQueries(notes, sample).queriesByName().entrySet()) {
      results.put(sort.getKey(), query(sort.getValue()));
    }
    results.put("contains, known", contains(() -> any().id()));
    results.put("contains, unknown", contains(() -> new EventId(randomBytes())));
    return results;
  }

  private Result query(Supplier<SampleQuery> requests) throws Exception {
    long[] nanos = new long[REPETITIONS];
    long found = 0;
    long bytes = 0;
    for (int i = -WARM_UP_REPETITIONS; i < REPETITIONS; i++) {
      SampleQuery request = requests.get();
      int[] count = new int[1];
      long before = MeasuredCost.allocatedBytes();
      long cost = MeasuredCost.threadCpuNanosOf(() -> count[0] = drain(request));
      if (i >= 0) {
        nanos[i] = cost;
        found += count[0];
        bytes += MeasuredCost.allocatedBytes() - before;
      }
    }
    return new Result(
        MeasuredCost.median(nanos),
        (double) found / REPETITIONS,
        (double) bytes / Math.max(1, found));
  }

  private int drain(SampleQuery request) {
    Query query = store.query(request.filter(), store.lastOffset());
    List<StoredEvent> found = new ArrayList<>();
    Page page;
    do {
      page = query.next(Math.min(PAGE_EVENTS, request.limit() - found.size()), PAGE_BYTES);
      found.addAll(page.found());
    } while (!page.isLast() && found.size() < request.limit());
    return found.size();
  }

  private Result contains(Supplier<EventId> ids) throws Exception {
    long[] nanos = new long[REPETITIONS];
    int known = 0;
    for (int i = -WARM_UP_REPETITIONS; i < REPETITIONS; i++) {
      List<EventId> asked = Stream.generate(ids).limit(LOOKUPS_PER_MEASUREMENT).toList();
      int[] count = new int[1];
      long cost =
          MeasuredCost.threadCpuNanosOf(
              () -> count[0] = (int) asked.stream().filter(store::contains).count());
      if (i >= 0) {
        nanos[i] = cost / LOOKUPS_PER_MEASUREMENT;
        known += count[0];
      }
    }
    return new Result(
        MeasuredCost.median(nanos), (double) known / LOOKUPS_PER_MEASUREMENT / REPETITIONS, 0);
  }

  private Event any() {
    return sample.get(random.nextInt(sample.size()));
  }

  private byte[] randomBytes() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return bytes;
  }
}
