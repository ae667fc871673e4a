package gambit.core.ingest;

import gambit.core.crypto.Signer;
import gambit.core.feature.Commit;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.RelayBuilder.EventGate;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.Sweep.SweptEvents;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.RowReader;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of storing an event (NIP-01, "Kinds"; NIP-09, 40, 62), for all stores: replacement,
 * deletion, expiration, vanishing. They are applied in a transaction. {@link #isServed}, {@link
 * #unserved} and the gates may be called from any thread, the rest on the writer's thread only.
 */
public final class StorageRules {
  /** The most events that one commit removes for one reason; the sweep removes the rest. */
  static final int PORTION_EVENTS = 500;

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}");
  private static final OptionalLong NEVER = OptionalLong.of(Transaction.NEVER);

  private final EventStore store;
  private final @Nullable EvidenceCopies copies;
  private final Vanishing vanishing;
  private final Set<Integer> nips;
  private final @Nullable PubKey self;
  private volatile Predicate<Event> isKept = event -> false;

  /** The rules for a store that keeps no copies of deleted events. */
  public StorageRules(EventStore store, Set<Integer> nips) {
    this(store, nips, null);
  }

  /**
   * The rules for a store. Requests by those of the NIPs 9, 40 and 62 that were followed before one
   * was switched off remain in force.
   */
  public StorageRules(EventStore store, Set<Integer> nips, @Nullable Signer signer) {
    this.store = store;
    this.copies = signer == null ? null : new EvidenceCopies(signer);
    this.self = signer == null ? null : signer.pubkey();
    this.vanishing = new Vanishing(store);
    this.nips = Set.copyOf(nips);
  }

  /** Keeps a copy of each event that its author deletes and for which this holds. */
  public void keepEvidence(Predicate<Event> isEvidence) {
    if (copies != null) {
      copies.keep(isEvidence);
    }
  }

  /** Removes no event for which this holds; as {@link RelayBuilder#keepForever}. */
  public void keepForever(Predicate<Event> kept) {
    isKept = kept;
  }

  boolean isKept(Event event) {
    return isKept.test(event);
  }

  public List<EventGate> gates(RelayUrls urls) {
    List<EventGate> gates = new ArrayList<>();
    gates.add(submission -> objectionToEphemeral(submission.event()));
    if (nips.contains(40)) {
      gates.add(StorageRules::objectionToExpiration);
    }
    if (nips.contains(62)) {
      gates.add(submission -> Vanishing.objection(submission.event(), urls, self));
    }
    return gates;
  }

  /**
   * Ephemeral events never reach the writer, so deletions and requests to vanish are looked up
   * here, in the committed rows.
   */
  private Optional<Reason> objectionToEphemeral(Event event) {
    return Kind.isEphemeral(event.kind())
        ? removal(store, event).map(WriteOutcome::reason)
        : Optional.empty();
  }

  /** Refuses expired events, and events whose {@code expiration} is not a time. */
  private static Optional<Reason> objectionToExpiration(Submission submission) {
    OptionalLong seconds = expiration(submission.event());
    if (seconds.isEmpty()) {
      return Optional.of(Reason.invalid("expiration must be a time in seconds"));
    }
    return seconds.getAsLong() <= submission.arrivedAt().getEpochSecond()
        ? Optional.of(Reason.invalid("the event has expired"))
        : Optional.empty();
  }

  /** When an event expires (NIP-40), in seconds; empty when that is malformed. */
  private static OptionalLong expiration(Event event) {
    for (List<String> tag : event.tags().list()) {
      if (tag.get(0).equals("expiration")) {
        return tag.size() > 1 && SECONDS.matcher(tag.get(1)).matches()
            ? OptionalLong.of(Long.parseLong(tag.get(1)))
            : OptionalLong.empty();
      }
    }
    return NEVER;
  }

  /**
   * Why an event must not be stored: its author has vanished, or has deleted it before. Nothing
   * keeps out what is kept for ever.
   */
  private Optional<WriteOutcome> removal(RowReader rows, Event event) {
    if (isKept(event)) {
      return Optional.empty();
    }
    if (vanishing.hasVanished(rows, event)) {
      return Optional.of(WriteOutcome.VANISHED);
    }
    return Deletions.isDeleted(rows, event) ? Optional.of(WriteOutcome.DELETED) : Optional.empty();
  }

  /** Whether a stored event is served: it has not expired, and its author has not vanished. */
  public boolean isServed(StoredEvent stored, Instant now) {
    return stored.expiresAt() > now.getEpochSecond() && !vanishing.hides(stored.event());
  }

  /**
   * The events of a snapshot that are not served, in any order: they have expired, or their author
   * has vanished, and the sweep has not removed them yet; empty if there are more than {@code max}.
   * Any thread.
   */
  public Optional<List<StoredEvent>> unserved(StoreSnapshot snapshot, Instant now, int max) {
    List<StoredEvent> found = new ArrayList<>(vanishing.hiddenIn(snapshot, max + 1));
    found.addAll(snapshot.expired(now.getEpochSecond(), max + 1));
    return found.size() > max ? Optional.empty() : Optional.of(found);
  }

  /**
   * Whether a stored event is hidden from clients. Sent again, it is refused for the actual reason,
   * and not as a duplicate.
   */
  boolean hides(Event event, Instant now) {
    return vanishing.hides(event)
        || (nips.contains(40)
            && expiration(event).orElse(Transaction.NEVER) <= now.getEpochSecond()
            && !isKept(event));
  }

  /**
   * Applies a commit to the transaction completely, or not at all for the returned reason. A
   * version of a replaceable or addressable event that is no longer served, and not swept yet, is
   * replaced by any other.
   *
   * @param mayUseReserve as in {@link Transaction#hasRoomFor}
   * @param copied receives the copies of deleted events that are stored with the commit
   */
  WriteOutcome apply(
      Transaction transaction,
      Commit given,
      boolean mayUseReserve,
      Instant now,
      Consumer<Event> copied) {
    Optional<Commit> complete = given.complete(transaction::row);
    if (complete.isEmpty()) {
      return WriteOutcome.GONE;
    }
    Commit commit = complete.get();
    List<StoredEvent> toRemove = new ArrayList<>(0);
    for (EventId id : commit.withdrawn()) {
      Optional<StoredEvent> stored =
          transaction.byId(id).filter(it -> !vanishing.hides(it.event()) && !isKept(it.event()));
      if (stored.isEmpty()) {
        return WriteOutcome.GONE;
      }
      toRemove.add(stored.get());
    }
    List<Event> events = commit.events();
    List<Event> evidence = new ArrayList<>(0);
    for (Event event : events) {
      if (!vanishing.hides(event) && transaction.byId(event.id()).isPresent()) {
        return WriteOutcome.DUPLICATE;
      }
      Optional<WriteOutcome> removal = removal(transaction, event);
      if (removal.isPresent()) {
        return removal.get();
      }
      Optional<Address> address = Address.of(event);
      Optional<StoredEvent> older =
          address.isPresent() ? transaction.byAddress(address.get()) : Optional.empty();
      if (older.isPresent()) {
        if (isServed(older.get(), now) && !replaces(event, older.get().event())) {
          return WriteOutcome.SUPERSEDED;
        }
        toRemove.add(older.get());
      }
      if (event.kind() == Kind.DELETION
          && nips.contains(9)
          && copies != null
          && !copies.ofDeleted(transaction, event, evidence)) {
        return WriteOutcome.TOO_MANY_COPIES;
      }
    }
    if (!events.isEmpty()
        && !transaction.hasRoomFor(events, toRemove, mayUseReserve || freeSpace(events))) {
      return WriteOutcome.FULL;
    }
    for (StoredEvent stored : toRemove) {
      transaction.remove(stored, Removal.OBSOLETE);
    }
    for (EventId id : commit.erased()) {
      transaction
          .byId(id)
          .filter(stored -> !isKept(stored.event()))
          .ifPresent(stored -> transaction.remove(stored, Removal.ERASED));
    }
    for (Event event : events) {
      boolean mayExpire = nips.contains(40) && !isKept(event);
      transaction.append(
          event, mayExpire ? expiration(event).orElse(Transaction.NEVER) : Transaction.NEVER);
      if (event.kind() == Kind.DELETION && nips.contains(9)) {
        Deletions.carryOut(transaction, event, isKept);
      } else if (event.kind() == Kind.VANISH && nips.contains(62)) {
        vanishing.carryOut(transaction, event, PORTION_EVENTS / 10);
      }
    }
    for (Event copy : evidence) {
      transaction.append(copy, Transaction.NEVER);
      copied.accept(copy);
    }
    for (Row row : commit.rows()) {
      byte[] value = row.value();
      if (value == null) {
        transaction.removeRow(row.table(), row.key());
      } else {
        transaction.putRow(row.table(), row.key(), value);
      }
    }
    return WriteOutcome.STORED;
  }

  /** A full store still accepts events all of which free space. */
  private static boolean freeSpace(List<Event> events) {
    for (Event event : events) {
      if (event.kind() != Kind.DELETION && event.kind() != Kind.VANISH) {
        return false;
      }
    }
    return true;
  }

  /** The newer version is kept; at equal times, the one with the lower id (NIP-01). */
  private static boolean replaces(Event event, Event older) {
    return event.createdAt() != older.createdAt()
        ? event.createdAt() > older.createdAt()
        : event.id().compareTo(older.id()) < 0;
  }

  /** Removes a portion of the vanished and expired events, all for one reason. */
  SweptEvents sweep(Transaction transaction, Instant now) {
    int vanished = vanishing.continueRemoval(transaction, PORTION_EVENTS);
    if (vanished > 0) {
      return new SweptEvents(vanished, 0, 0);
    }
    List<StoredEvent> expired = transaction.expired(now.getEpochSecond(), PORTION_EVENTS);
    expired.forEach(stored -> transaction.remove(stored, Removal.OBSOLETE));
    return new SweptEvents(0, expired.size(), 0);
  }

  void committed() {
    vanishing.committed();
  }

  /** A group from another node, to which it has applied the rules, is committed. */
  public void applied(AppliedGroup group) {
    vanishing.applied(store, group.rows());
  }

  void undone() {
    vanishing.undone();
  }
}
