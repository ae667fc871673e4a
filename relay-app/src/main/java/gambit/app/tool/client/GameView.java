package gambit.app.tool.client;

import gambit.chess.game.Proposal;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
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

  /** Whether the opponent has made a proposal that stands. */
  public boolean hasProposalOfOpponent() {
    Side ours = terms.ours();
    return isRunning() && proposal != null && ours != null && proposal.by() != ours;
  }
}
