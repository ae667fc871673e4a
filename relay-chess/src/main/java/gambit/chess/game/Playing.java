package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import org.jspecify.annotations.Nullable;

/**
 * A game that is being played.
 *
 * <p>Immutable; any thread. Times are epoch milliseconds.
 *
 * @param initial where it started, by either side to move
 * @param position where it stands
 * @param moves what led from the one to the other
 * @param white what White has used up
 * @param black what Black has used up
 * @param proposal the draw offer or takeback request that stands, or null
 * @param clock the clocks of this turn
 * @param changedAt when anything last changed that spectators see: start, move, proposal made,
 *     answered or lapsed, takeback, end; an illegal move that is only counted is none of these
 */
public record Playing(
    Position initial,
    Position position,
    PlayedMoves moves,
    Conduct white,
    Conduct black,
    @Nullable Proposal proposal,
    ChessClock clock,
    long startedAt,
    long changedAt)
    implements Game {

  /**
   * A game before its first move.
   *
   * @param firstMoveMillis how long the first move of either side may take; see {@link Tempo}
   * @param lagMillis how much of each move's time is not counted; see {@link Tempo}
   * @throws IllegalArgumentException if the position is already the end of a game
   */
  public static Playing start(
      Position initial, TimeControl control, long firstMoveMillis, long lagMillis, long startedAt) {
    if (initial.outcome().isPresent()) {
      throw new IllegalArgumentException("the game would be over: " + initial.fen());
    }
    Tempo tempo = new Tempo(control, firstMoveMillis, lagMillis);
    return new Playing(
        initial,
        initial,
        PlayedMoves.NONE,
        Conduct.CLEAN,
        Conduct.CLEAN,
        null,
        ChessClock.start(tempo, initial.turn(), startedAt),
        startedAt,
        startedAt);
  }

  /**
   * A game made again from what was written down of it; the moves are replayed.
   *
   * @throws IllegalArgumentException if one of the moves cannot be played
   */
  public static Playing restored(
      Position initial,
      PlayedMoves moves,
      Conduct white,
      Conduct black,
      @Nullable Proposal proposal,
      ChessClock clock,
      long startedAt,
      long changedAt) {
    Position position = replay(initial, moves);
    return new Playing(
        initial, position, moves, white, black, proposal, clock, startedAt, changedAt);
  }

  private static Position replay(Position initial, PlayedMoves moves) {
    Position position = initial;
    for (Move move : moves.toList()) {
      position =
          position
              .play(move)
              .orElseThrow(() -> new IllegalArgumentException("no such game: " + moves));
    }
    return position;
  }

  /** The side to move. */
  public Side turn() {
    return position.turn();
  }

  public TimeControl control() {
    return clock.tempo().control();
  }

  /** The plies played since the start, 0 at the start also from a set-up position. */
  public int plies() {
    return moves.size();
  }

  /** How many moves the side has played since the start. */
  public int movesOf(Side side) {
    return (side == initial.turn() ? plies() + 1 : plies()) / 2;
  }

  public Conduct conduct(Side side) {
    return side == Side.WHITE ? white : black;
  }

  /** Whether the side has a proposal of this kind to answer. */
  public boolean isAsked(Side side, Proposal.Kind kind) {
    return proposal != null && proposal.by() != side && proposal.kind() == kind;
  }

  /** What the side has proposed and has no answer to yet, or null. */
  @Nullable Proposal proposalBy(Side side) {
    return proposal != null && proposal.by() == side ? proposal : null;
  }

  /** What the side's clock showed at {@link #changedAt}, in milliseconds; -1 if untimed. */
  public long clock(Side side) {
    return clock.at(side, changedAt);
  }

  /**
   * The first moment at which the side to move is out of time, or its first move is too late;
   * {@link Long#MAX_VALUE} if never.
   */
  public long deadline() {
    return clock.deadline();
  }

  /** The game as it goes on after a restart (see {@link ChessClock}); no change of the game. */
  public Playing resumed(long now) {
    return with(position, moves, proposal, clock.resumed(Math.max(now, changedAt)), changedAt);
  }

  /** After a legal move; a proposal of the opponent lapses. */
  Playing afterMove(Move move, Position next, long now) {
    Side mover = turn();
    Side turn = next.turn();
    return with(
        next,
        moves.append(move, clock.tenthsAfterMove(mover, now)),
        proposalBy(mover),
        clock.moved(turn, movesOf(turn) > 0, now),
        Math.max(now, changedAt));
  }

  /** After the last plies are undone, one or two; the side that is to move had asked for it. */
  Playing takenBack(int plies, long now) {
    PlayedMoves rest = moves.takeBack(plies);
    Playing back =
        new Playing(
            initial,
            replay(initial, rest),
            rest,
            white.withTakebackAt(Conduct.NEVER),
            black.withTakebackAt(Conduct.NEVER),
            null,
            clock,
            startedAt,
            Math.max(now, changedAt));
    Side turn = back.turn();
    return back.with(
        back.position,
        rest,
        null,
        clock.takenBack(turn, back.movesOf(turn) > 0, now),
        back.changedAt);
  }

  Playing withConduct(Side side, Conduct conduct) {
    Conduct newWhite = side == Side.WHITE ? conduct : white;
    Conduct newBlack = side == Side.BLACK ? conduct : black;
    return new Playing(
        initial, position, moves, newWhite, newBlack, proposal, clock, startedAt, changedAt);
  }

  Playing withProposal(@Nullable Proposal next, long now) {
    return with(position, moves, next, clock.settled(), Math.max(now, changedAt));
  }

  private Playing with(
      Position newPosition,
      PlayedMoves newMoves,
      @Nullable Proposal newProposal,
      ChessClock newClock,
      long newChangedAt) {
    return new Playing(
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
