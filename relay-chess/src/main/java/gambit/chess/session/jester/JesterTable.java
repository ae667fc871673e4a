package gambit.chess.session.jester;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The games of kind 30 that are not over, within the limits of a player, of an address, and of all.
 * The addresses are forgotten at a restart. Owned by the chess lane, except for {@link #has}.
 */
final class JesterTable {
  /** The part of all games that starts from one address may take: one in so many. */
  private static final int SHARE_OF_ADDRESS = 10;

  private static final int MAX_LISTED_OF_AUTHOR = 10;

  private final Map<EventId, JesterGame> games = new LinkedHashMap<>(); // the oldest first
  private final Map<PubKey, Set<EventId>> byPlayer = new ConcurrentHashMap<>();

  /** Games that are being committed: events that follow at once wait for them. */
  final Map<EventId, JesterGame> beginning = new ConcurrentHashMap<>();

  /** Games of which a stored event waits for others, or may do so. */
  final Set<EventId> waiting = new HashSet<>();

  private final Map<EventId, ClientAddress> addresses = new HashMap<>();
  private int running;
  private long changes;

  /** Room for a game, for which another may have to go. */
  record Room(Optional<JesterGame> instead) {}

  Collection<JesterGame> all() {
    return games.values();
  }

  @Nullable JesterGame get(EventId start) {
    return games.get(start);
  }

  /** Whether a player has a game, also one that is being committed. Any thread. */
  boolean has(PubKey player) {
    return byPlayer.containsKey(player)
        || beginning.values().stream().anyMatch(game -> game.author().equals(player));
  }

  List<EventId> of(PubKey player) {
    return List.copyOf(byPlayer.getOrDefault(player, Set.of()));
  }

  int running() {
    return running;
  }

  long changes() {
    return changes;
  }

  List<JesterGame> newest(Predicate<JesterGame> which, int max) {
    List<JesterGame> all = games.values().stream().filter(which).toList();
    Map<PubKey, Integer> byAuthor = new HashMap<>();
    List<JesterGame> newest = new ArrayList<>();
    for (int i = all.size() - 1; i >= 0 && newest.size() < max; i--) {
      if (byAuthor.merge(all.get(i).author(), 1, Integer::sum) <= MAX_LISTED_OF_AUTHOR) {
        newest.add(all.get(i));
      }
    }
    return newest;
  }

  /**
   * The room for a game that a player starts; null if there is none. An author with too many loses
   * the oldest start that nobody has joined.
   *
   * @param from null for an import
   */
  @Nullable Room room(PubKey author, @Nullable ClientAddress from, int maxOfPlayer, int maxInAll) {
    int ofAddress = Collections.frequency(addresses.values(), from);
    if (games.size() >= maxInAll || ofAddress >= Math.max(1, maxInAll / SHARE_OF_ADDRESS)) {
      return null;
    }
    Set<EventId> own = byPlayer.getOrDefault(author, Set.of());
    if (own.size() < maxOfPlayer) {
      return new Room(Optional.empty());
    }
    Optional<JesterGame> oldest =
        own.stream()
            .map(games::get)
            .filter(Objects::nonNull)
            .filter(game -> !game.hasBegun())
            .findFirst();
    return oldest.isEmpty() ? null : new Room(oldest);
  }

  void add(JesterGame game, @Nullable ClientAddress from) {
    if (from != null) {
      addresses.put(game.id(), from);
    }
    put(game);
  }

  void put(JesterGame game) {
    JesterGame before = games.put(game.id(), game);
    boolean hadBegun = before != null && before.hasBegun();
    if (before == null) {
      waiting.add(game.id()); // until it is known that nothing does
    }
    if (before == null || hadBegun != game.hasBegun()) {
      for (PubKey player : game.players()) {
        byPlayer.computeIfAbsent(player, any -> new LinkedHashSet<>(2)).add(game.id());
      }
      running += game.hasBegun() ? 1 : 0;
      changes++;
    }
  }

  void remove(EventId start) {
    JesterGame game = games.remove(start);
    if (game == null) {
      return;
    }
    running -= game.hasBegun() ? 1 : 0;
    changes++;
    waiting.remove(start);
    for (PubKey player : game.players()) {
      byPlayer.computeIfPresent(
          player, (same, own) -> own.remove(start) && own.isEmpty() ? null : own);
    }
    addresses.remove(start);
  }
}
