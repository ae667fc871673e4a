package gambit.core.ingest;

import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import java.util.List;
import java.util.function.Function;

/**
 * Events to be stored all or none, and what to let out once that is decided.
 *
 * @param outcome called on the writer's thread, exactly once
 */
record WriteRequest(List<Event> events, Function<WriteOutcome, List<Outgoing>> outcome) {

  long jsonBytes() {
    long bytes = 0;
    for (Event event : events) {
      bytes += event.json().length;
    }
    return bytes;
  }
}
