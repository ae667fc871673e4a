package gambit.app.tool.client;

import gambit.chess.game.Proposal;
import gambit.chess.game.Result;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A game as this client knows it at some time. Immutable; any thread.
 *
 * @param moves the moves from the first position of the terms to {@code position}; empty if they
 *     are not {@code complete}
 * @param complete whether all moves are known; otherwise the position has no history
 * @param clocks null in an untimed game, and before the relay has sent them
 * @param proposal the standing draw offer or takeback request, or null
 * @param presence null if the relay does not send it
 * @param ending null while the game runs
 */
public record GameView(
    GameTerms terms,
    Position position,
    List<Move> moves,
    boolean complete,
    @Nullable GameClocks clocks,
    @Nullable Proposal proposal,
    @Nullable Presence presence,
    @Nullable GameEnding ending) {

  public EventId id() {
    return terms.id();
  }

  public boolean isRunning() {
    return ending == null;
  }

  /** Whether the game runs and this client's player is to move. */
  public boolean isOurTurn() {
    return isRunning() && position.turn() == terms.ours();
  }

  public boolean hasProposalOfOpponent() {
    Side ours = terms.ours();
    return isRunning() && proposal != null && ours != null && proposal.by() != ours;
  }

  /**
   * The end of a game. Immutable.
   *
   * @param termination the word of the relay's {@code termination} tag; empty if the relay sent
   *     none
   * @param record the record of kind 64, or null before it has arrived; aborted games have none
   */
  public record GameEnding(Result result, String termination, @Nullable Event record) {}

  /**
   * The clocks of a game at a time of this client. Immutable. All times are milliseconds.
   *
   * @param white White's remaining time at {@code at}
   * @param black Black's remaining time at {@code at}
   * @param running the side whose clock runs, or null if none does
   * @param at epoch milliseconds of this client's clock
   */
  public record GameClocks(long white, long black, @Nullable Side running, long at) {

    /** The remaining time of a side, at least 0. */
    public long left(Side side, long now) {
      long left = side == Side.WHITE ? white : black;
      return side == running ? Math.max(0, left - Math.max(0, now - at)) : left;
    }

    GameClocks stopped(long now) {
      return new GameClocks(left(Side.WHITE, now), left(Side.BLACK, now), null, now);
    }
  }

  /**
   * The presence of a game's players and spectators (kind 20306). Immutable.
   *
   * @param whiteAwaySince null while White is connected
   * @param watching the number of connections that follow the game, other than the players'
   */
  public record Presence(
      @Nullable Instant whiteAwaySince, @Nullable Instant blackAwaySince, int watching) {

    /** The time since which a player is disconnected, or null while connected. */
    public @Nullable Instant awaySince(Side side) {
      return side == Side.WHITE ? whiteAwaySince : blackAwaySince;
    }
  }
}
