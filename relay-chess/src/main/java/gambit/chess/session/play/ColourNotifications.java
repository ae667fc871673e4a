package gambit.chess.session.play;

import gambit.chess.dialect.RefereeEvents;
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
 * The events that have led a player to a search or a game, in dialects that notify of the colour by
 * a further OK: each of them is answered with the colour. Bounded: the oldest of more than {@value
 * #MAX_EVENTS} is dropped. Owned by the chess lane.
 */
public final class ColourNotifications {
  private static final int MAX_EVENTS = 16;

  private record AnsweredEvent(ClientConnection connection, EventId id) {}

  private List<AnsweredEvent> events = List.of(); // usually one

  public void add(ClientConnection connection, EventId id) {
    Stream<AnsweredEvent> before = events.stream().skip(events.size() == MAX_EVENTS ? 1 : 0);
    events = Stream.concat(before, Stream.of(new AnsweredEvent(connection, id))).toList();
  }

  /** Whether there are none, as in dialects that do not notify of the colour. */
  public boolean isEmpty() {
    return events.isEmpty();
  }

  public List<Outgoing> oks(Side side) {
    return each(it -> Ok.accepted(it.id().hex(), RefereeEvents.colour(side)));
  }

  /** The further OK of each event, if the game could not begin. */
  public List<Outgoing> refusals(Reason reason) {
    return each(it -> Ok.refused(it.id().hex(), reason));
  }

  private List<Outgoing> each(Function<AnsweredEvent, Ok> ok) {
    return events.stream()
        .<Outgoing>map(it -> new Outgoing.LateOk(it.connection(), ok.apply(it)))
        .toList();
  }
}
