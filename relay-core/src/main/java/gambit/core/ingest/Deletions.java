package gambit.core.ingest;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import gambit.core.store.RowReader;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Deletion requests (NIP-09): authors delete their own events, and recipients the gift wraps
 * addressed to them. A deleted event cannot be stored again; deletions and requests to vanish
 * cannot be deleted. {@link #isDeleted} may be called from any thread on committed rows, the rest
 * on the writer's thread only.
 *
 * <p>Table {@code deleted}: event id and the key that has deleted it, also if the event was not
 * stored → nothing. Table {@code deleted addresses}: hash of an address → the time in seconds 8 up
 * to which its events are deleted. Values as in {@link RowFormat}.
 */
final class Deletions {
  private static final String IDS = "deleted";
  private static final String ADDRESSES = "deleted addresses";

  private Deletions() {}

  static boolean isDeleted(RowReader rows, Event event) {
    if (!isDeletable(event)) {
      return false;
    }
    return isDeletedBy(rows, event, event.pubkey())
        || (Kind.isGiftWrap(event.kind())
            && event
                .tags()
                .values("p")
                .filter(key -> Hex.isLowerCase(key, 64))
                .anyMatch(recipient -> isDeletedBy(rows, event, PubKey.ofHex(recipient))))
        || Address.of(event)
            .flatMap(address -> deletedUntil(rows, address))
            .filter(until -> event.createdAt() <= until)
            .isPresent();
  }

  private static boolean isDeletedBy(RowReader rows, Event event, PubKey author) {
    Optional<byte[]> row = rows.row(IDS, key(event.id(), author));
    if (row.isEmpty()) {
      return false;
    }
    RowFormat.content(row.get(), 0, IDS + " " + event.id().hex());
    return true;
  }

  private static Optional<Long> deletedUntil(RowReader rows, Address address) {
    return rows.row(ADDRESSES, key(address))
        .map(row -> RowFormat.content(row, Long.BYTES, ADDRESSES + " " + text(address)).getLong());
  }

  /** The stored events that a deletion by their author names by id, looked up one by one. */
  static Stream<Event> deletedById(Transaction transaction, Event deletion) {
    return deletion
        .tags()
        .values("e")
        .filter(id -> Hex.isLowerCase(id, 64))
        .distinct()
        .flatMap(id -> transaction.byId(EventId.ofHex(id)).stream())
        .map(StoredEvent::event)
        .filter(event -> isDeletable(event) && event.pubkey().equals(deletion.pubkey()));
  }

  /** Carries out a deletion, except of events that {@code isKept} for ever. */
  static void carryOut(Transaction transaction, Event deletion, Predicate<Event> isKept) {
    for (List<String> tag : deletion.tags().list()) {
      if (tag.size() > 1 && tag.get(0).equals("e") && Hex.isLowerCase(tag.get(1), 64)) {
        delete(transaction, EventId.ofHex(tag.get(1)), deletion.pubkey(), isKept);
      } else if (tag.size() > 1 && tag.get(0).equals("a")) {
        address(tag.get(1))
            .filter(address -> address.pubkey().equals(deletion.pubkey()))
            .ifPresent(address -> delete(transaction, address, deletion.createdAt(), isKept));
      }
    }
  }

  private static void delete(
      Transaction transaction, EventId id, PubKey by, Predicate<Event> isKept) {
    Optional<StoredEvent> stored = transaction.byId(id);
    if (stored.isPresent()) {
      Event event = stored.get().event();
      boolean isWrapForBy =
          event.kind() == Kind.GIFT_WRAP && event.tags().values("p").anyMatch(by.hex()::equals);
      if (!isDeletable(event)
          || !(event.pubkey().equals(by) || isWrapForBy)
          || isKept.test(event)) {
        return;
      }
      transaction.remove(stored.get(), Removal.ERASED);
    }
    transaction.putRow(IDS, key(id, by), RowFormat.row(0, content -> {}));
  }

  private static void delete(
      Transaction transaction, Address address, long until, Predicate<Event> isKept) {
    if (until > deletedUntil(transaction, address).orElse(-1L)) {
      byte[] row = RowFormat.row(Long.BYTES, content -> content.putLong(until));
      transaction.putRow(ADDRESSES, key(address), row);
    }
    transaction
        .byAddress(address)
        .filter(stored -> stored.event().createdAt() <= until && !isKept.test(stored.event()))
        .ifPresent(stored -> transaction.remove(stored, Removal.ERASED));
  }

  private static boolean isDeletable(Event event) {
    return event.kind() != Kind.DELETION && event.kind() != Kind.VANISH;
  }

  /**
   * Reads {@code kind:pubkey:d}, where only replaceable and addressable kinds have a meaning. Both
   * colons are required (NIP-01): a name that was cut off must not delete the address with an empty
   * {@code d}.
   */
  private static Optional<Address> address(String text) {
    String[] parts = text.split(":", 3);
    if (parts.length < 3
        || !parts[0].matches("0|[1-9][0-9]{0,4}")
        || !Hex.isLowerCase(parts[1], 64)) {
      return Optional.empty();
    }
    int kind = Integer.parseInt(parts[0]);
    String d = parts[2];
    if (Kind.isReplaceable(kind) ? !d.isEmpty() : !Kind.isAddressable(kind)) {
      return Optional.empty();
    }
    return Optional.of(new Address(kind, PubKey.ofHex(parts[1]), d));
  }

  private static byte[] key(EventId id, PubKey by) {
    ByteBuffer key = ByteBuffer.allocate(64);
    for (int i = 0; i < 4; i++) {
      key.putLong(8 * i, id.word(i)).putLong(32 + 8 * i, by.word(i));
    }
    return key.array();
  }

  private static byte[] key(Address address) {
    return Sha256.of(text(address));
  }

  private static String text(Address address) {
    return address.kind() + ":" + address.pubkey().hex() + ":" + address.d();
  }
}
