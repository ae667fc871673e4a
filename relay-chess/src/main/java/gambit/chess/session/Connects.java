package gambit.chess.session;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.EventId;
import gambit.core.wire.RelayMessage.Ok;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The {@code connect} events that led a player into a search or a game: each of them is told the
 * player's colour. The chess lane's only; bounded, the oldest gives way.
 */
final class Connects {
  private static final int MOST = 16;

  private record Connect(ClientConnection connection, EventId id) {}

  private final Deque<Connect> list = new ArrayDeque<>();

  void add(ClientConnection connection, EventId id) {
    if (list.size() == MOST) {
      list.removeFirst();
    }
    list.addLast(new Connect(connection, id));
  }

  boolean contains(EventId id) {
    return list.stream().anyMatch(connect -> connect.id().equals(id));
  }

  /** The second OK of each, with the colour. */
  List<Outgoing> colours(String colour) {
    return list.stream()
        .<Outgoing>map(
            connect ->
                new Outgoing.LateOk(connect.connection(), new Ok(connect.id().hex(), true, colour)))
        .toList();
  }
}
