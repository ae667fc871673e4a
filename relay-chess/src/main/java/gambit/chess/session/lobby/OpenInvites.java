package gambit.chess.session.lobby;

import gambit.core.model.EventId;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The committed open invites that the lobby lists, in the order in which they were committed. Some
 * of the {@link PendingInvites}, and so bounded like them. Owned by the chess lane.
 */
final class OpenInvites {
  private final TreeMap<Long, PendingInvite> inOrder = new TreeMap<>();
  private final Map<EventId, Long> places = new HashMap<>();
  private long changes;

  /** Adds a committed invite, unless it is for one player or unlisted. */
  void add(PendingInvite invite) {
    if (invite.terms().opponent() == null
        && !invite.terms().isUnlisted()
        && places.putIfAbsent(invite.id(), changes) == null) {
      inOrder.put(changes++, invite);
    }
  }

  /** Removes an invite, if it is listed. */
  void remove(EventId id) {
    Long place = places.remove(id);
    if (place != null) {
      inOrder.remove(place);
      changes++;
    }
  }

  /** The invites, newest first. */
  Stream<PendingInvite> newestFirst() {
    return inOrder.descendingMap().values().stream();
  }

  /** A number that grows with every change. */
  long changes() {
    return changes;
  }
}
