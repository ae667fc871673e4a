package gambit.core.store.disk;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks a store what clients ask for, and measures that. */
final class QueryLoad {
  private static final int PAGE = 100; // as in CatchUp
  private static final int AHEAD = 32 * 1024;
  private static final int WARM_UP = 150;
  private static final int REPETITIONS = 400;
  private static final int AT_ONCE = 100; // of what is too short for the clock
  private static final int SAMPLE = 20_000;

  private final DiskEventStore store;
  private final SyntheticNotes notes;
  private final Random random = new Random(7);
  private final List<Event> sample;

  /** What is asked, and how many events are wanted. */
  private record Request(Filter filter, int limit) {}

  /**
   * What one kind of request costs.
   *
   * @param nanos CPU, as a median
   * @param found how many events, on average
   */
  record Result(double nanos, double found) {}

  QueryLoad(DiskEventStore store, SyntheticNotes notes) {
    this.store = store;
    this.notes = notes;
    this.sample = sample();
  }

  /** Stored events from stretches all over the time. */
  private List<Event> sample() {
    List<Event> events = new ArrayList<>();
    long first = new SyntheticNotes(0).now();
    for (int i = 0; i < SAMPLE / PAGE; i++) {
      long until = first + (long) (random.nextDouble() * (notes.now() - first));
      Filter filter = new Filter(null, null, null, Map.of(), null, until, null);
      store
          .query(filter, Long.MAX_VALUE)
          .next(PAGE, AHEAD)
          .found()
          .forEach(it -> events.add(it.event()));
    }
    return events;
  }

  Map<String, Result> measure() throws Exception {
    Map<String, Result> results = new LinkedHashMap<>();
    results.put("by id", query(() -> new Request(ids(Set.of(any().id())), 1)));
    results.put("author, limit 20", query(() -> new Request(authors(1, null), 20)));
    results.put("kinds [1], limit 500", query(() -> new Request(kinds(Set.of(1)), 500)));
    results.put("#e, limit 100", query(() -> new Request(tag('e'), 100)));
    results.put("#p, limit 100", query(() -> new Request(tag('p'), 100)));
    results.put("time window, limit 100", query(() -> new Request(window(), 100)));
    results.put("feed of 300 authors, limit 100", query(() -> new Request(feed(), 100)));
    results.put("contains, known", contains(() -> any().id()));
    results.put("contains, unknown", contains(() -> new EventId(randomBytes())));
    return results;
  }

  private Result query(Supplier<Request> requests) throws Exception {
    long[] nanos = new long[REPETITIONS];
    long found = 0;
    for (int i = -WARM_UP; i < REPETITIONS; i++) {
      Request request = requests.get();
      int[] count = new int[1];
      long cost = Cost.ofThread(() -> count[0] = drain(request));
      if (i >= 0) {
        nanos[i] = cost;
        found += count[0];
      }
    }
    return new Result(Cost.median(nanos), (double) found / REPETITIONS);
  }

  private int drain(Request request) {
    Query query = store.query(request.filter(), store.lastOffset());
    List<StoredEvent> found = new ArrayList<>();
    Page page;
    do {
      page = query.next(Math.min(PAGE, request.limit() - found.size()), AHEAD);
      found.addAll(page.found());
    } while (!page.isLast() && found.size() < request.limit());
    return found.size();
  }

  private Result contains(Supplier<EventId> ids) throws Exception {
    long[] nanos = new long[REPETITIONS];
    int known = 0;
    for (int i = -WARM_UP; i < REPETITIONS; i++) {
      List<EventId> asked = Stream.generate(ids).limit(AT_ONCE).toList();
      int[] count = new int[1];
      long cost =
          Cost.ofThread(() -> count[0] = (int) asked.stream().filter(store::contains).count());
      if (i >= 0) {
        nanos[i] = cost / AT_ONCE;
        known += count[0];
      }
    }
    return new Result(Cost.median(nanos), (double) known / AT_ONCE / REPETITIONS);
  }

  private Event any() {
    return sample.get(random.nextInt(sample.size()));
  }

  private byte[] randomBytes() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return bytes;
  }

  private Filter ids(Set<EventId> ids) {
    return new Filter(ids, null, null, Map.of(), null, null, null);
  }

  private Filter kinds(Set<Integer> kinds) {
    return new Filter(null, null, kinds, Map.of(), null, null, null);
  }

  private Filter authors(int count, @Nullable Set<Integer> kinds) {
    Set<PubKey> authors = new HashSet<>();
    while (authors.size() < count) {
      authors.add(notes.author());
    }
    return new Filter(null, authors, kinds, Map.of(), null, null, null);
  }

  private Filter feed() {
    return authors(300, Set.of(1));
  }

  /** A value that a stored event has. */
  private Filter tag(char letter) {
    while (true) {
      var value = any().tags().first(String.valueOf(letter));
      if (value.isPresent()) {
        Map<Character, Set<String>> tags = Map.of(letter, Set.of(value.get()));
        return new Filter(null, null, null, tags, null, null, null);
      }
    }
  }

  /** A day, somewhere. */
  private Filter window() {
    long since = any().createdAt();
    return new Filter(null, null, null, Map.of(), since, since + 86_400, null);
  }
}
