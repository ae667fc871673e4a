package gambit.app.tool.client;

import gambit.chess.game.Proposal;
import gambit.chess.game.Result;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A game as this client knows it at some time. The moves lead from the first position of the terms
 * to this one; if not all are known, there are none, and the position has no history. Null are the
 * clocks of an untimed game, and what the relay has not sent. Immutable; any thread.
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

  public boolean isOurTurn() {
    return isRunning() && position.turn() == terms.ours();
  }

  public boolean hasProposalOfOpponent() {
    Side ours = terms.ours();
    return isRunning() && proposal != null && ours != null && proposal.by() != ours;
  }

  /**
   * The end of a game, with the word of the relay's {@code termination} tag, if any, and the record
   * of kind 64 once it has arrived; aborted games have none. Immutable.
   */
  public record GameEnding(Result result, String termination, @Nullable Event record) {
    public static GameEnding of(Tags tags) {
      return new GameEnding(
          tags.first("result").flatMap(Result::of).orElse(Result.NONE),
          tags.first("termination").orElse(""),
          null);
    }
  }

  /** Milliseconds left at an epoch time of this client, and whose clock runs. Immutable. */
  public record GameClocks(long white, long black, @Nullable Side running, long at) {

    public long left(Side side, long now) {
      long left = side == Side.WHITE ? white : black;
      return side == running ? Math.max(0, left - Math.max(0, now - at)) : left;
    }

    GameClocks stopped(long now) {
      return new GameClocks(left(Side.WHITE, now), left(Side.BLACK, now), null, now);
    }
  }

  /**
   * Since when the players are away, or null while they are connected, and the number of other
   * connections that follow the game (kind 20306). Immutable.
   */
  public record Presence(
      @Nullable Instant whiteAwaySince, @Nullable Instant blackAwaySince, int watching) {

    public @Nullable Instant awaySince(Side side) {
      return side == Side.WHITE ? whiteAwaySince : blackAwaySince;
    }
  }
}
