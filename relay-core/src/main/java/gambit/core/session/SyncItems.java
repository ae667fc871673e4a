package gambit.core.session;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.negentropy.IdSum;
import gambit.core.negentropy.ItemSet;
import gambit.core.negentropy.ListItemSet;
import gambit.core.negentropy.Position;
import gambit.core.store.EventStore;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events of one sync that its client may read. With a filter for kinds and times only, they are
 * read from the sums of the store, at the moment of each turn; the sync then lists only the
 * readable events of partly hidden kinds. With any other filter, it lists all events when it
 * begins. Confined to the turns of a {@link SyncSession}.
 */
final class SyncItems implements ItemSet {
  /**
   * Maximum number of events that are stored, no longer served and not yet removed. They are read
   * in every turn, and leave a turn room for ranges.
   */
  private static final int MAX_UNSERVED = QueryTurns.MAX_EXAMINED / 2;

  private static final ListItemSet NONE = ListItemSet.of(List.of());

  private final RelayCore relay;
  private final Filter filter;
  private final @Nullable KindSet hiddenKinds; // null if all events are listed
  private ListItemSet listed = NONE;
  private ItemSet current = NONE;
  private int unservedInTurn;

  SyncItems(RelayCore relay, Filter filter, @Nullable KindSet hiddenKinds) {
    this.relay = relay;
    this.filter = filter;
    this.hiddenKinds = hiddenKinds;
  }

  /** Whether the sums of the store can answer for the filter. */
  static boolean canBeSummed(Filter filter, EventStore store) {
    return filter.ids() == null
        && filter.authors() == null
        && filter.tags().isEmpty()
        && (filter.limit() == null || filter.limit() > store.size());
  }

  void setListed(ListItemSet items) {
    listed = items;
    current = items;
  }

  boolean needSnapshot() {
    return hiddenKinds != null && !filter.isImpossible();
  }

  /** Begins a turn with the items of a snapshot; returns why the sync must end, or null. */
  @Nullable Reason begin(StoreSnapshot snapshot, KindSet nowHidden) {
    KindSet hidden = hiddenKinds;
    if (hidden == null) {
      return null;
    }
    if (!hidden.containsAll(nowHidden) && nowHidden.stream().anyMatch(this::isSummed)) {
      return Reason.closed("some events are hidden from you now; open the sync again");
    }
    Optional<List<StoredEvent>> unserved =
        relay.stored().rules().unserved(snapshot, relay.now(), MAX_UNSERVED);
    if (unserved.isEmpty()) {
      return Reason.error("many events are being removed, try again in a minute");
    }
    unservedInTurn = unserved.get().size();
    Long until = filter.until();
    current =
        new ReadableItems(
            snapshot.items(this::isSummed),
            ListItemSet.of(items(unserved.get())),
            listed,
            filter.since() == null ? Position.START : Position.at(filter.since()),
            until == null || until == Long.MAX_VALUE ? Position.INFINITY : Position.at(until + 1));
    return null;
  }

  int examined() {
    return unservedInTurn;
  }

  private List<Position> items(List<StoredEvent> events) {
    List<Position> items = new ArrayList<>();
    for (StoredEvent stored : events) {
      Event event = stored.event();
      if (isSummed(event.kind())) {
        items.add(new Position(event.createdAt(), event.id()));
      }
    }
    return items;
  }

  private boolean isSummed(int kind) {
    Set<Integer> kinds = filter.kinds();
    return (kinds == null || kinds.contains(kind))
        && (hiddenKinds == null || !hiddenKinds.contains(kind));
  }

  @Override
  public IdSum sum(Position from, Position to) {
    return current.sum(from, to);
  }

  @Override
  public List<Position> items(Position from, Position to, int max) {
    return current.items(from, to, max);
  }

  @Override
  public List<Part> split(Position from, Position to, int parts) {
    return current.split(from, to, parts);
  }

  /**
   * The items from {@code start} to {@code end} of a set of stored events, without some of them and
   * with some others, which are not in the set.
   *
   * @param without events that are not served; all of them are in the stored set
   * @param others events of kinds that the stored set leaves out
   */
  private record ReadableItems(
      ItemSet stored, ListItemSet without, ListItemSet others, Position start, Position end)
      implements ItemSet {
    @Override
    public IdSum sum(Position from, Position to) {
      Position lower = later(from, start);
      Position upper = earlier(to, end);
      if (lower.compareTo(upper) >= 0) {
        return IdSum.ZERO;
      }
      return stored
          .sum(lower, upper)
          .minus(without.sum(lower, upper))
          .plus(others.sum(lower, upper));
    }

    @Override
    public List<Position> items(Position from, Position to, int max) {
      Position lower = later(from, start);
      Position upper = earlier(to, end);
      if (lower.compareTo(upper) >= 0) {
        return List.of();
      }
      Set<EventId> left = new HashSet<>();
      without.items(lower, upper, Integer.MAX_VALUE).forEach(item -> left.add(item.id()));
      List<Position> found = new ArrayList<>(stored.items(lower, upper, max + left.size()));
      found.removeIf(item -> left.contains(item.id()));
      List<Position> more = others.items(lower, upper, max);
      if (!more.isEmpty()) {
        found.addAll(more);
        found.sort(null);
      }
      return found.size() <= max ? found : found.subList(0, max);
    }

    /** Cuts where the larger one of the two sets is cut; a part may be empty. */
    @Override
    public List<Part> split(Position from, Position to, int parts) {
      Position lower = later(from, start);
      Position upper = earlier(to, end);
      boolean mostAreStored = stored.sum(lower, upper).count() >= others.sum(lower, upper).count();
      List<Part> cuts = (mostAreStored ? stored : others).split(lower, upper, parts);
      List<Part> result = new ArrayList<>(parts);
      for (int i = 0; i < cuts.size(); i++) {
        Position cut = i == cuts.size() - 1 ? to : cuts.get(i).upper();
        result.add(new Part(cut, sum(lower, cut)));
        lower = cut;
      }
      return result;
    }

    private static Position later(Position a, Position b) {
      return a.compareTo(b) >= 0 ? a : b;
    }

    private static Position earlier(Position a, Position b) {
      return a.compareTo(b) <= 0 ? a : b;
    }
  }
}
