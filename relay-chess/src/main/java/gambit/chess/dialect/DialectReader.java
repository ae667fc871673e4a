package gambit.chess.dialect;

import gambit.core.model.Event;

/** Interprets players' events of one dialect. The result depends on the event alone. Any thread. */
public interface DialectReader {

  /** Whether an event may be one of this dialect, correct or mistyped. */
  boolean isCandidate(Event event);

  /** Interprets a candidate. */
  PlayerEvent read(Event event);
}
