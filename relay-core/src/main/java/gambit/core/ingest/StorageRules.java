package gambit.core.ingest;

import gambit.core.feature.Commit;
import gambit.core.feature.EventGate;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.model.RelayUrls;
import gambit.core.store.EventStore;
import gambit.core.store.Removal;
import gambit.core.store.RowReader;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What storing an event means (NIP-01, "Kinds"; NIP-09, 40, 62): decided once, here, against a
 * transaction, for every store. {@link #isServed} and the gates may be called from any thread; the
 * rest by the writer's only.
 */
public final class StorageRules {
  /** Events that one commit removes for one reason at most; the rest is left to the sweep. */
  static final int PORTION = 500;

  private final EventStore store;
  private final Vanishing vanishing;
  private final Set<Integer> nips;

  /**
   * The rules for a store.
   *
   * @param nips which of the NIPs 9, 40 and 62 are followed; requests that were followed before one
   *     was switched off remain in force
   */
  public StorageRules(EventStore store, Set<Integer> nips) {
    this.store = store;
    this.vanishing = new Vanishing(store);
    this.nips = Set.copyOf(nips);
  }

  /** The policies that belong to it, for events from clients. */
  public List<EventGate> gates(RelayUrls urls) {
    List<EventGate> gates = new ArrayList<>();
    gates.add(submission -> objectionToEphemeral(submission.event()));
    if (nips.contains(40)) {
      gates.add(EventExpiration.GATE);
    }
    if (nips.contains(62)) {
      gates.add(Vanishing.gate(urls));
    }
    return gates;
  }

  /**
   * Ephemeral events never reach the writer, so what was deleted or has vanished is looked up here:
   * in what is committed, as two rows of the index.
   */
  private Optional<Reason> objectionToEphemeral(Event event) {
    return Kind.isEphemeral(event.kind())
        ? removal(store, event).map(WriteOutcome::reason)
        : Optional.empty();
  }

  /** Why an event must not come back: its author has vanished, or has deleted it before it came. */
  private static Optional<WriteOutcome> removal(RowReader rows, Event event) {
    if (Vanishing.forbid(rows, event)) {
      return Optional.of(WriteOutcome.VANISHED);
    }
    return Deletions.forbid(rows, event) ? Optional.of(WriteOutcome.DELETED) : Optional.empty();
  }

  /**
   * Whether a stored event is shown to anybody: not when it is over or has been asked to vanish.
   */
  public boolean isServed(StoredEvent stored, Instant now) {
    return stored.expiresAt() > now.getEpochSecond() && !vanishing.hides(stored.event());
  }

  /** Whether an event that is stored is none for clients, who are told why further on. */
  boolean hides(Event event, Instant now) {
    return vanishing.hides(event)
        || (nips.contains(40) && EventExpiration.of(event) <= now.getEpochSecond());
  }

  /**
   * Applies all of it to the transaction, or leaves that as it is and says why. A version of a
   * replaceable or addressable event that is not served any more, but not swept yet, gives way to
   * any other.
   *
   * @param mayUseReserve as in {@link Transaction#hasRoomFor}
   */
  WriteOutcome apply(Transaction transaction, Commit commit, boolean mayUseReserve, Instant now) {
    List<StoredEvent> going = new ArrayList<>();
    for (EventId id : commit.withdrawn()) {
      Optional<StoredEvent> stored =
          transaction.byId(id).filter(it -> !vanishing.hides(it.event()));
      if (stored.isEmpty()) {
        return WriteOutcome.GONE;
      }
      going.add(stored.get());
    }
    List<Event> events = commit.events();
    for (Event event : events) {
      if (!vanishing.hides(event) && transaction.byId(event.id()).isPresent()) {
        return WriteOutcome.DUPLICATE;
      }
      Optional<WriteOutcome> removal = removal(transaction, event);
      if (removal.isPresent()) {
        return removal.get();
      }
      Optional<StoredEvent> older = Address.of(event).flatMap(transaction::byAddress);
      if (older.filter(it -> isServed(it, now)).isPresent()
          && !replaces(event, older.get().event())) {
        return WriteOutcome.SUPERSEDED;
      }
      older.ifPresent(going::add);
    }
    boolean frees = events.stream().allMatch(StorageRules::givesRoomBack);
    if (!events.isEmpty() && !transaction.hasRoomFor(events, going, mayUseReserve || frees)) {
      return WriteOutcome.FULL;
    }
    going.forEach(stored -> transaction.remove(stored, Removal.OBSOLETE));
    for (Event event : events) {
      transaction.append(event, nips.contains(40) ? EventExpiration.of(event) : Transaction.NEVER);
      if (event.kind() == Kind.DELETION && nips.contains(9)) {
        Deletions.carryOut(transaction, event);
      } else if (event.kind() == Kind.VANISH && nips.contains(62)) {
        vanishing.carryOut(transaction, event, PORTION / 10);
      }
    }
    commit.rows().forEach(row -> put(transaction, row));
    return WriteOutcome.STORED;
  }

  private static void put(Transaction transaction, Row row) {
    byte[] value = row.value();
    if (value == null) {
      transaction.removeRow(row.table(), row.key());
    } else {
      transaction.putRow(row.table(), row.key(), value);
    }
  }

  /** A full store still takes what empties it. */
  private static boolean givesRoomBack(Event event) {
    return event.kind() == Kind.DELETION || event.kind() == Kind.VANISH;
  }

  /** The newer one wins, and of equally old ones the one with the lowest id (NIP-01). */
  private static boolean replaces(Event event, Event older) {
    return event.createdAt() != older.createdAt()
        ? event.createdAt() > older.createdAt()
        : event.id().compareTo(older.id()) < 0;
  }

  /** Removes a portion of what is to go; tells how many events went. */
  int sweep(Transaction transaction, Retention retention, long storeBytes, Instant now) {
    int vanished = vanishing.goOn(transaction, PORTION);
    if (vanished > 0) {
      return vanished;
    }
    List<StoredEvent> over = transaction.expired(now.getEpochSecond(), PORTION);
    if (!over.isEmpty()) {
      over.forEach(stored -> transaction.remove(stored, Removal.OBSOLETE));
      return over.size();
    }
    List<StoredEvent> surplus = retention.surplus(transaction, storeBytes, now, PORTION);
    surplus.forEach(stored -> transaction.remove(stored, Removal.OBSOLETE));
    return surplus.size();
  }

  /** The transaction to which it was applied is committed. */
  void committed() {
    vanishing.committed();
  }

  /** The transaction to which it was applied has not happened. */
  void undone() {
    vanishing.undone();
  }
}
