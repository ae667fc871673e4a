package gambit.chess.game;

/**
 * A method for each kind of {@link GameEvent}.
 *
 * @param <R> the result
 */
public interface GameEventVisitor<R> {
  R moved(GameEvent.Moved event);

  R illegalMove(GameEvent.IllegalMove event);

  R drawOffered(GameEvent.DrawOffered event);

  R drawDeclined(GameEvent.DrawDeclined event);

  R takebackAsked(GameEvent.TakebackAsked event);

  R takenBack(GameEvent.TakenBack event);

  R takebackDeclined(GameEvent.TakebackDeclined event);

  R ended(GameEvent.Ended event);
}
