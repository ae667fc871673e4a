package gambit.chess.session;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.util.ArrayList;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The invites that wait to be accepted, each with a row of the store. Bounded by one author, from
 * one address, and in all. Owned by the chess lane, except for {@link #hasInvitesBy}.
 */
public final class PendingInvites {
  public static final int MAX_BY_AUTHOR = 10;
  public static final int MAX_FROM_ADDRESS = 500;
  public static final int MAX_PENDING = 20_000;

  private final Map<EventId, PendingInvite> invites = new LinkedHashMap<>();
  private final Map<PubKey, Set<EventId>> byAuthor = new ConcurrentHashMap<>();
  private final Map<EventId, Set<EventId>> rematchesByGame = new HashMap<>();
  private final Map<ClientAddress, Integer> countByAddress = new HashMap<>();

  /** The committed open invites, in the order in which they were committed. */
  private final Map<EventId, PendingInvite> listed = new LinkedHashMap<>();

  private long changesOfList;

  /** Adds an invite; one that is pending already is counted once. */
  public void add(PendingInvite invite) {
    boolean isNew = invites.put(invite.id(), invite) == null;
    byAuthor.computeIfAbsent(invite.author(), author -> new HashSet<>()).add(invite.id());
    if (invite.rematchOf() != null) {
      rematchesByGame
          .computeIfAbsent(invite.rematchOf(), game -> new LinkedHashSet<>(2))
          .add(invite.id());
    }
    if (isNew && invite.from() != null) {
      countByAddress.merge(invite.from(), 1, Integer::sum);
    }
  }

  /** Removes an invite; false if it was not pending. */
  public boolean remove(PendingInvite invite) {
    if (!invites.remove(invite.id(), invite)) {
      return false;
    }
    if (listed.remove(invite.id()) != null) {
      changesOfList++;
    }
    removeFrom(byAuthor, invite.author(), invite.id());
    if (invite.rematchOf() != null) {
      removeFrom(rematchesByGame, invite.rematchOf(), invite.id());
    }
    if (invite.from() != null) {
      countByAddress.computeIfPresent(
          invite.from(), (address, count) -> count == 1 ? null : count - 1);
    }
    return true;
  }

  private static <K> void removeFrom(Map<K, Set<EventId>> index, K key, EventId invite) {
    index.computeIfPresent(
        key,
        (k, ids) -> {
          ids.remove(invite);
          return ids.isEmpty() ? null : ids;
        });
  }

  public @Nullable PendingInvite get(EventId id) {
    return invites.get(id);
  }

  public List<PendingInvite> by(PubKey author) {
    return byAuthor.getOrDefault(author, Set.of()).stream()
        .map(invites::get)
        .filter(Objects::nonNull)
        .toList();
  }

  /** The invite by which a player was asked for a rematch of a game, unless it has expired. */
  public Optional<PendingInvite> rematch(EventId game, PubKey opponent, long time) {
    return rematchesByGame.getOrDefault(game, Set.of()).stream()
        .map(invites::get)
        .filter(Objects::nonNull)
        .filter(it -> opponent.equals(it.terms().opponent()) && !it.isExpired(time))
        .findFirst();
  }

  /** Whether an author has pending invites. Any thread. */
  public boolean hasInvitesBy(PubKey author) {
    return byAuthor.containsKey(author);
  }

  /** The reason why an author at an address may not make a further invite, if there is one. */
  Optional<Reason> objection(PubKey author, ClientAddress address) {
    if (countBy(author) >= MAX_BY_AUTHOR) {
      return Optional.of(Reason.invalid("more than " + MAX_BY_AUTHOR + " invites are pending"));
    } else if (countFrom(address) >= MAX_FROM_ADDRESS) {
      return Optional.of(Reason.rateLimited("too many invites from your address, try again"));
    } else if (invites.size() >= MAX_PENDING) {
      return Optional.of(Reason.rateLimited("too many invites, try again"));
    }
    return Optional.empty();
  }

  int countBy(PubKey author) {
    return byAuthor.getOrDefault(author, Set.of()).size();
  }

  int countFrom(ClientAddress address) {
    return countByAddress.getOrDefault(address, 0);
  }

  /** Shows a committed invite in the lobby, unless it is for one player. */
  void list(PendingInvite invite) {
    if (invite.terms().opponent() == null && listed.putIfAbsent(invite.id(), invite) == null) {
      changesOfList++;
    }
  }

  Stream<PendingInvite> openNewestFirst() {
    List<PendingInvite> newestFirst = new ArrayList<>(listed.values());
    Collections.reverse(newestFirst);
    return newestFirst.stream();
  }

  /** A number that grows with every change of the list. */
  long changesOfList() {
    return changesOfList;
  }

  public int size() {
    return invites.size();
  }
}
