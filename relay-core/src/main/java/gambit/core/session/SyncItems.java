package gambit.core.session;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.negentropy.Bound;
import gambit.core.negentropy.IdSum;
import gambit.core.negentropy.Item;
import gambit.core.negentropy.ItemSet;
import gambit.core.negentropy.ListItemSet;
import gambit.core.store.EventStore;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Reason;
import java.util.ArrayList;
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

  /**
   * The events that match.
   *
   * @param hiddenKinds the kinds of which the readable events are listed, while the others are
   *     summed; null to list all events
   */
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

  /** Sets the events that were listed. */
  void setListed(ListItemSet items) {
    listed = items;
    current = items;
  }

  /** Whether each turn needs a snapshot of the store. */
  boolean needSnapshot() {
    return hiddenKinds != null && !filter.isImpossible();
  }

  /**
   * Begins a turn in which the items are those of a snapshot.
   *
   * @param nowHidden the kinds that are partly hidden from the client now
   * @return why the sync must end, or null
   */
  @Nullable Reason begin(StoreSnapshot snapshot, KindSet nowHidden) {
    KindSet hidden = hiddenKinds;
    if (hidden == null) {
      return null;
    }
    if (!hidden.containsAll(nowHidden) && nowHidden.stream().anyMatch(this::isSummed)) {
      return Reason.closed("some events are hidden from you now; open the sync again");
    }
    Optional<List<StoredEvent>> unserved = relay.stored().unserved().in(snapshot, MAX_UNSERVED);
    if (unserved.isEmpty()) {
      return Reason.error("many events are being removed, try again in a minute");
    }
    unservedInTurn = unserved.get().size();
    current =
        new ReadableItems(
            snapshot.items(this::isSummed),
            ListItemSet.of(items(unserved.get())),
            listed,
            filter.since() == null ? Bound.START : Bound.at(filter.since()),
            filter.until() == null ? Bound.INFINITY : after(filter.until()));
    return null;
  }

  /** The number of events that were read from the store to begin the turn. */
  int examined() {
    return unservedInTurn;
  }

  private static Bound after(long seconds) {
    return seconds == Long.MAX_VALUE ? Bound.INFINITY : Bound.at(seconds + 1);
  }

  private List<Item> items(List<StoredEvent> events) {
    List<Item> items = new ArrayList<>();
    for (StoredEvent stored : events) {
      Event event = stored.event();
      if (isSummed(event.kind())) {
        items.add(new Item(event.createdAt(), event.id()));
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
  public IdSum sum(Bound from, Bound to) {
    return current.sum(from, to);
  }

  @Override
  public List<Item> items(Bound from, Bound to, int max) {
    return current.items(from, to, max);
  }

  @Override
  public List<Part> split(Bound from, Bound to, int parts) {
    return current.split(from, to, parts);
  }
}
