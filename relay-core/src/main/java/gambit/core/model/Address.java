package gambit.core.model;

import java.util.Optional;

/**
 * The address of a replaceable or addressable event: the newest event of an address replaces the
 * older ones (NIP-01). {@code d} is empty for replaceable kinds and for a missing tag.
 */
public record Address(int kind, PubKey pubkey, String d) {
  /** The address of an event; empty if its kind has none. */
  public static Optional<Address> of(Event event) {
    if (Kind.isReplaceable(event.kind())) {
      return Optional.of(new Address(event.kind(), event.pubkey(), ""));
    }
    if (Kind.isAddressable(event.kind())) {
      return Optional.of(
          new Address(event.kind(), event.pubkey(), event.tags().first("d").orElse("")));
    }
    return Optional.empty();
  }
}
