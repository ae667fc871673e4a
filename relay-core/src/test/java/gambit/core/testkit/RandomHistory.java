package gambit.core.testkit;

import gambit.core.crypto.Signer;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Random events of a few authors with replacements, deletions and requests to vanish, in any order:
 * deletions may precede the deleted events, and old versions may follow newer ones.
 */
public final class RandomHistory {
  /** The authors. */
  public static final List<Signer> AUTHORS =
      Stream.of("alice", "bob", "carol").map(Keys::of).toList();

  private static final List<Integer> KINDS = List.of(0, 1, 1, 4, 7, 1059, 10_002, 30_023);
  private static final int DISTINCT_TIMES = 6;

  /** The contents, of words from a small vocabulary. */
  private static final List<String> CONTENTS =
      List.of("0", "1", "King takes pawn", "pawn takes KING", "the pawn's king 0");

  private final Random random;
  private final long start;
  private final List<Event> events = new ArrayList<>();

  /**
   * Creates the events.
   *
   * @param start the earliest time, in seconds
   */
  public RandomHistory(Random random, long start, int count) {
    this.random = random;
    this.start = start;
    for (int i = 0; i < count; i++) {
      events.add(
          switch (random.nextInt(12)) {
            case 0, 1, 2 -> deletion();
            case 3 -> random.nextInt(4) == 0 ? requestToVanish() : ordinary();
            default -> ordinary();
          });
    }
  }

  /** A random one of the events. */
  public Event any() {
    return events.get(random.nextInt(events.size()));
  }

  public List<Event> events() {
    return List.copyOf(events);
  }

  private Signer author() {
    return AUTHORS.get(random.nextInt(AUTHORS.size()));
  }

  private long time() {
    return start + random.nextInt(DISTINCT_TIMES);
  }

  private Event ordinary() {
    int kind = KINDS.get(random.nextInt(KINDS.size()));
    List<List<String>> tags = new ArrayList<>();
    if (random.nextInt(2) == 0) {
      tags.add(List.of("d", "" + random.nextInt(2)));
    }
    if (kind == 1059 || random.nextInt(3) == 0) {
      tags.add(List.of("p", author().pubkey().hex()));
    }
    if (random.nextInt(5) == 0) {
      tags.add(List.of("expiration", "" + (start + 20 + random.nextInt(100))));
    }
    return author()
        .sign(time(), kind, new Tags(tags), CONTENTS.get(random.nextInt(CONTENTS.size())));
  }

  private Event deletion() {
    List<List<String>> tags = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0 && !events.isEmpty(); i--) {
      Event target = any();
      Address.of(target)
          .filter(address -> random.nextBoolean())
          .ifPresentOrElse(
              address ->
                  tags.add(
                      List.of(
                          "a", address.kind() + ":" + address.pubkey().hex() + ":" + address.d())),
              () -> tags.add(List.of("e", target.id().hex())));
    }
    return author().sign(time(), 5, new Tags(tags), "");
  }

  private Event requestToVanish() {
    return author().sign(time(), 62, new Tags(List.of(List.of("relay", "ALL_RELAYS"))), "");
  }

  /** A random filter for these events. */
  public Filter filter() {
    Set<EventId> ids = random.nextInt(4) > 0 ? null : new HashSet<>();
    Set<PubKey> authors = random.nextInt(3) > 0 ? null : new HashSet<>();
    Set<Integer> kinds = random.nextInt(3) > 0 ? null : new HashSet<>();
    Map<Character, Set<String>> tags = new HashMap<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      if (ids != null) {
        ids.add(any().id());
      }
      if (authors != null) {
        authors.add(any().pubkey());
      }
      if (kinds != null) {
        kinds.add(any().kind());
      }
    }
    if (random.nextInt(4) == 0) {
      tags.put('p', Set.of(author().pubkey().hex()));
    }
    if (random.nextInt(4) == 0) {
      tags.put('d', Set.of("0"));
    }
    Long since = random.nextInt(4) > 0 ? null : time();
    Long until = random.nextInt(4) > 0 ? null : time();
    return new Filter(ids, authors, kinds, tags, since, until, null);
  }
}
