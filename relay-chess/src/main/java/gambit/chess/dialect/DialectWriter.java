package gambit.chess.dialect;

import gambit.chess.game.GameEvent;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answers and notifications of one dialect. It decides nothing and keeps nothing. Times
 * are epoch milliseconds. Any thread.
 */
public interface DialectWriter {

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
   * @param already whether the player was searching before
   */
  Reply searching(Event event, boolean already, long now);

  /** Notifies a player, whose opponent has left at once, that the search resumes. */
  List<Notice> searchesAgain(PubKey player, long now);

  /** Notifies a player that the game that was found cannot begin. */
  List<Notice> notStarted(PubKey player, Reason reason, long now);

  /** Notifies the author of an open invite that it has expired. */
  List<Notice> inviteExpired(EventId invite, PubKey author, long now);

  /**
   * The text of the further OK that confirms a colour ({@link
   * DialectTraits.Trait#CONFIRMS_COLOURS}).
   */
  String colour(Side side);

  /** Notifies a player that the game has begun, in addition to {@code gameisfound}. */
  List<Notice> started(GameRef game, Side side, long now);

  /** Shows a player the current state of the game. */
  Notice shown(GameRef game, Playing playing, Side side, long now);

  /**
   * Notifies a player of the opponent's proposal.
   *
   * @param published whether the opponent's own event was shown to everybody
   */
  List<Notice> proposed(GameRef game, Proposal.Kind kind, boolean published, long now);

  /** Notifies a player of the game's end. */
  List<Notice> ended(GameRef game, Over over, Side side);

  /** Notifies a player who was away when the game ended. */
  Notice missedEnd(GameRef game, Over over, Side side);
}
