package gambit.chess.session;

import gambit.chess.dialect.Dialect;
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
record Ask(Submission submission, PlayerEvent interpreted, Request request, Bindings.Voice before) {

  Dialect dialect() {
    return interpreted.dialect();
  }

  DialectWriter writer() {
    return dialect().writer();
  }

  Event event() {
    return submission.event();
  }

  EventId id() {
    return event().id();
  }

  PubKey player() {
    return event().pubkey();
  }

  /** When it arrived, in epoch milliseconds. */
  long arrival() {
    return submission.arrivedAt().toEpochMilli();
  }

  /** The events that are told the colour: this one, if its dialect has it so. */
  Connects connects() {
    Connects connects = new Connects();
    if (dialect().traits().confirmsColours()) {
      connects.add(submission.connection(), id(), writer());
    }
    return connects;
  }
}
