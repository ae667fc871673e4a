package gambit.chess.dialect;

import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.OngoingGame;
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
 * Writes the answers and notifications of one dialect. Stateless; times are epoch milliseconds. Any
 * thread.
 */
public interface DialectWriter {

  /** The answer to a granted request. */
  Reply granted(Event event, List<GameEvent> happened);

  /**
   * The answer to a refused request.
   *
   * @param game the author's game, if the event is about it; else null
   */
  Reply refused(Event event, Reason reason, @Nullable GameRef game, long now);

  /** The public event that is stored for a player's accepted event, if there is one. */
  Optional<Event> published(
      GameRef game, Event event, OngoingGame before, List<GameEvent> happened, long now);

  /**
   * The proof of a player's accepted event, as a tag of the record: its id if it is stored, else
   * the whole event.
   */
  List<String> evidence(Event event);

  /**
   * The answer to a search that begins.
   *
   * @param already whether the player was searching already
   */
  Reply searching(Event event, boolean already, long now);

  /** Notifies a player whose opponent has left the new game that the search resumes. */
  List<Notification> searchResumed(PubKey player, long now);

  /** Notifies a paired player that the game cannot begin. */
  List<Notification> notStarted(PubKey player, Reason reason, long now);

  /** Notifies the author of an open invite that it has expired. */
  List<Notification> inviteExpired(EventId invite, PubKey author, long now);

  /**
   * The text of the further OK that confirms a colour ({@link
   * DialectTraits.Trait#CONFIRMS_COLOURS}).
   */
  String colour(Side side);

  /** Notifies a player that the game has begun, in addition to {@code gameisfound}. */
  List<Notification> started(GameRef game, Side side, long now);

  /** Shows a player the current state of the game. */
  Notification shown(GameRef game, OngoingGame playing, Side side, long now);

  /**
   * Notifies a player of the opponent's proposal.
   *
   * @param published whether the opponent's own event was published
   */
  List<Notification> proposed(GameRef game, Proposal.Type type, boolean published, long now);

  /** Notifies a player of the game's end. */
  Notification ended(GameRef game, FinishedGame over, Side side);
}
