package gambit.core.ingest;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.AppliedGroup.RowName;
import gambit.core.store.RowReader;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.wire.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests to vanish (NIP-62): all events of a pubkey up to a time, their copies, and the gift
 * wraps addressed to it, are removed and cannot be stored again. They are hidden at once, and
 * removed a portion at a time, so that no commit takes long.
 *
 * <p>Table {@code vanished}: pubkey → the time up to which events vanish 8 · whether events are
 * left 1 · id of the request 32. Values as in {@link RowFormat}.
 *
 * <p>{@link #hides}, {@link #hiddenIn}, and {@link #hasVanished} on committed rows, may be called
 * from any thread, the rest on the writer's thread only.
 */
final class Vanishing {
  private static final String TABLE = "vanished";
  private static final String EVERYWHERE = "ALL_RELAYS";

  /** The pubkeys with hidden events that are not removed yet, and the time up to which. */
  private volatile Map<PubKey, Long> hidden;

  private @Nullable Map<PubKey, Long> hiddenAfterCommit;

  Vanishing(EventStore store) {
    Map<PubKey, Long> unfinished = new HashMap<>();
    store
        .rows(TABLE)
        .forEach(
            (key, value) -> {
              Request request = Request.read(PubKey.ofHex(key), value);
              if (request.isUnfinished()) {
                unfinished.put(request.pubkey(), request.until());
              }
            });
    this.hidden = Map.copyOf(unfinished);
  }

  private record Request(PubKey pubkey, long until, boolean isUnfinished, EventId id) {
    private static final int BYTES = Long.BYTES + 1 + 32;

    static Request read(PubKey pubkey, byte[] row) {
      ByteBuffer in = RowFormat.content(row, BYTES, TABLE + " " + pubkey.hex());
      long until = in.getLong();
      boolean isUnfinished = in.get() != 0;
      byte[] id = new byte[32];
      in.get(id);
      return new Request(pubkey, until, isUnfinished, new EventId(id));
    }

    void write(Transaction transaction) {
      byte unfinished = (byte) (isUnfinished ? 1 : 0);
      byte[] row =
          RowFormat.row(BYTES, content -> content.putLong(until).put(unfinished).put(id.bytes()));
      transaction.putRow(TABLE, pubkey.bytes(), row);
    }
  }

  /** Refuses requests that do not name this relay, and those by its own key. */
  static Optional<Reason> objection(Event event, RelayUrls urls, @Nullable PubKey self) {
    if (event.kind() == Kind.VANISH && event.pubkey().equals(self)) {
      return Optional.of(Reason.blocked("the relay's own key does not vanish from the relay"));
    }
    return event.kind() != Kind.VANISH
            || event
                .tags()
                .values("relay")
                .anyMatch(relay -> relay.equals(EVERYWHERE) || urls.contains(relay))
        ? Optional.empty()
        : Optional.of(Reason.invalid("the request to vanish names another relay"));
  }

  /** Whether the event has vanished although it is still stored. */
  boolean hides(Event event) {
    Map<PubKey, Long> now = hidden;
    if (now.isEmpty() || event.kind() == Kind.VANISH) {
      return false;
    }
    return keys(event).stream()
        .anyMatch(who -> event.createdAt() <= now.getOrDefault(who, Long.MIN_VALUE));
  }

  /** Whether the event vanishes by a request that came before it. */
  boolean hasVanished(RowReader rows, Event event) {
    for (PubKey who : keys(event)) {
      Optional<Request> request = read(rows, who);
      if (request.isPresent() && event.createdAt() <= request.get().until()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The keys with any of which the event vanishes: its author, the recipients of a gift wrap, the
   * author of what it is a copy of.
   */
  private static List<PubKey> keys(Event event) {
    if (!EvidenceCopies.isCopy(event) && !Kind.isGiftWrap(event.kind())) {
      return List.of(event.pubkey());
    }
    List<PubKey> keys = new ArrayList<>();
    keys.add(event.pubkey());
    event
        .tags()
        .values("p")
        .filter(key -> Hex.isLowerCase(key, 64))
        .forEach(key -> keys.add(PubKey.ofHex(key)));
    return keys;
  }

  private static Optional<Request> read(RowReader rows, PubKey pubkey) {
    return rows.row(TABLE, pubkey.bytes()).map(row -> Request.read(pubkey, row));
  }

  /** Carries out an accepted request: hides the events, and removes the first portion. */
  void carryOut(Transaction transaction, Event request, int portion) {
    remove(
        transaction,
        new Request(request.pubkey(), request.createdAt(), true, request.id()),
        portion);
  }

  /** Removes another portion of hidden events; returns their number. */
  int continueRemoval(Transaction transaction, int portion) {
    for (PubKey pubkey : staged().keySet()) {
      Optional<Request> request = read(transaction, pubkey);
      int removed = request.map(it -> remove(transaction, it, portion)).orElse(0);
      if (removed > 0) {
        return removed;
      }
    }
    return 0;
  }

  private int remove(Transaction transaction, Request request, int portion) {
    List<StoredEvent> found = new ArrayList<>(find(transaction, request, portion));
    found.forEach(stored -> transaction.remove(stored, Removal.ERASED));
    boolean isUnfinished = found.size() == portion;
    new Request(request.pubkey(), request.until(), isUnfinished, request.id()).write(transaction);
    Map<PubKey, Long> next = new HashMap<>(staged());
    if (isUnfinished) {
      next.put(request.pubkey(), request.until());
    } else {
      next.remove(request.pubkey());
      transaction.eraseRemoved(); // also older versions, which were replaced before
    }
    hiddenAfterCommit = Map.copyOf(next);
    return found.size();
  }

  /** Events that vanish with the pubkey, except the request itself. */
  private List<StoredEvent> find(Transaction transaction, Request request, int portion) {
    List<StoredEvent> found = new ArrayList<>();
    for (Filter filter : vanishingWith(request.pubkey(), request.until())) {
      for (StoredEvent stored : transaction.find(filter, portion + 1)) {
        if (!stored.event().id().equals(request.id()) && found.size() < portion) {
          found.add(stored);
        }
      }
    }
    return found;
  }

  /** Finds the events of the pubkey, gift wraps addressed to it, and copies of its events. */
  private static List<Filter> vanishingWith(PubKey pubkey, long until) {
    Map<Character, Set<String>> addressed = Map.of('p', Set.of(pubkey.hex()));
    return List.of(
        new Filter(null, Set.of(pubkey), null, Map.of(), null, until, null),
        new Filter(null, null, Set.of(Kind.GIFT_WRAP), addressed, null, until, null),
        EvidenceCopies.ofAuthor(pubkey, until));
  }

  /** The hidden events in a snapshot, at most {@code max} of them. */
  Set<StoredEvent> hiddenIn(StoreSnapshot snapshot, int max) {
    Set<StoredEvent> found = new HashSet<>();
    hidden.forEach(
        (pubkey, until) -> {
          for (Filter filter : vanishingWith(pubkey, until)) {
            snapshot.find(filter, max + 1).stream()
                .filter(stored -> stored.event().kind() != Kind.VANISH)
                .limit(Math.max(0, max - found.size()))
                .forEach(found::add);
          }
        });
    return found;
  }

  private Map<PubKey, Long> staged() {
    return hiddenAfterCommit != null ? hiddenAfterCommit : hidden;
  }

  void committed() {
    hidden = staged();
    hiddenAfterCommit = null;
  }

  /** Rows were changed by a group from another node, which has been committed. */
  void applied(RowReader rows, List<RowName> changed) {
    Map<PubKey, Long> next = null;
    for (RowName row : changed) {
      if (row.table().equals(TABLE)) {
        next = next != null ? next : new HashMap<>(hidden);
        PubKey pubkey = new PubKey(row.key());
        Optional<Request> unfinished = read(rows, pubkey).filter(Request::isUnfinished);
        if (unfinished.isPresent()) {
          next.put(pubkey, unfinished.get().until());
        } else {
          next.remove(pubkey);
        }
      }
    }
    if (next != null) {
      hidden = Map.copyOf(next);
    }
  }

  void undone() {
    hiddenAfterCommit = null;
  }
}
