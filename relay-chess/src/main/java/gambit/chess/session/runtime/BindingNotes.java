package gambit.chess.session.runtime;

import gambit.chess.session.journal.ConnectionNotes;
import gambit.chess.session.journal.PlayerNote;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The notes of bindings that were made last, so that a note is made again only when it changes.
 * Empty without a cluster; else bounded by the bindings. Owned by the chess lane.
 */
final class BindingNotes {
  private final Map<ClientConnection, Map<PubKey, PlayerNote>> kept = new HashMap<>();

  /**
   * The output that replaces a note; empty if it does not change.
   *
   * @param current null if the connection is not bound to the player
   */
  Optional<Outgoing> change(
      PubKey player, ClientConnection connection, @Nullable PlayerNote current) {
    PlayerNote before = kept.getOrDefault(connection, Map.of()).get(player);
    if (Objects.equals(before, current)) {
      return Optional.empty();
    }
    if (current == null) {
      forget(player, connection);
    } else {
      kept(player, connection, current);
    }
    return Optional.of(ConnectionNotes.ofPlayer(player, connection, current));
  }

  /** A note is on the connection. */
  void kept(PubKey player, ClientConnection connection, PlayerNote note) {
    kept.computeIfAbsent(connection, c -> new HashMap<>(2)).put(player, note);
  }

  /** It is not known whether a note is on the connection. */
  void forget(PubKey player, ClientConnection connection) {
    kept.computeIfPresent(
        connection,
        (c, own) -> {
          own.remove(player);
          return own.isEmpty() ? null : own;
        });
  }

  /** The connection has closed. */
  void forget(ClientConnection connection) {
    kept.remove(connection);
  }
}
