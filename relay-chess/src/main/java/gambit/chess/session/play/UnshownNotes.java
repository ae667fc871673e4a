package gambit.chess.session.play;

import gambit.chess.session.journal.ConnectionNotes;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The notes of {@link UnshownGames} that are kept, so that the next leader of a cluster still shows
 * the games. Empty without a cluster. Owned by the chess lane.
 */
final class UnshownNotes {
  private final Map<ClientConnection, Set<PubKey>> kept = new HashMap<>();

  /** The output that notes whether games must still be shown; empty if the note does not change. */
  Optional<Outgoing> change(PubKey player, ClientConnection connection, boolean isUnshown) {
    if (!connection.keepsNotes()) {
      return Optional.empty();
    }
    boolean isChanged = isUnshown ? add(player, connection) : remove(player, connection);
    return isChanged
        ? Optional.of(ConnectionNotes.ofUnshown(player, connection, isUnshown))
        : Optional.empty();
  }

  /** Adds a note; false if it is kept already. */
  boolean add(PubKey player, ClientConnection connection) {
    return kept.computeIfAbsent(connection, c -> new HashSet<>(2)).add(player);
  }

  private boolean remove(PubKey player, ClientConnection connection) {
    Set<PubKey> own = kept.get(connection);
    if (own == null || !own.remove(player)) {
      return false;
    }
    if (own.isEmpty()) {
      kept.remove(connection);
    }
    return true;
  }

  /** The connection has closed. */
  void forget(ClientConnection connection) {
    kept.remove(connection);
  }
}
