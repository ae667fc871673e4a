package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Tally;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * NIP-45: exact counts, with a HyperLogLog for the filters for which its offset is defined without
 * doubt: one filter with one tag condition of one value.
 */
final class EventCounts implements Feature {
  @Override
  public void install(RelayBuilder relay) {
    relay.supports(45);
    relay.counts(EventCounts::tally);
  }

  private static Tally tally(List<Filter> filters) {
    return new Count(filters.size() == 1 ? sketch(filters.get(0)) : null);
  }

  private static @Nullable HyperLogLog sketch(Filter filter) {
    if (filter.tags().size() != 1) {
      return null;
    }
    var values = filter.tags().values().iterator().next();
    return values.size() == 1 ? HyperLogLog.about(values.iterator().next()) : null;
  }

  private static final class Count implements Tally {
    private final @Nullable HyperLogLog sketch;
    private long events;

    Count(@Nullable HyperLogLog sketch) {
      this.sketch = sketch;
    }

    @Override
    public void add(Event event) {
      events++;
      if (sketch != null) {
        sketch.add(event.pubkey());
      }
    }

    @Override
    public long count() {
      return events;
    }

    @Override
    public Optional<String> sketch() {
      return Optional.ofNullable(sketch).map(HyperLogLog::hex);
    }
  }
}
