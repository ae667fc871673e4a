package gambit.chess.dialect;

import gambit.core.model.Event;

/** Reads players' events of one dialect. It decides from the event alone. Any thread. */
public interface DialectReader {

  /** Whether the event is of this dialect or may be an attempt at it. */
  boolean mayBe(Event event);

  /** Interprets an event that may be of this dialect. */
  PlayerEvent read(Event event);
}
