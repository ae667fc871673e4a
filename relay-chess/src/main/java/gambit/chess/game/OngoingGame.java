package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import org.jspecify.annotations.Nullable;

/**
 * A game in progress.
 *
 * <p>Immutable; any thread. Times are epoch milliseconds.
 *
 * @param initial the position at the start, with either side to move
 * @param changedAt the last change that spectators see: start, move, proposal made, answered or
 *     lapsed, takeback, end. An illegal move that is only counted is not such a change
 */
public record OngoingGame(
    Position initial,
    Position position,
    PlayedMoves moves,
    SideHistory white,
    SideHistory black,
    @Nullable Proposal proposal,
    ChessClock clock,
    long startedAt,
    long changedAt)
    implements Game {

  /** A game before its first move, with the limits of {@link TimeLimits}. */
  public static OngoingGame start(
      Position initial, TimeControl control, long firstMoveMillis, long lagMillis, long startedAt) {
    if (initial.outcome().isPresent()) {
      throw new IllegalArgumentException("the game would be over: " + initial.fen());
    }
    TimeLimits limits = new TimeLimits(control, firstMoveMillis, lagMillis);
    return new OngoingGame(
        initial,
        initial,
        PlayedMoves.NONE,
        SideHistory.CLEAN,
        SideHistory.CLEAN,
        null,
        ChessClock.start(limits, initial.turn(), startedAt),
        startedAt,
        startedAt);
  }

  public Side turn() {
    return position.turn();
  }

  public TimeControl control() {
    return clock.limits().control();
  }

  /** The number of plies since the start, which is 0 also for a set-up position. */
  public int plies() {
    return moves.size();
  }

  public int movesOf(Side side) {
    return (side == initial.turn() ? plies() + 1 : plies()) / 2;
  }

  public SideHistory history(Side side) {
    return side == Side.WHITE ? white : black;
  }

  /** Whether the opponent has made a proposal of this kind that the side has not answered. */
  public boolean isAsked(Side side, Proposal.Type type) {
    return proposal != null && proposal.by() != side && proposal.type() == type;
  }

  @Nullable Proposal proposalBy(Side side) {
    return proposal != null && proposal.by() == side ? proposal : null;
  }

  /** The side's clock at {@link #changedAt}, in milliseconds; -1 if untimed. */
  public long clock(Side side) {
    return clock.at(side, changedAt);
  }

  public long deadline() {
    return clock.deadline();
  }

  /** The game resumed after a restart (see {@link ChessClock}); spectators see no change. */
  public OngoingGame resumed(long now) {
    return with(position, moves, proposal, clock.resumed(Math.max(now, changedAt)), changedAt);
  }

  /** The game after a legal move; a proposal of the opponent lapses. */
  OngoingGame afterMove(Move move, Position next, long now) {
    Side mover = turn();
    Side turn = next.turn();
    return with(
        next,
        moves.append(move, clock.tenthsAfterMove(mover, now)),
        proposalBy(mover),
        clock.moved(turn, movesOf(turn) > 0, now),
        changeAt(now));
  }

  /**
   * The time of a change. What caused it may have arrived before the clocks were resumed, as at the
   * earlier leader of a cluster.
   */
  private long changeAt(long now) {
    return Math.max(now, Math.max(changedAt, clock.resumedAt()));
  }

  /** The game without its last one or two plies; the side to move then had requested that. */
  OngoingGame takenBack(int plies, long now) {
    PlayedMoves rest = moves.takeBack(plies);
    Position back = initial.after(rest.toList());
    boolean hasMoved = rest.size() >= (back.turn() == initial.turn() ? 1 : 2);
    return new OngoingGame(
        initial,
        back,
        rest,
        white.withTakebackAt(SideHistory.NEVER),
        black.withTakebackAt(SideHistory.NEVER),
        null,
        clock.takenBack(back.turn(), hasMoved, now),
        startedAt,
        changeAt(now));
  }

  OngoingGame withHistory(Side side, SideHistory history) {
    SideHistory newWhite = side == Side.WHITE ? history : white;
    SideHistory newBlack = side == Side.BLACK ? history : black;
    return new OngoingGame(
        initial, position, moves, newWhite, newBlack, proposal, clock, startedAt, changedAt);
  }

  public OngoingGame withProposal(@Nullable Proposal next, long now) {
    return with(position, moves, next, clock.settled(), changeAt(now));
  }

  private OngoingGame with(
      Position newPosition,
      PlayedMoves newMoves,
      @Nullable Proposal newProposal,
      ChessClock newClock,
      long newChangedAt) {
    return new OngoingGame(
        initial,
        newPosition,
        newMoves,
        white,
        black,
        newProposal,
        newClock,
        startedAt,
        newChangedAt);
  }
}
