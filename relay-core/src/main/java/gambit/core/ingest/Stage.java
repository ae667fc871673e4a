package gambit.core.ingest;

import gambit.core.wire.RelayMessage.Ok;
import java.util.Optional;

/** A stage of the path of an EVENT ({@link Ingest}) that answers at once. Thread-safe. */
interface Stage {
  /** The answer with which the path ends at this stage; nothing if the event passes. */
  Optional<Ok> answer(IncomingEvent incoming);
}
