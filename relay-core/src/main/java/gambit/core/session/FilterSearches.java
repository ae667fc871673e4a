package gambit.core.session;

import gambit.core.feature.EventSearch;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The texts that the filters of one subscription search for (NIP-50), of which one at least has
 * one. Immutable.
 */
record FilterSearches(List<Filter> filters, EventSearch search) {

  /** The searches of the filters; null if none of them searches. */
  static @Nullable FilterSearches of(List<Filter> filters, EventSearch search) {
    return filters.stream().allMatch(filter -> filter.search() == null)
        ? null
        : new FilterSearches(filters, search);
  }

  /** Why one of the texts cannot be searched for, or null. */
  @Nullable Reason objection() {
    for (Filter filter : filters) {
      if (filter.search() != null) {
        Reason objection = search.objection(filter.search()).orElse(null);
        if (objection != null) {
          return objection;
        }
      }
    }
    return null;
  }

  /** Whether an event meets all conditions of a filter, its search included. On the live lane. */
  Predicate<Event> liveCondition() {
    List<LiveFilter> conditions =
        filters.stream()
            .map(
                filter ->
                    new LiveFilter(
                        filter,
                        filter.search() == null ? e -> true : search.matcher(filter.search())))
            .toList();
    return event -> conditions.stream().anyMatch(condition -> condition.matches(event));
  }

  private record LiveFilter(Filter filter, Predicate<Event> search) {
    boolean matches(Event event) {
      return filter.matches(event) && search.test(event);
    }
  }
}
