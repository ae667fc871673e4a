package gambit.core.testkit;

import gambit.core.feature.WriteOutcome;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of NIP-01, 09, 40 and 62 for stored events in their simplest form, as an oracle of the
 * relay.
 */
public final class ReferenceRelay {
  private final List<Event> stored = new ArrayList<>();
  private final List<Event> deletions = new ArrayList<>();
  private final List<Event> requestsToVanish = new ArrayList<>();

  /** A copy of this relay. */
  public ReferenceRelay copy() {
    ReferenceRelay copy = new ReferenceRelay();
    copy.stored.addAll(stored);
    copy.deletions.addAll(deletions);
    copy.requestsToVanish.addAll(requestsToVanish);
    return copy;
  }

  /** Writes an event that all gates accept, at that time. */
  public WriteOutcome write(Event event, long now) {
    if (stored.contains(event)) {
      return WriteOutcome.DUPLICATE;
    }
    if (requestsToVanish.stream().anyMatch(request -> vanishes(event, request))) {
      return WriteOutcome.VANISHED;
    }
    if (deletions.stream().anyMatch(deletion -> deletes(deletion, event))) {
      return WriteOutcome.DELETED;
    }
    for (Event other : stored) {
      if (isSameAddress(event, other)
          && !isExpired(other, now)
          && ORDER.compare(other, event) < 0) {
        return WriteOutcome.SUPERSEDED;
      }
    }
    stored.removeIf(other -> isSameAddress(event, other));
    if (event.kind() == 5) {
      deletions.add(event);
      stored.removeIf(other -> deletes(event, other));
    } else if (event.kind() == 62) {
      requestsToVanish.add(event);
      stored.removeIf(other -> vanishes(other, event));
    }
    stored.add(event);
    return WriteOutcome.STORED;
  }

  /** The order in which events are served. */
  public static final Comparator<Event> ORDER =
      Comparator.comparingLong(Event::createdAt).reversed().thenComparing(Event::id);

  private static boolean isSameAddress(Event one, Event other) {
    Optional<Address> address = Address.of(one);
    return address.isPresent() && address.equals(Address.of(other));
  }

  private static boolean vanishes(Event event, Event request) {
    return !event.equals(request)
        && event.createdAt() <= request.createdAt()
        && (event.pubkey().equals(request.pubkey()) || isWrapFor(event, request.pubkey().hex()));
  }

  private static boolean isWrapFor(Event event, String recipient) {
    return event.kind() == 1059
        && event.tags().list().stream()
            .anyMatch(
                tag -> tag.size() > 1 && tag.get(0).equals("p") && tag.get(1).equals(recipient));
  }

  private static boolean deletes(Event deletion, Event event) {
    if (event.kind() == 5 || event.kind() == 62) {
      return false;
    }
    boolean isOwn = event.pubkey().equals(deletion.pubkey());
    for (List<String> tag : deletion.tags().list()) {
      if (tag.size() < 2) {
        continue;
      }
      if (tag.get(0).equals("e")
          && tag.get(1).equals(event.id().hex())
          && (isOwn || isWrapFor(event, deletion.pubkey().hex()))) {
        return true;
      }
      if (tag.get(0).equals("a")
          && isOwn
          && event.createdAt() <= deletion.createdAt()
          && Address.of(event).filter(address -> name(address).equals(tag.get(1))).isPresent()) {
        return true;
      }
    }
    return false;
  }

  private static String name(Address address) {
    return address.kind() + ":" + address.pubkey().hex() + ":" + address.d();
  }

  /** Removes expired events. */
  public void sweep(long now) {
    stored.removeIf(event -> isExpired(event, now));
  }

  private static boolean isExpired(Event event, long now) {
    return event.tags().first("expiration").filter(it -> Long.parseLong(it) <= now).isPresent();
  }

  /** Whether a client with these keys may read an event (NIP-04, 17, 59). */
  public static boolean mayRead(Event event, Set<PubKey> keys) {
    boolean isRecipient =
        keys.stream()
            .anyMatch(
                key ->
                    event
                        .tags()
                        .named("p")
                        .anyMatch(tag -> tag.size() > 1 && tag.get(1).equals(key.hex())));
    return switch (event.kind()) {
      case 4 -> isRecipient || keys.contains(event.pubkey());
      case 1059 -> isRecipient;
      default -> true;
    };
  }

  /** The events that match at that time, in serving order; the limit is ignored. */
  public List<Event> find(Filter filter, long now) {
    return stored.stream()
        .filter(event -> filter.matches(event) && !isExpired(event, now))
        .sorted(ORDER)
        .toList();
  }
}
