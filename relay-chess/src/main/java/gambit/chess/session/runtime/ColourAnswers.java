package gambit.chess.session.runtime;

import gambit.chess.dialect.DialectWriter;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.EventId;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The events that led a player into a search or a game: each of them is told the player's colour.
 * The chess lane's only; bounded, the oldest gives way.
 */
public final class ColourAnswers {
  private static final int MOST = 16;

  private record Connect(ClientConnection connection, EventId id, DialectWriter writer) {}

  private List<Connect> list = List.of(); // of one, mostly

  public void add(ClientConnection connection, EventId id, DialectWriter writer) {
    Stream<Connect> before = list.stream().skip(list.size() == MOST ? 1 : 0);
    list = Stream.concat(before, Stream.of(new Connect(connection, id, writer))).toList();
  }

  /** Whether there are none, as in a dialect that does not know it. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** The second OK of each, with the colour. */
  public List<Outgoing> colours(Side side) {
    return each(it -> Ok.accepted(it.id().hex(), it.writer().colour(side)));
  }

  /** The second OK of each, when there is no game after all. */
  public List<Outgoing> refusals(Reason reason) {
    return each(it -> Ok.refused(it.id().hex(), reason));
  }

  private List<Outgoing> each(Function<Connect, Ok> ok) {
    return list.stream()
        .<Outgoing>map(it -> new Outgoing.LateOk(it.connection(), ok.apply(it)))
        .toList();
  }
}
