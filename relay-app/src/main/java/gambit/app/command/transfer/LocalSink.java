package gambit.app.command.transfer;

import gambit.app.tool.client.RelaySession;
import gambit.core.EventImport;
import gambit.core.model.Event;
import gambit.core.wire.Reason;

/** Imports events into the relay in this process, which verifies their signatures. */
record LocalSink(EventImport imports, boolean isTrusted) implements EventSink {
  /** The bytes of events that this process keeps in memory, fewer if there is little of it. */
  static final int UNANSWERED_BYTES =
      (int) Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 8);

  @Override
  public void take(Event event, boolean isVerified, RelaySession.Answer answer) {
    imports.take(
        event,
        isVerified || isTrusted,
        ok -> answer.received(ok.accepted(), ok.reason().map(Reason::toString).orElse(ok.note())));
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
