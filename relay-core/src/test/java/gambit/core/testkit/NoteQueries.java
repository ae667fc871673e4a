package gambit.core.testkit;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random queries for a store or a relay that contains {@link SyntheticNotes}. */
public final class NoteQueries {
  private static final int MAX_IDS = 20;
  private static final int FEED_AUTHORS = 300;
  private static final int DRAWS_OF_POPULAR_AUTHORS = 3_000;
  private static final int WINDOW_SECONDS = 86_400;

  private final SyntheticNotes notes;
  private final List<Event> sample;
  private final Random random = new Random(7);

  /**
   * A filter and the number of events to return.
   *
   * @param limit kept apart from the filter, because a store ignores the filter's limit
   */
  public record SampleQuery(Filter filter, int limit) {
    /** The filter as a client sends it. */
    public String json() {
      return FilterJson.of(filter, limit);
    }
  }

  /**
   * Creates queries.
   *
   * @param sample some of the stored notes
   */
  public NoteQueries(SyntheticNotes notes, List<Event> sample) {
    this.notes = notes;
    this.sample = sample;
  }

  /** Suppliers of queries by name; each call returns another random query. */
  public Map<String, Supplier<SampleQuery>> queriesByName() {
    Map<String, Supplier<SampleQuery>> sorts = new LinkedHashMap<>();
    sorts.put("by id", () -> new SampleQuery(ids(1), 1));
    sorts.put("by 1–20 ids", () -> new SampleQuery(ids(1 + random.nextInt(MAX_IDS)), MAX_IDS));
    sorts.put("author, limit 50", () -> new SampleQuery(authors(1, null), 50));
    sorts.put("kinds [1], limit 500", () -> new SampleQuery(kind(1), 500));
    sorts.put("#e, limit 100", () -> new SampleQuery(tag('e'), 100));
    sorts.put("#p, limit 100", () -> new SampleQuery(tag('p'), 100));
    sorts.put("time window, limit 250", () -> new SampleQuery(window(), 250));
    sorts.put(
        "feed of 300 authors, limit 200",
        () -> new SampleQuery(authors(FEED_AUTHORS, Set.of(1)), 200));
    sorts.put(
        "feed of 300 authors who write little, limit 200",
        () -> new SampleQuery(rareAuthors(), 200));
    return sorts;
  }

  private Event any() {
    return sample.get(random.nextInt(sample.size()));
  }

  private Filter ids(int count) {
    Set<EventId> ids = new HashSet<>();
    while (ids.size() < count) {
      ids.add(any().id());
    }
    return new Filter(ids, null, null, Map.of(), null, null, null);
  }

  private static Filter kind(int kind) {
    return new Filter(null, null, Set.of(kind), Map.of(), null, null, null);
  }

  private Filter authors(int count, @Nullable Set<Integer> kinds) {
    Set<PubKey> authors = new HashSet<>();
    while (authors.size() < count) {
      authors.add(notes.author());
    }
    return new Filter(null, authors, kinds, Map.of(), null, null, null);
  }

  /** A filter for notes of authors who have few events, a few percent of all events together. */
  private Filter rareAuthors() {
    Set<PubKey> popular = new HashSet<>();
    for (int i = 0; i < DRAWS_OF_POPULAR_AUTHORS; i++) {
      popular.add(notes.author());
    }
    Set<PubKey> authors = new HashSet<>();
    while (authors.size() < FEED_AUTHORS) {
      PubKey author = notes.author();
      if (!popular.contains(author)) {
        authors.add(author);
      }
    }
    return new Filter(null, authors, Set.of(1), Map.of(), null, null, null);
  }

  /** A filter for a tag value of a stored event. */
  private Filter tag(char letter) {
    while (true) {
      var value = any().tags().first(String.valueOf(letter));
      if (value.isPresent()) {
        Map<Character, Set<String>> tags = Map.of(letter, Set.of(value.get()));
        return new Filter(null, null, null, tags, null, null, null);
      }
    }
  }

  /** A filter for a random day. */
  private Filter window() {
    long since = any().createdAt();
    return new Filter(null, null, null, Map.of(), since, since + WINDOW_SECONDS, null);
  }
}
