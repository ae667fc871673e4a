package gambit.core.testkit;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.StoredEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Random events and filters with few distinct values, so that many of them match. */
public final class RandomEvents {
  private static final List<Signer> AUTHORS =
      Stream.of("alice", "bob", "carol").map(Keys::of).toList();
  private static final List<Integer> KINDS = List.of(0, 1, 1, 7, 10_000, 30_000);
  private static final List<String> LETTERS = List.of("t", "T", "e", "d");
  private static final int DISTINCT_TIMES = 8;

  private RandomEvents() {}

  public static Event event(Random random) {
    int kind = KINDS.get(random.nextInt(KINDS.size()));
    List<List<String>> tags = Stream.generate(() -> tag(random)).limit(random.nextInt(4)).toList();
    return author(random)
        .sign(random.nextInt(DISTINCT_TIMES), kind, new Tags(tags), "" + random.nextInt(3));
  }

  private static List<String> tag(Random random) {
    String name = LETTERS.get(random.nextInt(LETTERS.size()));
    return switch (random.nextInt(6)) {
      case 0 -> List.of(name);
      case 1 -> List.of("word", value(random));
      default -> List.of(name, value(random), "more");
    };
  }

  private static String value(Random random) {
    return "v" + random.nextInt(3);
  }

  private static Signer author(Random random) {
    return AUTHORS.get(random.nextInt(AUTHORS.size()));
  }

  /** A random filter; most of its ids are those of stored events. */
  public static Filter filter(Random random, List<StoredEvent> stored) {
    Set<EventId> ids = null;
    if (random.nextInt(5) == 0) {
      ids = new HashSet<>(Set.of(event(random).id()));
      for (int i = random.nextInt(5); i > 0 && !stored.isEmpty(); i--) {
        ids.add(stored.get(random.nextInt(stored.size())).event().id());
      }
    }
    Set<PubKey> authors = null;
    if (random.nextInt(3) == 0) {
      authors = new HashSet<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        authors.add(author(random).pubkey());
      }
    }
    Set<Integer> kinds = null;
    if (random.nextInt(3) == 0) {
      kinds = new HashSet<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        kinds.add(KINDS.get(random.nextInt(KINDS.size())));
      }
    }
    Map<Character, Set<String>> tags = new HashMap<>();
    while (random.nextInt(3) == 0) {
      Set<String> values = new HashSet<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        values.add(value(random));
      }
      tags.put(LETTERS.get(random.nextInt(LETTERS.size())).charAt(0), values);
    }
    return new Filter(ids, authors, kinds, tags, time(random), time(random), null);
  }

  private static @Nullable Long time(Random random) {
    return random.nextInt(3) > 0 ? null : (long) random.nextInt(DISTINCT_TIMES);
  }
}
