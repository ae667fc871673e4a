package gambit.app.server.search;

import gambit.core.feature.EventSearch;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.lane.Lane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.store.EventStore;
import gambit.core.wire.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/**
 * NIP-50: finds the events of some kinds by their words. An event matches if it contains all words
 * of the search ({@link SearchText}); those that contain them more often, in a shorter text or in
 * the title come first (BM25).
 *
 * <p>Every hit is read from the store, which decides whether the event still exists, matches and
 * may be read; so an index that is behind the store does no harm.
 *
 * <p>Two lanes: {@code search} runs searches, {@code search-index} keeps the index up to date.
 */
public final class TextSearch implements Feature, EventSearch, AutoCloseable {
  static final int MAX_FOUND = 500;

  /** Events found beyond a filter's limit, in place of some that may not be sent. */
  private static final int SPARE = 100;

  private static final int MAX_WAITING = 1_000;

  private static final int MAX_INDEX_TASKS = 10_000;

  private static final Reason NOT_READY =
      Reason.error("the search index is not ready, try again later");
  private static final Reason BEHIND = Reason.error("the search index is behind, try again later");

  /** Bounds of the time until the index has what was acknowledged before, and of a search in it. */
  record TimeLimits(Duration catchUp, Duration search) {
    static final TimeLimits DEFAULT = new TimeLimits(Duration.ofSeconds(5), Duration.ofSeconds(1));
  }

  private final SearchSettings settings;
  private final EventStore store;
  private final Path directory;
  private final TimeLimits timeLimits;
  private final WordAnalyzer analyzer = new WordAnalyzer();
  private @Nullable IndexFollower follower; // from the installation on
  private Metrics.Timer time = nanos -> {};
  private @Nullable Event lastLive; // the live lane only, as is what follows
  private @Nullable EventWords lastWords;

  public TextSearch(SearchSettings settings, EventStore store, Path directory) {
    this(settings, store, directory, TimeLimits.DEFAULT);
  }

  TextSearch(SearchSettings settings, EventStore store, Path directory, TimeLimits timeLimits) {
    this.settings = settings;
    this.store = store;
    this.directory = directory;
    this.timeLimits = timeLimits;
  }

  public SearchSettings settings() {
    return settings;
  }

  @Override
  public void install(RelayBuilder relay) {
    relay.supports(50);
    Lane indexing = relay.lane("search-index", MAX_INDEX_TASKS);
    IndexFollower started =
        new IndexFollower(
            store,
            directory,
            analyzer,
            settings.kinds(),
            timeLimits.catchUp(),
            indexing,
            relay.deadlines());
    follower = started;
    registerMetrics(relay.metrics(), started);
    relay.search(this, relay.lane("search", MAX_WAITING));
    started.start();
  }

  private void registerMetrics(Metrics metrics, IndexFollower index) {
    time =
        metrics.timer("search_seconds", "Time that a search takes, without waiting for its turn");
    metrics.gauge(
        "search_index_events",
        "Events in the search index; 0 while it is being built or has failed",
        () -> Optional.ofNullable(index.index()).map(TextIndex::size).orElse(0));
    metrics.gauge(
        "search_index_behind_bytes",
        "Bytes of the store's log that searches do not see yet",
        index::behindBytes);
  }

  @Override
  public Optional<Reason> objection(String text) {
    return SearchText.read(text, analyzer).wordCount() > SearchText.MAX_WORDS
        ? Optional.of(
            Reason.invalid("a search must have at most " + SearchText.MAX_WORDS + " words"))
        : Optional.empty();
  }

  @Override
  public void whenCurrent(long offset, Runnable then) {
    follower().whenCurrent(offset, then);
  }

  @Override
  public Result find(Filter filter, IntPredicate mayRead, long upTo) {
    TextIndex index = follower().index();
    if (index == null) {
      return new Refused(NOT_READY);
    }
    if (!follower().isCurrent(upTo)) {
      return new Refused(BEHIND); // an event that was acknowledged before might be missing
    }
    SearchText search = SearchText.read(String.valueOf(filter.search()), analyzer);
    Set<Integer> kinds = kinds(filter, mayRead);
    long limit = filter.limit() == null ? MAX_FOUND : Math.min(filter.limit(), MAX_FOUND);
    if (search.phrases().isEmpty()
        || filter.isImpossible()
        || Set.of().equals(kinds)
        || limit == 0) {
      return new Found(new long[0]);
    }
    int max = (int) Math.min(MAX_FOUND, limit + SPARE);
    long begun = System.nanoTime();
    try {
      long deadline = begun + timeLimits.search().toNanos();
      long[] offsets = index.find(search, filter, kinds, max, deadline);
      return offsets == null
          ? new Refused(Reason.error("the search takes too long, add words or conditions"))
          : new Found(Arrays.stream(offsets).filter(offset -> offset <= upTo).toArray());
    } catch (AlreadyClosedException e) {
      return new Refused(NOT_READY); // the index has failed meanwhile
    } catch (IOException e) {
      follower().report(index, e);
      return new Refused(NOT_READY);
    } finally {
      time.recordSince(begun);
    }
  }

  private @Nullable Set<Integer> kinds(Filter filter, IntPredicate mayRead) {
    KindSet indexed = settings.kinds();
    if (filter.kinds() != null) {
      return filter.kinds().stream()
          .filter(kind -> indexed.contains(kind) && mayRead.test(kind))
          .collect(Collectors.toSet());
    }
    return indexed.stream().allMatch(mayRead)
        ? null
        : indexed.stream().filter(mayRead).boxed().collect(Collectors.toSet());
  }

  @Override
  public Predicate<Event> matcher(String text) {
    SearchText search = SearchText.read(text, analyzer);
    return event -> settings.kinds().contains(event.kind()) && words(event).match(search);
  }

  /** The words of a live event, which several subscriptions ask for in succession. */
  private EventWords words(Event event) {
    EventWords words = lastWords;
    if (words == null || !event.equals(lastLive)) {
      words = new EventWords(event, analyzer);
      lastLive = event;
      lastWords = words;
    }
    return words;
  }

  @Override
  public void forget(long offset) {
    follower().forget(offset);
  }

  private IndexFollower follower() {
    return Objects.requireNonNull(follower, "not installed");
  }

  @Override
  public void close() {
    if (follower != null) {
      follower.close();
    }
  }

  /** The words of one event, against which searches are matched without the index. Immutable. */
  static final class EventWords {
    private final List<String> inOrder;
    private final Set<String> all;
    private final boolean isSensitive;

    EventWords(Event event, WordAnalyzer analyzer) {
      this.inOrder = analyzer.words(EventText.of(event).all());
      this.all = new HashSet<>(inOrder);
      this.isSensitive = EventText.isSensitive(event);
    }

    boolean match(SearchText search) {
      return !search.phrases().isEmpty()
          && !(search.excludesSensitive() && isSensitive)
          && search.phrases().stream().allMatch(this::contain);
    }

    private boolean contain(SearchText.Phrase phrase) {
      return all.containsAll(phrase.words())
          && (phrase.words().size() == 1 || phrase.isIn(inOrder));
    }
  }
}
