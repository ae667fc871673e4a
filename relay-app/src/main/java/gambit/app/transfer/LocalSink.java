package gambit.app.transfer;

import gambit.core.EventImport;
import gambit.core.model.Event;
import gambit.core.wire.Reason;

/** Imports events into the relay in this process, which verifies their signatures. */
record LocalSink(EventImport imports, boolean isTrusted) implements EventSink {
  @Override
  public void take(Event event, Answer answer) {
    imports.take(
        event,
        isTrusted,
        ok -> answer.answered(ok.accepted(), ok.reason().map(Reason::toString).orElse(ok.note())));
  }

  @Override
  public String failure() {
    return "";
  }

  @Override
  public void close() {}
}
