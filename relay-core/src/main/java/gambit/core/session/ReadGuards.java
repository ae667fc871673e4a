package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.ReadGuard;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides who may read which events. It is asked for every event before it is sent or given to a
 * feature's query, and for the filters of every query. Immutable.
 */
public final class ReadGuards {
  private final Map<Integer, ReadGuard> byKind = new HashMap<>();

  public ReadGuards(List<ReadGuard> guards) {
    for (ReadGuard guard : guards) {
      for (int kind : guard.kinds()) {
        if (byKind.put(kind, guard) != null) {
          throw new IllegalArgumentException("kind " + kind + " has two guards");
        }
      }
    }
  }

  /** Whether the reader may read the event. */
  boolean mayRead(Event event, ClientConnection reader) {
    ReadGuard guard = byKind.get(event.kind());
    return guard == null || guard.mayRead(event, reader);
  }

  /** Whether the filter may match events of guarded kinds. */
  boolean mayGuard(Filter filter) {
    Set<Integer> kinds = filter.kinds() == null ? byKind.keySet() : filter.kinds();
    return kinds.stream().anyMatch(byKind::containsKey);
  }

  /**
   * The reason to refuse a query: its filters can match only events that the reader may not read.
   * From other queries such events are omitted.
   */
  Optional<Reason> objection(List<Filter> filters, ClientConnection reader) {
    List<Filter> possible = filters.stream().filter(filter -> !filter.isImpossible()).toList();
    if (possible.isEmpty() || possible.stream().anyMatch(filter -> mayFind(filter, reader))) {
      return Optional.empty();
    }
    return Optional.of(
        reader.keys().isEmpty()
            ? Reason.authRequired("private messages are shown to their parties only")
            : Reason.restricted("these private messages are for other parties"));
  }

  private boolean mayFind(Filter filter, ClientConnection reader) {
    Set<Integer> kinds = filter.kinds();
    return kinds == null
        || kinds.stream()
            .anyMatch(
                kind -> !byKind.containsKey(kind) || byKind.get(kind).mayFind(filter, reader));
  }
}
