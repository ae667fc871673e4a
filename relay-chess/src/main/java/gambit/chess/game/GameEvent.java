package gambit.chess.game;

import gambit.chess.game.Ruling.Step;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;

/** An event in a game; a {@link Step} has one or more. */
public sealed interface GameEvent {

  /** A legal move was played; its SAN is {@code position().san(move)} of the game before it. */
  record Moved(Side by, Move move) implements GameEvent {}

  /** An illegal move was counted; {@code count} is the side's total, from 1. */
  record IllegalMove(Side by, Move move, int count) implements GameEvent {}

  record Proposed(Proposal.Type type, Side by) implements GameEvent {}

  /** A side has declined the opponent's proposal. One that lapses by a move has no such event. */
  record Declined(Proposal.Type type, Side by) implements GameEvent {}

  /** The last one or two plies were undone; {@code by}, which had requested it, is to move. */
  record TakenBack(Side by, int plies) implements GameEvent {}

  /** The game has ended; always the last event of a game. */
  record Ended(Result result, Termination termination) implements GameEvent {}
}
