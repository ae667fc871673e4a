package gambit.core.session;

import gambit.core.log.LimitedLog;
import gambit.core.model.Filter;
import gambit.core.rate.ClientAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Logs queries whose working time has reached a threshold, with the shape of their filters and
 * without values that a client has chosen, except times and limits. Any thread.
 */
public final class SlowQueries {
  private static final LimitedLog LOG = LimitedLog.of(SlowQueries.class);
  private static final int MAX_DESCRIBED_FILTERS = 3; // further filters of a query are only counted
  private volatile long thresholdNanos;

  /** Sets the working time from which a query is logged; zero for never, as at first. */
  public void setThreshold(Duration threshold) {
    thresholdNanos = threshold.toNanos();
  }

  /** Logs a query that has ended, if it was slow, under the verb of its message, or "search". */
  void report(
      String verb,
      List<Filter> filters,
      ClientAddress client,
      long workingNanos,
      long begun,
      long examined,
      long events) {
    long threshold = thresholdNanos;
    if (threshold > 0 && workingNanos >= threshold) {
      LOG.warn(
          "Slow query: {} of {} worked for {} ms in {} ms, examined {} entries and found {} events: {}",
          verb,
          client,
          TimeUnit.NANOSECONDS.toMillis(workingNanos),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun),
          examined,
          events,
          describe(filters));
    }
  }

  static String describe(List<Filter> filters) {
    String first =
        filters.stream()
            .limit(MAX_DESCRIBED_FILTERS)
            .map(SlowQueries::describe)
            .collect(Collectors.joining(" "));
    int more = filters.size() - MAX_DESCRIBED_FILTERS;
    return more > 0 ? first + " and " + more + " more filters" : first;
  }

  private static String describe(Filter filter) {
    List<String> conditions = new ArrayList<>();
    addSize(conditions, "ids", filter.ids());
    addSize(conditions, "authors", filter.authors());
    addSize(conditions, "kinds", filter.kinds());
    filter.tags().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(tag -> addSize(conditions, "#" + tag.getKey(), tag.getValue()));
    if (filter.search() != null) {
      conditions.add("search");
    }
    addNumber(conditions, "since", filter.since());
    addNumber(conditions, "until", filter.until());
    addNumber(conditions, "limit", filter.limit());
    return "{" + String.join(", ", conditions) + "}";
  }

  private static void addSize(List<String> to, String name, @Nullable Collection<?> values) {
    if (values != null) {
      to.add(values.size() + " " + name);
    }
  }

  private static void addNumber(List<String> to, String name, @Nullable Long value) {
    if (value != null) {
      to.add(name + " " + value);
    }
  }
}
