package gambit.chess.session;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
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

  /** The committed open invites, in the order in which they were committed. */
  private final Map<EventId, PendingInvite> listed = new LinkedHashMap<>();

  private long changesOfList;

  public void add(PendingInvite invite) {
    invites.put(invite.id(), invite);
    byAuthor.computeIfAbsent(invite.author(), author -> new HashSet<>()).add(invite.id());
  }

  /** Removes an invite; false if it was not pending. */
  public boolean remove(PendingInvite invite) {
    if (!invites.remove(invite.id(), invite)) {
      return false;
    }
    if (listed.remove(invite.id()) != null) {
      changesOfList++;
    }
    byAuthor.computeIfPresent(
        invite.author(), (same, own) -> own.remove(invite.id()) && own.isEmpty() ? null : own);
    return true;
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
    return invites.values().stream()
        .filter(it -> game.equals(it.rematchOf()) && opponent.equals(it.terms().opponent()))
        .filter(it -> !it.isExpired(time))
        .findFirst();
  }

  /** Whether an author has pending invites. Any thread. */
  public boolean hasInvitesBy(PubKey author) {
    return byAuthor.containsKey(author);
  }

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
    return (int) invites.values().stream().filter(it -> address.equals(it.from())).count();
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
