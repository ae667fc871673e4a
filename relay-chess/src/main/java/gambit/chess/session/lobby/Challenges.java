package gambit.chess.session.lobby;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
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
import org.jspecify.annotations.Nullable;

/**
 * The invites that wait to be accepted, each with a row of the store. The chess lane's only, but
 * for {@link #has}. Bounded: so many for each author and each address, and so many in all.
 */
public final class Challenges {
  /** Pending ones of one author, from one address, and of all together. */
  public static final int MOST_OF_ONE = 10;

  public static final int MOST_FROM_ONE = 500;
  public static final int MOST = 20_000;

  private final Map<EventId, Challenge> pending = new LinkedHashMap<>();
  private final Map<PubKey, Set<EventId>> byAuthor = new ConcurrentHashMap<>();
  private final Map<EventId, Set<EventId>> rematches = new HashMap<>();
  private final Map<ClientAddress, Integer> byAddress = new HashMap<>();

  public void add(Challenge challenge) {
    boolean isNew = pending.put(challenge.id(), challenge) == null;
    byAuthor.computeIfAbsent(challenge.author(), a -> new HashSet<>()).add(challenge.id());
    if (challenge.rematchOf() != null) {
      rematches
          .computeIfAbsent(challenge.rematchOf(), g -> new LinkedHashSet<>(2))
          .add(challenge.id());
    }
    if (isNew && challenge.from() != null) {
      byAddress.merge(challenge.from(), 1, Integer::sum);
    }
  }

  /** Takes one away; false when it was gone already. */
  public boolean remove(Challenge challenge) {
    if (!pending.remove(challenge.id(), challenge)) {
      return false;
    }
    byAuthor.computeIfPresent(
        challenge.author(),
        (author, own) -> {
          own.remove(challenge.id());
          return own.isEmpty() ? null : own;
        });
    if (challenge.rematchOf() != null) {
      rematches.computeIfPresent(
          challenge.rematchOf(),
          (game, all) -> {
            all.remove(challenge.id());
            return all.isEmpty() ? null : all;
          });
    }
    if (challenge.from() != null) {
      byAddress.computeIfPresent(challenge.from(), (address, n) -> n == 1 ? null : n - 1);
    }
    return true;
  }

  /** All of an author's. */
  public List<Challenge> by(PubKey author) {
    return byAuthor.getOrDefault(author, Set.of()).stream()
        .map(pending::get)
        .filter(Objects::nonNull)
        .toList();
  }

  public @Nullable Challenge get(EventId id) {
    return pending.get(id);
  }

  /** The rematch of a game that a player is asked for and that has not expired by then. */
  public Optional<Challenge> rematch(EventId game, PubKey opponent, long time) {
    return rematches.getOrDefault(game, Set.of()).stream()
        .map(pending::get)
        .filter(Objects::nonNull)
        .filter(it -> opponent.equals(it.terms().opponent()) && !it.isOver(time))
        .findFirst();
  }

  /** Whether somebody has any. Any thread. */
  public boolean has(PubKey author) {
    return byAuthor.containsKey(author);
  }

  public int of(PubKey author) {
    return byAuthor.getOrDefault(author, Set.of()).size();
  }

  public int from(ClientAddress address) {
    return byAddress.getOrDefault(address, 0);
  }

  public int size() {
    return pending.size();
  }
}
