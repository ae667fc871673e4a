package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.ReadGuard;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may read which events. It is asked for every event before it is sent or given to a
 * feature's query, and for the filters of every query. The kinds of a guard may change at any time.
 * Thread-safe.
 */
public final class ReadGuards {
  private final List<ReadGuard> guards;

  public ReadGuards(List<ReadGuard> guards) {
    this.guards = List.copyOf(guards);
  }

  /** Whether the reader may read the event. */
  public boolean mayRead(Event event, ClientConnection reader) {
    for (ReadGuard guard : guards) {
      if (guard.kinds().contains(event.kind()) && !guard.mayRead(event, reader)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the filter may match events of guarded kinds. */
  boolean mayGuard(Filter filter) {
    Set<Integer> kinds = filter.kinds();
    return guards.stream()
        .map(ReadGuard::kinds)
        .anyMatch(
            guarded ->
                kinds == null ? !guarded.isEmpty() : kinds.stream().anyMatch(guarded::contains));
  }

  /**
   * The reason to refuse a query: its filters can match only events that the reader may not read.
   * From other queries such events are omitted.
   */
  Optional<Reason> objection(List<Filter> filters, ClientConnection reader) {
    Reason objection = null;
    for (Filter filter : filters) {
      if (!filter.isImpossible()) {
        ReadGuard refusing = refusing(filter, reader);
        if (refusing == null) {
          return Optional.empty();
        }
        objection = objection == null ? refusing.refusal(reader) : objection;
      }
    }
    return Optional.ofNullable(objection);
  }

  /** A guard because of which the filter finds nothing; null if it may find something. */
  private @Nullable ReadGuard refusing(Filter filter, ClientConnection reader) {
    List<ReadGuard> closed =
        guards.stream().filter(guard -> !guard.mayFind(filter, reader)).toList();
    Set<Integer> kinds = filter.kinds();
    if (kinds == null) {
      return closed.stream().filter(guard -> guard.kinds().isAll()).findFirst().orElse(null);
    }
    ReadGuard refusing = null;
    for (int kind : kinds) {
      ReadGuard guard =
          closed.stream().filter(it -> it.kinds().contains(kind)).findFirst().orElse(null);
      if (guard == null) {
        return null;
      }
      refusing = refusing == null ? guard : refusing;
    }
    return refusing;
  }
}
