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
 * A protocol in which clients play chess: it reads players' events, and writes answers and
 * notifications. The default methods are those of a dialect with stored events and without numbered
 * frames. Stateless; any thread. Times are epoch milliseconds.
 */
public interface Dialect {
  enum Trait {
    /**
     * Other protocols use the same kinds, so a malformed event is an ordinary event unless a player
     * has sent it.
     */
    SHARES_ITS_KINDS,
    /** Players follow the game's state, as spectators do, and get no other notification of it. */
    FOLLOWS_STATES,
    /** Illegal moves are counted against the player. */
    COUNTS_ILLEGAL_MOVES,
    /** A further OK notifies a player of the colour. */
    CONFIRMS_COLOURS
  }

  /** The name in NIP-11 and in stored rows. */
  String name();

  /** The first action that an unbound connection needs, as a text for the player. */
  String entry();

  /** The tag in which an event names its game, as a text for the player. */
  String gameTag();

  boolean has(Trait trait);

  /** Whether the absent {@code tags} of an event of a kind are read as an empty list. */
  default boolean tagsMayBeMissing(int kind) {
    return false;
  }

  /** Whether clients understand numbered frames, which reach them without a subscription. */
  default boolean hasNumberedFrames() {
    return startFrame() != null;
  }

  /** The number of the frame with {@code gameisfound}, or null. */
  default @Nullable Integer startFrame() {
    return null;
  }

  /** The number of the frame with an opponent's move, or null. */
  default @Nullable Integer moveFrame() {
    return null;
  }

  /** Whether an event may be one of this dialect, correct or mistyped. */
  boolean isCandidate(Event event);

  /** Interprets a candidate. The result depends on the event alone. */
  PlayerEvent read(Event event);

  Reply granted(Event event, List<GameEvent> happened);

  /** The answer to a refused request, about the author's game or none. */
  default Reply refused(Event event, Reason reason, @Nullable GameRef game, long now) {
    return Reply.refused(reason);
  }

  /** The public event that is stored for a player's accepted event, if there is one. */
  Optional<Event> published(
      GameRef game, Event event, OngoingGame before, List<GameEvent> happened, long now);

  /**
   * The proof of a player's accepted event, as a tag of the record: its id if it is stored, else
   * the whole event.
   */
  default List<String> evidence(Event event) {
    return List.of("ending", event.id().hex());
  }

  /** The answer to a search that begins, or has begun already. */
  Reply searching(Event event, boolean already, long now);

  /** Notifies a player whose opponent has left the new game that the search resumes. */
  default List<Notification> searchResumed(PubKey player, long now) {
    return List.of();
  }

  /** Notifies a paired player that the game cannot begin. */
  default List<Notification> notStarted(PubKey player, Reason reason, long now) {
    return List.of();
  }

  /** Notifies the author of an open invite that it has expired. */
  default List<Notification> inviteExpired(EventId invite, PubKey author, long now) {
    return List.of();
  }

  /** Notifies a player that the game has begun, in addition to {@code gameisfound}. */
  default List<Notification> started(GameRef game, Side side, long now) {
    return List.of();
  }

  Notification shown(GameRef game, OngoingGame playing, Side side, long now);

  /**
   * Notifies a player of the opponent's proposal.
   *
   * @param published whether the opponent's own event was published
   */
  default List<Notification> proposed(
      GameRef game, Proposal.Type type, boolean published, long now) {
    return List.of();
  }

  Notification ended(GameRef game, FinishedGame over, Side side);
}
