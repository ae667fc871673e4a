package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.ReadGuard;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may read which events. It is asked for every event before it is sent or given to a
 * feature's query, and for the filters of every query. The kinds of a guard may change at any time.
 * Thread-safe.
 */
public record ReadGuards(List<ReadGuard> guards) {
  public ReadGuards {
    guards = List.copyOf(guards);
  }

  public boolean mayRead(Event event, ClientConnection reader) {
    if (reader.isOperator()) {
      return true;
    }
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

  /** Whether the filter can match events of that kind that the reader may read. */
  boolean mayFind(int kind, Filter filter, ClientConnection reader) {
    return reader.isOperator()
        || firstClosed(guarded -> guarded.contains(kind), filter, reader) == null;
  }

  /** The guarded kinds of which the reader may not read every event now. */
  PartlyHidden partlyHidden(ClientConnection reader) {
    return new PartlyHidden(
        reader.isOperator()
            ? List.of()
            : guards.stream()
                .map(guard -> new ClosedGuard(guard, guard.partlyHidden(reader)))
                .toList(),
        reader);
  }

  /** A guard that does not show every event of its kinds, with the kinds that it has then. */
  record ClosedGuard(ReadGuard guard, KindSet kinds) {}

  /**
   * The guarded kinds that were partly hidden from a reader at one moment. A sync compares two of
   * these:
   *
   * <ol>
   *   <li>A sync begins; it lists the readable events of the kinds that are hidden then.
   *   <li>The operator's policy on reading changes, and hides further kinds from the reader.
   *   <li>The sync's next turn finds the further kinds hidden, and ends, since it did not list the
   *       readable events of these kinds.
   * </ol>
   *
   * Immutable.
   */
  record PartlyHidden(List<ClosedGuard> closed, ClientConnection reader) {
    KindSet kinds() {
      return KindSet.union(closed.stream().map(ClosedGuard::kinds).toList());
    }

    /**
     * Filters that find every event of these kinds that the given one, which has no conditions on
     * authors and tags, finds and the reader may read, and perhaps others.
     */
    List<Filter> filters(Filter filter) {
      return closed.stream()
          .filter(it -> !it.kinds().isEmpty() && it.guard().mayFind(filter, reader))
          .map(it -> Map.entry(it.guard(), ofKinds(filter, it.kinds())))
          .filter(it -> !it.getValue().isImpossible())
          .flatMap(it -> it.getKey().narrowed(it.getValue(), reader).stream())
          .toList();
    }
  }

  private static Filter ofKinds(Filter filter, KindSet kinds) {
    Set<Integer> wanted = filter.kinds();
    if (kinds.isAll()) {
      return filter;
    }
    Set<Integer> both =
        wanted == null
            ? kinds.stream().boxed().collect(Collectors.toSet())
            : wanted.stream().filter(kinds::contains).collect(Collectors.toSet());
    return filter.with(filter.authors(), both, filter.tags());
  }

  /**
   * The reason to refuse a query: its filters can match only events that the reader may not read.
   * From other queries such events are omitted.
   */
  Optional<Reason> objection(List<Filter> filters, ClientConnection reader) {
    if (reader.isOperator()) {
      return Optional.empty();
    }
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
    Set<Integer> kinds = filter.kinds();
    if (kinds == null) {
      return firstClosed(KindSet::isAll, filter, reader);
    }
    ReadGuard refusing = null;
    for (int kind : kinds) {
      ReadGuard guard = firstClosed(guarded -> guarded.contains(kind), filter, reader);
      if (guard == null) {
        return null;
      }
      refusing = refusing == null ? guard : refusing;
    }
    return refusing;
  }

  /** The first guard of such kinds through which the reader finds nothing by the filter. */
  private @Nullable ReadGuard firstClosed(
      Predicate<KindSet> ofKinds, Filter filter, ClientConnection reader) {
    for (ReadGuard guard : guards) {
      if (ofKinds.test(guard.kinds()) && !guard.mayFind(filter, reader)) {
        return guard;
      }
    }
    return null;
  }
}
