package gambit.app.command.transfer;

import gambit.core.EventImport;
import gambit.core.model.Event;
import gambit.core.wire.Reason;

/** Imports events into the relay in this process, which verifies their signatures. */
record LocalSink(EventImport imports, boolean isTrusted) implements EventSink {
  /** The bytes of events that this process keeps in memory, fewer if there is little of it. */
  static final int UNANSWERED_BYTES =
      (int) Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 8);

  @Override
  public void take(Event event, Answer answer) {
    take(event, isTrusted, answer);
  }

  @Override
  public void takeVerified(Event event, Answer answer) {
    take(event, true, answer);
  }

  private void take(Event event, boolean isVerified, Answer answer) {
    imports.take(
        event,
        isVerified,
        ok -> answer.answered(ok.accepted(), ok.reason().map(Reason::toString).orElse(ok.note())));
  }

  /** Enough for the commit that is being written and for the next one. */
  @Override
  public int maxUnansweredBytes() {
    return UNANSWERED_BYTES;
  }

  @Override
  public String failure() {
    return "";
  }

  @Override
  public void close() {}
}
