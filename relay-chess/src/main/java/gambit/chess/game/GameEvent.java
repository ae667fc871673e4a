package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.Side;

/** What happened in a game, in the order in which it happened. */
public sealed interface GameEvent {

  /** Handles this event. */
  <R> R accept(Visitor<R> visitor);

  /**
   * Handles every kind of event.
   *
   * @param <R> the result
   */
  interface Visitor<R> {
    R moved(Moved event);

    R illegalMove(IllegalMove event);

    R drawOffered(DrawOffered event);

    R drawDeclined(DrawDeclined event);

    R takebackAsked(TakebackAsked event);

    R takenBack(TakenBack event);

    R takebackDeclined(TakebackDeclined event);

    R ended(Ended event);
  }

  /** A legal move was played; its SAN is {@code position().san(move)} of the game before it. */
  record Moved(Side by, Move move) implements GameEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.moved(this);
    }
  }

  /** A move that cannot be played was counted; {@code count} is the side's total, from 1. */
  record IllegalMove(Side by, Move move, int count) implements GameEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.illegalMove(this);
    }
  }

  /** A draw offer stands from now on. */
  record DrawOffered(Side by) implements GameEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.drawOffered(this);
    }
  }

  /** The opponent's offer was declined in so many words; a move lets it lapse without this. */
  record DrawDeclined(Side by) implements GameEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.drawDeclined(this);
    }
  }

  /** A takeback request stands from now on. */
  record TakebackAsked(Side by) implements GameEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.takebackAsked(this);
    }
  }

  /** The last plies, one or two, are undone, and {@code by}, who asked for it, is to move. */
  record TakenBack(Side by, int plies) implements GameEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.takenBack(this);
    }
  }

  /** The opponent's request was declined in so many words; a move lets it lapse without this. */
  record TakebackDeclined(Side by) implements GameEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.takebackDeclined(this);
    }
  }

  /** The game is over; always the last event of a game. */
  record Ended(Result result, Termination termination) implements GameEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.ended(this);
    }
  }
}
