package gambit.chess.session.runtime;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectTraits.Trait;
import gambit.chess.dialect.DialectWriter;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.Request;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;

/**
 * A player's event on the chess lane, and what it asks for. Immutable.
 *
 * @param before how its author was bound to its connection before
 */
public record PlayerRequest(ReceivedEvent received, Request request, Bindings.Voice before) {

  public Submission submission() {
    return received.submission();
  }

  public PlayerEvent interpreted() {
    return received.interpreted();
  }

  public Dialect dialect() {
    return interpreted().dialect();
  }

  public DialectWriter writer() {
    return dialect().writer();
  }

  public Event event() {
    return submission().event();
  }

  public EventId id() {
    return event().id();
  }

  public PubKey player() {
    return event().pubkey();
  }

  /** When it arrived, in epoch milliseconds. */
  public long arrival() {
    return submission().arrivedAt().toEpochMilli();
  }

  /** The events that are told the colour: this one, if its dialect has it so. */
  public ColourAnswers colourAnswers() {
    ColourAnswers colourAnswers = new ColourAnswers();
    if (dialect().traits().has(Trait.CONFIRMS_COLOURS)) {
      colourAnswers.add(submission().connection(), id(), writer());
    }
    return colourAnswers;
  }
}
