package gambit.chess.dialect;

import gambit.chess.game.GameEvent;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A way in which clients speak chess: what their events ask for, and how its players are told what
 * happens. It decides nothing and keeps nothing. Times are epoch milliseconds. Any thread.
 */
public interface Dialect {

  /** What it is called in NIP-11 and in the journal. */
  String name();

  /** Tells, from the event alone, whether it is of this dialect or may be an attempt at it. */
  boolean mayBe(Event event);

  /** What the event asks for, or nothing when it is no word of its kind. */
  Optional<Request> read(Event event);

  /** What is wrong with an event that is no word of its kind. */
  Reason malformed(Event event);

  /**
   * What its author should have written, if an event that is no word of its kind is almost one. It
   * is refused with that, whoever has sent it, and has no effect; decided from the event alone.
   */
  Optional<Reason> nearMiss(Event event);

  /** Whether an event that is no word of its kind is none of chess, unless from a player. */
  boolean sharesItsKinds();

  /** Whether the event may be the first one of a player over a connection. */
  boolean opens(Event event);

  /**
   * Whether a player may come back to a running game with such an event alone: it need not come
   * over a bound connection. It is then answered in any case, and binds if it is granted.
   */
  boolean comesBack(Event event);

  /**
   * Why an event over a connection that is not bound may have been meant for another game of its
   * author's: whoever has captured it could have sent it.
   *
   * @param isCurrent as for {@link #stale}
   */
  Optional<Reason> doubtful(Event event, Playing game, Predicate<String> isCurrent);

  /** The game that the event names, in hex: it must not have an effect on another. */
  Optional<String> gameOf(Event event);

  /**
   * Why the event is meant for another state of the game than the current one, if it names any.
   *
   * @param isCurrent whether a state of that id, in hex, was given out since the last ply
   */
  Optional<Reason> stale(Event event, Playing game, Predicate<String> isCurrent);

  /**
   * Whether its players follow the game's state, as spectators do, so that they need not be told of
   * a position in other words.
   */
  boolean followsStates();

  /** Whether moves that cannot be played are counted against the player. */
  boolean countsIllegalMoves();

  /** The answer to a request that was granted. */
  Reply granted(Event event, List<GameEvent> happened);

  /**
   * The answer to a request that was refused.
   *
   * @param game the author's game, if the event is about it
   */
  Reply refused(Event event, Reason reason, @Nullable GameRef game, long now);

  /** The event that is stored, and shown to everybody, for a player's accepted event. */
  Optional<Event> published(
      GameRef game, Event event, Playing before, List<GameEvent> happened, long now);

  /**
   * What a player's accepted event proves later, as a tag of the record: its id if it is stored,
   * else the whole event.
   */
  List<String> evidence(Event event);

  /**
   * The answer to a search that begins.
   *
   * @param already whether it has begun before, and goes on
   */
  Reply searching(Event event, boolean already, long now);

  /** Tells a player, whose opponent has left at once, that the search goes on. */
  List<Notice> searchesAgain(PubKey player, long now);

  /** Tells a player that the game that was found cannot begin. */
  List<Notice> notStarted(PubKey player, Reason reason, long now);

  /** Whether a player is told the colour in a further OK to whatever has led to the game. */
  boolean confirmsColours();

  /** The number of the frame in which {@code gameisfound} comes, if it does in one. */
  @Nullable Integer numberOfStart();

  /** The number of the frame in which an opponent's move comes, if it does in one. */
  @Nullable Integer numberOfMove();

  /** Tells a player that the game has begun, beside {@code gameisfound}. */
  List<Notice> started(GameRef game, Side side, long now);

  /** Shows a player the game as it stands. */
  List<Notice> shown(GameRef game, Playing playing, Side side, long now);

  /** Tells a player what the opponent proposes. */
  List<Notice> proposed(GameRef game, Proposal.Kind kind, boolean published, long now);

  /** Tells a player how the game has ended. */
  List<Notice> ended(GameRef game, Over over, Side side);

  /** Tells a player, who was away when the game ended, how it did. */
  Notice missedEnd(GameRef game, Over over, Side side);
}
