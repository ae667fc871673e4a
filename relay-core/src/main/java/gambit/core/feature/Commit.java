package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes to the store that are committed together or not at all. Immutable.
 *
 * @param events events to be stored
 * @param withdrawn stored events to be removed; if one of them is no longer stored, nothing is
 *     committed: {@link WriteOutcome#GONE}
 * @param erased stored events to be removed, if they are stored, and whose bytes must be gone from
 *     the disk soon; those that are {@linkplain RelayBuilder#keepForever kept for ever} stay
 * @param rows rows to be set or removed, in this order
 * @param addition further changes, which depend on the rows as they are by then
 */
public record Commit(
    List<Event> events,
    List<EventId> withdrawn,
    List<EventId> erased,
    List<Row> rows,
    @Nullable Addition addition) {

  /** Looks up single rows, among all changes before the commit. */
  @FunctionalInterface
  public interface Rows {
    Optional<byte[]> row(String table, byte[] key);
  }

  /**
   * Events of the relay and rows that a commit adds. A node of a cluster that does not lead has
   * none to commit.
   *
   * @param changes returns them; empty if nothing of the commit is to take effect: {@link
   *     WriteOutcome#GONE}. Called on the writer's thread, once for each attempt to write
   * @param maxBytes an upper bound of the size of what they add to the store
   */
  public record Addition(Function<Rows, Optional<Commit>> changes, long maxBytes) {}

  public Commit {
    events = List.copyOf(events);
    withdrawn = List.copyOf(withdrawn);
    erased = List.copyOf(erased);
    rows = List.copyOf(rows);
  }

  public Commit(List<Event> events, List<EventId> withdrawn, List<EventId> erased, List<Row> rows) {
    this(events, withdrawn, erased, rows, null);
  }

  public Commit(List<Event> events, List<EventId> withdrawn, List<Row> rows) {
    this(events, withdrawn, List.of(), rows);
  }

  /** This commit with the changes of its addition, or empty if it is not to take effect. */
  public Optional<Commit> complete(Rows current) {
    return addition == null
        ? Optional.of(this)
        : addition
            .changes()
            .apply(current)
            .map(
                added ->
                    new Commit(
                        joined(events, added.events()),
                        withdrawn,
                        erased,
                        joined(rows, added.rows())));
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  /** Approximate size of what it adds to the store. */
  public long addedBytes() {
    long bytes = addition == null ? 0 : addition.maxBytes();
    for (Event event : events) {
      bytes += event.json().length;
    }
    for (Row row : rows) {
      bytes += row.bytes();
    }
    return bytes;
  }

  public static Commit of(List<Event> events) {
    return new Commit(events, List.of(), List.of());
  }
}
